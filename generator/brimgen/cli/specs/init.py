"""Create a small working project in a folder; existing files stay unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from brimgen.cli.console.report import write_text
from brimgen.cli.specs.new_files import is_there, refuse_blocked, write_new
from brimgen.diagnostics import Diagnostics
from brimgen.editor.document import FILE, spec_schema_text
from brimgen.settings.configuration import TOML_NAME, YAML_NAME, read_configuration

_RENAMED = {"gitattributes": ".gitattributes", "gitignore": ".gitignore"}
_SPECS = "specs"
_EXAMPLES = (f"{_SPECS}/", "app/", "schema.sql", "make_database.py")
_EXAMPLE_DATABASE = b", schema: schema.sql, target: shop.db"


def start_project(folder: Path) -> None:
    """Write the starter project into ``folder``; say of each file what became of it, and what
    comes next.

    Beside it goes the JSON Schema of spec files, which the first line of each names for editors.

    Nothing is ever overwritten: a file that is there already is kept, and the examples of specs
    are left out where the folder of specs holds anything. Raises `click.UsageError`, before
    anything is written, where the folder is configured already, or where a file or a link is in
    the way of a folder.
    """
    _refuse_configured(folder)
    starter = {
        path: source.read_bytes()
        for path, source in _starter(files("brimgen") / "starter")
    }
    starter[FILE] = spec_schema_text().encode("utf-8")
    specs = folder / _SPECS
    has_specs = specs.is_dir() and any(specs.iterdir())
    if has_specs:
        starter = {path: starter[path] for path in starter if not _is_example(path)}
        starter[YAML_NAME] = starter[YAML_NAME].replace(_EXAMPLE_DATABASE, b"")
    refuse_blocked(folder, starter)
    for name, content in starter.items():
        path = folder / name
        if is_there(path):
            write_text(f"kept {path}{_lacking(path, content)}\n")
            continue
        write_new(path, content)
        write_text(f"wrote {path}\n")
    if has_specs:
        notice = f"kept {specs}, which is not empty: no examples of specs were written"
        write_text(f"{notice}\n")
    where = "" if folder == Path() else f" in {folder}"
    write_text(f"Next{where}: brimgen generate\n")


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
