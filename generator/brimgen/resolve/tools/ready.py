"""Write the statements of ready-made tools, and find what others leave to their database.

A ready-made tool tells the columns of tables, or answers queries of the caller.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics, Span, TextBlock, rules
from brimgen.frozen import replace
from brimgen.model.project import Connection
from brimgen.resolve.index import Index
from brimgen.source.nodes import Entry, ScalarNode, Text
from brimgen.syntax.decls import (
    ArgumentsDecl,
    FieldDecl,
    ReturnsDecl,
    ToolDecl,
    ToolKind,
    TypeText,
)
from brimgen.syntax.reader import Section
from brimgen.syntax.returns import ROW_WORDS

QUERY = "query"
MOST_ROWS = 100
"""How many rows a query returns where the author does not say it."""
_TIMEOUT = 30
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")
_COLUMNS = {"table": "string", "column": "string", "type": "string", "nullable": "bool"}
_SQLITE = """\
SELECT t.name AS "table", c.name AS "column", c.type AS type, c."notnull" = 0 AS nullable
FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
WHERE t.name IN ({tables}) ORDER BY t.name, c.cid"""
_STANDARD = """\
SELECT table_name AS {q}table{q}, column_name AS {q}column{q}, data_type AS type,
  is_nullable = 'YES' AS nullable
FROM information_schema.columns
WHERE {tables} ORDER BY table_schema, table_name, ordinal_position"""
_HERE = {
    "postgres": "current_schema()",
    "duckdb": "current_schema()",
    "mysql": "DATABASE()",
}
"""The schema of a table whose name has none."""
_OWN_KEYS = ("choices", "variants", "keyset")


def ready_tool(
    decl: ToolDecl, connections: Mapping[str, Connection], diagnostics: Diagnostics
) -> ToolDecl:
    """Return a ready-made tool as its author would have written it; any other one as it is."""
    kind = decl.section.scalar("kind")
    if kind is None:
        return decl
    connection = connections.get(connection_of(decl))
    dialect = "" if connection is None else connection.dialect
    tables = decl.section.words("tables") or ()
    why = _why_not(decl, tables, dialect)
    if why:
        diagnostics.add(rules.NOT_READY, kind.span, kind=kind.text, why=why)
        return replace(decl, sound=False)
    span = kind.span
    if kind.text == QUERY:
        about = f"One SELECT of {dialect} over these tables: {', '.join(tables)}."
        described = {"description": _entry("description", about, span)}
        argument = replace(_field("sql", "string", span), attributes=described)
        return replace(
            decl,
            body=TextBlock("SELECT :sql AS query", span, exact=False),
            arguments=ArgumentsDecl(span=span, fields=(argument,)),
            returns=ReturnsDecl(span=span, type=TypeText("object", True, False, span)),
            limits=_with_timeout(decl.limits, span),
        )
    fields = [_field(column, word, span) for column, word in _COLUMNS.items()]
    content = ArgumentsDecl(span=span, fields=tuple(fields))
    return replace(
        decl,
        body=TextBlock(_description(tables, dialect), span, exact=False),
        returns=ReturnsDecl(span=span, content=content, is_list=True),
    )


def query_tables(decl: ToolDecl) -> tuple[str, ...]:
    """Return the tables that queries of a tool may read; () for any other tool."""
    is_query = decl.section.word("kind") == QUERY
    return (decl.section.words("tables") or ()) if is_query else ()


def max_rows(decl: ToolDecl) -> int:
    """Return how many rows a query of the caller returns at most; 0 for any other tool."""
    if not query_tables(decl):
        return 0
    return int(decl.section.value("max_rows", MOST_ROWS))


def _why_not(decl: ToolDecl, tables: tuple[str, ...], dialect: str) -> str:
    """Return why a tool cannot be ready-made; empty where it can."""
    if dialect not in ("sqlite", *_HERE):
        return "needs a connection of SQLite, PostgreSQL, DuckDB or MySQL"
    wrong = [table for table in tables if not _NAME.fullmatch(table)]
    if not tables or wrong:
        said = f", and `{wrong[0]}` is none" if wrong else ""
        return f"needs names of tables under `tables`{said}"
    if decl.arguments is not None or decl.returns is not None:
        return "takes no `arguments` and `returns`: it has its own"
    key = next((key for key in _OWN_KEYS if key in decl.section.entries), "")
    return f"takes no `{key}`" if key else ""


def _description(tables: tuple[str, ...], dialect: str) -> str:
    """Return the statement that tells the columns of tables."""
    if dialect == "sqlite":
        return _SQLITE.format(tables=", ".join(f"'{table}'" for table in tables))
    conditions: list[str] = []
    for table in tables:
        schema, _, name = table.rpartition(".")
        here = f"'{schema}'" if schema else _HERE[dialect]
        conditions.append(f"(table_schema = {here} AND table_name = '{name}')")
    quote = "`" if dialect == "mysql" else '"'
    return _STANDARD.format(q=quote, tables=" OR ".join(conditions))


def _with_timeout(limits: Section, span: Span) -> Section:
    """Return the limits of a query, which ends after some time whatever the author says."""
    key = ScalarNode(span, "timeout", "timeout")
    timeout = Entry(key, ScalarNode(span, f"{_TIMEOUT}", _TIMEOUT))
    return replace(limits, entries={"timeout": timeout, **limits.entries})


def connection_of(decl: ToolDecl) -> str:
    """Return the name of the connection that a statement is for."""
    return decl.section.word("connection") or "default"


def _field(name: str, word: str, span: Span) -> FieldDecl:
    return FieldDecl(Text(name, span), TypeText(word, False, False, span))


def _entry(key: str, text: str, span: Span) -> Entry:
    return Entry(ScalarNode(span, key, key), ScalarNode(span, text, text, True))


def needs_schema(decl: ToolDecl, index: Index) -> bool:
    """Whether a declaration leaves something to the schema of its database."""
    if decl.kind is not ToolKind.SQL:
        return False
    return row_word(decl, index) != "" or any(untyped(decl))


def untyped(decl: ToolDecl) -> list[str]:
    """The arguments of the tool itself that have no type. Those of an entity may refine it."""
    content = decl.arguments
    if content is None or content.entity_ref is not None:
        return []
    return [
        field.name.value
        for field in content.fields
        if field.type is None and field.sound and field.fields is None
    ]


def row_word(decl: ToolDecl, index: Index) -> str:
    """The word by which ``returns`` leaves the shape of rows to the schema; else an empty text."""
    type = decl.returns.type if decl.returns is not None else None
    if type is None or type.name not in ROW_WORDS or type.is_list:
        return ""
    return "" if type.name in index.type_names else type.name
