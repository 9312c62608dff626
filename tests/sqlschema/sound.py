"""Statements that databases take, by what brimgen knows little of, from `sound.cases`.

`tests/cli` holds that none is refused, `tests/databases` that the database takes each of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from brimgen.sql import DIALECTS, TokenKind, scan

_TEXT = Path(__file__).with_suffix(".cases").read_text(encoding="utf-8")
_PIECES = re.split(r"^\[(.+)\]\n", _TEXT, flags=re.M)[1:]
_SECTIONS = {
    title: text.strip("\n") + "\n"
    for title, text in zip(_PIECES[::2], _PIECES[1::2], strict=True)
}


def _statements(kind: str) -> dict[str, tuple[str, ...]]:
    """The statements below each title of a kind; a line that begins with a space goes on."""
    return {
        title.removeprefix(kind): tuple(re.split(r"\n(?! )", text.strip()))
        for title, text in _SECTIONS.items()
        if title.startswith(kind)
    }


EXTENSIONS = ("pg_trgm", "fuzzystrmatch", "intarray", "unaccent", "citext", "vector")
"""What the database has and the schema does not name, as in many projects."""
SCHEMA = _SECTIONS["schema postgres"]
NAMES = _statements("name: ")
"""Names of functions, operators and types that the catalogue does not list, or not with these."""
FORMS = _statements("form: ")
"""Statements whose form is unusual."""
SCHEMAS = {
    kind: (_SECTIONS[f"made: {kind}"], statements)
    for kind, statements in _statements("over: ").items()
}
"""Statements over tables that the schema makes in a roundabout way."""
OTHERS = {
    dialect: (_SECTIONS[f"schema {dialect}"], _statements(f"{dialect}: "))
    for dialect in ("mysql", "duckdb", "sqlite")
}
"""The tables of other dialects, and statements by what each database does otherwise."""
(ONLY_MYSQL,) = _statements("only mysql").values()
"""Statements that MySQL takes, and MariaDB does not."""

TYPES: Mapping[str, str] = {
    "q": "string",
    "n": "int",
    "ids": '"int[]"',
    "tags": '"string[]"',
    "day": "date",
}
"""The types of the arguments, by their names."""
LITERALS = {"q": "'a'", "n": "1", "day": "'2024-01-01'", "tags": "['a']"}
"""A value of each argument, as DuckDB and others take it."""


def with_values(sql: str, dialect: str) -> str:
    """A statement with values in the place of its parameters."""
    return "".join(
        LITERALS[token.name] if token.kind is TokenKind.PARAM else token.text
        for token in scan(sql, DIALECTS[dialect]).tokens
    )


def numbered(sql: str) -> str:
    """A statement with its parameters as PostgreSQL takes them."""
    statement = scan(sql, DIALECTS["postgres"])
    names = list(statement.names)
    return "".join(
        (
            f"${names.index(token.name) + 1}"
            if token.kind is TokenKind.PARAM
            else token.text
        )
        for token in statement.tokens
    )
