"""Write the descriptor files of one profile: a list of all tools, or a file of each if asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from brimgen.emit.artifact import Artifact
from brimgen.emit.chosen_targets import makes
from brimgen.emit.indented import Written, laid_out
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.render import render_json
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project

ARRAY = "projection/tools.json.j2"
"""The template of a file that is an array of descriptors."""


@dataclass(frozen=True, slots=True)
class DescriptorSet:
    """The view of a file that holds all tools of a profile; each is the text of its descriptor."""

    tools: Sequence[Written]


def descriptors_root(project: Project) -> str:
    """Return the folder that descriptors lie below: inside the package if the project makes one,
    else the output folder itself.
    """
    return f"python/{project.package}/descriptors/" if makes(project, "python") else ""


def profile_folder(target: str, profile: str) -> str:
    """Return ``openai`` for the first profile of a target, ``openai/azure`` for a further one."""
    variant = profile.removeprefix(target).removeprefix("_")
    return f"{target}/{variant}" if variant else target


def descriptor_files(
    catalog: Catalog,
    profile: Profile,
    form: str,
    tools: Mapping[str, Written],
    sources: Mapping[str, tuple[str, ...]],
    whole: str = ARRAY,
) -> Iterator[Artifact]:
    """Write ``<folder>/<form>.json``, by the template ``whole``, with the texts of all ``tools``;
    if the project asks for files of tools, ``<folder>/<form>/<tool>.json`` for each instead.
    """
    folder = folder_of(catalog.project, profile)
    if catalog.project.descriptors.per_tool:
        for name, text in tools.items():
            yield Artifact(
                f"{folder}/{form}/{name}.json", laid_out(text), sources[name]
            )
    else:
        listed = render_json(whole, DescriptorSet([*tools.values()]))
        yield Artifact(f"{folder}/{form}.json", listed)


def folder_of(project: Project, profile: Profile) -> str:
    """Return the folder of a profile's files."""
    folder = profile_folder(profile.target, profile.name)
    return f"{descriptors_root(project)}{folder}"
