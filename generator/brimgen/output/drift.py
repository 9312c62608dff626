"""Show a plan as a list of changed files, or as a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    EDITED_ORPHAN,
    EMPTIED_SPECS,
    EXTRA_OUTPUT,
    HAND_EDITED,
    INTERRUPTED,
    MISSING_OUTPUT,
    NOTHING_GENERATED,
    OUTDATED,
)
from brimgen.output.paths import JOURNAL_NAME, MANIFEST_NAME
from brimgen.output.plan import Plan, State

_RULES = {
    State.NEW: MISSING_OUTPUT,
    State.MISSING: MISSING_OUTPUT,
    State.CHANGED: OUTDATED,
    State.ORPHANED: EXTRA_OUTPUT,
}


def report_emptied(plan: Plan, specs: Path, diagnostics: Diagnostics) -> None:
    """Report that ``specs`` is empty and all generated files would be removed."""
    name = specs.name or str(specs)
    files = len(plan.removes)
    diagnostics.add(EMPTIED_SPECS, Span.at_file(name), specs=name, files=files)


def report_beside_patch(plan: Plan, diagnostics: Diagnostics) -> None:
    """Report the drift that no patch shows: files that a run leaves as a hand edited them, and a
    run that was interrupted.
    """
    for path in plan.kept:
        rule = EDITED_ORPHAN if path in plan.unmade else HAND_EDITED
        diagnostics.add(rule, _span(plan, path))
    if plan.interrupted:
        diagnostics.add(INTERRUPTED, _span(plan, JOURNAL_NAME))


def report_drift(plan: Plan, diagnostics: Diagnostics) -> None:
    """Report each generated file that is missing, outdated, superfluous or edited."""
    if plan.states and {*plan.states.values()} == {State.NEW}:
        diagnostics.add(NOTHING_GENERATED, Span.at_file(plan.root.name))
        return
    report_beside_patch(plan, diagnostics)
    for path, state in plan.states.items():
        if rule := _RULES.get(state):
            diagnostics.add(rule, _span(plan, path))
    if plan.interrupted:
        return
    if not (plan.root / MANIFEST_NAME).exists():
        diagnostics.add(MISSING_OUTPUT, _span(plan, MANIFEST_NAME))
    elif {*plan.puts} == {MANIFEST_NAME} and not plan.removes:
        diagnostics.add(OUTDATED, _span(plan, MANIFEST_NAME))


def patch(plan: Plan) -> Iterator[str]:
    """The unified difference between the folder and the generated files, file by file.

    The manifest is left out, whose hashes tell a reader nothing, and so is what the catalogue
    repeats of the tools as data for its script.
    """
    for path in sorted({*plan.puts, *plan.removes} - {MANIFEST_NAME}):
        source = plan.root / path
        old = source.read_bytes() if source.is_file() else None
        new = plan.puts.get(path)
        yield from _patch_of_file(f"{plan.root.name}/{path}", old, new)


def _patch_of_file(name: str, old: bytes | None, new: bytes | None) -> Iterator[str]:
    from difflib import unified_diff

    lines = unified_diff(
        _lines(old),
        _lines(new),
        "/dev/null" if old is None else f"a/{name}",
        "/dev/null" if new is None else f"b/{name}",
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


_DATA = re.compile(
    rb'(<script type="application/json" id="catalog">).*?(</script>)', re.DOTALL
)


def _lines(data: bytes | None) -> list[str]:
    data = None if data is None else _DATA.sub(rb"\1\2", data)
    return [*StringIO((data or b"").decode("utf-8", "replace"), newline="\n")]


def _span(plan: Plan, path: str) -> Span:
    return Span.at_file(f"{plan.root.name}/{path}")
