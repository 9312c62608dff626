"""Describe how each SQL dialect writes strings, comments, names and colons (sql.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

from brimgen.frozen import dataclass


class Lists(StrEnum):
    """How a list is bound on the right of IN.

    A `TYPED` list is an array whose type stands in its placeholder, and that is never NULL.
    """

    ARRAY = "array"
    JSON = "json"
    EXPAND = "expand"
    TYPED = "typed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The lexical facts of one dialect.

    ``quotes`` are the marks of quoted names, ``string_marks`` those of strings; ``[`` in
    ``quotes`` means ``[name]``, and ``]]`` is a bracket in it if ``doubled_brackets``. ``native``
    lists the placeholder spellings that the engine or its usual drivers know, and that are foreign
    here: of ``?``, ``$1``, ``$x``, ``@x``.
    """

    name: str
    quotes: str = '"'
    string_marks: str = "'"
    doubled_brackets: bool = False
    backslash: bool = False
    escape_prefix: bool = False
    raw_prefix: bool = False
    triple_quotes: bool = False
    alternative_quotes: bool = False
    dollar_quotes: bool = False
    dollar_tags: bool = False
    nested_comments: bool = False
    hash_comments: bool = False
    slash_comments: bool = False
    dash_needs_space: bool = False
    live_comments: bool = False
    slices: bool = False
    paths: bool = False
    braces: bool = False
    prefix_alias: bool = False
    ternary: bool = False
    question_operator: bool = False
    procedural: bool = False
    native: tuple[str, ...] = ("?",)
    lists: Lists = Lists.EXPAND

    @property
    def nests(self) -> bool:
        """Whether the meaning of a colon depends on the brackets around it."""
        return self.slices or self.braces or self.ternary

    @property
    def has_colons(self) -> bool:
        """Whether some colons before names are the dialect's own."""
        return self.nests or self.paths or self.prefix_alias

    def __hash__(self) -> int:
        """Hash the name, which is unique: the lexer of a dialect is looked up for every
        statement.
        """
        return hash(self.name)


def _rows() -> Iterator[tuple[Dialect, list[str]]]:
    """Read `dialects.txt`: each dialect with its synonyms."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="ascii")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, synonyms, listed = line.split(" | ")
        pairs = (word.partition("=") for word in listed.split())
        said: dict[str, Any] = {
            key: value if sign else True for key, sign, value in pairs
        }
        if "native" in said:
            native: str = said["native"]
            said["native"] = tuple([mark for mark in native.split(",") if mark])
        said["lists"] = Lists(said.get("lists", Lists.EXPAND))
        yield Dialect(name=name, **said), synonyms.split()


_ROWS = tuple(_rows())
DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {dialect.name: dialect for dialect, _ in _ROWS}
)
_SYNONYMS = {word: dialect.name for dialect, synonyms in _ROWS for word in synonyms}


def find_dialect(name: str) -> Dialect | None:
    """Find a dialect by its name or a usual synonym; None if it is unknown."""
    folded = name.casefold()
    return DIALECTS.get(_SYNONYMS.get(folded, folded))
