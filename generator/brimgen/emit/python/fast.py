"""Write the fast path: straight-line code that decodes the common spellings of an object.

The code reads every value into a local name, counts those that are given, tests them all in one
condition, and makes the object. It may accept only what the schema accepts, and it never refuses:
what it does not know for sure, it leaves to the validator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brimgen.emit.code import STEP, Code, fits, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.lines import Lines
from brimgen.emit.python.package import Module
from brimgen.emit.python.reading import NotFast, Reader, Reading, or_none
from brimgen.emit.python.schemas import (
    LISTS,
    MAPPINGS,
    keywords,
    resolved,
    without_null,
)
from brimgen.emit.python.values import NONE
from brimgen.emit.python_text.inspect_pieces import mentions, opposite
from brimgen.emit.python_text.pieces import (
    all_of,
    any_of,
    call,
    compared,
    grouped,
    subscript,
    total,
)
from brimgen.emit.python_text.pieces import attribute as attribute_piece
from brimgen.emit.python_text.statements import (
    assigned,
    raised,
    returned,
    when,
)
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
# What strict pyright would say of attributes in capitals, and of what is too much for it: it gives
# up at some forty optional attributes, and takes all that follows for unused.
_CONSTANT = "reportConstantRedefinition"
_UNANALYZED = {"reportGeneralTypeIssues", "reportUnusedImport", "reportUnusedVariable"}
_MOST_ANALYZED = 64
_RAW, _GET, _GIVEN, _DECODED, _NONE, _FLOAT, _ANY = map(
    Code, ("raw", "raw.get", "given", "decoded", "None", "float", "Any")
)
_TYPE, _LEN, _INT = Code("type"), Code("len"), Code("int")
_HAS_NO_MORE = compared(call(_LEN, _RAW), "==", _GIVEN)
_WHY_COUNTED = Code("# An object with more keys has an unknown one, or a null.")


class _Part(NamedTuple):
    """What the fast path says of one attribute.

    ``gathered`` gives its local name a value; ``is_given`` tests whether it was given, where it
    need not be; ``tests`` must hold; ``value`` is what the object gets.
    """

    gathered: str
    is_given: Code | None
    tests: Sequence[Code]
    value: Code


class FastPath:
    """Writes the statements that decode one object.

    ``levels`` is how many levels the parts of the object may have; None where the parameter
    ``levels`` of the function says how many the object may have.
    """

    def __init__(
        self,
        module: Module,
        schema: JsonObject,
        lines: Lines,
        *,
        levels: int | None = None,
    ) -> None:
        self.module = module
        self.schema = resolved(schema)
        properties = self.schema.get("properties")
        self.properties: JsonObject = (
            properties if isinstance(properties, MAPPINGS) else {}
        )
        self.lines = lines
        self.levels = levels

    def write(
        self,
        attributes: Sequence[PyAttribute],
        made: Code,
        further: Sequence[tuple[Code, Code]],
    ) -> bool:
        """Write the statements that return a new object of the class ``made``.

        ``further`` are attributes and values beside those of the fields. Returns whether the
        statements can come to their end, which means: the validator decides. They may also raise.

        Raises:
            NotFast: where the object as a whole, or one attribute, cannot be decoded this way.
        """
        self._check_root(attributes)
        parts = [self._part(each) for each in attributes]
        if any(each.name.isupper() for each in attributes):
            self.module.scope.exempt.add(_CONSTANT)
        optional = [each.is_given for each in parts if each.is_given is not None]
        required = len(parts) - len(optional)
        self._write_guard(None if optional else required)
        self.lines.take([each.gathered for each in parts if each.gathered])
        if optional:
            self.lines.add(_WHY_COUNTED)
            self.lines.add(assigned(_GIVEN, _count(required, optional)))
        tests: list[Sequence[Code]] = [(_HAS_NO_MORE,)] if optional else []
        tests += [each.tests for each in parts if each.tests]
        if sum(map(len, tests)) + len(optional) > _MOST_ANALYZED:
            self.module.scope.exempt |= _UNANALYZED
        values = [
            (each.name, part.value)
            for each, part in zip(attributes, parts, strict=True)
        ]
        self._write_tests(tests)
        if not tests:
            self._make([*values, *further], made)
            return False
        with self.lines:
            self._make([*values, *further], made)
        return True

    def _write_guard(self, length: int | None) -> None:
        """Leave to the validator what is no plain dictionary, or not of the only ``length``."""
        scope, lines = self.module.scope, self.lines
        tests = [compared(call(_TYPE, _RAW), "is not", scope.runtime("DICT"))]
        if length is not None:
            tests.append(compared(call(_LEN, _RAW), "!=", py(length)))
        with lines.block(when(any_of(tests))):
            lines.add(raised(scope.runtime("FastPathMiss")))

    def _write_tests(self, tests: Sequence[Sequence[Code]]) -> None:
        """Write ``if`` and all tests: those of one attribute on one line where they fit there."""
        if not tests:
            return
        column = self.lines.indent + STEP + len("and ")
        shown = [test for each in tests for test in _together(each, column)]
        every = [test for each in tests for test in each]
        if len(tests) == 1 or (len(shown) == 2 and not self._fits(shown)):
            shown = every
        if len(shown) == 2 and not self._fits(shown):
            # black would break the second of two operands, which is hard to read.
            with self.lines.block(when(opposite(shown.pop(0)))):
                self.lines.add(raised(self.module.scope.runtime("FastPathMiss")))
        self.lines.add(when(all_of(shown)))

    def _fits(self, tests: Sequence[Code]) -> bool:
        return fits(when(all_of(tests)), self.lines.indent)

    def _check_root(self, attributes: Sequence[PyAttribute]) -> None:
        schema = self.schema
        required = schema.get("required", ())
        if (
            not (schema.keys() <= _ROOT or keywords(schema) <= _ROOT)
            or schema.get("type") != "object"
            or self.properties.keys() ^ {each.wire for each in attributes}
            or not isinstance(required, LISTS)
            or set(required) != {each.wire for each in attributes if each.is_required}
        ):
            raise NotFast

    def _part(self, attribute: PyAttribute) -> _Part:
        indent, schema = self.lines.indent, attribute.field.schema
        given = self.properties[attribute.wire]
        if given is not schema and given != schema:
            return self._read(attribute, indent)
        key = "read", indent, attribute.verdict
        return attribute.part(key, self.module.scope, self._read, attribute, indent)

    def _read(self, attribute: PyAttribute, indent: int) -> _Part:
        reading = self._reading(attribute, attribute.local)
        is_direct = attribute.is_required and not reading.tests
        if is_direct and mentions(reading.value, attribute.local) == 1:
            source = subscript(_RAW, py(attribute.wire))
            value = self._reading(attribute, source).value
            return _Part("", None, (), value)
        lines = Lines(indent)
        is_given = _gather(attribute, lines)
        if reading.wants_float:
            self._widen(attribute, lines)
        return _Part(lines.text, is_given, reading.tests, reading.value)

    def _reading(self, attribute: PyAttribute, name: Code) -> Reading:
        schema = self.properties[attribute.wire]
        if not isinstance(schema, MAPPINGS):
            raise NotFast
        type = attribute.field.type
        if isinstance(type, NullableType) and _has_made_default(attribute):
            type, schema = type.inner, without_null(schema)
        reader = Reader(self.module, attribute.field, name, self.levels)
        try:
            attempt = self.module.scope.attempt
            read = attempt(reader.reading, type, schema, reader.local)
            return _if_given(attribute, read)
        except NotFast:
            dialect = self.schema.get("$schema")
            alone = reader.delegated(schema, name, dialect, attribute.local)
            return _if_given(attribute, alone)

    def _widen(self, attribute: PyAttribute, lines: Lines) -> None:
        """Make a float of an integer or Decimal that is one."""
        local, default = attribute.local, attribute.default
        test: Code = compared(call(_TYPE, local), "is not", _FLOAT)
        is_nullable = isinstance(attribute.field.type, NullableType)
        if is_nullable or (default is not None and default.wire is None):
            test = all_of([compared(local, "is not", _NONE), test])
        with lines.block(when(test)):
            function = self.module.scope.runtime("exact_float")
            lines.add(assigned(local, call(function, local)))

    def _make(self, values: Sequence[tuple[Code, Code]], made: Code) -> None:
        lines = self.lines
        new = call(self.module.scope.runtime("new_instance"), made)
        if not values:
            lines.add(returned(new))
            return
        lines.add(assigned(_DECODED, new))
        for name, value in values:
            lines.add(assigned(attribute_piece(_DECODED, name), value))
        lines.add(returned(_DECODED))


def _gather(attribute: PyAttribute, lines: Lines) -> Code | None:
    """Give the local name of an attribute its value; return the test whether it was given.

    A null that was sent is not given: the validator tells it from absence.
    """
    key, local, default = py(attribute.wire), attribute.local, attribute.default
    if default is None:
        lines.add(assigned(local, subscript(_RAW, key)))
        return None
    if default.wire is None:
        lines.add(assigned(local, call(_GET, key)))
        return compared(local, "is not", _NONE)
    # What the items are is known when they were tested, and not of the default alone.
    shown = _ANY if default.is_display else None
    lines.add(assigned(local, call(_GET, key, default.wire), shown))
    return compared(key, "in", _RAW)


def _count(required: int, optional: Sequence[Code]) -> Code:
    """The number of arguments that are given, of which ``required`` must be there."""
    if required or len(optional) > 1:
        known = [py(required)] if required else []
        return total([*known, *map(grouped, optional)])
    return call(_INT, optional[0])


def _together(tests: Sequence[Code], column: int) -> Sequence[Code]:
    """The tests of one attribute as one operand, if that fits on a line."""
    if len(tests) == 1:
        return tests
    whole = grouped(all_of(tests))
    return [whole] if fits(whole, column) else tests


def _if_given(attribute: PyAttribute, reading: Reading) -> Reading:
    """The reading of what may not be there; a default that JSON says is read as if it were."""
    default = attribute.default
    if default is None or default.wire is not None:
        return reading
    if isinstance(attribute.field.type, NullableType) and default is NONE:
        return reading
    return or_none(reading, attribute.local, default.expression)


def _has_made_default(attribute: PyAttribute) -> bool:
    """Whether a default is made by an expression, so that None can stand for it."""
    default = attribute.default
    return default is not None and default is not NONE and default.wire is None
