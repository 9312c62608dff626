"""Derive the `ToolSpec` of a tool from its published schemas, where its six types suffice.

A nested object is an ``object`` and a list an ``array``: a ToolSpec does not describe their
content. Hidden arguments are not in the schema, and so not in the spec. An optional argument that
may be null is left out instead of sent as null, if both mean the same to the tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..schema.errors import SchemaError
from ..schema.json_values import is_integer, is_list, is_object, kind_of
from ..schema.references import References
from .tool_spec import ToolParam, ToolReturn, ToolSpec
from .tools import Tool

_EVERY = frozenset(
    ("array", "boolean", "integer", "null", "number", "object", "string")
)
"""The kinds of values; ``number`` are those that are no integers."""

_NUMBERS = frozenset(("integer", "number"))

_IN_PLACE = frozenset(("$ref", "allOf", "anyOf", "dependentSchemas", "if", "oneOf"))
_OPEN = frozenset(("patternProperties", "unevaluatedProperties"))


class Unsayable(ValueError):
    """A schema that none of the six types says; ``kinds`` are those that it lets through."""

    def __init__(self, kinds: str) -> None:
        super().__init__(kinds)
        self.kinds = kinds


def spec_of(tool: Tool[Any, Any]) -> ToolSpec:
    """Return the spec of a tool; what its author left unsaid is empty, as `validate` will tell.

    Raises ValueError with every argument, and the return value, that six types cannot say.
    """
    name, schema = tool.name, tool.input_schema
    if is_open(schema):
        raise ValueError(f"{name} takes arguments that it does not name")
    unsaid: list[str] = []
    inputs: list[ToolParam] = []
    for key in schema.get("properties", {}):
        try:
            inputs.append(param_of(key, schema))
        except Unsayable as error:
            unsaid.append(f"{name}.{key} has unsupported type {error.kinds!r}")
    returns = None
    try:
        returns = return_of(tool.output_schema)
    except Unsayable as error:
        unsaid.append(f"{name} returns unsupported type {error.kinds!r}")
    if returns is None or unsaid:
        raise ValueError("; ".join(unsaid))
    return ToolSpec(
        name=name,
        description=tool.description or "",
        when_to_use=tool.when_to_use or "",
        inputs=inputs,
        returns=returns,
    )


def param_of(name: str, input_schema: Mapping[str, Any]) -> ToolParam:
    """Return an argument of a tool as an input of a spec. Raises Unsayable."""
    reader = _Reader(input_schema)
    schema = input_schema["properties"][name]
    required = name in input_schema.get("required", ())
    kinds = reader.kinds(schema, "", ())
    if not required and schema is not True and _null_is_absence(schema):
        kinds -= {"null"}
    text = reader.text(schema)
    return ToolParam(
        name=name, type=_type_of(kinds), description=text, required=required
    )


def return_of(schema: Mapping[str, Any] | None) -> ToolReturn:
    """Return what a tool gives back as part of a spec; None is void. Raises Unsayable."""
    if schema is None:
        raise Unsayable("void")
    reader = _Reader(schema)
    kind = _type_of(reader.kinds(schema, "", ()))
    return ToolReturn(type=kind, description=reader.text(schema))


def is_open(schema: Mapping[str, Any]) -> bool:
    """Return whether a caller may send arguments beyond the properties of the schema itself."""
    if "additionalProperties" in schema and "patternProperties" not in schema:
        return schema["additionalProperties"] is not False
    return not (_OPEN | _IN_PLACE).isdisjoint(schema)


def _null_is_absence(schema: Any) -> bool:
    return is_object(schema) and schema.get("default") is None


def _type_of(kinds: frozenset[str]) -> str:
    if kinds == _NUMBERS:
        return "number"
    if len(kinds) == 1 and "null" not in kinds:
        return next(iter(kinds))
    raise Unsayable(_words(kinds))


def _words(kinds: frozenset[str]) -> str:
    if kinds == _EVERY:
        return "any"
    shown = kinds - {"integer"} if "number" in kinds else kinds
    return " or ".join(sorted(shown)) or "nothing"


class _Reader:
    """What kinds of values the schemas of one document let through, at most."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._references = References(document, draft7=False)

    def text(self, schema: Any) -> str:
        """Return the description of a schema, or of what it refers to."""
        for linked in self._chain(schema):
            if isinstance(linked.get("description"), str):
                return str(linked["description"])
        return ""

    def kinds(self, schema: Any, pointer: str, seen: tuple[str, ...]) -> frozenset[str]:
        """Return the kinds of values that a schema can accept; ``seen`` ends recursion."""
        if not is_object(schema) or pointer in seen:
            return frozenset() if schema is False else _EVERY
        kinds = _own_kinds(schema)
        if "$ref" in schema:
            target, at = self._resolve(schema)
            kinds &= self.kinds(target, at, (*seen, pointer) if pointer else seen)
        for subschema in schema.get("allOf", ()):
            kinds &= self.kinds(subschema, "", seen)
        for word in ("anyOf", "oneOf"):
            if is_list(schema.get(word)):
                options = [self.kinds(option, "", seen) for option in schema[word]]
                kinds &= frozenset().union(*options)
        return kinds

    def _resolve(self, schema: Mapping[str, Any]) -> tuple[Any, str]:
        try:
            return self._references.resolve(schema, "")
        except SchemaError:
            return True, ""

    def _chain(self, schema: Any) -> Iterator[Mapping[str, Any]]:
        passed: set[str] = set()
        while is_object(schema):
            yield schema
            if "$ref" not in schema:
                return
            schema, pointer = self._resolve(schema)
            if pointer in passed:
                return
            passed.add(pointer)


def _own_kinds(schema: Mapping[str, Any]) -> frozenset[str]:
    kinds = _EVERY
    declared = schema.get("type")
    if declared is not None:
        names = {declared} if isinstance(declared, str) else set(declared)
        kinds &= names | ({"integer"} if "number" in names else frozenset())
    if is_list(schema.get("enum")):
        kinds &= frozenset(map(_kind, schema["enum"]))
    if "const" in schema:
        kinds &= {_kind(schema["const"])}
    return kinds


def _kind(value: object) -> str:
    return "integer" if is_integer(value) else kind_of(value)
