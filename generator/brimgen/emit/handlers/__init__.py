"""The handlers target: what the function behind a tool takes and returns, and their registry.

Tools that a function of the host program runs are Python functions and resources. It needs the
Python target, whose classes it names.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.handlers.lower import handled, lower
from brimgen.emit.render import render
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: the Python target reports names that Python does not allow."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``<package>/handlers.py``, if a tool has a handler."""
    if not handled(catalog):
        return ()
    path = f"python/{catalog.project.package}/handlers.py"
    return (Artifact(path, render("handlers/handlers.py.j2", lower(catalog))),)


EMITTER = Emitter(target_named("handlers"), check, emit)
