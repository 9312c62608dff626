"""Projections: one canonical schema in, what each provider's descriptors may say of it out.

Each keyword that a profile does not carry is told in the description in one fixed form, and noted
as a `Loss` (architecture.md 10, descriptors.md 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.keywords import is_object, pointer_to
from brimgen.emit.projection.ledger import Ledger, Obstacle, Projection
from brimgen.emit.projection.limits import beyond
from brimgen.emit.projection.open import say_openly
from brimgen.emit.projection.profiles import Profile, output
from brimgen.emit.projection.references import inline
from brimgen.emit.projection.root import flat_root
from brimgen.emit.projection.strict import say_strictly
from brimgen.emit.projection.values import shown
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
    "project_input",
    "project_output",
]

_ALL = Profile(name="", target="", keywords=frozenset())


@dataclass(frozen=True, slots=True)
class Prepared:
    """The arguments of a tool as one flat object without references: where all profiles start.

    ``losses`` are those of any profile, for what does not fit into a flat object; ``notes`` are
    the phrases for them.
    """

    tool: str
    body: JsonObject
    definitions: JsonObject
    losses: tuple[Loss, ...]
    notes: tuple[str, ...]


def prepare(
    schema: JsonObject,
    tool: str,
    mark: Callable[[JsonObject], JsonObject] = lambda placed: placed,
) -> Prepared:
    """The canonical schema of ``tool``'s arguments, made ready for every profile.

    ``mark`` may add annotations, once references have given way to what they lead to.
    """
    ledger = Ledger(tool, _ALL)
    root, notes = flat_root(ledger, mark(inline(schema)))
    definitions = root.get("$defs")
    return Prepared(
        tool,
        {k: v for k, v in root.items() if k != "$defs"},
        definitions if is_object(definitions) else {},
        tuple(ledger.losses),
        tuple(notes),
    )


def project(prepared: Prepared, profile: Profile) -> Projection:
    """The arguments of a tool as ``profile`` says them."""
    ledger = Ledger(prepared.tool, profile)
    ledger.losses += [replace(each, profile=profile.name) for each in prepared.losses]
    said = _said(ledger, prepared.body, prepared.definitions)
    if profile.limits is not None:
        for reason in beyond(profile.limits, said):
            ledger.obstruct("", reason)
    return _projection(ledger, said, prepared.notes)


def project_input(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """The arguments of ``tool``, whose canonical schema is ``schema``, as ``profile`` says them."""
    return project(prepare(schema, tool), profile)


def project_output(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """What ``tool`` returns, whose canonical schema is ``schema``, as ``profile`` says it."""
    ledger = Ledger(tool, output(profile), part="output")
    placed = inline(schema)
    definitions = placed.get("$defs")
    body = {k: v for k, v in placed.items() if k != "$defs"}
    said = _said(ledger, body, definitions if is_object(definitions) else {})
    return _projection(ledger, said, ())


def as_object(schema: JsonObject) -> JsonObject:
    """``schema`` if its root is an object, else that of an object with it as its ``result``."""
    if schema.get("type") == "object":
        return schema
    return {
        "type": "object",
        "properties": {"result": {k: v for k, v in schema.items() if k != "$defs"}},
        "required": ["result"],
        "additionalProperties": False,
        **({"$defs": schema["$defs"]} if "$defs" in schema else {}),
    }


def _said(ledger: Ledger, body: JsonObject, definitions: JsonObject) -> dict[str, Any]:
    say = say_strictly if ledger.profile.plain else say_openly
    said: dict[str, Any] = say(ledger, body, "")
    if definitions:
        said["$defs"] = {
            name: say(ledger, each, pointer_to("", "$defs", name))
            for name, each in definitions.items()
        }
    return said


def _projection(ledger: Ledger, schema: JsonObject, notes: Iterable[str]) -> Projection:
    losses = {_key(loss): loss for loss in reversed(ledger.losses)}
    return Projection(
        ledger.profile,
        schema,
        tuple(reversed(losses.values())),
        tuple(dict.fromkeys(ledger.obstacles)),
        tuple(dict.fromkeys(notes)),
    )


def _key(loss: Loss) -> tuple[str, str, Json]:
    value = loss.value
    plain = value is None or isinstance(value, str)
    return loss.pointer, loss.keyword, value if plain else shown(value)
