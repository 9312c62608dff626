"""Profiled: what a target makes of its tools, for each profile that is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.projection.profiles import Profile, chosen
from brimgen.emit.projection.tools import CALLABLE, carried
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import JsonObject


class Made(Protocol):
    """A tool as a target says it to one profile."""

    @property
    def name(self) -> str:
        """The name of the tool."""
        ...

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What it does not say of the tool."""
        ...


MadeT = TypeVar("MadeT", bound=Made)


def by_profile(
    catalog: Catalog, target: str, lower: Callable[[Tool, Profile], MadeT]
) -> Mapping[str, tuple[MadeT, ...]]:
    """What ``lower`` makes of the tools that models call, by profile, each sorted by name."""
    return {
        profile.name: tuple(
            lower(tool, profile) for tool in carried(catalog, target, CALLABLE)
        )
        for profile in chosen(catalog.project, target)
    }


def descriptors_of(
    made: Mapping[str, tuple[MadeT, ...]], sent: Callable[[MadeT], JsonObject]
) -> tuple[Descriptor, ...]:
    """What is sent of each tool to each profile."""
    return tuple(
        Descriptor(profile, each.name, sent(each))
        for profile, tools in made.items()
        for each in tools
    )


def losses_of(made: Mapping[str, tuple[MadeT, ...]]) -> tuple[Loss, ...]:
    """What the descriptors of all chosen profiles leave out."""
    return tuple(
        loss for tools in made.values() for each in tools for loss in each.losses
    )
