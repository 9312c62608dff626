"""Project a canonical schema to what each provider's descriptors can express.

Each keyword that a profile does not carry is told in the description in one fixed form, and noted
as a `Loss` (architecture.md, descriptors.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import itemgetter

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.filter_keywords import project_openly, project_root_openly
from brimgen.emit.projection.json_values import json_text
from brimgen.emit.projection.keywords import SHAPE, pointer_to, split_definitions
from brimgen.emit.projection.ledger import (
    BUDGET,
    Ledger,
    Obstacle,
    Projection,
    ProjectionCache,
)
from brimgen.emit.projection.passes.cut_depth import (
    MOST_TOKENS,
    cut_to,
)
from brimgen.emit.projection.passes.flatten_root import flat_root, is_flat
from brimgen.emit.projection.passes.inline_references import inline
from brimgen.emit.projection.profiles import Limits, Profile, output
from brimgen.emit.projection.strict.limits import Counts, counted, exceeded_limits
from brimgen.emit.projection.strict.project_schema import (
    project_root_strictly,
    project_strictly,
)
from brimgen.emit.projection.strict.request_limits import exceeded_request_limits
from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject

__all__ = [
    "Loss",
    "Obstacle",
    "Prepared",
    "Profile",
    "Projection",
    "Recovery",
    "as_object",
    "inline",
    "prepare",
    "project",
    "project_output",
]

_ALL = Profile(name="", target="", keywords=frozenset())


@dataclass(frozen=True, slots=True)
class Prepared:
    """The arguments of a tool as one flat object without references: where all profiles start.

    ``losses`` are what any profile loses, because it does not fit into a flat object; ``notes``
    are the phrases for them. ``cache`` has what has been projected so far, of this tool and of
    those that are prepared with it. ``placed`` are the arguments before they were made flat.
    """

    tool: str
    body: JsonObject
    definitions: JsonObject
    losses: tuple[Loss, ...]
    notes: tuple[str, ...]
    cache: ProjectionCache
    placed: JsonObject


def prepare(
    schema: JsonObject,
    tool: str,
    mark: Callable[[JsonObject], JsonObject] = lambda placed: placed,
    cache: ProjectionCache | None = None,
) -> Prepared:
    """Prepare the canonical schema of ``tool``'s arguments for every profile.

    ``mark`` may add annotations, once references have given way to what they lead to. Tools with
    the same ``cache`` share the projections of arguments that they have in common.
    """
    shared = cache or ProjectionCache()
    placed = mark(inline(schema, shared.plain))
    if is_flat(placed):
        return Prepared(tool, placed, {}, (), (), shared, placed)
    ledger = Ledger(_ALL, tool)
    root, notes = flat_root(ledger, placed)
    body, definitions = split_definitions(root)
    losses = tuple(ledger.losses)
    return Prepared(tool, body, definitions, losses, tuple(notes), shared, placed)


def project(prepared: Prepared, profile: Profile) -> Projection:
    """Project the arguments of a tool to ``profile``."""
    ledger = Ledger(profile, prepared.tool, "input", prepared.cache)
    ledger.losses += [loss._replace(profile=profile.name) for loss in prepared.losses]
    project_root = project_root_strictly if profile.plain else project_root_openly
    projected = project_root(ledger, prepared.body)
    projected = _with_definitions(ledger, projected, prepared.definitions)
    if profile.limits is not None:
        _limit(ledger, profile.limits, projected)
    if profile.plain and profile.set_limits is not None:
        # What is too much for a request is too much of one tool as well.
        for _, reason in exceeded_request_limits(profile.set_limits, [projected]):
            ledger.obstruct("", reason)
    projected = _within(ledger, projected, prepared.cache.most_tokens)
    return _projection(ledger, projected, prepared.notes)


def _within(ledger: Ledger, projected: JsonObject, tokens: int) -> JsonObject:
    """Return a schema that takes no more than ``tokens``.

    Where an open object cannot be said, what takes more is an obstacle.
    """
    cut, cuts = cut_to(tokens, projected)
    if not cuts:
        return projected
    if ledger.profile.closed or not ledger.profile.shapeless:
        ledger.obstruct("", f"it takes more than {tokens} tokens")
        return projected
    for pointer in cuts:
        ledger.lose(pointer, BUDGET, tokens, Recovery.DECODER)
    return cut


def _limit(ledger: Ledger, limits: Limits, projected: JsonObject) -> None:
    """Add an obstacle for everything beyond ``limits``.

    What stands in the arguments was counted when they were said; their names were not.
    """
    counts = ledger.counts or Counts()
    counts.name(projected.get("properties"), depth=1)
    if not SHAPE.issuperset(projected) or projected.get("additionalProperties"):
        apart = counted(
            limits, {k: v for k, v in projected.items() if k != "properties"}
        )
        if apart is not None:
            counts.add(apart)
    for reason in exceeded_limits(limits, counts):
        ledger.obstruct("", reason)


def project_output(
    schema: JsonObject, profile: Profile, tool: str, tokens: int = MOST_TOKENS
) -> Projection:
    """Project ``schema``, the canonical schema of ``tool``'s result, to ``profile``.

    It takes no more than ``tokens``.
    """
    ledger = Ledger(output(profile), tool, "output")
    body, definitions = split_definitions(inline(schema))
    project_schema = project_strictly if ledger.profile.plain else project_openly
    projected = project_schema(ledger, body, "")
    projected = _with_definitions(ledger, projected, definitions)
    return _projection(ledger, _within(ledger, projected, tokens))


def as_object(schema: JsonObject) -> JsonObject:
    """Return ``schema`` if its root is an object, else an object with it as its ``result``."""
    if schema.get("type") == "object":
        return schema
    return {
        "type": "object",
        "properties": {"result": {k: v for k, v in schema.items() if k != "$defs"}},
        "required": ["result"],
        "additionalProperties": False,
        **({"$defs": schema["$defs"]} if "$defs" in schema else {}),
    }


def _with_definitions(
    ledger: Ledger, projected: JsonObject, definitions: JsonObject
) -> JsonObject:
    if not definitions:
        return projected
    project_schema = project_strictly if ledger.profile.plain else project_openly
    placed = {
        name: project_schema(ledger, subschema, pointer_to("", "$defs", name))
        for name, subschema in definitions.items()
    }
    return {**projected, "$defs": placed}


def _projection(
    ledger: Ledger, schema: JsonObject, notes: Collection[str] = ()
) -> Projection:
    return Projection(
        ledger.profile,
        schema,
        tuple(_each_once(ledger.losses)),
        tuple(dict.fromkeys(ledger.obstacles)) if ledger.obstacles else (),
        tuple(dict.fromkeys(notes)) if notes else (),
    )


def _each_once(losses: Sequence[Loss]) -> Iterable[Loss]:
    """Return ``losses`` without repetitions; of each the last."""
    if len({*map(_place, losses)}) == len(losses):
        return losses
    return reversed({_key(loss): loss for loss in reversed(losses)}.values())


_place: Callable[[Loss], object] = itemgetter(1, 2)
"""The pointer and the keyword of a loss."""


def _key(loss: Loss) -> tuple[str, str, Json]:
    value = loss.value
    plain = value is None or isinstance(value, str)
    return loss.pointer, loss.keyword, value if plain else json_text(value)
