"""Fast path: a canonical schema and its fields in, straight-line code that accepts out.

The code reads every value of an object into a local name, tests them all in one condition, and
makes the object. It may accept only what the schema accepts and never decides a rejection: what it
does not know for sure, it leaves to the slow path by raising (architecture.md 10).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from brimgen.emit.code import Code, fits, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.lines import ELSE, Lines
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
    subscript,
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
_RAW, _GET, _SEEN, _MADE, _NONE, _FLOAT, _ANY = map(
    Code, ("raw", "raw.get", "seen", "made", "None", "float", "Any")
)
_TYPE, _LEN, _FOUND = Code("type"), Code("len"), Code("found.append")
_COUNTED = Code("seen += 1")
_OF_SEEN = compared(call(_LEN, _RAW), "==", _SEEN)


class _Given(NamedTuple):
    """An attribute: the statements that give its local name a value, the tests that follow, and
    the value that it has in the object.
    """

    gathered: str
    tests: Sequence[Code]
    value: Code


class FastPath:
    """The writer of the statements that read one object, or each of many (``of_many``).

    ``levels`` is how many levels the parts of the object may have; None where ``levels`` is what
    the object itself may have, when it is read.
    """

    def __init__(
        self,
        module: Module,
        schema: JsonObject,
        lines: Lines,
        *,
        of_many: bool = False,
        levels: int | None = None,
    ) -> None:
        self.module = module
        self.schema = resolved(schema)
        properties = self.schema.get("properties")
        self.properties: JsonObject = (
            properties if isinstance(properties, MAPPINGS) else {}
        )
        self.lines = lines
        self.of_many = of_many
        self.levels = levels

    def write(
        self,
        attributes: Sequence[PyAttribute],
        made: Code,
        further: Sequence[tuple[Code, Code]],
    ) -> bool:
        """Statements that return a new object of the class ``made``, or raise, or come to an end.

        ``further`` are attributes and values beside those of the fields. Returns whether they
        can come to their end. Of many, each is added to ``found`` instead, or they raise.

        Raises:
            NotFast: where the object as a whole, or one attribute, cannot be read this way.
        """
        self._check_root(attributes)
        given = [self._given(each) for each in attributes]
        if any(each.name.isupper() for each in attributes):
            self.module.scope.exempt.add(_CONSTANT)
        required = len([each for each in attributes if each.is_required])
        is_counted = required < len(given)
        scope = self.module.scope
        kind, unusual = scope.runtime("DICT"), scope.runtime("Unusual")
        opening = _opening(self.lines.indent, required, is_counted, kind, unusual)
        self.lines.take([opening])
        self.lines.take([each.gathered for each in given if each.gathered])
        tests: list[Code] = [_OF_SEEN] if is_counted else []
        tests += [test for each in given for test in each.tests]
        if len(tests) + len(given) - required > _MOST_ANALYZED:
            self.module.scope.exempt |= _UNANALYZED
        values = [
            *(
                (each.name, one.value)
                for each, one in zip(attributes, given, strict=True)
            ),
            *further,
        ]
        self._ask(tests, values, made)
        return bool(tests)

    def _ask(
        self, tests: list[Code], values: Sequence[tuple[Code, Code]], made: Code
    ) -> None:
        """Make the object where all ``tests`` hold."""
        if not tests:
            self._make(values, made)
            return
        unusual = self.module.scope.runtime("Unusual")
        if len(tests) == 2 and not fits(when(all_of(tests)), self.lines.indent):
            # black would break the second of two operands, which is hard to read.
            with self.lines.block(when(opposite(tests.pop(0)))):
                self.lines.add(raised(unusual))
        with self.lines.block(when(all_of(tests))):
            self._make(values, made)
        if self.of_many:
            with self.lines.block(ELSE):
                self.lines.add(raised(unusual))

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

    def _given(self, attribute: PyAttribute) -> _Given:
        indent, schema = self.lines.indent, attribute.field.schema
        given = self.properties[attribute.wire]
        if given is not schema and given != schema:
            return self._read(attribute, indent)
        key = "read", indent, attribute.verdict
        return attribute.part(key, self.module.scope, self._read, attribute, indent)

    def _read(self, attribute: PyAttribute, indent: int) -> _Given:
        lines = Lines(indent)
        reading = self._reading(attribute, attribute.local)
        is_direct = attribute.is_required and not reading.tests
        if is_direct and mentions(reading.value, attribute.local) == 1:
            source = subscript(_RAW, py(attribute.wire))
            value = self._reading(attribute, source).value
            return _Given(lines.text, (), value)
        self._gather(attribute, reading, lines)
        return _Given(lines.text, reading.tests, reading.value)

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

    def _gather(self, attribute: PyAttribute, reading: Reading, lines: Lines) -> None:
        key, local, default = py(attribute.wire), attribute.local, attribute.default
        if default is None:
            lines.add(assigned(local, subscript(_RAW, key)))
            self._widen(attribute, reading, lines)
            return
        if default.wire is not None:
            # What the items are is known when they were tested, and not of the default alone.
            shown = _ANY if default.is_display else None
            with lines.block(when(compared(key, "in", _RAW))):
                lines.add(assigned(local, subscript(_RAW, key), shown))
                lines.add(_COUNTED)
            with lines.block(ELSE):
                lines.add(assigned(local, default.wire))
            self._widen(attribute, reading, lines)
            return
        # A null that was sent is not counted: the slow path tells it from absence.
        lines.add(assigned(local, call(_GET, key)))
        with lines.block(when(compared(local, "is not", _NONE))):
            lines.add(_COUNTED)
            self._widen(attribute, reading, lines)

    def _widen(self, attribute: PyAttribute, reading: Reading, lines: Lines) -> None:
        """Make a float of an integer or Decimal that is one."""
        if not reading.wants_float:
            return
        local, default = attribute.local, attribute.default
        test: Code = compared(call(_TYPE, local), "is not", _FLOAT)
        is_nullable = isinstance(attribute.field.type, NullableType)
        if is_nullable and (default is None or default.wire is not None):
            test = all_of([compared(local, "is not", _NONE), test])
        with lines.block(when(test)):
            lines.add(
                assigned(local, call(self.module.scope.runtime("usual_float"), local))
            )

    def _make(self, values: Sequence[tuple[Code, Code]], made: Code) -> None:
        lines = self.lines
        new = call(self.module.scope.runtime("new"), made)
        if not values:
            lines.add(call(_FOUND, new) if self.of_many else returned(new))
            return
        lines.add(assigned(_MADE, new))
        for name, value in values:
            lines.add(assigned(attribute_piece(_MADE, name), value))
        lines.add(call(_FOUND, _MADE) if self.of_many else returned(_MADE))


@cache
def _opening(
    indent: int, required: int, is_counted: bool, kind: Code, unusual: Code
) -> str:
    """The first statements: of an object with optional properties, they begin to count."""
    lines = Lines(indent)
    tests = [compared(call(_TYPE, _RAW), "is not", kind)]
    if not is_counted:
        tests.append(compared(call(_LEN, _RAW), "!=", py(required)))
    with lines.block(when(any_of(tests))):
        lines.add(raised(unusual))
    if is_counted:
        lines.add(assigned(_SEEN, py(required)))
    return lines.text


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
