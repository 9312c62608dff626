"""Names of spec files in; the stage that reads these and no others out."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from brimgen.diagnostics import Diagnostics
from brimgen.source.document import SourceFile
from brimgen.source.files import read_named

Read = Callable[[Path, Diagnostics], tuple[SourceFile, ...]]


def reading_only(names: Collection[str]) -> Read:
    """What stands in the place of `read_files` where only ``names`` are to be read."""
    return lambda root, found: read_named(root, names, found)
