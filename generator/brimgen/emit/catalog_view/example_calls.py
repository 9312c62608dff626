"""Give example calls of a tool: those of its author, else one that is made from its schema."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from brimgen.emit.catalog_view.view_types import ExampleView
from brimgen.emit.projection.examples import input_examples
from brimgen.emit.projection.json_types import types_of
from brimgen.emit.projection.json_values import plain_json
from brimgen.judging.rejection import judge
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject, is_list, is_object
from brimgen.patterns.example_text import example_text
from brimgen.patterns.slowness import is_found
from brimgen.schema.walk import followed

_DEEPEST = 5
_MOST = 2_000
"""Values in an example: entities in entities multiply."""
_FEW = 2
"""Properties in an example of a tool that requires none."""

_FORMATS: Mapping[str, str] = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T09:30:00Z",
    "time": "09:30:00Z",
    "duration": "PT1H30M",
    "email": "ada@example.com",
    "hostname": "www.example.com",
    "ipv4": "192.0.2.10",
    "ipv6": "2001:db8::10",
    "uri": "https://www.example.com/",
    "uri-reference": "/orders/7",
    "uuid": "0198c5e2-7b34-7cc1-9d7a-3f2f6a1b4c5d",
}
"""A value of each format that schemas of tools have."""


class _NoExample(Exception):
    """No value is known that the schema accepts."""


def example_calls(tool: Tool) -> list[ExampleView]:
    """The author's examples; without any, one call that `tool` surely accepts, if one is found."""
    own = input_examples(tool)
    if own:
        return [
            {"arguments": plain_json(arguments), "is_made": False} for arguments in own
        ]
    schema = plain_json(tool.enforced_schema)
    try:
        call = _Maker(schema).value(schema, "", 0)
    except _NoExample:
        return []
    if not is_object(call) or not judge(schema, call).accepts:
        return []
    return [{"arguments": call, "is_made": True}]


class _Maker:
    """Makes one plausible value of a schema: what is required, or else the first few properties."""

    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._left = _MOST

    def value(self, schema: Json, name: str, depth: int) -> Json:
        """A value of ``schema``, which belongs to the property ``name``.

        Raises:
            _NoExample: where none is known.
        """
        if schema is True:
            return name or "text"
        self._left -= 1
        if not is_object(schema) or depth > _DEEPEST or not self._left:
            raise _NoExample
        stated = self._stated_value(schema)
        if stated is not None:
            return stated
        if "$ref" in schema:
            whole = followed(schema, self._root)
            if "$ref" in whole:
                raise _NoExample
            return self.value({**whole}, name, depth + 1)
        for word in ("anyOf", "oneOf"):
            branches = schema.get(word)
            if is_list(branches) and "type" not in schema:
                return self._first_of(branches, name, depth)
        return self._of_type(schema, name, depth)

    def _stated_value(self, schema: dict[str, Any]) -> Json:
        """A value that the schema itself names; None where there is none."""
        for values in (schema.get("examples"), schema.get("enum")):
            if is_list(values) and values:
                return next((value for value in values if value is not None), None)
        value: Json = schema.get("const", schema.get("default"))
        return value

    def _first_of(self, branches: list[Any], name: str, depth: int) -> Json:
        for branch in branches:
            try:
                if branch != {"type": "null"}:
                    return self.value(branch, name, depth + 1)
            except _NoExample:
                continue
        raise _NoExample

    def _of_type(self, schema: dict[str, Any], name: str, depth: int) -> Json:
        kinds = [kind for kind in types_of(schema)[0] if kind != "null"]
        kind = kinds[0] if kinds else "null"
        if kind == "object" or (not kinds and "properties" in schema):
            return self._object(schema, depth)
        if kind == "array":
            least = schema.get("minItems", 0)
            items = schema.get("items", True)
            if not isinstance(least, int) or least > _DEEPEST:
                raise _NoExample
            if depth == _DEEPEST and not least:
                return []
            return [self.value(items, name, depth + 1)] * max(1, least)
        if kind == "boolean":
            return True
        if kind in ("integer", "number"):
            return _number(schema, kind == "integer")
        return None if kind == "null" else _text(schema, name)

    def _object(self, schema: dict[str, Any], depth: int) -> Json:
        properties, required = schema.get("properties"), schema.get("required")
        declared = properties if is_object(properties) else {}
        names = required if is_list(required) else []
        example = {
            name: self.value(declared.get(name, True), name, depth + 1)
            for name in names
        }
        return example or self._few(declared, depth)

    def _few(self, properties: dict[str, Any], depth: int) -> Json:
        """The first properties for which a value is known."""
        example: dict[str, Json] = {}
        for name, schema in properties.items():
            if depth or len(example) == _FEW:
                break
            with suppress(_NoExample):
                example[name] = self.value(schema, name, depth + 1)
        return example


def _number(schema: dict[str, Any], whole: bool) -> Json:
    """The lowest number that is allowed and above 0, as far as simple bounds say."""
    step = schema.get("multipleOf", 1)
    low = schema.get("minimum", schema.get("exclusiveMinimum", step))
    high = schema.get("maximum", schema.get("exclusiveMaximum", low))
    value = max(min(low, high), step) if high >= step else min(low, high)
    if value == schema.get("exclusiveMinimum"):
        value += step
    return int(value) if whole or value == int(value) else value


def _text(schema: dict[str, Any], name: str) -> str:
    """A text of the right format, pattern and length."""
    pattern = schema.get("pattern")
    format = schema.get("format")
    if isinstance(format, str):
        if format not in _FORMATS:
            raise _NoExample
        return _FORMATS[format]
    text = name or "text"
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(text) + 200)
    if len(text) < least <= 200:
        text = (f"{text} " * least)[:least].rstrip().ljust(least, ".")
    text = text[:most]
    return text if pattern is None else _matching(pattern, text, least)


def _matching(pattern: str, text: str, least: int) -> str:
    """``text`` if it has ``pattern``, else a text that is made from the pattern."""
    if is_found(pattern, text):
        return text
    for times in (3, 1, 0, least):
        example = example_text(pattern, times)
        if example is not None and len(example) >= least:
            return example
    raise _NoExample
