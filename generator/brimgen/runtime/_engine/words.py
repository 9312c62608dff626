"""Describe schemas and values in short English, for people and models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Any

from .kinds import is_list, is_object
from .numbers import Number

LONGEST = 80
"""Values and lists in a message are cut after so many characters."""

FORMATS = {
    "date": "date (YYYY-MM-DD)",
    "date-time": "datetime with offset",
    "time": "time with offset",
    "duration": "ISO 8601 duration",
    "email": "email address",
    "uuid": "UUID",
    "uri": "absolute URI",
    "regex": "regular expression",
}
"""What a value of a format is called, where its own name is not good English."""

LEAVES = {"uuid": FORMATS["uuid"], "timestamp": FORMATS["date-time"]}
"""What a value of a leaf is called; one of a project by its name."""


ASSUMED = "datetime (YYYY-MM-DDTHH:MM:SS, offset optional)"
"""What a datetime is called whose offset may be absent."""


def cut(text: str) -> str:
    """Return a text of bearable length."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def show(value: Any, budget: int = LONGEST) -> str:
    """Return a value as JSON, cut where it is long; what is no JSON is told by its type only."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        text = value[: budget + 1]
        shown = _quoting()(text[:budget])
        if not shown.isascii():  # half of a surrogate pair has no encoding
            shown = shown.encode("utf-8", "backslashreplace").decode("utf-8")
        return shown if len(text) <= budget else shown[:-1] + '…"'
    if type(value) in (int, float, Decimal):
        return _show_number(value)
    if is_object(value):
        return _show_items(
            (
                f"{show(str(name), 30)}: {show(item, 30)}"
                for name, item in value.items()
            ),
            "{}",
            budget,
        )
    if is_list(value):
        return _show_items((show(item, 30) for item in value), "[]", budget)
    return f"a Python {type(value).__name__}"


@cache
def _quoting() -> Callable[[str], str]:
    from json.encoder import encode_basestring

    return encode_basestring


def _show_number(value: Number) -> str:
    if isinstance(value, int) and value.bit_length() > 300:
        return "an integer of more than 90 digits"
    return cut(str(value))


def _show_items(items: Iterable[str], brackets: str, budget: int) -> str:
    parts: list[str] = []
    size = 0
    for item in items:
        if size > budget - 10:
            parts.append("…")
            break
        size += len(item) + 2
        parts.append(item)
    return brackets[0] + cut(", ".join(parts)) + brackets[1]


def listing(values: Iterable[Any]) -> str:
    """Return values one after the other, the first twenty of them."""
    shown: list[str] = []
    for value in values:
        if len(shown) == 20:
            shown.append("…")
            break
        shown.append(show(value, 40))
    return ", ".join(shown)


def is_secret(schema: Mapping[str, Any]) -> bool:
    """Return whether the values of a schema must not be told."""
    return schema.get("writeOnly") is True or schema.get("format") == "password"


def describe(schema: Any) -> str:
    """Return what a schema wants, in a few words: ``integer``, ``list of date``, ``"a" or "b"``."""
    if not is_object(schema):
        return "anything" if schema is not False else "nothing"
    kind = schema.get("type")
    if "const" in schema:
        return show(schema["const"], 40)
    if is_list(schema.get("enum")):
        return f"one of {listing(schema['enum'])}"
    if kind in (None, "object") and isinstance(schema.get("title"), str):
        return cut(str(schema["title"])) or "object"
    if is_list(kind):
        return _describe_kinds(schema, kind)
    if kind == "array" and is_object(schema.get("items")):
        return _describe_list(schema["items"])
    if kind == "string" and isinstance(schema.get("format"), str):
        return FORMATS.get(schema["format"], str(schema["format"]))
    if schema.get("x-tz") == "assume-utc":
        return ASSUMED
    leaf = schema.get("x-leaf")
    if isinstance(leaf, str):
        return LEAVES.get(leaf, cut(leaf))
    if kind is not None:
        return "list" if kind == "array" else str(kind)
    for word in ("anyOf", "oneOf"):
        if is_list(schema.get(word)):
            return either(map(describe, schema[word]))
    if isinstance(schema.get("$ref"), str):
        return cut(schema["$ref"].rpartition("/")[2] or "value")
    return "object" if "properties" in schema else "value"


def _describe_kinds(schema: Mapping[str, Any], kinds: list[Any]) -> str:
    others = [each for each in kinds if each != "null"]
    words = [describe({**schema, "type": each}) for each in others]
    return either([*words, "null"] if "null" in kinds else words)


def either(words: Iterable[str]) -> str:
    """Alternatives; null goes before a list, behind which it would be read as one of its items."""
    known = dict.fromkeys(words)
    if "null" in known and any(each.startswith("list") for each in known):
        known = {"null": None, **known}
    return " or ".join(known)


def _describe_list(items: Mapping[str, Any]) -> str:
    word = describe(items)
    if word == "value":
        return "list"
    return f"list, each {word}" if word.startswith("one of ") else f"list of {word}"
