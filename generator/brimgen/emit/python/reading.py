"""Find how one value is decoded on the fast path, by its type and its canonical schema.

A reading has two parts: the tests that a value must pass, and the expression that decodes a value
which has passed them. Together they accept only what the schema accepts; an expression may raise.
A schema that cannot be tested this way gets a validator of its own (`delegated`).
"""

from __future__ import annotations

from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.conversions import item_of
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.fast_tests import (
    Conditions,
    conditions,
    is_kind,
    is_listed,
    list_shape,
    map_shape,
    of_all,
)
from brimgen.emit.python.leaves import moment_of
from brimgen.emit.python.nesting import SHALLOW
from brimgen.emit.python.package import Module
from brimgen.emit.codecs.schemas import (
    bare,
    has_reference,
    items_of,
    values_of,
    without_null,
)
from brimgen.emit.python.types import decoded
from brimgen.emit.python.validators import validator
from brimgen.emit.python_text.pieces import (
    all_of,
    any_of,
    attribute,
    call,
    compared,
    conditional,
    grouped,
    keyword,
    less,
    list_of,
    mapping_of,
    subscript,
)
from brimgen.model.fields import Zone
from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import LEAF
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

_LONGEST_VALIDATOR = 24
LEVELS = 100
"""The runtime's `LEVELS`, which a build has no other use for."""
_LEVELS = Code("levels")
_SHALLOW = keyword("levels", py(SHALLOW))
_NONE = Code("None")
_LONGEST_TEST = 40


class NotFast(Exception):
    """The schema says something that a short test cannot say for sure."""


class Reading(NamedTuple):
    """How a value that has a name is read: ``tests`` that it must pass, and ``value`` of it.

    ``wants_float`` says that the name must be given a float before; the tests do not ask for it.
    """

    tests: Conditions
    value: Code
    wants_float: bool = False


class Reader:
    """Finds the readings of one field, whose value is ``local``, and of its parts.

    ``levels`` is how many levels the value may have; None where ``levels`` is what its object may
    have, when it is read.
    """

    __slots__ = ("field", "levels", "local", "module")

    def __init__(
        self, module: Module, field: Field, local: Code, levels: int | None = None
    ) -> None:
        self.module = module
        self.field = field
        self.local = local
        self.levels = levels

    def reading(
        self, type: Type, schema: JsonObject, name: Code, above: int = 0
    ) -> Reading:
        """How the value ``name`` is read, which stands in ``above`` lists and maps of the field.

        Raises:
            NotFast: where a keyword has no sure counterpart in a test.
        """
        match type:
            case ScalarType():
                return self._scalar(type, schema, name)
            case NullableType(inner):
                return self._nullable(inner, schema, name, above)
            case EntityType() | RecordType():
                return Reading((), self._read(type, schema, name, above))
            case EnumType():
                return self._enum(type, schema, name)
            case ListType(item):
                return self._list(item, schema, name, above + 1)
            case MapType(value):
                return self._map(value, schema, name, above + 1)
            case LeafType():
                return self._leaf(type, schema, name)
            case _:
                pass
        return Reading(self._tests(type, schema, name), name)

    def _scalar(self, type: ScalarType, schema: JsonObject, name: Code) -> Reading:
        if type.choices:
            if is_listed(type, schema, int):
                return Reading((), self._decoded(type, name))
        elif SCALARS[type.scalar].accepts_text is not None:
            return self._formatted(type, schema, name)
        elif PYTHON[type.scalar].name == "float" and name == self.local:
            return Reading(self._tests(type, schema, name)[1:], name, True)
        return Reading(self._tests(type, schema, name), name)

    def delegated(
        self, schema: JsonObject, name: Code, dialect: Json, wanted: str
    ) -> Reading:
        """A reading that asks a validator for the field alone; ``wanted`` names it."""
        if has_reference(schema):
            raise NotFast
        from brimgen.emit.carried import lets_unseen  # most tools do without

        alone = bare(schema)
        assert isinstance(alone, dict)
        if dialect is not None:
            alone = {"$schema": dialect, **alone}
        short = f"_{wanted.strip('_').upper()}"[:_LONGEST_VALIDATOR]
        long = f"_{self.module.prefix}{wanted.strip('_').upper()}"
        options = (_SHALLOW,) if lets_unseen(alone) else ()
        known = self.module.scope.define_after(
            long if len(long) <= _LONGEST_VALIDATOR else short,
            f"Validator {long} {py(alone)}",
            lambda name: validator(name, alone, self.module, *options),
        )
        value = self._decoded(self.field.type, name)
        return Reading((call(attribute(known, "is_valid"), name),), value)

    def _decoded(self, type: Type, name: Code) -> Code:
        return decoded(type, name, self.module, self.field)

    def _tests(self, type: Type, schema: JsonObject, name: Code) -> Conditions:
        tests = conditions(type, schema, name, self.module)
        if tests is None:
            raise NotFast
        return tests

    def _nullable(
        self, inner: Type, schema: JsonObject, name: Code, above: int
    ) -> Reading:
        rest = without_null(schema)
        if not rest:
            raise NotFast
        return or_none(self.reading(inner, rest, name, above), name)

    def _read(self, type: Type, schema: JsonObject, name: Code, above: int) -> Code:
        """The call of a reader; where a type has no height, it is told how many levels are left."""
        reader = self.module.reader(type, schema)
        if reader is None:
            raise NotFast
        if not has_reference(schema) or self.module.package.heights.of(type):
            return call(reader, name)
        # Inputs and entities say it each in its way.
        self.module.scope.set_apart()
        if self.levels is None:
            return call(reader, name, less(_LEVELS, py(above + 1)))
        return call(reader, name, py(self.levels - above))

    def _enum(self, type: EnumType, schema: JsonObject, name: Code) -> Reading:
        package = self.module.package
        enum = package.enums[type.name]
        kinds = {value.__class__ for value in enum.values}
        if bare(schema) != bare(enum.schema) or kinds not in ({str}, {int}):
            raise NotFast
        table = self.module.scope.entity(package.tables[type.name])
        kind = Code(kinds.pop().__name__)
        return Reading((is_kind(name, kind),), subscript(table, name))

    def _formatted(self, type: ScalarType, schema: JsonObject, name: Code) -> Reading:
        if (
            bare(schema) != SCALARS[type.scalar].schema
            or self.field.zone is not Zone.REQUIRED
            or not PYTHON[type.scalar].decoder_validates
        ):
            raise NotFast
        return Reading((), self._decoded(type, name))

    def _leaf(self, type: LeafType, schema: JsonObject, name: Code) -> Reading:
        form = moment_of(type, self.module)
        if form is not None and bare(schema) in (
            {"type": "string", "format": form},
            {"type": "string", LEAF: type.name},
        ):
            return Reading((), self._decoded(type, name))
        plain = {key: each for key, each in schema.items() if key != LEAF}
        tests = self._tests(ScalarType(type.scalar), plain, name)
        return Reading(tests, self._decoded(type, name))

    def _list(self, type: Type, schema: JsonObject, name: Code, above: int) -> Reading:
        shape = list_shape(schema, name, self.module)
        if shape is None:
            raise NotFast
        items = items_of(schema)
        reader = self.module.list_reader(type, items)
        if reader is not None:
            return Reading(shape, call(reader, name))
        each = item_of(name)
        item = self.reading(type, items, each, above)
        copied = call(Code("list"), name)
        value = copied if item.value == each else list_of(item.value, each, name)
        return Reading((*shape, *of_all(item.tests, each, name)), value)

    def _map(self, type: Type, schema: JsonObject, name: Code, above: int) -> Reading:
        shape = map_shape(schema, name, self.module)
        if shape is None:
            raise NotFast
        each = item_of(name)
        item = self.reading(type, values_of(schema), each, above)
        tests = (*shape, *of_all(item.tests, each, call(attribute(name, "values"))))
        if item.value == each:
            return Reading(tests, call(Code("dict"), name))
        items = call(attribute(name, "items"))
        value = mapping_of(Code("key"), item.value, f"key, {each}", items)
        return Reading(tests, value)


def or_none(reading: Reading, name: Code, otherwise: Code = _NONE) -> Reading:
    """The reading of a value that may be None, which stands for ``otherwise``."""
    tests = reading.tests
    is_none = compared(name, "is", _NONE)
    if len(tests) > 1 and len(together := all_of(tests)) <= _LONGEST_TEST:
        tests = (grouped(together),)
    tests = tuple(grouped(any_of([is_none, test])) for test in tests)
    if otherwise == _NONE and reading.value == name:
        value: Code = name
    else:
        value = conditional(otherwise, is_none, reading.value)
    return Reading(tests, value, reading.wants_float)
