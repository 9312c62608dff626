"""Write templates that send values in the styles of OpenAPI parameters.

A template stands for a whole parameter (``${ids | comma}``), or for a property of one, where an
object has a pair for each (``${range.min}``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from brimgen.frozen import dataclass
from brimgen.importers.openapi.document import CannotExpress, is_true, text_of
from brimgen.importers.schemas.keywords import is_annotation
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import MapNode, Node

_USUAL = {
    **dict.fromkeys(("query", "form", "cookie"), "form"),
    **dict.fromkeys(("path", "header"), "simple"),
}
_SEPARATED = {"spaceDelimited": "space", "pipeDelimited": "pipe"}
_MEMBER = re.compile(r"[^.\[\]{}|$]+")
_OF_MEMBERS = frozenset({"type", "properties", "required", "additionalProperties"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a value is serialized in its ``place`` (a key of `_USUAL`).

    ``explode`` is None where the document does not set it. ``is_json`` overrides the style.
    """

    place: str
    style: str
    explode: bool | None
    is_json: bool = False


def parameter_spelling(node: MapNode, place: str, *, is_json: bool) -> Spelling:
    """How a parameter is serialized."""
    style = text_of(node, "style") or _USUAL[place]
    return Spelling(place, style, _flag(node.get("explode")), is_json)


def field_spelling(node: Node | None, kinds: frozenset[str]) -> Spelling | None:
    """How a field of a form is serialized; None where its media type is no text.

    ``node`` is its encoding object, if there is one.
    """
    encoding = node if isinstance(node, MapNode) else None
    style, media = text_of(encoding, "style"), text_of(encoding, "contentType")
    explode = None if encoding is None else _flag(encoding.get("explode"))
    if style is not None or explode is not None:
        # Style and explode override the media type.
        return Spelling("form", style or "form", explode)
    usual = "application/json" if "object" in kinds else "text/plain"
    media = media or usual
    if not media.startswith(("text/", "application/json")):
        return None
    return Spelling("form", "form", None, is_json=media.startswith("application/json"))


def _flag(node: Node | None) -> bool | None:
    return None if node is None else is_true(node)


def json_types(schema: Any) -> frozenset[str]:
    """The JSON types that a schema names, without null; empty where it names none."""
    if not is_object(schema):
        return frozenset()
    types = schema.get("type")
    if isinstance(types, str) or is_list(types):
        named = [types] if isinstance(types, str) else types
        return frozenset(kind for kind in named if isinstance(kind, str)) - {"null"}
    if "properties" in schema:
        return frozenset({"object"})
    options = [schema.get(key) for key in ("anyOf", "oneOf", "allOf")]
    inner = [
        json_types(option)
        for alternatives in options
        if is_list(alternatives)
        for option in alternatives
    ]
    return frozenset[str]().union(*inner)


def parameter_templates(
    name: str, argument: str, spelling: Spelling, schema: Any
) -> dict[str, str]:
    """The template of each name under which an argument is sent. Raises CannotExpress.

    ``schema`` is that of the value, without a reference at its top.
    """
    kinds = json_types(schema)
    if spelling.is_json:
        return {name: f"${{{argument} | json}}"}
    if "object" in kinds:
        return _object_templates(name, argument, spelling, schema)
    if "array" in kinds:
        return {name: _list_template(name, argument, spelling)}
    value = f"${{{argument}}}"
    return {name: f"{_value_prefix(name, spelling)}{value}"}


def _value_prefix(name: str, spelling: Spelling) -> str:
    """The text before a value in its path segment."""
    match spelling.style:
        case "label" if spelling.place == "path":
            return "."
        case "matrix" if spelling.place == "path":
            return f";{quote(name, safe='')}="
        case _:
            return ""


def _list_template(name: str, argument: str, spelling: Spelling) -> str:
    style = spelling.style
    if spelling.place in ("query", "form"):
        if style == "deepObject":
            return f"${{{argument} | deep}}"
        is_spread = spelling.explode if style in _SEPARATED else _is_spread(spelling)
        if style == "form" or style in _SEPARATED:
            joined = f"${{{argument} | {_SEPARATED.get(style, 'comma')}}}"
            return f"${{{argument}}}" if is_spread else joined
    elif spelling.place == "cookie" and spelling.explode is False:
        return f"${{{argument} | comma}}"
    elif style == "simple" or (style in ("label", "matrix") and not spelling.explode):
        return f"{_value_prefix(name, spelling)}${{{argument} | comma}}"
    raise CannotExpress(f"`{name}` is a list in the style `{style}`")


def _is_spread(spelling: Spelling) -> bool:
    return spelling.explode is not False


def _object_templates(
    name: str, argument: str, spelling: Spelling, schema: Mapping[str, Any]
) -> dict[str, str]:
    if spelling.place in ("query", "form"):
        if spelling.style == "deepObject":
            return {name: f"${{{argument} | deep}}"}
        if spelling.style == "form" and _is_spread(spelling):
            return _member_templates(name, argument, schema)
    raise CannotExpress(f"`{name}` is an object in the style `{spelling.style}`")


def _member_templates(
    name: str, argument: str, schema: Mapping[str, Any]
) -> dict[str, str]:
    """A pair for each property, named by it."""
    properties = schema.get("properties")
    keywords = {key for key in schema if not is_annotation(key)}
    is_closed = keywords <= _OF_MEMBERS and not schema.get("additionalProperties")
    if not (is_object(properties) and properties and is_closed):
        raise CannotExpress(f"`{name}` is an object whose properties are not all known")
    if not all(map(_MEMBER.fullmatch, properties)) or not _MEMBER.fullmatch(argument):
        raise CannotExpress(
            f"a property of `{name}` has a name that no variable can have"
        )
    return {member: f"${{{argument}.{member}}}" for member in properties}
