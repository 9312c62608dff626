"""The summaries that `generate` and `check` print at their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brimgen.output.plan import Plan


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def done(plan: Plan) -> str:
    """Return the last line of `generate`; the manifest is not counted."""
    written = sum(path in plan.states for path in plan.puts)
    unchanged = len(plan.states) - written - len(plan.removes)
    return _done(written, len(plan.removes), unchanged)


def _done(written: int, removed: int, unchanged: int) -> str:
    return f"{count(written, 'file')} written, {removed} removed, {unchanged} unchanged"


def nothing_done(files: int) -> str:
    """Return the last line of `generate` if there was nothing to do."""
    return _done(0, 0, files)


def up_to_date(files: int) -> str:
    """Return the last line of `check` if there is nothing to report."""
    return f"{count(files, 'file')} as the specs say"
