"""Fast path: a canonical schema and its fields in, straight-line code that accepts out.

The code reads every value of an object into a local name, tests them all in one condition, and
makes the object. It may accept only what the schema accepts and never decides a rejection: what it
does not know for sure, it leaves to the slow path by raising (architecture.md 10).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from brimgen.emit.code import STEP, Code, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.lines import Lines, can_be_asked, laid_out, operand, opposite
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
from brimgen.model.json import JsonObject
from brimgen.model.types import NullableType, Type

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
# The deepest place of a condition: whether a test fits must not depend on where it stands.
_DEEPEST = 12 + STEP
_WORD = re.compile(r"\w+")
# What strict pyright would say of attributes in capitals, and of what is too much for it: it gives
# up at some forty optional attributes, and takes all that follows for unused.
_CONSTANT = "reportConstantRedefinition"
_UNANALYZED = {"reportGeneralTypeIssues", "reportUnusedImport", "reportUnusedVariable"}
_MOST_ANALYZED = 64
_BRACKETS = "[{"


class _Given(NamedTuple):
    """An attribute: the statements that give its local name a value, the tests that follow, and
    the one that makes it of an object.

    ``operands`` are the tests, and ``assigned`` that last statement, laid out for the place that
    they have behind and below other tests.
    """

    gathered: str
    tests: Sequence[str]
    operands: Sequence[str]
    made: str
    assigned: str


def _given(lines: Lines, tests: Sequence[str], made: str) -> _Given:
    """An attribute whose value is gathered by ``lines``."""
    inner = lines.indent + STEP
    return _Given(
        gathered=lines.text,
        tests=tests,
        operands=[operand(f"and {each}", inner) for each in tests],
        made=made,
        assigned=laid_out(made, inner),
    )


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
        self, attributes: Sequence[PyAttribute], made: str, further: Sequence[str]
    ) -> bool:
        """Statements that return a new object of the class ``made``, or raise, or come to an end.

        ``further`` are assignments beside those of the attributes. Returns whether they can come
        to their end. Of many, each is added to ``found`` instead, or they raise.

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
        tests = ["len(raw) == seen"] if is_counted else []
        tests += [test for each in given for test in each.tests]
        if len(tests) + len(given) - required > _MOST_ANALYZED:
            self.module.scope.exempt |= _UNANALYZED
        if not tests:
            self._make(given, made, further, is_asked=False)
            return False
        if self.lines.are_too_wide(tests):
            with self.lines.block(f"if {opposite(tests.pop(0))}:"):
                self.lines.add(f"raise {unusual}")
        rows = [row for each in given for row in each.operands]
        with self.lines.when(tests, rows[len(rows) - len(tests) + 1 :]):
            self._make(given, made, further, is_asked=True)
        if self.of_many:
            with self.lines.block("else:"):
                self.lines.add(f"raise {unusual}")
        return True

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
        lines, head = Lines(indent), f"made.{attribute.name} = "
        reading = self._reading(attribute, attribute.local)
        if attribute.is_required and not reading.tests:
            mentions = _WORD.findall(reading.value).count(attribute.local)
            if mentions == 1:
                source = f"raw[{py(attribute.wire)}]"
                value = self._reading(attribute, source).value
                return _given(lines, (), head + value)
        self._gather(attribute, reading, lines)
        return _given(lines, reading.tests, head + reading.value)

    def _reading(self, attribute: PyAttribute, name: str) -> Reading:
        schema = self.properties[attribute.wire]
        if not isinstance(schema, MAPPINGS):
            raise NotFast
        type = attribute.field.type
        if isinstance(type, NullableType) and _has_made_default(attribute):
            type, schema = type.inner, without_null(schema)
        reader = Reader(self.module, attribute.field, name, self.levels)
        try:
            scope = self.module.scope
            return scope.attempt(_sure, attribute, reader, type, schema)
        except NotFast:
            dialect = self.schema.get("$schema")
            alone = reader.delegated(schema, name, dialect, attribute.local)
            return _if_given(attribute, alone)

    def _gather(self, attribute: PyAttribute, reading: Reading, lines: Lines) -> None:
        key, local, default = py(attribute.wire), attribute.local, attribute.default
        if default is None:
            lines.add(f"{local} = raw[{key}]")
            self._widen(attribute, reading, lines)
            return
        if default.wire is not None:
            # What the items are is known when they were tested, and not of the default alone.
            shown = f"{local}: Any" if default.wire[0] in _BRACKETS else local
            with lines.block(f"if {key} in raw:"):
                lines.add(f"{shown} = raw[{key}]")
                lines.add("seen += 1")
            with lines.block("else:"):
                lines.add(f"{local} = {default.wire}")
            self._widen(attribute, reading, lines)
            return
        # A null that was sent is not counted: the slow path tells it from absence.
        lines.add(f"{local} = raw.get({key})")
        with lines.block(f"if {local} is not None:"):
            lines.add("seen += 1")
            self._widen(attribute, reading, lines)

    def _widen(self, attribute: PyAttribute, reading: Reading, lines: Lines) -> None:
        """Make a float of an integer or Decimal that is one."""
        if not reading.wants_float:
            return
        local, default = attribute.local, attribute.default
        head = f"if type({local}) is not float:"
        is_nullable = isinstance(attribute.field.type, NullableType)
        if is_nullable and (default is None or default.wire is not None):
            head = f"if {local} is not None and type({local}) is not float:"
        with lines.block(head):
            function = self.module.scope.runtime("usual_float")
            lines.add(f"{local} = {function}({local})")

    def _make(
        self,
        given: Sequence[_Given],
        made: str,
        further: Sequence[str],
        *,
        is_asked: bool,
    ) -> None:
        function = self.module.scope.runtime("new")
        if not given and not further:
            new = f"{function}({made})"
            self.lines.add(f"found.append({new})" if self.of_many else f"return {new}")
            return
        self.lines.add(f"made = {function}({made})")
        if is_asked:
            self.lines.take([each.assigned for each in given])
        else:
            for each in given:
                self.lines.add(each.made)
        for statement in further:
            self.lines.add(f"made.{statement}")
        self.lines.add("found.append(made)" if self.of_many else "return made")


def _sure(
    attribute: PyAttribute, reader: Reader, type: Type, schema: JsonObject
) -> Reading:
    """A reading whose tests can be asked wherever they stand."""
    found = _if_given(attribute, reader.reading(type, schema, reader.local))
    for test in found.tests:
        if not can_be_asked(test, _DEEPEST):
            raise NotFast
    return found


@cache
def _opening(
    indent: int, required: int, is_counted: bool, kind: Code, unusual: Code
) -> str:
    """The first statements: of an object with optional properties, they begin to count."""
    lines = Lines(indent)
    size = "" if is_counted else f" or len(raw) != {required}"
    with lines.block(f"if type(raw) is not {kind}{size}:"):
        lines.add(f"raise {unusual}")
    if is_counted:
        lines.add(f"seen = {required}")
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
