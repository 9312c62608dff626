"""Projections: one canonical schema in, what each provider's descriptors may say of it out.

Each keyword that a profile does not carry is told in the description in one fixed form, and noted
as a `Loss` (architecture.md 10, descriptors.md 6).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.keywords import is_object, pointer_to
from brimgen.emit.projection.ledger import Lack, Ledger, Obstacle, Projection, Sayings
from brimgen.emit.projection.limits import beyond, counted
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

    ``lacks`` are what any profile loses, because it does not fit into a flat object; ``notes``
    are the phrases for them. ``sayings`` are what has been said of arguments so far, of this tool
    and of those that are prepared with it.
    """

    tool: str
    body: JsonObject
    definitions: JsonObject
    lacks: tuple[Lack, ...]
    notes: tuple[str, ...]
    sayings: Sayings


def prepare(
    schema: JsonObject,
    tool: str,
    mark: Callable[[JsonObject], JsonObject] = lambda placed: placed,
    sayings: Sayings | None = None,
) -> Prepared:
    """The canonical schema of ``tool``'s arguments, made ready for every profile.

    ``mark`` may add annotations, once references have given way to what they lead to. Tools with
    the same ``sayings`` share what is said of arguments that they have in common.
    """
    ledger = Ledger(_ALL)
    root, notes = flat_root(ledger, mark(inline(schema)))
    definitions = root.get("$defs")
    return Prepared(
        tool,
        {k: v for k, v in root.items() if k != "$defs"},
        definitions if is_object(definitions) else {},
        tuple(ledger.lacks),
        tuple(notes),
        {} if sayings is None else sayings,
    )


def project(prepared: Prepared, profile: Profile) -> Projection:
    """The arguments of a tool as ``profile`` says them."""
    ledger = Ledger(profile, prepared.sayings, [*prepared.lacks])
    said = _said(ledger, prepared.body, prepared.definitions)
    if profile.limits is not None:
        # What stands in the arguments was counted when they were said; their names were not.
        counts = ledger.counts
        counts.name(said.get("properties"), depth=1)
        apart = {k: v for k, v in said.items() if k != "properties"}
        counts.add(counted(profile.limits, apart))
        for reason in beyond(profile.limits, counts):
            ledger.obstruct("", reason)
    return _projection(ledger, said, prepared.tool, notes=prepared.notes)


def project_input(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """The arguments of ``tool``, whose canonical schema is ``schema``, as ``profile`` says them."""
    return project(prepare(schema, tool), profile)


def project_output(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """What ``tool`` returns, whose canonical schema is ``schema``, as ``profile`` says it."""
    ledger = Ledger(output(profile))
    placed = inline(schema)
    definitions = placed.get("$defs")
    body = {k: v for k, v in placed.items() if k != "$defs"}
    said = _said(ledger, body, definitions if is_object(definitions) else {})
    return _projection(ledger, said, tool, part="output")


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
    if not definitions:
        return said
    placed = {
        name: say(ledger, each, pointer_to("", "$defs", name))
        for name, each in definitions.items()
    }
    return {**said, "$defs": placed}


def _projection(
    ledger: Ledger,
    schema: JsonObject,
    tool: str,
    *,
    part: str = "input",
    notes: Iterable[str] = (),
) -> Projection:
    profile = ledger.profile
    losses = [
        Loss(tool, pointer, keyword, value, profile.name, recovered_by, part)
        for pointer, keyword, value, recovered_by in _each_once(ledger.lacks)
    ]
    return Projection(
        profile,
        schema,
        tuple(losses),
        tuple(dict.fromkeys(ledger.obstacles)),
        tuple(dict.fromkeys(notes)),
    )


def _each_once(lacks: Sequence[Lack]) -> Iterable[Lack]:
    """``lacks`` without repetitions; of each the last."""
    if len({(each.pointer, each.keyword) for each in lacks}) == len(lacks):
        return lacks
    return reversed({_key(each): each for each in reversed(lacks)}.values())


def _key(lack: Lack) -> tuple[str, str, Json]:
    value = lack.value
    plain = value is None or isinstance(value, str)
    return lack.pointer, lack.keyword, value if plain else shown(value)
