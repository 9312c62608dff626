"""Find the SQL files of an import: queries, their tables, and what sqlc's configuration names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from brimgen.diagnostics import Diagnostics
from brimgen.importers.sql import sqlc_config
from brimgen.importers.sql.query_files import SqlFiles
from brimgen.importers.texts import read_json, read_yaml
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.json import Json
from brimgen.model.project import Connection
from brimgen.settings.configuration import YAML_NAME, Configuration
from brimgen.settings.connections import Base, take_connections
from brimgen.settings.schema_files import NoMigrations, migrations
from brimgen.settings.values import PROJECT, SettingsReader
from brimgen.source.files import relative_name
from brimgen.source.nodes import MapNode, Node
from brimgen.sql.drivers import USUAL_DRIVERS

DIALECT = "postgres"
"""The dialect of queries where neither a flag nor the project says another one."""


class SqlImport(NamedTuple):
    """The SQL files of an import, and the settings of the connections that they need, by name."""

    parts: list[SqlFiles]
    connections: dict[str, Json]


def declared_connections(
    configuration: Configuration | None,
) -> Mapping[str, Connection]:
    """The connections that the project has in its settings."""
    if configuration is None or configuration.root.get("connections") is None:
        return {}
    return _connections_in(configuration.root, configuration.folder)


def read_connections(settings: Mapping[str, Json]) -> Mapping[str, Connection]:
    """The connections of settings, as `SqlImport` has them."""
    text = yaml_document({"connections": {**settings}})
    (root,) = read_yaml(YAML_NAME, text, Diagnostics())
    return _connections_in(root, Path.cwd())


def _connections_in(root: MapNode, folder: Path) -> Mapping[str, Connection]:
    reader = SettingsReader(Diagnostics())
    section = reader.read(root, PROJECT)
    return take_connections(reader, section, Base(folder, folder / "specs"))


def of_queries(
    name: str,
    text: str,
    schema: Sequence[Path],
    dialect: str | None,
    declared: Mapping[str, Connection],
) -> SqlImport:
    """A file of queries; the default connection of the project says what the flags do not."""
    own = declared.get("default")
    dialect = dialect or (own.dialect if own else DIALECT)
    tables = tables_of(schema)
    if not schema and own and own.schema and own.dialect == dialect:
        tables = {file.name: file.text for file in own.schema.files}
    part = SqlFiles({name: text}, tables, dialect)
    return SqlImport([part], {"default": _settings(dialect, schema)})


def of_sqlc(file: Path, text: str, diagnostics: Diagnostics) -> SqlImport | None:
    """What a configuration of sqlc (``sqlc.yaml``) names; None for any other file."""
    if file.stem != "sqlc":
        return None
    root: Node | None = None
    if file.suffix == ".json":
        root = read_json(str(file), text, Diagnostics())
    elif file.suffix in (".yaml", ".yml"):
        documents = read_yaml(str(file), text, Diagnostics())
        root = documents[0] if len(documents) == 1 else None
    if not isinstance(root, MapNode) or not sqlc_config.fits(root):
        return None
    found = SqlImport([], {})
    for part in sqlc_config.read(root, diagnostics):
        schema = [file.parent / path for path in part.schema]
        queries = [
            query for path in part.queries for query in _query_files(file.parent, path)
        ]
        texts = {relative_name(query): text_of(query) for query in queries}
        connection = "" if part.connection == "default" else part.connection
        tables = tables_of(schema)
        found.parts.append(SqlFiles(texts, tables, part.dialect, connection))
        found.connections[part.connection] = _settings(part.dialect, schema)
    return found


def connection_settings(dialects: Mapping[str, str]) -> dict[str, Json]:
    """The settings of connections in these dialects, by the names of connections."""
    return {name: _settings(dialect, ()) for name, dialect in dialects.items()}


def _settings(dialect: str, schema: Sequence[Path]) -> Json:
    """The settings of a connection, as ``brimgen.yaml`` has them."""
    drivers: list[Json] = [*USUAL_DRIVERS[dialect][:1]]
    settings: dict[str, Json] = {"dialect": dialect, "drivers": drivers}
    shown: list[Json] = [relative_name(path) for path in schema]
    return settings | (
        {"schema": shown[0] if len(shown) == 1 else shown} if shown else {}
    )


def tables_of(schema: Iterable[Path]) -> dict[str, str]:
    """The texts of DDL files by their names; a folder stands for its migrations, in order."""
    texts: dict[str, str] = {}
    for path in schema:
        try:
            files = migrations(path) if path.is_dir() else [path]
        except NoMigrations:
            problem = f"{path} holds no migration that leads up (`*.sql`)."
            raise click.UsageError(problem) from None
        texts |= {relative_name(file): text_of(file) for file in files}
    return texts


def _query_files(folder: Path, path: str) -> list[Path]:
    """The files that a path of sqlc names: a file, the SQL files of a folder, or a pattern."""
    place = folder / path
    if place.is_dir():
        return sorted(place.glob("*.sql"))
    if "*" in path and not Path(path).is_absolute():
        return sorted(folder.glob(path))
    return [place]


def text_of(file: Path) -> str:
    """The text of a file, or of stdin. Raises `click.UsageError` where it is not UTF-8."""
    try:
        with click.open_file(str(file), "rb") as stream:
            data = stream.read()
    except OSError as problem:
        reason = problem.strerror or "the system refuses"
        raise click.UsageError(f"{file} cannot be read: {reason}.") from None
    try:
        return bytes(data).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise click.UsageError(
            f"{file} is not UTF-8 at byte {problem.start}."
        ) from None
