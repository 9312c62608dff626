"""The OpenAPI target: the routes of seed 002, each tool's own invoke route, and the resources.

One document, OpenAPI 3.1, whose schemas are those that are published (S2.29-40, S2.50-56).
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.indented import json_file
from brimgen.emit.openapi.document import document
from brimgen.model.catalog import Catalog
from brimgen.model.targets import target_named

__all__ = ["EMITTER"]


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``openapi/openapi.json``, if there is a tool."""
    if not catalog.tools:
        return ()
    return (Artifact("openapi/openapi.json", json_file(document(catalog))),)


EMITTER = Emitter(target_named("openapi"), emit)
