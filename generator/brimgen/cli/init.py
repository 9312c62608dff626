"""An empty folder in, a small working project in it out."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from brimgen.editor.document import FILE, spec_schema_text

_RENAMED = {"gitattributes": ".gitattributes", "gitignore": ".gitignore"}


def start_project(folder: Path) -> None:
    """Write the starter project into ``folder`` and say what comes next.

    Beside it goes the JSON Schema of spec files, which the first line of each names for editors.

    Nothing is ever overwritten: a file that is there already is a usage error, before anything
    is written.
    """
    starter = {
        folder / path: source.read_bytes()
        for path, source in _starter(files("brimgen") / "starter")
    }
    starter[folder / FILE] = spec_schema_text().encode("utf-8")
    for path in starter:
        if path.exists() or path.is_symlink():
            raise click.UsageError(
                f"{path} is there already; nothing was written. "
                "`brimgen init FOLDER` starts a project in a folder of its own."
            )
    for path, content in starter.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        click.echo(f"wrote {path}", err=True)
    click.echo("Next: brimgen generate", err=True)


def _starter(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            for path, source in _starter(each):
                yield f"{each.name}/{path}", source
        else:
            yield _RENAMED.get(each.name, each.name), each
