"""Describe how each SQL dialect writes strings, comments, names and colons (sql.md)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

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


_ROWS = (
    Dialect(
        name="sqlite",
        quotes='"`[',
        native=("?", "$1", "$x", "@x"),
        lists=Lists.JSON,
    ),
    Dialect(
        name="postgres",
        escape_prefix=True,
        dollar_quotes=True,
        dollar_tags=True,
        nested_comments=True,
        slices=True,
        question_operator=True,
        native=("$1", "$x", "@x"),
        lists=Lists.ARRAY,
    ),
    Dialect(
        name="duckdb",
        escape_prefix=True,
        dollar_quotes=True,
        dollar_tags=True,
        nested_comments=True,
        slices=True,
        braces=True,
        prefix_alias=True,
        native=("?", "$1", "$x", "@x"),
        lists=Lists.ARRAY,
    ),
    Dialect(
        name="mysql",
        quotes="`",
        string_marks="'\"",
        backslash=True,
        hash_comments=True,
        dash_needs_space=True,
        live_comments=True,
    ),
    Dialect(name="oracle", alternative_quotes=True, procedural=True, native=("?",)),
    Dialect(
        name="tsql",
        quotes='"[',
        doubled_brackets=True,
        nested_comments=True,
        lists=Lists.JSON,
    ),
    Dialect(
        name="snowflake",
        backslash=True,
        dollar_quotes=True,
        slash_comments=True,
        paths=True,
    ),
    Dialect(
        name="databricks",
        quotes="`",
        string_marks="'\"",
        backslash=True,
        raw_prefix=True,
        nested_comments=True,
        paths=True,
    ),
    Dialect(
        name="bigquery",
        quotes="`",
        string_marks="'\"",
        backslash=True,
        raw_prefix=True,
        triple_quotes=True,
        hash_comments=True,
        native=("?", "@x"),
        lists=Lists.TYPED,
    ),
    Dialect(
        name="clickhouse",
        quotes='"`',
        backslash=True,
        dollar_quotes=True,
        dollar_tags=True,
        hash_comments=True,
        braces=True,
        ternary=True,
        question_operator=True,
        native=(),
        lists=Lists.TYPED,
    ),
)
DIALECTS: Mapping[str, Dialect] = MappingProxyType({row.name: row for row in _ROWS})

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "sqlite3": "sqlite",
        "postgresql": "postgres",
        "pg": "postgres",
        "cockroachdb": "postgres",
        "mariadb": "mysql",
        "mssql": "tsql",
        "sqlserver": "tsql",
        "spark": "databricks",
    }
)


def find_dialect(name: str) -> Dialect | None:
    """Find a dialect by its name or a usual synonym; None if it is unknown."""
    folded = name.casefold()
    return DIALECTS.get(SYNONYMS.get(folded, folded))
