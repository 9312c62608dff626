"""Make a target from the profiles of one provider and the form of its descriptors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.emit.account import Descriptor, Loss, once_per_catalog
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.indented import Written
from brimgen.emit.projection.argument_names import check_argument_names
from brimgen.emit.projection.arguments import Arguments, project_arguments
from brimgen.emit.projection.ledger import Obstacle
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.results import unsaid_result
from brimgen.emit.projection.targets.lowered_tools import (
    LoweredT,
    as_losses_of,
    by_profile,
    descriptors_of,
    files_of,
    losses_of,
)
from brimgen.emit.projection.tools import CALLABLE, full_description, target_tools
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import JsonObject
from brimgen.model.targets import target_named

Lowered: TypeAlias = Mapping[str, tuple[LoweredT, ...]]
"""The tools by profile, each sorted by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedTool:
    """A tool in words and one schema, for a provider that has no place for a schema of results.

    ``strict`` tells whether the schema is that of the strict profile; ``obstacles`` are why it is
    not, where one was asked for.
    """

    name: str
    description: str | None
    schema: JsonObject
    strict: bool
    obstacles: tuple[Obstacle, ...]
    losses: tuple[Loss, ...]


def describe(
    tool: Tool, profile: Profile, arguments: Arguments, strict: Profile | None = None
) -> DescribedTool:
    """Describe ``tool`` by ``strict`` if it is given and can say the arguments, or by ``profile``.

    ``profile`` must be one that can say every schema: one that is not ``plain``.
    """
    projection, obstacles = project_arguments(strict, profile, arguments)
    text, unsaid = unsaid_result(tool, profile)
    return DescribedTool(
        name=tool.name,
        description=full_description(tool, projection.notes, after=text),
        schema=projection.schema,
        strict=projection.profile.plain,
        obstacles=obstacles,
        losses=as_losses_of(profile, (*projection.losses, *unsaid)),
    )


def descriptor_target(
    name: str,
    profiles: Sequence[Profile],
    lower: Callable[[Tool, Profile, Arguments], LoweredT],
    forms: Mapping[str, Callable[[LoweredT], Written]],
    *,
    check: Callable[[Catalog, Lowered[LoweredT], Diagnostics], None] | None = None,
) -> Emitter:
    """Return the target ``name``: a file of each of the ``forms`` for each chosen profile.

    ``lower`` says a tool to a profile; a form makes a descriptor of that. The first form is the
    one whose size is counted. ``check`` reports what the provider refuses;
    without it, names of arguments are checked.
    """
    counted = next(iter(forms.values()))

    @once_per_catalog
    def lowered(catalog: Catalog) -> Lowered[LoweredT]:
        return by_profile(catalog, name, profiles, lower)

    def check_all(catalog: Catalog, diagnostics: Diagnostics) -> None:
        if check is None:
            check_argument_names(target_tools(catalog, name, CALLABLE), diagnostics)
        else:
            check(catalog, lowered(catalog), diagnostics)

    def emit(catalog: Catalog) -> Iterable[Artifact]:
        return files_of(catalog, name, profiles, lowered(catalog), forms)

    def descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
        return descriptors_of(lowered(catalog), counted)

    def losses(catalog: Catalog) -> tuple[Loss, ...]:
        return losses_of(lowered(catalog))

    row = target_named(name)
    return Emitter(row, check_all, emit, descriptors=descriptors, losses=losses)
