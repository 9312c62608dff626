"""Open the database that the URL of ``--verify-db`` names, or the schema of a connection."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from brimgen.emit.sql.databases.engines import (
    CannotVerify,
    DuckDb,
    Engine,
    MySql,
    Postgres,
)
from brimgen.emit.sql.databases.sqlite import Sqlite
from brimgen.model.project import Connection, SchemaSource
from brimgen.sql.ddl.split_statements import applied_text


def open_engine(connection: Connection) -> Engine | None:
    """Open the database that verifies a connection; None where there is none.

    Raises `CannotVerify`.
    """
    url, schema = connection.database, connection.schema
    match connection.dialect:
        case "sqlite" if url or schema:
            if url:
                return Sqlite.of_file(_file_of(url))
            return Sqlite.of_files(schema.files if schema else ())
        case "postgres" if url:
            return Postgres(url)
        case "mysql" if url:
            return MySql(_mysql_options(url))
        case "duckdb" if url:
            return DuckDb(path=f"{_file_of(url)}")
        case "duckdb" if schema:
            return _duckdb_of(schema) if find_spec("duckdb") else None
        case _:
            return None


def _duckdb_of(schema: SchemaSource) -> DuckDb:
    texts = (applied_text(file.text, "duckdb") for file in schema.files)
    return DuckDb(schema="\n;\n".join(texts))


def _file_of(url: str) -> Path:
    """Return the file of a URL such as ``sqlite:///relative.db``. Raises `CannotVerify`."""
    path = Path(unquote(url.partition("://")[2].removeprefix("/")))
    if not path.is_file():
        raise CannotVerify(f"there is no file {path}")
    return path


def _mysql_options(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    named = {
        "host": parts.hostname,
        "port": parts.port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "database": unquote(parts.path[1:]),
    }
    return options | {name: value for name, value in named.items() if value}
