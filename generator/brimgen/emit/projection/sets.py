"""Sets: descriptors in, the files of one profile out: one array, and one file a tool if asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from brimgen.emit.artifact import Artifact
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.render import render
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class DescriptorFile:
    """The view of one file: a descriptor, a list of them, or what holds such a list."""

    value: Json


def folder_of(profile: Profile) -> PurePosixPath:
    """``openai`` for the first profile of a target, ``openai/azure`` for a further one."""
    _, _, variant = profile.name.partition("_")
    return PurePosixPath(profile.target, variant)


def set_files(
    catalog: Catalog,
    profile: Profile,
    form: str,
    tools: Mapping[str, JsonObject],
    sources: Mapping[str, tuple[str, ...]],
    whole: Json = None,
) -> Sequence[Artifact]:
    """``<folder>/<form>.json`` with all ``tools``, and ``<folder>/<form>/<tool>.json`` each.

    ``whole`` is the content of the first where it is not the plain array of them.
    """
    folder, template = folder_of(profile), f"{profile.target}/tools.json.j2"
    listed = [*tools.values()] if whole is None else whole
    made = [Artifact(folder / f"{form}.json", render(template, DescriptorFile(listed)))]
    if catalog.project.descriptors.per_tool:
        made += [
            Artifact(
                folder / form / f"{name}.json",
                render(template, DescriptorFile(tool)),
                sources[name],
            )
            for name, tool in tools.items()
        ]
    return made
