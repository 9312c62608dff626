"""The projection of a canonical schema, which nothing else was prepared with."""

from __future__ import annotations

from brimgen.emit.projection import Profile, Projection, prepare, project
from brimgen.model.json import JsonObject


def projected(schema: JsonObject, profile: Profile, tool: str = "tool") -> Projection:
    """The arguments of ``tool``, whose canonical schema is ``schema``, as ``profile`` says them."""
    return project(prepare(schema, tool), profile)
