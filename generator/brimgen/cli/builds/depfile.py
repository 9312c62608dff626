"""Write depfiles in the syntax of make, as Ninja reads it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brimgen.api import Build
    from brimgen.settings.load import Settings

_SPACES = re.compile(r"(\\*) ")


def inputs_of(
    build: Build, settings: Settings, specs: Iterable[str] | None = None
) -> list[Path]:
    """Return the files that a build has read.

    ``specs`` are the stable names of the spec files to include; None: all.
    """
    included = None if specs is None else frozenset(specs)
    inputs = [
        Path(source.path)
        for source in build.sources
        if included is None or source.name in included
    ]
    if settings.configuration is not None:
        inputs.append(Path(settings.configuration.path))
    beside = settings.specs.parent
    inputs += [beside / schema.name for schema in settings.schemas]
    if settings.templates is not None:
        inputs += [beside / file.path for file in settings.templates.files.values()]
    if settings.lock_file.is_file():
        inputs.append(settings.lock_file)
    return inputs


def write_depfile(path: Path, target: Path, inputs: Iterable[Path]) -> None:
    """Write ``target: inputs``, relative to the working directory. Raises `OSError`."""
    names = sorted({_escaped(input_) for input_ in inputs})
    lines = [f"{_escaped(target)}:", *names]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(" \\\n  ".join(lines) + "\n", encoding="utf-8", newline="\n")


def _escaped(path: Path) -> str:
    """Return a path in the syntax of make and Ninja, which read a backslash as an escape only
    before a character that needs one.
    """
    text = _SPACES.sub(r"\1\1\\ ", Path(os.path.relpath(path)).as_posix())
    return text.replace("#", "\\#").replace("$", "$$")
