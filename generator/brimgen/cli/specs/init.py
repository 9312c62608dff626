"""Create a small working project in a folder; existing files stay unchanged."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import chdir
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from brimgen.cli.console.report import SOUND, write_text
from brimgen.cli.specs.database import database_path, of_database
from brimgen.cli.specs.imports import import_file, import_roots, package_name
from brimgen.cli.specs.new_files import is_there, refuse_blocked, write_new, write_next
from brimgen.diagnostics import Diagnostics
from brimgen.editor.document import FILE, spec_schema
from brimgen.emit.indented import json_file
from brimgen.settings.configuration import TOML_NAME, YAML_NAME, read_configuration
from brimgen.settings.values import package_fault

_RENAMED = {"gitattributes": ".gitattributes", "gitignore": ".gitignore"}
_BESIDE = tuple(_RENAMED.values())
_SPECS = "specs"
_EXAMPLES = (f"{_SPECS}/", "app/", "schema.sql", "make_database.py")
_EXAMPLE_DATABASE = b", schema: schema.sql, target: shop.db"
_PACKAGE = "agent_tools"
"""The package of the starter."""


def start_project(folder: Path, package: str | None = None) -> None:
    """Write the starter project into ``folder``, with a package of that name; say of each file
    what became of it, and what comes next.

    Beside it goes the JSON Schema of spec files, which the first line of each names for editors.

    Nothing is ever overwritten: a file that is there already is kept, and the examples of specs
    are left out where the folder of specs holds anything. Raises `click.UsageError`, before
    anything is written, where the folder is configured already, or where a file or a link is in
    the way of a folder.
    """
    package = _checked(package) or _PACKAGE
    _refuse_configured(folder)
    starter = {
        path: text.replace(_PACKAGE.encode(), package.encode())
        for path, text in _starter_files().items()
    }
    specs = folder / _SPECS
    has_specs = specs.is_dir() and any(specs.iterdir())
    if has_specs:
        starter = {path: starter[path] for path in starter if not _is_example(path)}
        starter[YAML_NAME] = starter[YAML_NAME].replace(_EXAMPLE_DATABASE, b"")
    _write(folder, starter)
    if has_specs:
        notice = f"kept {specs}, which is not empty: no examples of specs were written"
        write_text(f"{notice}\n")
    write_next(package, folder)


def start_from(folder: Path, source: str, package: str | None = None) -> int:
    """Write a project into ``folder`` whose specs are made of ``source``; return the exit code.

    ``source`` is a file that `brimgen import` reads, or an SQLite database, by its path or as
    ``sqlite:///shop.db``; each table of one gets a tool that lists it. Raises `click.UsageError`
    as `start_project` does, where files of these names are there, and where ``source`` is not.
    """
    database, path = database_path(source), Path(source)
    name = package_name(database or path) if package is None else package
    package = _checked(name)
    _refuse_configured(folder)
    kept = {
        path: text
        for path, text in _starter_files().items()
        if path in (*_BESIDE, FILE)
    }
    if database is not None:
        made = of_database(database, folder, name, kept[".gitignore"])
        existing = [
            each for each in made.files if each not in kept and is_there(folder / each)
        ]
        if existing:
            raise click.UsageError(
                f"{existing[0]} exists already; nothing was written."
            )
        _write(folder, {**kept, **made.files})
        for notice in made.notices:
            write_text(f"{notice}\n")
        write_next(name, folder, f"call {made.tool}")
        return SOUND
    if not path.exists():
        raise click.UsageError(f"There is no file {source!r}.")
    refuse_blocked(folder, kept)
    folder.mkdir(parents=True, exist_ok=True)
    path = Path(os.path.relpath(path.resolve(), folder.resolve()))
    with chdir(folder):
        code = import_file(path, into=Path(_SPECS), new_package=name)
    if code == SOUND:
        _write(folder, kept)
        write_next(name, folder, "list", *import_roots(path))
    return code


def _checked(package: str | None) -> str | None:
    fault = None if package is None else package_fault(package)
    if fault is not None:
        raise click.BadParameter(f"{package!r} {fault}.", param_hint="'--package'")
    return package


def _starter_files() -> dict[str, bytes]:
    """Return the files of the starter by path, and what editors read."""
    starter = {
        path: source.read_bytes()
        for path, source in _starter(files("brimgen") / "starter")
    }
    return {**starter, FILE: json_file(spec_schema()).encode("utf-8")}


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    refuse_blocked(folder, contents)
    for name, content in contents.items():
        path = folder / name
        if is_there(path):
            write_text(f"kept {path}{_lacking(path, content)}\n")
            continue
        write_new(path, content)
        write_text(f"wrote {path}\n")


def _refuse_configured(folder: Path) -> None:
    """Raise if a project exists: two configurations would be ambiguous."""
    toml, name = folder / TOML_NAME, None
    if (folder / YAML_NAME).exists():
        name = YAML_NAME
    elif toml.is_file() and _configures(toml):
        name = f"[tool.brimgen] in {TOML_NAME}"
    if name is not None:
        raise click.UsageError(
            f"{name} configures {folder.resolve()} already; nothing was written. "
            "`brimgen init FOLDER` starts a project in a folder of its own."
        )


def _configures(toml: Path) -> bool:
    configuration = read_configuration(toml, Diagnostics())
    return configuration is not None and not configuration.is_broken


def _is_example(path: str) -> bool:
    """Return whether a file belongs to the examples: a spec, or what runs one."""
    return path.startswith(_EXAMPLES)


def _lacking(path: Path, content: bytes) -> str:
    """Return a note with the lines that an existing .gitignore or .gitattributes lacks."""
    if path.name not in _RENAMED.values() or not path.is_file():
        return ""
    written = {line.strip() for line in path.read_bytes().splitlines()}
    lacks = [line.decode() for line in content.splitlines() if line not in written]
    return f"; you may want to add to it: {', '.join(lacks)}" if lacks else ""


def _starter(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda path: path.name):
        if entry.name == "__pycache__":
            continue
        if entry.is_dir():
            for path, source in _starter(entry):
                yield f"{entry.name}/{path}", source
        else:
            yield _RENAMED.get(entry.name, entry.name), entry
