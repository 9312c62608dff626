"""Find the fast path: straight-line code that decodes the common spellings of an object.

The code reads every value into a local name, counts those that are given, tests them all in one
condition, and makes the object. It may accept only what the schema accepts, and it never refuses:
what it does not know for sure, it leaves to the validator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.conversions import expression, reads_once
from brimgen.emit.codecs.schemas import (
    LISTS,
    MAPPINGS,
    keywords,
    resolved,
    without_null,
)
from brimgen.emit.python.attributes import NONE, PyAttribute
from brimgen.emit.python.package import Module
from brimgen.emit.python.reading import NotFast, Reader, Reading, tests_or_none
from brimgen.emit.python.view import PyFast, PyRead, PyValue
from brimgen.emit.python_text import (
    all_of,
    call,
    compared,
    conditional,
    grouped,
    subscript,
)
from brimgen.frozen import replace
from brimgen.model.json import JsonObject
from brimgen.model.types import NullableType

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
# Rules of strict pyright that the generated code breaks: one about attributes in capitals, and
# those about code that it does not analyze. It gives up at some forty optional attributes, and
# reports what follows as unused.
_CONSTANT = "reportConstantRedefinition"
_UNANALYZED = {"reportGeneralTypeIssues", "reportUnusedImport", "reportUnusedVariable"}
_MOST_ANALYZED = 64
_RAW, _GIVEN, _NONE, _FLOAT = map(Code, ("raw", "given", "None", "float"))
_TYPE, _LEN, _INT = Code("type"), Code("len"), Code("int")
_HAS_NO_MORE = compared(call(_LEN, _RAW), "==", _GIVEN)


class _Part(NamedTuple):
    """The fast path of one attribute.

    ``read`` gives its local name a value; ``is_given`` tests whether it was given, where it need
    not be; ``tests`` must hold; ``value`` is what the object gets.
    """

    read: PyRead | None
    is_given: Code | None
    tests: Sequence[Code]
    value: Code


class FastPath:
    """Finds the statements that decode one object.

    ``levels`` is how many levels the parts of the object may have; None where the parameter
    ``levels`` of the function says how many the object may have.
    """

    def __init__(
        self,
        module: Module,
        schema: JsonObject,
        *,
        levels: int | None = None,
    ) -> None:
        self.module = module
        self.schema = resolved(schema)
        properties = self.schema.get("properties")
        self.properties: JsonObject = (
            properties if isinstance(properties, MAPPINGS) else {}
        )
        self.levels = levels

    def find(
        self, attributes: Sequence[PyAttribute], further: Sequence[PyValue]
    ) -> PyFast:
        """The statements that return a new object, or leave it to the validator.

        ``further`` are attributes and values beside those of the fields.

        Raises:
            NotFast: where the object as a whole, or one attribute, cannot be decoded this way.
        """
        self._check_root(attributes)
        parts = [self._part(attribute) for attribute in attributes]
        scope = self.module.scope
        if any(attribute.name.isupper() for attribute in attributes):
            scope.exempt.add(_CONSTANT)
        optional = [part.is_given for part in parts if part.is_given is not None]
        required = len(parts) - len(optional)
        scope.take_all(("DICT", "FastPathMiss", "new_instance"))
        tests: list[Sequence[Code]] = [(_HAS_NO_MORE,)] if optional else []
        tests += [part.tests for part in parts if part.tests]
        if sum(map(len, tests)) + len(optional) > _MOST_ANALYZED:
            scope.exempt |= _UNANALYZED
        conditions = [test for group in tests for test in group]
        return PyFast(
            length=None if optional else py(required),
            read=tuple(part.read for part in parts if part.read is not None),
            given=_count(required, optional) if optional else None,
            condition=all_of(conditions) if conditions else None,
            values=(
                *(
                    PyValue(attribute.name, part.value)
                    for attribute, part in zip(attributes, parts, strict=True)
                ),
                *further,
            ),
        )

    def _check_root(self, attributes: Sequence[PyAttribute]) -> None:
        schema = self.schema
        required = schema.get("required", ())
        if (
            not (schema.keys() <= _ROOT or keywords(schema) <= _ROOT)
            or schema.get("type") != "object"
            or self.properties.keys() ^ {attribute.wire for attribute in attributes}
            or not isinstance(required, LISTS)
            or set(required)
            != {attribute.wire for attribute in attributes if attribute.is_required}
        ):
            raise NotFast

    def _part(self, attribute: PyAttribute) -> _Part:
        schema = attribute.field.schema
        property_schema = self.properties[attribute.wire]
        if property_schema is not schema and property_schema != schema:
            return self._read(attribute)
        key = "read", attribute.verdict
        return attribute.part(key, self.module.scope, self._read, attribute)

    def _read(self, attribute: PyAttribute) -> _Part:
        local, default = attribute.local, attribute.default
        reading = self._reading(attribute)
        tests, value = reading.tests, expression(reading.conversion, local)
        if attribute.is_required and not tests and reads_once(reading.conversion):
            source = subscript(_RAW, py(attribute.wire))
            return _Part(None, None, (), expression(reading.conversion, source))
        if default is not None and _is_absent_as_none(attribute):
            tests = tests_or_none(tests, local)
            if value != local or default is not NONE:
                is_none = compared(local, "is", _NONE)
                value = conditional(default.expression, is_none, value)
        read, is_given = _gather(attribute)
        if reading.wants_float:
            self.module.scope.runtime("exact_float")
            read = replace(read, float_condition=_is_no_float(attribute))
        return _Part(read, is_given, tests, value)

    def _reading(self, attribute: PyAttribute) -> Reading:
        schema = self.properties[attribute.wire]
        if not isinstance(schema, MAPPINGS):
            raise NotFast
        type, local = attribute.field.type, attribute.local
        if isinstance(type, NullableType) and _has_made_default(attribute):
            type, schema = type.inner, without_null(schema)
        reader = Reader(self.module, attribute.field, local, self.levels)
        try:
            return self.module.scope.attempt(reader.reading, type, schema, local)
        except NotFast:
            dialect = self.schema.get("$schema")
            return reader.validated_alone(schema, local, dialect, local)


def _is_no_float(attribute: PyAttribute) -> Code:
    """The test whether a number is an integer or Decimal, of which a float is to be made."""
    local, default = attribute.local, attribute.default
    test: Code = compared(call(_TYPE, local), "is not", _FLOAT)
    is_nullable = isinstance(attribute.field.type, NullableType)
    if is_nullable or (default is not None and default.wire is None):
        return all_of([compared(local, "is not", _NONE), test])
    return test


def _gather(attribute: PyAttribute) -> tuple[PyRead, Code | None]:
    """How the local name of an attribute gets its value, and the test whether it was given.

    A null that was sent is not given: the validator tells it from absence.
    """
    key, local, default = py(attribute.wire), attribute.local, attribute.default
    wire = None if default is None else default.wire
    # What the items are is known when they were tested, and not of the default alone.
    is_display = default is not None and default.is_display
    read = PyRead(local, key, default is None, wire, is_display and wire is not None)
    if default is None:
        return read, None
    if wire is None:
        return read, compared(local, "is not", _NONE)
    return read, compared(key, "in", _RAW)


def _count(required: int, optional: Sequence[Code]) -> Code:
    """The number of arguments that are given, of which ``required`` must be there."""
    if required or len(optional) > 1:
        terms = [py(required)] if required else []
        return Code(" + ".join([*terms, *map(grouped, optional)]))
    return call(_INT, optional[0])


def _is_absent_as_none(attribute: PyAttribute) -> bool:
    """Whether a value that is absent is read as None, though its type may have no None."""
    default = attribute.default
    if default is None or default.wire is not None:
        return False
    return default is not NONE or not isinstance(attribute.field.type, NullableType)


def _has_made_default(attribute: PyAttribute) -> bool:
    """Whether a default is made by an expression, so that None can stand for it."""
    default = attribute.default
    return default is not None and default is not NONE and default.wire is None
