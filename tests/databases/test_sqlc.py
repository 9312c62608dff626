"""The queries of sqlc's own tests and examples, as PostgreSQL describes them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

import pytest

from brimgen.api import Diagnostics
from brimgen.model.project import SchemaFile
from brimgen.sql import DIALECTS, TokenKind, scan
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.infer import infer
from brimgen.sql.model import Inferred, Schema
from brimgen.sql.rules.native_types import column_type
from sqlschema.contradictions import bare
from sqlschema.engines import Postgres
from statements.corpora import items

pytestmark = pytest.mark.whole

_MACRO = re.compile(r"sqlc\.(?:arg|narg|slice)\(\s*['\"]?(\w+)['\"]?\s*\)")
_EMBEDDED = re.compile(r"sqlc\.embed\(\s*(\w+)\s*\)")
_NUMBERED = re.compile(r"\$(\d+)")
_NAMED = re.compile(r"(?<![\w@])@(\w+)")
_LEAST_CHECKED = 300


def ours(sql: str) -> str:
    """A query of sqlc with its parameters as brimgen writes them."""
    sql = _EMBEDDED.sub(r"\1.*", _MACRO.sub(r":\1", sql))
    return _NAMED.sub(r":\1", _NUMBERED.sub(r":p\1", sql)).strip().rstrip(";")


def groups() -> Iterator[tuple[list[dict[str, Any]], list[str]]]:
    """The files of each schema, with the queries over it."""
    schemas: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in items("sql-annotated/sqlc_schemas.jsonl.gz"):
        schemas[each["name"]].append(each)
    queries: dict[str, list[str]] = defaultdict(list)
    for each in items("sql-annotated/sqlc_queries.jsonl.gz"):
        folder = PurePosixPath(each["path"]).parent
        name = f"{folder}" if f"{folder}" in schemas else f"{folder.parent}"
        if (
            each["engine"] == "postgresql"
            and name in schemas
            and not each["expects_error"]
        ):
            queries[name].append(ours(each["sql"]))
    for name, listed in queries.items():
        yield schemas[name], listed


def _made(engine: Postgres, files: list[dict[str, Any]]) -> bool:
    """Whether the server takes the tables of a schema, after all others are gone."""
    own = (
        "SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information|public)'"
    )
    for (name,) in engine.connection.execute(own).fetchall():
        engine.connection.execute(f'DROP SCHEMA "{name}" CASCADE')
    engine.connection.execute("CREATE SCHEMA shop")
    engine.connection.execute("SET search_path = shop")
    try:
        for each in files:
            engine.connection.execute(each["sql"])
    except Exception:
        return False
    return True


def test_queries_of_sqlc_are_what_postgres_says(postgres_socket: str) -> None:
    engine = Postgres([], postgres_socket)
    wrong: list[str] = []
    checked = unknown = columns = 0
    for files, queries in groups():
        if not _made(engine, files):
            continue
        listed = [SchemaFile(each["path"], each["sql"]) for each in files]
        schema = read_ddl(listed, "postgres", Diagnostics())
        for sql in queries:
            statement = scan(sql, DIALECTS["postgres"])
            inferred = infer(statement, schema)
            names = list(statement.names)
            text = "".join(
                (
                    f"${names.index(each.text[1:]) + 1}"
                    if each.kind is TokenKind.PARAM
                    else each.text
                )
                for each in statement.tokens
            )
            given, taken, refusal = engine.prepare(text)
            if refusal:
                continue
            checked += 1
            columns += len(inferred.columns or ())
            unknown += sum(each.type is None for each in inferred.columns or ())
            found = _wrongs(inferred, schema, names, given, taken)
            wrong += [f"{sql}: {each}" for each in found]
    engine.close()
    assert [] == wrong
    assert checked > _LEAST_CHECKED
    assert unknown < columns * 0.01


def _wrongs(
    inferred: Inferred,
    schema: Schema,
    names: list[str],
    given: list[str],
    taken: list[str],
) -> list[str]:
    """What the description of a query contradicts."""
    wrong = [each.text for each in inferred.findings]
    if inferred.columns is not None:
        assert len(inferred.columns) == len(given)
        for column, told in zip(inferred.columns, given, strict=True):
            if column.type is not None and _plain(column.type.native) != _plain(told):
                wrong.append(f"{column.name} is {column.type.native}, not {told}")
    for name, told in zip(names, taken, strict=True):
        parameter = inferred.parameters.get(name)
        if parameter is None or parameter.type is None:
            continue
        theirs = column_type("postgres", told, schema.enums)
        item = theirs.item if theirs is not None and parameter.is_list else theirs
        if item is None or item.base is not parameter.type.base:
            wrong.append(f":{name} is {parameter.type.native}, not {told}")
    return wrong


def _plain(native: str) -> str:
    """A type without its digits, its quotes and its schema."""
    return bare(native).strip('"').rpartition(".")[2]
