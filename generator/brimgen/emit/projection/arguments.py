"""Arguments: a tool in, its arguments as a profile says them out, or as another if it cannot."""

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
    """The arguments of ``tool``, prepared; ``mark`` and ``cache`` are those of `prepare`."""
    published = prepare(tool.input_schema, tool.name, mark, cache)
    closed = tool.closed_input_schema
    if closed is None:
        return Arguments(published, published)
    return Arguments(published, prepare(closed, tool.name, mark, cache))


def project_arguments(
    strict: Profile | None, loose: Profile, arguments: Arguments
) -> tuple[Projection, tuple[Obstacle, ...]]:
    """What ``strict``, if it is asked for, says of what is enforced; where that would refuse valid
    calls, what ``loose`` says of what is published, and what stood in the way.
    """
    obstacles: tuple[Obstacle, ...] = ()
    if strict is not None:
        projection = project(arguments.enforced, strict)
        obstacles = projection.obstacles
        if not obstacles:
            return projection, ()
    return project(arguments.published, loose), obstacles
