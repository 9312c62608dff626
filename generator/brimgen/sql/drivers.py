"""The database drivers, as `drivers.txt` lists them (sql.md, 1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from brimgen.frozen import dataclass


class Style(StrEnum):
    """How a driver writes a placeholder."""

    NAMED = "named"
    DOLLAR = "dollar"
    NUMERIC = "numeric"
    PYFORMAT = "pyformat"
    FORMAT = "format"
    QMARK = "qmark"
    TEXT_CLAUSE = "text-clause"
    TYPED_PYFORMAT = "typed-pyformat"
    TYPED_BRACES = "typed-braces"


TYPED = frozenset({Style.TYPED_PYFORMAT, Style.TYPED_BRACES})
"""Styles whose placeholders carry a type, so that everything that is bound must have one."""
POSITIONAL = frozenset({Style.NUMERIC, Style.FORMAT, Style.QMARK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """One driver.

    ``percent`` drivers read ``%`` in the text as soon as arguments are given, so that other
    ones are doubled, and a statement without parameters is executed with None.
    ``quotes``: it does so outside of quotes only.
    ``unescapes``: it reads ``%%`` as ``%`` even without arguments.
    ``strips_comments``: its own scanner trips over apostrophes in comments.
    ``misreads``: a text that it takes for a placeholder also in strings and comments.
    ``cuts``: it cuts a value to the type of what stands beside it, unless the value is cast.
    ``untyped`` tells how a value is bound of which the server finds the type: as ``text``, or as
    a ``value`` that is right for every type; empty where there is no such way.
    """

    name: str
    style: Style
    dialects: tuple[str, ...]
    percent: bool = False
    quotes: bool = False
    unescapes: bool = False
    strips_comments: bool = False
    misreads: str = ""
    cuts: bool = False
    untyped: str = ""

    @property
    def writing(self) -> tuple[Style, bool, bool, bool, bool, str, bool, str]:
        """The properties on which the text of a statement depends; drivers that agree share a
        text.
        """
        return (
            self.style,
            self.percent,
            self.quotes,
            self.unescapes,
            self.strips_comments,
            self.misreads,
            self.cuts,
            self.untyped,
        )

    @property
    def positional(self) -> bool:
        """Whether it takes a tuple; otherwise a dict."""
        return self.style in POSITIONAL


class _Row(NamedTuple):
    """A line of `drivers.txt`."""

    driver: Driver
    is_usual: bool
    synonyms: tuple[str, ...]


def _read_row(line: str) -> _Row:
    driver_name, style, dialects, properties, synonyms = (
        cell.strip() for cell in line.split("|")
    )
    pairs = (word.partition("=") for word in properties.split())
    marked = {name: value for name, _, value in pairs}
    driver = Driver(
        name=driver_name,
        style=Style(style),
        dialects=tuple(dialects.split()),
        percent="percent" in marked,
        quotes="quotes" in marked,
        unescapes="unescapes" in marked,
        strips_comments="strips_comments" in marked,
        misreads=marked.get("misreads", ""),
        cuts="cuts" in marked,
        untyped=marked.get("untyped", ""),
    )
    return _Row(driver, "usual" in marked, tuple(synonyms.split()))


_LINES = Path(__file__).with_suffix(".txt").read_text(encoding="ascii").splitlines()
_ROWS = tuple(_read_row(line) for line in _LINES if not line.startswith("#"))
DRIVERS: Mapping[str, Driver] = MappingProxyType(
    {row.driver.name: row.driver for row in _ROWS}
)
_SYNONYMS = {synonym: row.driver.name for row in _ROWS for synonym in row.synonyms}
USUAL_DRIVERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        dialect: tuple(
            row.driver.name
            for row in _ROWS
            if row.is_usual and dialect in row.driver.dialects
        )
        for row in _ROWS
        if row.is_usual
        for dialect in row.driver.dialects
    }
)
"""Those of a dialect whose connection names none."""


def find_driver(name: str) -> Driver | None:
    """Find a driver by its name (``mysql.connector`` too); None if it is unknown."""
    folded = name.casefold().replace(".", "_").replace("-", "_")
    return DRIVERS.get(_SYNONYMS.get(folded, folded))


def drivers_of(dialect: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the drivers that a connection writes text for: ``names``, or those usual for its
    dialect.
    """
    known_drivers = (
        find_driver(name) for name in names or USUAL_DRIVERS.get(dialect, ())
    )
    usable_names = (
        known_driver.name
        for known_driver in known_drivers
        if known_driver and dialect in known_driver.dialects
    )
    return tuple(dict.fromkeys(usable_names))
