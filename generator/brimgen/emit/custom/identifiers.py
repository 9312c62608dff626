"""Write names of a spec as identifiers of a programming language."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import count
from keyword import kwlist

from brimgen.emit.code import Code
from brimgen.schema.walk import words

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+")
_RESERVED = frozenset(kwlist) | words(
    "abstract any arguments bigint boolean case catch const constructor debugger"
    " declare default delete do enum eval export extends false function get implements"
    " instanceof interface keyof let match module namespace never new null number"
    " object of package private protected public readonly require set static string"
    " super switch symbol this throw true type typeof undefined unique unknown using"
    " var void"
)
"""Words that Python or TypeScript keeps for itself in some place."""


def _pascal(words: Sequence[str]) -> str:
    return "".join(word[0].upper() + word[1:].lower() for word in words)


def _camel(words: Sequence[str]) -> str:
    return words[0].lower() + _pascal(words[1:])


def _snake(words: Sequence[str]) -> str:
    return "_".join(words).lower()


def _constant(words: Sequence[str]) -> str:
    return "_".join(words).upper()


STYLES: Mapping[str, Callable[[Sequence[str]], str]] = {
    "pascal": _pascal,
    "camel": _camel,
    "snake": _snake,
    "constant": _constant,
}


def identifier(name: str, style: str) -> Code:
    """``name`` as an identifier in ASCII: ``findOrders``, ``FindOrders``, ``find_orders``,
    ``FIND_ORDERS``.

    Raises:
        ValueError: for another ``style``.
    """
    if style not in STYLES:
        raise ValueError(
            f"names have no style `{style}`: there are {', '.join(STYLES)}"
        )
    words = _WORDS.findall(str(name)) or ["x"]
    styled = STYLES[style](words)
    if styled[0].isdigit() or styled in _RESERVED:
        styled = f"{styled}_" if styled in _RESERVED else f"_{styled}"
    return Code(styled)


def identifiers(
    names: Iterable[str], style: str, taken: Collection[str] = (), suffix: str = ""
) -> dict[str, Code]:
    """An identifier for each of ``names`` with ``suffix``, no two alike in any case, and none of
    ``taken``.

    Raises:
        ValueError: for another ``style``.
    """
    used = {str(name).casefold() for name in taken}
    identifiers_by_name: dict[str, Code] = {}
    for name in names:
        plain = identifier(f"{name} {suffix}", style)
        numbered = (Code(f"{plain}{number}") for number in count(2))
        free = plain
        while free.casefold() in used:
            free = next(numbered)
        used.add(free.casefold())
        identifiers_by_name[str(name)] = free
    return identifiers_by_name
