"""Code: text that is source of the target already; and the literal writers that make it."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType, NoneType
from typing import Any

from brimgen.emit.indented import escaped, indented
from brimgen.model.json import Json

WIDTH = 88
STEP = 4
_PLAIN_PATH = re.compile(r"[\w./-]+(?: [\w./-]+)*", re.ASCII)
_MAPPINGS = (dict, MappingProxyType)
_SEQUENCES = (list, tuple)


class Code(str):
    """Text that may be printed into a generated file as it is.

    Everything that comes from a spec is plain `str` until a literal writer of its target has
    turned it into `Code`; the template environment prints nothing else.
    """

    __slots__ = ()


class Block(str):
    """A literal that is text already, laid out for the place at which it is to stand."""

    __slots__ = ()


def py(value: Json) -> Code:
    """A JSON-like value as a Python literal on one line, in the form that black would give it.

    Strings are ASCII (promises.md 3): nothing that a spec says can end the literal.

    Raises:
        TypeError: for `Code`, which would be quoted twice, and for what JSON does not have.
    """
    return _string(value) if type(value) is str else Code(_literal(value))


def _literal(value: Json) -> str:
    write = _ATOMS.get(type(value))
    if write is not None:
        return write(value)
    if isinstance(value, _MAPPINGS):
        entries = [f"{_literal(key)}: {_literal(each)}" for key, each in value.items()]
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, _SEQUENCES):
        return f"[{', '.join([_literal(each) for each in value])}]"
    return _rare_literal(value)


def _rare_literal(value: Json) -> str:
    match value:
        case Code():
            raise TypeError(f"code is not text: {value}")
        case str():
            return _string(str(value))
        case float():
            return _float(value)
        case int():
            return repr(value)
        case Mapping():
            return _literal(dict(value))
        case Sequence():
            return _literal(list(value))
        case _:
            pass
    raise TypeError(f"not a JSON value: {type(value).__name__}")


@lru_cache(maxsize=4096)
def _string(text: str) -> Code:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return Code(f'"{text}"')
    # black prefers double quotes unless single ones save an escape; a piece of the text between
    # two of the chosen quotes holds at most the other kind, so ascii() escapes neither.
    quote = '"' if text.count('"') <= text.count("'") else "'"
    pieces = [ascii(piece)[1:-1] for piece in text.split(quote)]
    return Code(quote + f"\\{quote}".join(pieces) + quote)


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise TypeError(f"not a JSON number: {value}")
    return repr(value).replace("e+", "e")


_ATOMS: Mapping[object, Callable[[Any], str]] = {
    str: _string,
    int: repr,
    float: _float,
    bool: repr,
    NoneType: repr,
    Block: str,
}
"""How literals are written that have no parts, by their exact types; rare ones apart."""


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


def _laid_out(value: Json, before: str, after: str, indent: int) -> str:
    """As `py_block`. Parts are laid out first: what holds a broken one is broken, too."""
    inner = indent + STEP
    if isinstance(value, _MAPPINGS):
        head, tail = f"{before}{{", f"}}{after}"
        items = [
            (
                f"{_string(key)}: {write(each)},"
                if (write := _ATOMS.get(type(each)))
                else _laid_out(each, f"{_string(key)}: ", ",", inner)
            )
            for key, each in value.items()
        ]
    elif isinstance(value, _SEQUENCES):
        head, tail = f"{before}[", f"]{after}"
        items = [
            (
                f"{write(each)},"
                if (write := _ATOMS.get(type(each)))
                else _laid_out(each, "", ",", inner)
            )
            for each in value
        ]
    else:
        return f"{before}{_literal(value)}{after}"
    if len(items) == 1 and len(before) + len(after) < STEP - 1 and "\n" in items[0]:
        # Here the line of the part is longer than that of the whole, by its indentation.
        flat = f"{before}{_literal(value)}{after}"
        if fits(flat, indent) and "\n" not in flat:
            return flat
    return _arranged(head, items, tail, indent)


def _arranged(head: str, items: Sequence[str], tail: str, indent: int) -> str:
    """Parts that are laid out, ASCII and with their commas: on one line if they fit there."""
    inside = " ".join(items)
    if len(inside) <= WIDTH and "\n" not in inside:
        flat = f"{head}{inside[:-1]}{tail}"
        if not items or fits(flat, indent):
            return flat
    return _exploded(head, items, tail, indent)


def bracketed(
    items: Sequence[str], *, before: str, after: str, indent: int = 0, sole: str = ","
) -> Code:
    """``before`` + ``items`` + ``after`` on one line if that fits, else one item a line.

    ``before`` ends with the opening bracket, ``after`` begins with the closing one. Each item is
    source on one line. ``sole`` follows an item that stands alone: nothing in a subscript, where
    a comma would make it a tuple.
    """
    flat = before + ", ".join(items) + after
    if not items or fits(flat, indent):
        return Code(flat)
    comma = sole if len(items) == 1 else ","
    pad = " " * (indent + STEP)
    rows = f",\n{pad}".join(items)
    return Code(f"{before}\n{pad}{rows}{comma}\n{' ' * indent}{after}")


def _exploded(before: str, lines: Sequence[str], after: str, indent: int) -> str:
    pad = "\n" + " " * (indent + STEP)
    return f"{before}{pad}{pad.join(lines)}\n{' ' * indent}{after}"


def header(source: str | None = None, *, comment: str = "# ", module: str = "") -> Code:
    """The two lines that begin a generated file, in comments of its language.

    ``source`` is the one spec file it comes from (`Span.file`); a name that is not plain is left
    out, because a comment has no escapes. A Python ``module`` that is called as its tool is, in
    capitals as well, says that it is to be so.
    """
    plain = source is not None and _PLAIN_PATH.fullmatch(source)
    origin = f" from {source}" if plain else ""
    named = "" if module == module.lower() else "# ruff: noqa: N999\n"
    return Code(
        f"{comment}Code generated by brimgen{origin}. DO NOT EDIT.\n"
        f"{comment}Regenerate: brimgen generate\n{named}"
    )


def json_text(value: Json, column: int = 0) -> Code:
    """Write a value as JSON text, for a line that begins at ``column``.

    Two spaces a level, keys in their order, no escapes but the needed ones.
    """
    return Code(escaped(indented(value, f"\n{' ' * column}")))


def fits(line: str, indent: int = 0) -> bool:
    """Whether a line at column ``indent`` stays within the width that black keeps."""
    columns = len(line) if line.isascii() else sum(map(_columns, line))
    return indent + columns <= WIDTH


def _columns(character: str) -> int:
    """What a character takes, as black counts: a wide one two columns, a combining one none."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
