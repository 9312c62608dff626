"""Projections: one canonical schema in, what each provider's descriptors may say of it out.

Each keyword that a profile does not carry is told in the description in one fixed form, and noted
as a `Loss` (architecture.md 10, descriptors.md 6).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from brimgen.emit.projection.keywords import is_object, pointer_to
from brimgen.emit.projection.ledger import (
    Ledger,
    Loss,
    Obstacle,
    Projection,
    Recovery,
)
from brimgen.emit.projection.limits import beyond
from brimgen.emit.projection.open import say_openly
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.references import inline
from brimgen.emit.projection.root import flat_root
from brimgen.emit.projection.strict import say_strictly
from brimgen.emit.projection.values import shown
from brimgen.model.json import JsonObject

__all__ = [
    "Loss",
    "Obstacle",
    "Profile",
    "Projection",
    "Recovery",
    "as_object",
    "inline",
    "project_input",
    "project_output",
]


def project_input(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """The arguments of ``tool``, whose canonical schema is ``schema``, as ``profile`` says them."""
    ledger = Ledger(tool, profile)
    root, notes = flat_root(ledger, inline(schema))
    definitions = root.get("$defs")
    body = {k: v for k, v in root.items() if k != "$defs"}
    say = say_strictly if profile.strict else say_openly
    said: dict[str, Any] = say(ledger, body, "")
    if is_object(definitions):
        said["$defs"] = {
            name: say(ledger, each, pointer_to("", "$defs", name))
            for name, each in definitions.items()
        }
    if profile.limits is not None:
        for reason in beyond(profile.limits, said):
            ledger.obstruct("", reason)
    return _projection(ledger, said, notes)


def project_output(schema: JsonObject, profile: Profile, tool: str) -> Projection:
    """What ``tool`` returns, whose canonical schema is ``schema``, as ``profile`` says it."""
    ledger = Ledger(tool, profile)
    said: dict[str, Any] = say_openly(ledger, inline(schema), "")
    return _projection(ledger, said, [])


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


def _projection(ledger: Ledger, schema: JsonObject, notes: Iterable[str]) -> Projection:
    losses = {
        (loss.pointer, loss.keyword, shown(loss.value)): loss
        for loss in reversed(ledger.losses)
    }
    return Projection(
        ledger.profile,
        schema,
        tuple(reversed(losses.values())),
        tuple(dict.fromkeys(ledger.obstacles)),
        tuple(dict.fromkeys(notes)),
    )
