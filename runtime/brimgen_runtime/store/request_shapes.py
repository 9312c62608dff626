"""Check the keys of ``httpImpl`` and the types of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..grammar.rule_messages import Mistake, suggestion

Place: TypeAlias = tuple[str, Mistake]
"""A place such as ``request.auth.type``, and the mistake there."""

AUTH_TYPES: Final = ("bearer", "basic", "apiKey")
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "encoding": ("json", "text", "base64"),
    "errorMode": ("fail", "empty"),
    "bodyOutputMode": ("auto", "text", "file", "image"),
}
"""What is made of the body of an answer; the last is the word of FlexiGPT's later versions."""


class _Kind(NamedTuple):
    """A type of value: its words in messages, its classes, and what else its values must be."""

    words: str
    classes: type | UnionType
    is_met: Callable[[Any], bool] | None = None


def _is_whole(value: Any) -> bool:
    return not isinstance(value, bool) and value >= 1 and value == int(value)


def _is_status(value: Any) -> bool:
    return type(value) is int and 100 <= value <= 599


_TEXT = _Kind("text", str)
_SCALAR = _Kind("text", str | int | float)
_MAPPING = _Kind("a mapping", Mapping)
_LIST = _Kind("a list", list)
_WHOLE = _Kind("a whole number of at least 1", int | float, _is_whole)
_STATUS = _Kind("a status code from 100 to 599", int, _is_status)

_IMPLEMENTATION = {"request": _MAPPING, "response": _MAPPING}
REQUEST = {
    "method": _TEXT,
    "urlTemplate": _TEXT,
    "query": _MAPPING,
    "headers": _MAPPING,
    "body": _TEXT,
    "auth": _MAPPING,
    "timeoutMs": _WHOLE,
    "timeoutMS": _WHOLE,
}
"""FlexiGPT reads keys in any case, and some versions write ``timeoutMS``."""
AUTH = {"type": _TEXT, "in": _TEXT, "name": _TEXT, "valueTemplate": _TEXT}
RESPONSE = {
    "successCodes": _LIST,
    "encoding": _TEXT,
    "errorMode": _TEXT,
    "selector": _TEXT,
    "bodyOutputMode": _TEXT,
}


def shape_mistakes(implementation: Mapping[str, Any]) -> Iterator[Place]:
    """Yield values of the wrong type, unknown keys and missing keys; null counts as absent."""
    yield from _key_mistakes(implementation, _IMPLEMENTATION, "httpImpl", "")
    request = mapping_at(implementation, "request")
    yield from _key_mistakes(request, REQUEST, "request", "request.")
    for key in ("query", "headers"):
        for name, value in mapping_at(request, key).items():
            if value is not None:
                yield from _kind_mistakes(name, value, _SCALAR, f"request.{key}.{name}")
    if isinstance(request.get("auth"), Mapping):
        yield from _auth_mistakes(mapping_at(request, "auth"))
    response = mapping_at(implementation, "response")
    yield from _key_mistakes(response, RESPONSE, "response", "response.")
    for key, choices in _CHOICES.items():
        word = response.get(key)
        if isinstance(word, str) and word and word not in choices:
            yield f"response.{key}", _no_choice(key, choices, word)
    codes = response.get("successCodes")
    for code in cast(list[object], codes) if isinstance(codes, list) else ():
        at = "response.successCodes"
        yield from _kind_mistakes("successCodes", code, _STATUS, at)


def mapping_at(owner: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the mapping at a key; an empty one if there is none."""
    value = owner.get(key)
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def _auth_mistakes(auth: Mapping[str, Any]) -> Iterator[Place]:
    at = "request.auth."
    yield from _key_mistakes(auth, AUTH, "auth", at)
    kind = auth.get("type")
    is_key = isinstance(kind, str) and kind.casefold() == "apikey"
    needed = ["type"] if kind is None else ["valueTemplate"]
    if is_key:
        needed.append("name")
    for key in needed:
        if auth.get(key) is None:
            values = {"owner": "`auth`", "key": key}
            yield f"{at}{key}", Mistake("missing-key", values)
    types = [name.casefold() for name in AUTH_TYPES]
    if isinstance(kind, str) and kind.casefold() not in types:
        yield f"{at}type", _no_choice("type", AUTH_TYPES, kind)
    place = auth.get("in")
    if is_key and isinstance(place, str) and place not in ("header", "query"):
        yield f"{at}in", _no_choice("in", ("header", "query"), place)


def _no_choice(key: str, words: tuple[str, ...], text: str) -> Mistake:
    choices = " or ".join(f"`{word}`" for word in words)
    values = {"key": f"`{key}`", "choices": choices, "actual": _described(text)}
    return Mistake("unknown-choice", values)


def _key_mistakes(
    owner: Mapping[str, Any], kinds: Mapping[str, _Kind], name: str, at: str
) -> Iterator[Place]:
    for key, value in owner.items():
        if key not in kinds:
            values = {"key": key, "owner": f"`{name}`"}
            yield f"{at}{key}", Mistake("unknown-key", values, suggestion(key, kinds))
        elif value is not None:
            yield from _kind_mistakes(key, value, kinds[key], f"{at}{key}")


def _kind_mistakes(key: str, value: object, kind: _Kind, at: str) -> Iterator[Place]:
    is_one = isinstance(value, kind.classes)
    if not is_one or (kind.is_met is not None and not kind.is_met(value)):
        expected, actual = kind.words, _described(value)
        values = {"key": f"`{key}`", "expected": expected, "actual": actual}
        yield at, Mistake("wrong-kind", values)


def _described(value: object) -> str:
    """Return a value in the words of a message."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the boolean `{'true' if value else 'false'}`"
    text = str(value)
    short = text if len(text) <= 40 else f"{text[:39]}…"
    if isinstance(value, str):
        return f"the text `{short}`" if value else "empty text"
    return f"the number `{short}`"
