"""Collect the tools that a target lowers, for each profile that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from brimgen.diagnostics import Diagnostics, Rule
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.artifact import Artifact
from brimgen.emit.chosen_targets import makes
from brimgen.emit.indented import Written
from brimgen.emit.projection.arguments import Arguments
from brimgen.emit.projection.ledger import Obstacle
from brimgen.emit.projection.profiles import Profile, chosen
from brimgen.emit.projection.targets.descriptor_files import ARRAY, descriptor_files
from brimgen.emit.projection.targets.prepared_tools import prepared_tools
from brimgen.emit.projection.tools import CALLABLE, span_at, target_tools
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.targets import target_named


class LoweredTool(Protocol):
    """A tool as a target lowers it for one profile."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the descriptor leaves out."""
        ...


LoweredT = TypeVar("LoweredT", bound=LoweredTool)


def by_profile(
    catalog: Catalog,
    target: str,
    profiles: Sequence[Profile],
    lower: Callable[[Tool, Profile, Arguments], LoweredT],
) -> Mapping[str, tuple[LoweredT, ...]]:
    """Lower the tools that models call with ``lower``, by profile, each sorted by name."""
    prepared = prepared_tools(catalog)
    tools = target_tools(catalog, target, CALLABLE)
    return {
        profile.name: tuple([lower(tool, profile, prepared.of(tool)) for tool in tools])
        for profile in chosen(catalog.project, profiles)
    }


def report_obstacle(
    rule: Rule,
    tool: Tool,
    profile: Profile,
    obstacles: Sequence[Obstacle],
    diagnostics: Diagnostics,
) -> None:
    """Report by ``rule`` the first obstacle that keeps ``profile`` from expressing ``tool``, if
    any.
    """
    for first in obstacles[:1]:
        where = f" at {first.pointer}" if first.pointer else ""
        diagnostics.add(
            rule,
            span_at(tool, first.pointer),
            target=profile.name,
            tool=tool.name,
            reason=f"{first.reason}{where}",
        )


def files_of(
    catalog: Catalog,
    target: str,
    profiles: Sequence[Profile],
    tools_by_profile: Mapping[str, tuple[LoweredT, ...]],
    forms: Mapping[str, Callable[[LoweredT], Written]],
    whole: str = ARRAY,
) -> Iterator[Artifact]:
    """Write the files of each profile, for each of the ``forms`` that is stored.

    ``whole`` is the template of a file that holds all tools.
    """
    stored = target_named(target).stored_forms(makes(catalog.project, "python"))
    sources = {
        tool.name: tool.sources for tool in target_tools(catalog, target, CALLABLE)
    }
    for profile in chosen(catalog.project, profiles):
        for form in stored:
            tools = {
                tool.name: forms[form](tool) for tool in tools_by_profile[profile.name]
            }
            yield from descriptor_files(catalog, profile, form, tools, sources, whole)


def descriptors_of(
    tools_by_profile: Mapping[str, tuple[LoweredT, ...]],
    form: Callable[[LoweredT], Written],
) -> tuple[Descriptor, ...]:
    """Return the descriptors that ``form`` makes of the tools, by profile."""
    return tuple(
        Descriptor(profile, tool.name, form(tool))
        for profile, tools in tools_by_profile.items()
        for tool in tools
    )


def losses_of(tools_by_profile: Mapping[str, tuple[LoweredT, ...]]) -> tuple[Loss, ...]:
    """Return what the descriptors of all chosen profiles leave out."""
    return tuple(
        loss
        for tools in tools_by_profile.values()
        for tool in tools
        for loss in tool.losses
    )


def as_losses_of(profile: Profile, losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Return ``losses`` as those of ``profile``, whichever profile expressed the tool."""
    name = profile.name
    return tuple(
        [
            loss if loss.profile == name else loss._replace(profile=name)
            for loss in losses
        ]
    )
