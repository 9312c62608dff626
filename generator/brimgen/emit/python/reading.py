"""Decide how the fast path reads one value: which tests it must pass, and what becomes of it.

The tests and the conversion of a scalar are those of its row in `codecs.python`; this module
composes them along a type and its schema. Together they accept only what the schema accepts; a
conversion may raise. A schema that cannot be tested this way gets a validator of its own
(`validated_alone`).
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.conversions import (
    KEEP,
    Call,
    Conversion,
    Items,
    LookUp,
    OrNone,
    Values,
    item_of,
)
from brimgen.emit.codecs.fast_tests import (
    Conditions,
    choice_test,
    is_kind,
    list_tests,
    map_tests,
    of_all,
    union_tests,
)
from brimgen.emit.codecs.python import PYTHON
from brimgen.emit.codecs.schemas import (
    has_reference,
    items_of,
    keywords,
    values_of,
    without_annotations,
    without_null,
)
from brimgen.emit.python.leaves import moment_of
from brimgen.emit.python.nesting import SHALLOW
from brimgen.emit.python.package import Module
from brimgen.emit.python.types import decoding
from brimgen.emit.python.validators import validator
from brimgen.emit.python_text import (
    all_of,
    any_of,
    attribute,
    call,
    compared,
    grouped,
    keyword,
    set_of,
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
    Scalar,
    ScalarType,
    Type,
    UnionType,
)
from brimgen_runtime.grammar.schema_parts import subschemas
from brimgen_runtime.schema.nodes import is_lax

LEVELS = 100
"""The same as `LEVELS` of the runtime, in a module that a build does not import otherwise."""

_LONGEST_VALIDATOR = 24
_LONGEST_TEST = 40
_LONGEST_SET = 40
_JSON_TYPES = {str: "string", int: "integer", bool: "boolean"}
_SHALLOW = keyword("levels", py(SHALLOW))
_NONE = Code("None")

_Answer = TypeVar("_Answer")


class NotFast(Exception):
    """A keyword of the schema has no exact short test."""


class Reading(NamedTuple):
    """How a value that has a name is read: the tests that it must pass, and its conversion.

    ``wants_float`` says that the name must be given a float before; the tests do not ask for it.
    """

    tests: Conditions
    conversion: Conversion
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
                return Reading((), self._object(type, schema, above))
            case EnumType():
                return self._enum(type, schema, name)
            case ListType(item):
                return self._list(item, schema, name, above + 1)
            case MapType(value):
                return self._map(value, schema, name, above + 1)
            case LeafType():
                return self._leaf(type, schema, name)
            case UnionType(options) if not any(option.choices for option in options):
                return Reading(_sure(union_tests(schema, name)), KEEP)
            case _:
                raise NotFast

    def validated_alone(
        self, schema: JsonObject, name: Code, dialect: Json, hint: str
    ) -> Reading:
        """A reading that asks a validator for the field alone; ``hint`` is its name there."""
        if has_reference(schema):
            raise NotFast
        field_schema = without_annotations(schema)
        assert isinstance(field_schema, dict)
        if dialect is not None:
            field_schema = {"$schema": dialect, **field_schema}
        short = f"_{hint.strip('_').upper()}"[:_LONGEST_VALIDATOR]
        long = f"_{self.module.prefix}{hint.strip('_').upper()}"
        options = (_SHALLOW,) if any(map(is_lax, subschemas(field_schema))) else ()
        constant = self.module.scope.define_after(
            long if len(long) <= _LONGEST_VALIDATOR else short,
            f"Validator {long} {py(field_schema)}",
            lambda name: validator(name, field_schema, self.module, *options),
        )
        is_valid = call(attribute(constant, "is_valid"), name)
        return Reading((is_valid,), self._decoding(self.field.type))

    def _decoding(self, type: Type) -> Conversion:
        return decoding(type, self.module, self.field)

    def _scalar(self, type: ScalarType, schema: JsonObject, name: Code) -> Reading:
        codec = PYTHON[type.scalar]
        if type.choices:
            if is_listed(type, schema, int):
                return Reading((), self._decoding(type))
            if not is_listed(type, schema, str):
                raise NotFast
            return Reading(choice_test(name, self._choices(type, name)), KEEP)
        if codec.decoder_validates:
            is_whole_scalar = without_annotations(schema) == SCALARS[type.scalar].schema
            if not is_whole_scalar or self.field.zone is not Zone.REQUIRED:
                raise NotFast
            return Reading((), self._decoding(type))
        tests = self._tests(type.scalar, schema, name)
        if codec.name == "float" and name == self.local:
            return Reading(tests[1:], KEEP, wants_float=True)
        return Reading(tests, KEEP)

    def _nullable(
        self, type: Type, schema: JsonObject, name: Code, above: int
    ) -> Reading:
        inner_schema = without_null(schema)
        if not inner_schema:
            raise NotFast
        inner = self.reading(type, inner_schema, name, above)
        tests = tests_or_none(inner.tests, name)
        return Reading(tests, OrNone(inner.conversion), inner.wants_float)

    def _tests(self, scalar: Scalar, schema: JsonObject, name: Code) -> Conditions:
        write = _sure(PYTHON[scalar].fast_tests)
        return _sure(write(schema, name, self.module.scope))

    def _choices(self, type: ScalarType, name: Code) -> Code:
        """The set of the choices, or the name of it where it is too long to stand in a test."""
        scope = self.module.scope
        choices = [py(choice) for choice in type.choices]
        shown = set_of(choices)
        if len(shown) <= _LONGEST_SET:
            return shown
        alias = scope.defined_before(subscript(Code("Literal"), *choices))
        if alias is not None:
            shown = call(Code("frozenset"), call(scope.standard("get_args"), alias))
        return scope.define_before(
            f"_{self.module.prefix}{name.strip('_').upper()}_CHOICES",
            f"set {set_of(choices)}",
            lambda constant: Code(f"{constant} = {shown}"),
        )

    def _object(self, type: Type, schema: JsonObject, above: int) -> Conversion:
        """The call of a reader; for a recursive type, with the number of levels that are left."""
        reader = _sure(self.module.reader(type, schema))
        if not has_reference(schema) or self.module.package.heights.of(type):
            return Call(reader)
        # Inputs and entities pass the number in different ways.
        self.module.scope.set_apart()
        if self.levels is None:
            return Call(reader, (Code(f"levels - {py(above + 1)}"),))
        return Call(reader, (py(self.levels - above),))

    def _enum(self, type: EnumType, schema: JsonObject, name: Code) -> Reading:
        package = self.module.package
        enum = package.enums[type.name]
        kinds = {value.__class__ for value in enum.values}
        if without_annotations(schema) != without_annotations(
            enum.schema
        ) or kinds not in ({str}, {int}):
            raise NotFast
        table = self.module.scope.entity(package.tables[type.name])
        kind = Code(kinds.pop().__name__)
        return Reading((is_kind(name, kind),), LookUp(table))

    def _leaf(self, type: LeafType, schema: JsonObject, name: Code) -> Reading:
        form = moment_of(type, self.module)
        if form is not None and without_annotations(schema) in (
            {"type": "string", "format": form},
            {"type": "string", LEAF: type.name},
        ):
            return Reading((), self._decoding(type))
        plain = {key: value for key, value in schema.items() if key != LEAF}
        return Reading(self._tests(type.scalar, plain, name), self._decoding(type))

    def _list(self, type: Type, schema: JsonObject, name: Code, above: int) -> Reading:
        tests = _sure(list_tests(schema, name, self.module.scope))
        items = items_of(schema)
        reader = self.module.list_reader(type, items)
        if reader is not None:
            return Reading(tests, Call(reader))
        item_name = item_of(name)
        item = self.reading(type, items, item_name, above)
        tests = (*tests, *of_all(item.tests, item_name, name))
        return Reading(tests, Items(item.conversion))

    def _map(self, type: Type, schema: JsonObject, name: Code, above: int) -> Reading:
        tests = _sure(map_tests(schema, name, self.module.scope))
        value_name = item_of(name)
        value = self.reading(type, values_of(schema), value_name, above)
        values = call(attribute(name, "values"))
        tests = (*tests, *of_all(value.tests, value_name, values))
        return Reading(tests, Values(value.conversion))


def _sure(answer: _Answer | None) -> _Answer:
    """``answer``; raises `NotFast` where there is none."""
    if answer is None:
        raise NotFast
    return answer


def is_listed(type: ScalarType, schema: JsonObject, kind: builtins.type) -> bool:
    """Whether ``schema`` admits exactly the choices of ``type``, which are all of one kind."""
    schema_choices = schema.get(
        "enum", [schema["const"]] if "const" in schema else None
    )
    return (
        {choice.__class__ for choice in type.choices} == {kind}
        and not PYTHON[type.scalar].is_parsed
        and keywords(schema) <= {"type", "enum", "const"}
        and not {"enum", "const"} <= keywords(schema)
        and schema.get("type", _JSON_TYPES[kind]) == _JSON_TYPES[kind]
        and isinstance(schema_choices, Sequence)
        and list(schema_choices) == list(type.choices)
    )


def tests_or_none(tests: Conditions, name: Code) -> Conditions:
    """The tests of a value that may be None: as one where that is short."""
    if len(tests) > 1 and len(together := all_of(tests)) <= _LONGEST_TEST:
        tests = (grouped(together),)
    is_none = compared(name, "is", _NONE)
    return tuple(grouped(any_of([is_none, test])) for test in tests)
