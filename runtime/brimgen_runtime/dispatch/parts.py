"""Take a call apart: an object of an SDK, or the dict of its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeGuard

from ..schema.errors import MISSING

_MOST_NAMES = 12
_HOLDERS = ("tool_calls", "choices", "output", "content", "parts", "function_calls")
"""Where the messages and responses of providers hold their calls."""


class NoCall(TypeError):
    """What a dispatcher was given is no complete call of its provider: a mistake of the program."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A call: ``id`` is what the answer repeats; ``arguments`` are JSON text or its value."""

    id: str | None
    name: str
    arguments: Any


def is_json(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a value is the dict of an object of JSON."""
    return isinstance(value, Mapping)


def part(whole: object, name: str) -> Any:
    """Return an attribute of an object or an entry of a dict; MISSING where there is none."""
    if is_json(whole):
        return whole.get(name, MISSING)
    return getattr(whole, name, MISSING)


def sent(identity: object, name: object, arguments: Any) -> Sent | None:
    """Return the parts of a call; None where they are not of the types that they must have."""
    if not isinstance(identity, str | None) or not isinstance(name, str):
        return None
    if arguments is MISSING:
        return None
    return Sent(identity, name, None if arguments == "" else arguments)


def no_call(value: object, taken: str, reason: str = "") -> NoCall:
    """Return the error that says what was given, without its values, and what is taken."""
    why = f", {reason}" if reason else ""
    return NoCall(f"not a call: {_described(value)}{why}. Expected: {taken}.")


def _described(value: object) -> str:
    kind = part(value, "type")
    of_type = f" of type {kind[:40]!r}" if isinstance(kind, str) else ""
    if is_json(value):
        names: list[object] = list(islice(value, _MOST_NAMES + 1))
        shown = [str(name)[:40] for name in names[:_MOST_NAMES]]
        more = ", …" if len(names) > _MOST_NAMES else ""
        return (
            f"a dict{of_type} with the keys {', '.join(shown)}{more}" if shown else "{}"
        )
    if isinstance(value, list):
        return "a list; give it to answer_all"
    holder = next(
        (name for name in _HOLDERS if isinstance(part(value, name), list | tuple)), ""
    )
    hint = f"; give its {holder!r} to answer_all" if holder else ""
    return f"an object {type(value).__name__}{of_type}{hint}"
