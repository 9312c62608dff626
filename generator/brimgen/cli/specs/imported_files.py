"""Write imported specs to a folder: one file each, and settings where there are none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
import yaml

from brimgen.cli.console.report import write_text
from brimgen.diagnostics import Diagnostics
from brimgen.settings.configuration import YAML_NAME, find_configuration

_FOLDERS: Mapping[str, str] = {"entity": "entities", "bundle": "bundles"}
"""Where documents stand that are no tools."""


def write_specs(documents: Sequence[str], folder: Path, source: Path) -> None:
    """Write each document to a file of its own below ``folder``, and say what was written.

    ``source`` is the file that was imported: a project without settings gets a `brimgen.yaml` and
    a package of its name. Raises `click.UsageError`, before anything is written, where a file
    stands there already.
    """
    files = _files(documents)
    there = [path for path in files if (folder / path).exists()]
    if there:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise click.UsageError(
            f"{(folder / there[0]).as_posix()}{more} exists already; nothing was written. "
            "Remove what you want to import again, or import into another folder."
        )
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    noun = "spec" if len(files) == 1 else "specs"
    write_text(f"wrote {len(files)} {noun} to {folder.as_posix()}\n")
    if files and find_configuration(Path.cwd(), Diagnostics()) is None:
        package = _package(source)
        settings = (
            f"specs: {folder.as_posix()}\nout: out\npackage: {package}\n"
            "targets: [default, server]\n"
        )
        Path(YAML_NAME).write_text(settings, encoding="utf-8", newline="\n")
        write_text(f"wrote {YAML_NAME}\n")
        write_text(f"Next: brimgen generate, then python -m {package} serve\n")


def _files(documents: Sequence[str]) -> dict[str, str]:
    """Return the documents by path. A build refuses names that differ in case alone."""
    files: dict[str, str] = {}
    for text in documents:
        document = yaml.safe_load(text)
        below = _FOLDERS.get(document["type"])
        stem = document["name"] if below is None else f"{below}/{document['name']}"
        files[f"{stem}.yaml"] = text
    return files


def _package(source: Path) -> str:
    """Return the name of a Python package for the file that was imported."""
    words = re.sub(r"[^a-z0-9]+", "_", source.name.partition(".")[0].lower()).strip("_")
    return words if words and words[0].isalpha() else f"tools_{words}".rstrip("_")
