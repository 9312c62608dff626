"""Print the specs that `brimgen import` makes, and what it refuses to stderr."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from brimgen.cli.console.report import (
    SOUND,
    SPEC_ERRORS,
    print_text,
    write_diagnostics,
    write_text,
)
from brimgen.cli.options import check_known
from brimgen.cli.specs.live_server import is_named, list_tools
from brimgen.cli.specs.new_files import (
    is_there,
    refuse_blocked,
    write_new,
    write_next,
)
from brimgen.cli.specs.reimport import RECORD, Changes, Reimport
from brimgen.cli.specs.sql_files import (
    SqlImport,
    connection_settings,
    declared_connections,
    of_queries,
    of_sqlc,
    read_connections,
    text_of,
)
from brimgen.diagnostics import Diagnostic, Diagnostics, Severity
from brimgen.diagnostics.rules import (
    IMPORT_CONFLICT,
    IMPORT_LEFT_OPEN,
    IMPORT_NO_SUCH_TOOL,
)
from brimgen.frozen import replace
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.json import Json, JsonObject
from brimgen.output.lock_file import replace_file
from brimgen.settings.configuration import (
    YAML_NAME,
    Configuration,
    find_configuration,
)
from brimgen.settings.values import package_fault

_NONE: Mapping[str, Any] = MappingProxyType({})

if TYPE_CHECKING:
    from brimgen.model.project import Connection
    from brimgen.source.document import Document


def import_file(
    file: Path,
    *,
    format: str | None = None,
    only: tuple[str, ...] = (),
    server: str | None = None,
    hosts: tuple[str, ...] = (),
    into: Path | None = None,
    colour: str = "auto",
    tables: tuple[Path, ...] = (),
    dialect: str | None = None,
    strict: bool = False,
    shows_all: bool = False,
    prune: bool = False,
    new_package: str | None = None,
) -> int:
    """Print every spec of ``file`` (a folder: of a tool store) that can be imported.

    Of its tools those that ``only`` names, where it names some; ``server`` is what they call, and
    ``hosts`` are those that they may call. With ``into``, specs are written to that folder, or
    updated there; with ``prune``, those that ``file`` has no longer are removed from it.
    ``colour`` is what ``--color`` says of the diagnostics. ``tables`` are files of CREATE TABLE
    statements, and folders of migrations, for SQL queries in ``dialect``; None means that of the
    project. With ``strict``, what is left out or open makes the exit code 1. Unless ``shows_all``,
    at most five diagnostics are printed. With ``new_package``, a project of its own is started in
    the working directory, with a package of that name. Return the exit code.
    """
    from brimgen.importers import NAMES, dialects_of, import_tools, is_queries

    if format is not None:
        check_known("format", format, list(NAMES), "'--as'")
    if server is not None:
        _check_server(server)
    diagnostics = Diagnostics()
    configuration = (
        find_configuration(Path.cwd(), Diagnostics()) if new_package is None else None
    )
    declared = declared_connections(configuration)
    files: dict[str, str] = {}
    connections: dict[str, Json] = {}
    if file.is_dir():
        documents = _of_store(file, files, only, hosts, diagnostics)
    else:
        name = "<stdin>" if str(file) == "-" else str(file)
        listed = list_tools(name) if is_named(file) else None
        text = files[name] = text_of(file) if listed is None else listed.text
        sql = of_sqlc(file, text, diagnostics) if format in (None, "sqlc") else None
        if sql is None and is_queries(name, format):
            sql = of_queries(name, text, tables, dialect, declared)
        if sql is not None:
            connections = sql.connections
            documents = _of_sql(name, sql, only, declared, files, diagnostics)
        else:
            connections = connection_settings(dialects_of(name, text, format, only))
            documents = import_tools(
                name,
                text,
                diagnostics,
                format=format,
                only=only,
                server=server,
                hosts=hosts,
                check=_check(connections, declared),
                beside=_beside(file, files),
                handlers={} if listed is None else listed.handlers,
            )
    package, is_new = new_package or package_name(file), False
    if into is None:
        print_text("---\n".join(map(yaml_document, documents)))
    else:
        for name in declared:
            connections.pop(name, None)
        reimport = Reimport(into, file.name, diagnostics, files, text_of)
        changes = reimport.changes(_files(documents), chosen=bool(only), prune=prune)
        is_new = write_specs(changes, into, connections, configuration, package)
    _report(documents, diagnostics, files, colour, shows_all=shows_all)
    if is_new and new_package is None:
        write_next(package, Path(), "list", *import_roots(file))
    return _exit_code(documents, diagnostics, strict=strict)


def _report(
    documents: Sequence[JsonObject],
    diagnostics: Diagnostics,
    files: Mapping[str, str],
    colour: str,
    *,
    shows_all: bool,
) -> None:
    """Print diagnostics about ``files``, unless ``shows_all`` only the first, and the table."""
    from brimgen.source.document import SourceFile

    told = sorted(
        diagnostics, key=lambda found: found.rule.severity is not Severity.ERROR
    )
    sources = {name: SourceFile(name, name, text) for name, text in files.items()}
    shown = told if shows_all else told[:_MOST_SHOWN]
    write_diagnostics(shown, sources=sources, format="full", colour=colour)
    if len(shown) < len(told):
        write_text(f"brimgen: {len(told) - len(shown)} more with --all\n")
    write_text(summary(documents, told))


def _exit_code(
    documents: Sequence[JsonObject], diagnostics: Diagnostics, *, strict: bool
) -> int:
    """Return 1 after a conflict, and where nothing was taken or a chosen tool is missing; with
    ``strict``, where anything was left out or open.
    """
    told = {found.rule for found in diagnostics}
    is_wrong = diagnostics.has_errors
    if IMPORT_CONFLICT in told:
        return SPEC_ERRORS
    if documents and IMPORT_NO_SUCH_TOOL not in told:
        is_wrong = strict and (is_wrong or IMPORT_LEFT_OPEN in told)
    return SPEC_ERRORS if is_wrong else SOUND


_MOST_SHOWN = 5
_NAMES = re.compile(r"`[^`]*`")
_SUBJECT = re.compile("(?:`…`|left open): ")


def summary(documents: Sequence[JsonObject], told: Iterable[Diagnostic]) -> str:
    """Return the table of what was taken, left open and left out, by reason.

    It is empty where all was taken.
    """
    reasons: dict[str, Counter[str]] = {"left open": Counter(), "left out": Counter()}
    for found in told:
        if found.rule is IMPORT_CONFLICT:
            continue
        is_open = found.rule is IMPORT_LEFT_OPEN
        if is_open or found.rule.severity is Severity.ERROR:
            reason = _SUBJECT.split(_NAMES.sub("`…`", found.message), maxsplit=1)[-1]
            reasons["left open" if is_open else "left out"][reason] += 1
    rows = [
        f"{what:9} {count:5}  {reason}\n"
        for what, counted in reasons.items()
        for reason, count in counted.most_common()
    ]
    taken = f"{'taken':9} {len(documents):5}  specs\n"
    return "".join((taken, *rows)) if rows else ""


def _of_sql(
    name: str,
    sql: SqlImport,
    only: tuple[str, ...],
    declared: Mapping[str, Connection],
    files: dict[str, str],
    diagnostics: Diagnostics,
) -> tuple[JsonObject, ...]:
    """Return the specs of SQL files; put the text of each of them into ``files``."""
    from brimgen.importers import import_sql

    for part in sql.parts:
        files |= {**part.files, **part.tables}
    check = _check(sql.connections, declared)
    return import_sql(name, sql.parts, diagnostics, only=only, check=check)


def _of_store(
    folder: Path,
    files: dict[str, str],
    only: tuple[str, ...],
    hosts: tuple[str, ...],
    diagnostics: Diagnostics,
) -> tuple[JsonObject, ...]:
    """Return the specs of a tool store; put the text of each of its files into ``files``."""
    from brimgen.importers import import_store

    name = folder.as_posix()
    texts = {path: text_of(folder / path) for path in _json_files(folder)}
    files |= {f"{name}/{path}": text for path, text in texts.items()}
    return import_store(
        name, texts, diagnostics, only=only, hosts=hosts, check=_check()
    )


def _beside(
    file: Path, files: dict[str, str]
) -> Callable[[str], tuple[str, str] | None]:
    """Return what reads files below the folder of ``file``; it puts their texts into ``files``.

    No link leads out of that folder.
    """
    folder = file.parent.resolve()

    def read(path: str) -> tuple[str, str] | None:
        try:
            found = (folder / path).resolve()
            if not found.is_relative_to(folder) or not found.is_file():
                return None
        except (OSError, ValueError):  # no file can have such a name
            return None
        name = (file.parent / path).as_posix()
        files[name] = text_of(found)
        return name, files[name]

    return read


def _check(
    connections: Mapping[str, Json] = _NONE,
    declared: Mapping[str, Connection] = _NONE,
) -> Callable[[Sequence[Document]], Diagnostics]:
    """Return what judges specs as `brimgen generate` will in this folder.

    ``connections`` are settings that belong to the specs; those ``declared`` count before them.
    """
    from brimgen.api import check_documents
    from brimgen.model.targets import with_needed
    from brimgen.settings.load import Flags, load_settings

    # What is wrong with the settings is told by the commands that need them.
    settings = load_settings(Flags(), Diagnostics())
    project = settings.project
    if settings.configuration is None:
        targets = with_needed(_NEW_TARGETS)
        project = replace(project, targets=targets)
        settings = replace(settings, targets=targets)
    if connections:
        together = {**read_connections(connections), **declared}
        project = replace(project, connections=together)
    return partial(check_documents, replace(settings, project=project))


_NEW_TARGETS = ("default", "server")
"""The targets of the settings that are written for a project without any."""


def _check_server(server: str) -> None:
    """Raise `click.BadParameter` unless ``server`` is the URL of one."""
    from brimgen.importers import is_server

    if not is_server(server):
        raise click.BadParameter(
            f"{server!r} is no URL of a server, such as 'https://api.example.com/v1'.",
            param_hint="'--server'",
        )


def _json_files(folder: Path) -> list[str]:
    """Return the JSON files of a tool store, relative to its folder: two levels, no hidden ones."""
    return sorted(
        path.relative_to(folder).as_posix()
        for pattern in ("*.json", "*/*.json")
        for path in folder.glob(pattern)
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


_FOLDERS: Mapping[str, str] = {"entity": "entities", "bundle": "bundles"}
"""The folders of documents that are no tools, by their type."""


def write_specs(
    changes: Changes,
    folder: Path,
    connections: Mapping[str, Json],
    configuration: Configuration | None,
    package: str,
) -> bool:
    """Make the ``changes`` of an import below ``folder``, and say what they were.

    A project without settings gets a `brimgen.yaml`, with the ``connections`` that the specs need
    and that ``package``; where there are settings, the connections to add are told. Return whether
    there is a new `brimgen.yaml` with tools. Raises `click.UsageError`, before anything is written,
    where the way there leads through a link.
    """
    files = [path.relative_to(folder).as_posix() for path in changes.new]
    refuse_blocked(folder, [*files, RECORD])
    needs_settings = files and configuration is None
    if needs_settings and is_there(Path(YAML_NAME)):
        raise click.UsageError(
            f"{YAML_NAME} cannot be read: it is a folder, or a link that leads nowhere; nothing "
            "was written."
        )
    for path, text in changes.new.items():
        write_new(path, text.encode("utf-8"))
    for path, text in changes.updated.items():
        replace_file(path.resolve(), text.encode("utf-8"))
    for path in changes.removed:
        path.unlink()
    record = folder / RECORD
    if changes.record and not record.exists():
        write_new(record, changes.record.encode("utf-8"))
    elif changes.record:
        replace_file(record.resolve(), changes.record.encode("utf-8"))
    write_text(f"{changes.summary(folder)}\n")
    needed = yaml_document({"connections": {**connections}}) if connections else ""
    has_tools = any("/" not in path for path in files)
    if needs_settings:
        targets = ", ".join(_NEW_TARGETS if has_tools else _NEW_TARGETS[:1])
        settings = (
            f"specs: {folder.as_posix()}\nout: out\npackage: {package}\n"
            f"targets: [{targets}]\n{needed}"
        )
        write_new(Path(YAML_NAME), settings.encode("utf-8"))
        write_text(f"wrote {YAML_NAME}\n")
    elif needed and configuration is not None:
        write_text(f"Add to {configuration.file.name}:\n\n{needed}")
    return bool(needs_settings) and has_tools


def _files(documents: Sequence[JsonObject]) -> dict[str, JsonObject]:
    """Return the documents by path. A build refuses names that differ in case alone."""
    files: dict[str, JsonObject] = {}
    for document in documents:
        below = _FOLDERS.get(str(document["type"]))
        stem = document["name"] if below is None else f"{below}/{document['name']}"
        files[f"{stem}.yaml"] = document
    return files


def import_roots(source: Path) -> tuple[str, ...]:
    """Return the folder that a program imports the module ``source`` from.

    It is empty for the folder of the project, and for what is no module.
    """
    if source.suffix != ".py":
        return ()
    if source.is_absolute() or ".." in source.parts:
        return (source.parent.as_posix(),)
    return ("src",) if source.parts[0] == "src" else ()


def package_name(source: Path) -> str:
    """Return the name of a Python package for the file that was imported."""
    words = re.sub(r"[^a-z0-9]+", "_", source.name.partition(".")[0].lower()).strip("_")
    if source.suffix == ".py":  # the module itself has the name
        return f"{words}_tools"
    return words if package_fault(words) is None else f"tools_{words}".rstrip("_")
