"""The resources target: matchers and builders of resource paths, for any web framework.

It needs the Python target, whose classes it names.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.render import package_module
from brimgen.emit.resources.lower import lower, routed
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``<package>/resources.py``, if there is a resource."""
    if not routed(catalog):
        return ()
    return (package_module(catalog, "resources/resources.py.j2", lower(catalog)),)


EMITTER = Emitter(target_named("resources"), emit)
