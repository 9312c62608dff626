"""Print the sizes of descriptors as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brimgen.emit.tokens import Size

_NOTE = "tokens, estimated: bytes of compact JSON / 4"


def table(measured: Sequence[Size]) -> Iterator[str]:
    """Yield a row for each tool, largest first, with a column for each profile; then the sums."""
    profiles = list(dict.fromkeys(size.profile for size in measured))
    by_tool: dict[str, dict[str, int]] = {}
    for size in measured:
        by_tool.setdefault(size.tool, {})[size.profile] = size.tokens
    if not by_tool:
        yield "no target that is chosen describes tools"
        return
    width = max(len("the whole set"), *map(len, by_tool))
    rows = sorted(by_tool.items(), key=lambda row: (-max(row[1].values()), row[0]))
    yield _row(_NOTE, width, profiles, profiles)
    for tool, sizes in rows:
        yield _row(
            tool, width, profiles, [sizes.get(profile, "-") for profile in profiles]
        )
    sums = [
        sum(row.get(profile, 0) for row in by_tool.values()) for profile in profiles
    ]
    yield _row("the whole set", width, profiles, sums)


def _row(
    name: str, width: int, profiles: Sequence[str], cells: Sequence[int | str]
) -> str:
    columns = zip(profiles, cells, strict=True)
    row = "".join(f"  {cell:>{max(len(profile), 7)}}" for profile, cell in columns)
    return f"{name:<{max(width, len(_NOTE))}}{row}"
