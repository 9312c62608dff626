"""Fast path: a canonical schema and its fields in, straight-line code that accepts out.

The code may accept only what the schema accepts, and never decides a rejection: whatever it does
not know for sure, it leaves to the slow path by returning None (architecture.md 10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.python.attributes import PyAttribute, default_statement
from brimgen.emit.python.lines import Lines
from brimgen.emit.python.package import Module
from brimgen.emit.python.reading import FieldReader, NotFast, Place
from brimgen.emit.python.schemas import keywords, resolved
from brimgen.model.fields import Field
from brimgen.model.json import JsonObject

_ROOT = frozenset(
    {
        "$defs",
        "$schema",
        "additionalProperties",
        "definitions",
        "properties",
        "required",
        "type",
        "unevaluatedProperties",
    }
)
# Missing keys, values that are no text or cannot be a dict key, bad dates, deep nesting.
_UNREADABLE = "(KeyError, TypeError, ValueError, RecursionError)"


class FastPath:
    """The writer of one ``_fast`` method."""

    def __init__(self, module: Module, schema: JsonObject, lines: Lines) -> None:
        self.module = module
        self.schema = resolved(schema)
        self.lines = lines

    def read_all(self, attributes: Sequence[PyAttribute]) -> None:
        """Statements that read every attribute into its local name, or return None.

        Raises:
            NotFast: where the object as a whole, or one attribute, cannot be read this way.
        """
        self._check_root(attributes)
        required = [each for each in attributes if each.is_required]
        seen = Code(f"{len(required)}")
        optional = len(required) < len(attributes)
        shape = ["type(raw) is dict"]
        if not optional:
            shape.append(f"len(raw) == {seen}" if required else "not raw")
        self.lines.refuse_unless(shape)
        if not attributes:
            return
        with self.lines.block("try:"):
            if optional:
                self.lines.add(f"seen = {seen}")
            for each in attributes:
                self._read_attribute(each)
            if optional:
                self.lines.refuse_unless(["len(raw) == seen"])
        with self.lines.block(f"except {_UNREADABLE}:"):
            self.lines.add("return None")

    def _check_root(self, attributes: Sequence[PyAttribute]) -> None:
        schema = self.schema
        properties = schema.get("properties", {})
        required = schema.get("required", ())
        known = {each.wire for each in attributes}
        if (
            not keywords(schema) <= _ROOT
            or schema.get("type") != "object"
            or not isinstance(properties, Mapping)
            or set(properties) != known
            or not isinstance(required, Sequence)
            or set(required) != {each.wire for each in attributes if each.is_required}
        ):
            raise NotFast

    def _read_attribute(self, attribute: PyAttribute) -> None:
        properties = self.schema["properties"]
        assert isinstance(properties, Mapping)
        schema = properties[attribute.wire]
        if not isinstance(schema, Mapping):
            raise NotFast
        key = py(attribute.wire)
        place = Place(f"raw[{key}]", attribute.local)
        if attribute.default is None:
            self._read_field(attribute.field, schema, place)
            return
        self.lines.add(default_statement(attribute))
        with self.lines.block(f"if {key} in raw:"):
            self.lines.add("seen += 1")
            self._read_field(attribute.field, schema, place)

    def _read_field(self, field: Field, schema: JsonObject, place: Place) -> None:
        reader = FieldReader(self.module, field, Lines(self.lines.indent))
        try:
            with self.module.scope.attempt():
                reader.read(field.type, schema, place)
        except NotFast:
            reader = FieldReader(self.module, field, Lines(self.lines.indent))
            reader.delegate(schema, place, self.schema.get("$schema"))
        self.lines.take_over(reader.lines)
