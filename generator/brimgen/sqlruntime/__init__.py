"""The SQL runtime that every generated package carries: its files, ready to be copied.

The modules beside this one whose names begin with an underscore import only the standard library,
so that they work here, where they are tested, and in ``<package>/sql``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MODULES = (
    "_bind_error",
    "_cells",
    "_decode",
    "_drivers",
    "_encode",
    "_entities",
    "_expand",
    "_json",
    "_leaf",
    "_pages",
    "_refusals",
    "_run",
    "_run_async",
    "_spans",
    "_untyped",
)
"""The modules of the SQL runtime, sorted."""


def _here() -> Traversable:
    """This folder; where it lies on disk, without `importlib.resources`, which imports a lot."""
    folder = Path(__file__).parent
    if folder.is_dir():
        return folder
    from importlib.resources import files

    return files(__name__)


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """Return (file name, text) of every module, to be copied as they are."""
    here = _here()
    return tuple(
        (f"{module}.py", (here / f"{module}.py").read_text(encoding="utf-8"))
        for module in MODULES
    )
