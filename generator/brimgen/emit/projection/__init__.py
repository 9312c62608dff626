"""Project a canonical schema to what each provider's descriptors can express.

Each keyword that a profile does not carry is told in the description in one fixed form, and noted
as a `Loss` (docs/internal/architecture.md, descriptors.md).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from brimgen.emit.account import Loss, Recovery, as_losses_of
from brimgen.emit.indented import json_line
from brimgen.emit.projection.ledger import (
    BUDGET,
    Ledger,
    Obstacle,
    Projection,
)
from brimgen.emit.projection.limits import exceeded_limits, exceeded_request_limits
from brimgen.emit.projection.passes.combinators import flat_root
from brimgen.emit.projection.passes.cut_depth import (
    MOST_TOKENS,
    cut_to,
)
from brimgen.emit.projection.passes.inline_references import inline
from brimgen.emit.projection.profiles import Profile, output
from brimgen.emit.projection.project_schema import project_schema
from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import pointer_to, split_definitions

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
    are the phrases for them. ``inlined`` are the arguments before they were made flat. A
    projection takes at most ``tokens``.
    """

    tool: str
    body: JsonObject
    definitions: JsonObject
    losses: tuple[Loss, ...]
    notes: tuple[str, ...]
    inlined: JsonObject


def prepare(
    schema: JsonObject,
    tool: str,
    mark: Callable[[JsonObject], JsonObject] = lambda inlined: inlined,
) -> Prepared:
    """Prepare the canonical schema of ``tool``'s arguments for every profile.

    ``mark`` may add annotations, once references have given way to what they lead to.
    """
    inlined = mark(inline(schema))
    ledger = Ledger(_ALL, tool)
    root, notes = flat_root(ledger, inlined)
    body, definitions = split_definitions(root)
    losses = tuple(ledger.losses)
    return Prepared(tool, body, definitions, losses, tuple(notes), inlined)


def project(prepared: Prepared, profile: Profile) -> Projection:
    """Project the arguments of a tool to ``profile``."""
    ledger = Ledger(profile, prepared.tool)
    ledger.losses += as_losses_of(profile.name, prepared.losses)
    projected = _projected(ledger, prepared.body, prepared.definitions)
    if profile.limits is not None:
        for reason in exceeded_limits(profile.limits, projected):
            ledger.obstruct("", reason)
    if profile.plain and profile.set_limits is not None:
        # What is too much for a request is too much of one tool as well.
        for _, reason in exceeded_request_limits(profile.set_limits, [projected]):
            ledger.obstruct("", reason)
    projected = _within(ledger, projected)
    return _projection(ledger, projected, prepared.notes)


def _within(ledger: Ledger, projected: JsonObject) -> JsonObject:
    """Return a schema that takes no more than `MOST_TOKENS`.

    Where an open object cannot be said, what takes more is an obstacle.
    """
    cut, cuts = cut_to(MOST_TOKENS, projected)
    if not cuts:
        return projected
    if ledger.profile.closed or not ledger.profile.shapeless:
        ledger.obstruct("", f"it takes more than {MOST_TOKENS} tokens")
        return projected
    for pointer in cuts:
        ledger.lose(pointer, BUDGET, MOST_TOKENS, Recovery.DECODER)
    return cut


def project_output(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """Project ``schema``, the canonical schema of ``tool``'s result, to ``profile``."""
    ledger = Ledger(output(profile), tool, "output")
    body, definitions = split_definitions(inline(schema))
    projected = _projected(ledger, body, definitions)
    return _projection(ledger, _within(ledger, projected))


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


def _projected(ledger: Ledger, body: JsonObject, definitions: JsonObject) -> JsonObject:
    projected: JsonObject = project_schema(ledger, body, "")
    if not definitions:
        return projected
    defined = {
        name: project_schema(ledger, subschema, pointer_to("", "$defs", name))
        for name, subschema in definitions.items()
    }
    return {**projected, "$defs": defined}


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
    return reversed({_key(loss): loss for loss in reversed(losses)}.values())


def _key(loss: Loss) -> tuple[str, str, Json]:
    value = loss.value
    plain = value is None or isinstance(value, str)
    return loss.pointer, loss.keyword, value if plain else json_line(value)
