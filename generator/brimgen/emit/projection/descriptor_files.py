"""Write the descriptor files of one profile: one of all tools, and one per tool if asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brimgen.emit.artifact import Artifact
from brimgen.emit.indented import Written
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.render import render
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog

ARRAY = "projection/tools.json.j2"
"""The template of a file that is an array of descriptors."""


@dataclass(frozen=True, slots=True)
class DescriptorSet:
    """The view of a file that holds all tools of a profile; each is the text of its descriptor."""

    tools: Sequence[Written]


def folder_of(profile: Profile) -> str:
    """Return ``openai`` for the first profile of a target, ``openai/azure`` for a further one."""
    variant = profile.name.removeprefix(profile.target).removeprefix("_")
    return f"{profile.target}/{variant}" if variant else profile.target


def descriptor_files(
    catalog: Catalog,
    profile: Profile,
    form: str,
    tools: Mapping[str, Written],
    sources: Mapping[str, tuple[str, ...]],
    whole: str = ARRAY,
) -> Iterator[Artifact]:
    """Write ``<folder>/<form>.json``, by the template ``whole``, with the texts of all ``tools``;
    and ``<folder>/<form>/<tool>.json`` for each of them, if the project asks for that.
    """
    folder = folder_of(profile)
    text = render(whole, DescriptorSet([*tools.values()]))
    yield Artifact(f"{folder}/{form}.json", text)
    yield from one_file_each(catalog, profile, form, tools, sources)


def one_file_each(
    catalog: Catalog,
    profile: Profile,
    form: str,
    tools: Mapping[str, Written],
    sources: Mapping[str, tuple[str, ...]],
) -> Iterator[Artifact]:
    """Write ``<folder>/<form>/<tool>.json`` for each tool, if the project asks for them."""
    if catalog.project.descriptors.per_tool:
        folder = folder_of(profile)
        for name, text in tools.items():
            yield Artifact(f"{folder}/{form}/{name}.json", f"{text}\n", sources[name])
