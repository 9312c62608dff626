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
from brimgen.importers.openapi.document import CannotSay, is_true, text_of
from brimgen.importers.schemas.keywords import is_annotation
from brimgen.model.json import is_list, is_object
from brimgen.source.nodes import MapNode, Node

_USUAL = {"query": "form", "form": "form", "path": "simple", "header": "simple"}
_SEPARATED = {"spaceDelimited": "space", "pipeDelimited": "pipe"}
_MEMBER = re.compile(r"[^.\[\]{}|$]+")
_OF_MEMBERS = frozenset({"type", "properties", "required", "additionalProperties"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a value is written in its ``place`` (of `_USUAL`); ``explode`` None where nothing is
    said. With ``is_json`` the rest does not count.
    """

    place: str
    style: str
    explode: bool | None
    is_json: bool = False


def of_parameter(node: MapNode, place: str, *, is_json: bool) -> Spelling:
    """How a parameter is written."""
    style = text_of(node, "style") or _USUAL[place]
    return Spelling(place, style, _flag(node.get("explode")), is_json)


def of_field(node: Node | None, kinds: frozenset[str]) -> Spelling | None:
    """How a field of a form is written, None where its media type is no text; ``node`` is what
    its encoding says, if that says anything.
    """
    encoding = node if isinstance(node, MapNode) else None
    style, media = text_of(encoding, "style"), text_of(encoding, "contentType")
    explode = None if encoding is None else _flag(encoding.get("explode"))
    if style is not None or explode is not None:
        # What is said of these counts more than a media type.
        return Spelling("form", style or "form", explode)
    usual = "application/json" if "object" in kinds else "text/plain"
    media = media or usual
    if not media.startswith(("text/", "application/json")):
        return None
    return Spelling("form", "form", None, is_json=media.startswith("application/json"))


def _flag(node: Node | None) -> bool | None:
    return None if node is None else is_true(node)


def kinds_of(schema: Any) -> frozenset[str]:
    """The types of JSON that a schema admits, null not counted; none where it does not say."""
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
        kinds_of(option)
        for alternatives in options
        if is_list(alternatives)
        for option in alternatives
    ]
    return frozenset[str]().union(*inner)


def written(
    name: str, argument: str, spelling: Spelling, schema: Any
) -> dict[str, str]:
    """The names and templates under which an argument is sent. Raises CannotSay.

    ``schema`` is that of the value, with no reference at its top.
    """
    kinds = kinds_of(schema)
    if spelling.is_json:
        return {name: f"${{{argument} | json}}"}
    if "object" in kinds:
        return _object(name, argument, spelling, schema)
    if "array" in kinds:
        return {name: _listed(name, argument, spelling)}
    value = f"${{{argument}}}"
    return {name: f"{_start(name, spelling)}{value}"}


def _start(name: str, spelling: Spelling) -> str:
    """What stands before a value in its segment."""
    match spelling.style:
        case "label" if spelling.place == "path":
            return "."
        case "matrix" if spelling.place == "path":
            return f";{quote(name, safe='')}="
        case _:
            return ""


def _listed(name: str, argument: str, spelling: Spelling) -> str:
    style = spelling.style
    if spelling.place in ("query", "form"):
        if style == "deepObject":
            return f"${{{argument} | deep}}"
        is_spread = spelling.explode if style in _SEPARATED else _is_spread(spelling)
        if style == "form" or style in _SEPARATED:
            joined = f"${{{argument} | {_SEPARATED.get(style, 'comma')}}}"
            return f"${{{argument}}}" if is_spread else joined
    elif style == "simple" or (style in ("label", "matrix") and not spelling.explode):
        return f"{_start(name, spelling)}${{{argument} | comma}}"
    raise CannotSay(f"`{name}` is a list in the style `{style}`")


def _is_spread(spelling: Spelling) -> bool:
    return spelling.explode is not False


def _object(
    name: str, argument: str, spelling: Spelling, schema: Mapping[str, Any]
) -> dict[str, str]:
    if spelling.place in ("query", "form"):
        if spelling.style == "deepObject":
            return {name: f"${{{argument} | deep}}"}
        if spelling.style == "form" and _is_spread(spelling):
            return _members(name, argument, schema)
    raise CannotSay(f"`{name}` is an object in the style `{spelling.style}`")


def _members(name: str, argument: str, schema: Mapping[str, Any]) -> dict[str, str]:
    """A pair for each property, named by it."""
    properties = schema.get("properties")
    keywords = {key for key in schema if not is_annotation(key)}
    is_closed = keywords <= _OF_MEMBERS and not schema.get("additionalProperties")
    if not (is_object(properties) and properties and is_closed):
        raise CannotSay(f"`{name}` is an object whose properties are not all known")
    if not all(map(_MEMBER.fullmatch, properties)) or not _MEMBER.fullmatch(argument):
        raise CannotSay(f"a property of `{name}` has a name that no variable can have")
    return {member: f"${{{argument}.{member}}}" for member in properties}
