"""The retries target: ``<package>/retries.py``, a module with names of the runtime."""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.render import package_module
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``retries.py``."""
    return (package_module(catalog, "retries/retries.py.j2"),)


EMITTER = Emitter(target_named("retries"), emit)
