"""Lay out literals, and lists of names in brackets, as black would.

What has a length that depends on the spec stands on one line if it fits there, else one item a
line. Literals are laid out from their values, without pieces: schemas are most of what is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from brimgen.emit.code import ATOM_WRITERS, SPREAD, STEP, WIDTH, Block, Code, fits, py
from brimgen.model.json import Json

_MAPPINGS = (dict, MappingProxyType)
_SEQUENCES = (list, tuple)


def py_block(
    value: Json, *, before: str = "", after: str = "", indent: int = 0
) -> Code:
    """``before``, the literal of ``value``, ``after``: broken into lines as black breaks them.

    The first line is to be printed at column ``indent`` and carries no indentation itself.
    """
    return Code(_laid_out(value, before, after, indent))


def block(items: Sequence[str], *, before: str, indent: int) -> Block:
    """The mapping of entries that are laid out, as it stands behind ``before``, ahead of a comma.

    Each entry is ASCII and has its comma.
    """
    return Block(_arranged(f"{before}{{", items, "},", indent)[len(before) : -1])


def bracketed(
    items: Sequence[str], *, before: str, after: str, indent: int = 0
) -> Code:
    """``before`` + ``items`` + ``after`` on one line if that fits, else one item a line.

    ``before`` ends with the opening bracket, ``after`` begins with the closing one. Each item is
    source on one line.
    """
    return Code(_arranged(before, [f"{item}," for item in items], after, indent))


def _laid_out(value: Json, before: str, after: str, indent: int) -> str:
    """As `py_block`. Parts are laid out first: what holds a broken one is broken, too."""
    inner = indent + STEP
    if isinstance(value, _MAPPINGS):
        head, tail = f"{before}{{", f"}}{after}"
        items = [
            (
                f"{key}{member},"
                if key is SPREAD
                else (
                    f"{py(key)}: {write(member)},"
                    if (write := ATOM_WRITERS.get(type(member)))
                    else _laid_out(member, f"{py(key)}: ", ",", inner)
                )
            )
            for key, member in value.items()
        ]
    elif isinstance(value, _SEQUENCES):
        head, tail = f"{before}[", f"]{after}"
        items = [
            (
                f"{write(item)},"
                if (write := ATOM_WRITERS.get(type(item)))
                else _laid_out(item, "", ",", inner)
            )
            for item in value
        ]
    else:
        return f"{before}{py(value)}{after}"
    if len(items) == 1 and len(before) + len(after) < STEP - 1 and "\n" in items[0]:
        # Here the line of the part is longer than that of the whole, by its indentation.
        flat = f"{before}{py(value)}{after}"
        if fits(flat, indent) and "\n" not in flat:
            return flat
    return _arranged(head, items, tail, indent)


def _arranged(head: str, items: Sequence[str], tail: str, indent: int) -> str:
    """Parts that are laid out, with their commas: on one line if they fit there."""
    contents = " ".join(items)
    if len(contents) <= WIDTH and "\n" not in contents:
        flat = f"{head}{contents[:-1]}{tail}"
        if not items or fits(flat, indent):
            return flat
    pad = "\n" + " " * (indent + STEP)
    return f"{head}{pad}{pad.join(items)}\n{' ' * indent}{tail}"
