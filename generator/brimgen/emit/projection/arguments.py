"""Project the arguments of a tool to a strict profile, or to a loose one if that fails."""

from __future__ import annotations

from collections.abc import Callable

from brimgen.emit.projection import Prepared, prepare, project
from brimgen.emit.projection.ledger import Obstacle, Projection, ProjectionCache
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a tool, as they are published and as they are enforced."""

    published: Prepared
    enforced: Prepared


def arguments_of(
    tool: Tool,
    mark: Callable[[JsonObject], JsonObject] = lambda placed: placed,
    cache: ProjectionCache | None = None,
) -> Arguments:
    """Prepare the arguments of ``tool``; ``mark`` and ``cache`` are passed to `prepare`."""
    published = prepare(tool.input_schema, tool.name, mark, cache)
    closed = tool.closed_input_schema
    if closed is None:
        return Arguments(published, published)
    return Arguments(published, prepare(closed, tool.name, mark, cache))


def project_arguments(
    strict: Profile | None, loose: Profile, arguments: Arguments
) -> tuple[Projection, tuple[Obstacle, ...]]:
    """Project what is enforced to ``strict``; if that would refuse valid calls, project what is
    published to ``loose``, and return the obstacles.

    ``strict`` is None where it is not asked for.
    """
    obstacles: tuple[Obstacle, ...] = ()
    if strict is not None:
        projection = project(arguments.enforced, strict)
        obstacles = projection.obstacles
        if not obstacles:
            return projection, ()
    return project(arguments.published, loose), obstacles
