"""Write the descriptor files of one profile: one array, and one file per tool if asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.emit.artifact import Artifact
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.recurring import json_file, texts_of
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json, JsonObject

TEMPLATE = "projection/tools.json.j2"
"""The template of all files of descriptors."""


def folder_of(profile: Profile) -> str:
    """Return ``openai`` for the first profile of a target, ``openai/azure`` for a further one."""
    variant = profile.name.removeprefix(profile.target).removeprefix("_")
    return f"{profile.target}/{variant}" if variant else profile.target


def set_file(catalog: Catalog, profile: Profile, form: str, value: Json) -> Artifact:
    """Write ``<folder>/<form>.json`` with ``value``, which holds all tools."""
    text = json_file(TEMPLATE, value, texts_of(catalog))
    return Artifact(f"{folder_of(profile)}/{form}.json", text)


def aside_file(catalog: Catalog, target: str, form: str, value: Json) -> Artifact:
    """``<target>/<form>.json`` with ``value``, which goes with the descriptors of all profiles."""
    text = json_file(TEMPLATE, value, texts_of(catalog))
    return Artifact(f"{target}/{form}.json", text)


def one_file_each(
    catalog: Catalog,
    profile: Profile,
    form: str,
    tools: Mapping[str, JsonObject],
    sources: Mapping[str, tuple[str, ...]],
) -> Sequence[Artifact]:
    """Write ``<folder>/<form>/<tool>.json`` for each tool, if the project asks for them."""
    if not catalog.project.descriptors.per_tool:
        return []
    folder = folder_of(profile)
    return [
        Artifact(
            f"{folder}/{form}/{name}.json",
            json_file(TEMPLATE, tool, texts_of(catalog)),
            sources[name],
        )
        for name, tool in tools.items()
    ]
