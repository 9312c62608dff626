"""The handlers target: what the function behind a tool takes and returns, and their registry.

Tools that a function of the host program runs are Python functions and resources. It needs the
Python target, whose classes it names.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.handlers.lower import handled, lower
from brimgen.emit.render import package_module
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``<package>/handlers.py``, if a tool has a handler."""
    if not handled(catalog):
        return ()
    return (package_module(catalog, "handlers/handlers.py.j2", lower(catalog)),)


EMITTER = Emitter(target_named("handlers"), emit)
