"""Write changes of contracts as a Markdown table for a review."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from brimgen.contract.changes import Change, Level


def table(changes: Sequence[Change], unapproved: Collection[Change]) -> Iterator[str]:
    """The lines of a Markdown text: the count of each level, and a row for each change.

    Breaking changes that are not ``unapproved`` are marked as approved.
    """
    if not changes:
        yield "No tool's contract changes."
        return
    counts = [
        (level, sum(change.level is level for change in changes)) for level in Level
    ]
    yield ", ".join(f"{count} {level}" for level, count in counts if count) + "."
    yield ""
    yield "| level | tool | for | change |"
    yield "|---|---|---|---|"
    levels = list(Level)
    for change in sorted(changes, key=lambda change: levels.index(change.level)):
        text = _cell(f"{change.subject} {change.text}")
        is_approved = change.level is Level.BREAKING and change not in unapproved
        level = f"{change.level}, approved" if is_approved else change.level
        yield f"| {level} | `{change.tool}` | {change.side} | {text} |"


def _cell(text: str) -> str:
    """Escape ``text`` for one table cell: bars, line ends and tags."""
    flat = " ".join(text.split())
    return flat.replace("|", "\\|").replace("<", "&lt;")
