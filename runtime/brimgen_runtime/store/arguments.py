"""Read the arguments of a tool from its JSON Schema: names, kinds, which may be absent.

The narrowest type that holds every accepted value decides, as it does for specs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..grammar.rule_messages import Mistake
from ..grammar.schema_parts import (
    Schema,
    has_inner_identifier,
    is_local_pointer,
    is_null_schema,
    is_object,
    properties_of,
    resolve_pointer,
)
from ..grammar.variables import Kind, Reference
from ..schema.json_values import is_list

_DEPTH = 24
_PLAIN = ("string", "integer", "number", "boolean")


class Value(NamedTuple):
    """The type of a value; ``fields``, ``item`` and ``member`` are schemas of its parts.

    ``is_open``: nothing is known of its parts. ``is_nullable``: it may also be null.
    """

    kind: Kind
    is_nullable: bool = False
    is_open: bool = False
    fields: dict[str, list[Any]] | None = None
    item: Any = None
    member: Any = None


_ANY = Value("any", is_open=True)


class Arguments:
    """The arguments of a tool, from the valid schema of its input."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._is_closed = has_inner_identifier(root)
        self._open: list[str] = []
        self._options = self._properties(root)
        self._required = {
            name
            for level in self._levels(root)
            for name in _list(level.get("required"))
        }

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the arguments."""
        return tuple(self._options)

    @property
    def defaults(self) -> dict[str, Any]:
        """The values of arguments that the caller leaves out."""
        return {
            name: default
            for name in self._options
            if (default := self._described(name).get("default")) is not None
        }

    def may_be_absent(self, name: str) -> bool:
        """Return whether an argument may have no value: optional without default, or nullable."""
        value = self._value_of(self._options[name], 0)
        if value.is_nullable:
            return True
        has_default = self._described(name).get("default") is not None
        return name not in self._required and not has_default

    def _described(self, name: str) -> Schema:
        return next(filter(is_object, self._options[name]), dict[str, Any]())

    def kind_of(self, reference: Reference) -> Kind | Mistake:
        """Return the kind of the value that a variable names, or a mistake if there is none."""
        value = self._value_of(self._options[reference.name], 0)
        name = reference.name
        for step in reference.path:
            parts = _parts(value, step)
            if parts is None:
                return Mistake("no-such-member", {"name": name, "member": step})
            value = self._value_of(parts, 0)
            name += f".{step}" if isinstance(step, str) else f"[{step}]"
        return value.kind

    def _value_of(self, options: list[Any], depth: int) -> Value:
        values = (self._value(option, depth) for option in options)
        return next((value for value in values if value != _ANY), _ANY)

    def _value(self, schema: Any, depth: int) -> Value:
        if not is_object(schema) or depth > _DEPTH:
            return _ANY
        if "const" in schema:
            return _of_choices([schema["const"]])
        choices = _list(schema.get("enum"))
        if choices:
            return _of_choices(choices)
        kind = schema.get("type")
        if isinstance(kind, str):
            return self._of_type(kind, schema, depth)
        if is_list(kind):
            names = [name for name in kind if name != "null"]
            if len(names) == 1:
                value = self._of_type(names[0], schema, depth)
            else:
                value = _union([Value("plain") if n in _PLAIN else _ANY for n in names])
            return _or_null(value) if "null" in kind else value
        return next(
            (value for value in self._of_parts(schema, depth) if value != _ANY), _ANY
        )

    def _of_type(self, kind: str, schema: Schema, depth: int) -> Value:
        match kind:
            case "object":
                fields = self._properties(schema)
                if fields:
                    return Value("object", fields=fields)
                extra = schema.get("additionalProperties")
                is_map = is_object(extra) and "patternProperties" not in schema
                if is_map and self._value(extra, depth + 1) != _ANY:
                    return Value("object", member=extra)
                return Value("object", is_open=True)
            case "array":
                items = schema.get("items")
                if "prefixItems" in schema or not is_object(items):
                    return Value("any list", is_open=True)
                item = self._value(items, depth + 1)
                if item == _ANY:
                    return Value("any list", is_open=True)
                is_plain = item.kind in ("plain", "any")
                return Value("list of plain" if is_plain else "list", item=items)
            case "null":
                return _ANY
            case _:
                return Value("plain")

    def _of_parts(self, schema: Schema, depth: int) -> Iterator[Value]:
        ref = schema.get("$ref")
        if isinstance(ref, str):
            yield self._of_reference(ref, depth)
        for part in _list(schema.get("allOf")):
            yield self._value(part, depth + 1)
        for key in ("anyOf", "oneOf"):
            if key in schema:
                yield self._of_options(_list(schema[key]), depth)

    def _of_options(self, options: list[Any], depth: int) -> Value:
        real = [
            option
            for option in options
            if option is not False and not is_null_schema(option)
        ]
        if not real:
            return _ANY
        if len(real) == 1:
            value = self._value(real[0], depth + 1)
        else:
            value = _union([self._value(option, depth + 1) for option in real])
        return _or_null(value) if any(map(is_null_schema, options)) else value

    def _of_reference(self, ref: str, depth: int) -> Value:
        if ref in self._open or ref == "#":
            return _ANY
        self._open.append(ref)
        try:
            return self._value(self._target(ref), depth + 1)
        finally:
            self._open.pop()

    def _target(self, ref: str) -> Any:
        if not is_local_pointer(ref) or self._is_closed:
            return None
        return resolve_pointer(self._root, ref)

    def _levels(self, schema: Schema) -> Iterator[Schema]:
        """Yield the schema, and all that apply to the same value unconditionally."""
        seen: set[int] = set()
        waiting: list[Any] = [schema]
        while waiting:
            level = waiting.pop(0)
            if not is_object(level) or id(level) in seen:
                continue
            seen.add(id(level))
            yield level
            ref = level.get("$ref")
            if isinstance(ref, str):
                waiting.append(self._target(ref))
            waiting += _list(level.get("allOf"))

    def _properties(self, schema: Schema) -> dict[str, list[Any]]:
        options: dict[str, list[Any]] = {}
        for level in self._levels(schema):
            for name, subschema in properties_of(level).items():
                options.setdefault(name, []).append(subschema)
        return {
            name: schemas for name, schemas in options.items() if False not in schemas
        }


def _list(value: Any) -> list[Any]:
    return value if is_list(value) else []


def _parts(value: Value, step: str | int) -> list[Any] | None:
    """Return the schemas of a part of a value; None if there is no such part."""
    if value.kind == "any" or (value.kind == "object" and value.is_open):
        return [{}] if value.is_open else None
    if isinstance(step, int):
        if value.kind == "any list":
            return [{}]
        return [value.item] if value.item is not None else None
    if value.fields is not None:
        return value.fields.get(step)
    return [value.member] if value.member is not None else None


def _of_choices(choices: list[Any]) -> Value:
    present = [choice for choice in choices if choice is not None]
    if not present or any(isinstance(choice, list | dict) for choice in present):
        return _ANY
    kinds = {
        "number" if type(choice) in (int, float) else type(choice).__name__
        for choice in present
    }
    value = Value("plain" if len(kinds) == 1 else "any")
    return _or_null(value) if len(present) < len(choices) else value


def _union(options: list[Value]) -> Value:
    """Return the type of a value that has one of several types."""
    has_null = any(option.is_nullable for option in options)
    value = Value("any") if all(option.kind == "plain" for option in options) else _ANY
    plain = [option._replace(is_nullable=False) for option in options]
    if all(option == plain[0] for option in plain[1:]) and plain[0].kind != "plain":
        value = plain[0]
    return _or_null(value) if has_null else value


def _or_null(value: Value) -> Value:
    return value if value == _ANY else value._replace(is_nullable=True)
