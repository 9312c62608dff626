"""Reading: one field and its canonical schema in, the statements that read it fast out."""

from __future__ import annotations

from dataclasses import dataclass

from brimgen.emit.code import STEP, Code, fits, py
from brimgen.emit.python.conditions import (
    conditions,
    is_listed,
    is_testable,
    list_shape,
)
from brimgen.emit.python.leaves import moment_of
from brimgen.emit.python.lines import Lines
from brimgen.emit.python.package import Module
from brimgen.emit.python.schemas import (
    bare,
    has_reference,
    is_entity,
    items_of,
    without_null,
)
from brimgen.emit.python.types import decoded
from brimgen.emit.python.validators import validator
from brimgen.model.fields import Field, Zone
from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import LEAF
from brimgen.model.types import (
    EntityType,
    EnumType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)


class NotFast(Exception):
    """The schema says something that straight-line code cannot say for sure."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is read: the expression that gives it, the local name it gets."""

    source: str
    local: str
    depth: int = 0


class FieldReader:
    """The writer of the statements that read one field."""

    def __init__(self, module: Module, field: Field, lines: Lines) -> None:
        self.module = module
        self.field = field
        self.lines = lines

    def delegate(self, schema: JsonObject, place: Place, dialect: Json) -> None:
        """Ask a validator for the field alone."""
        if has_reference(schema):
            raise NotFast
        alone = bare(schema)
        assert isinstance(alone, dict)
        if dialect is not None:
            alone = {"$schema": dialect, **alone}
        name = self.module.scope.define_after(
            f"_{self.module.prefix}{place.local.strip('_').upper()}",
            f"Validator {py(alone)}",
            lambda name: validator(name, alone, self.module),
        )
        self.lines.add(f"{place.local} = {place.source}")
        self.lines.refuse_unless([f"{name}.is_valid({place.local})"])
        self._decode(self.field.type, place)

    def _decode(self, type: Type, place: Place) -> None:
        expression = decoded(type, place.local, self.module, self.field)
        if expression != place.local:
            self.lines.add(f"{place.local} = {expression}")

    def read(self, type: Type, schema: JsonObject, place: Place) -> None:
        """Statements after which ``place.local`` holds the decoded value; they may return None.

        Raises:
            NotFast: where a keyword has no sure counterpart in straight-line code.
        """
        match type:
            case NullableType():
                self._read_nullable(type, schema, place)
            case EntityType() | RecordType():
                self._read_object(type, schema, place)
            case EnumType():
                self._read_enum(type, schema, place)
            case ListType() if not self._fits_at_once(type, schema, place):
                self._read_list(type, schema, place)
            case ScalarType(scalar=Scalar.DATE | Scalar.DATETIME, choices=()):
                self._read_moment(type, schema, place)
            case LeafType():
                self._read_leaf(type, schema, place)
            case ScalarType() if type.choices and is_listed(type, schema, int):
                expression = decoded(type, place.source, self.module, self.field)
                self.lines.add(f"{place.local} = {expression}")
            case _:
                self._read_tested(type, schema, place)

    def _fits_at_once(self, type: ListType, schema: JsonObject, place: Place) -> bool:
        """Whether all items can be tested by one condition that takes one line."""
        if not is_testable(type.item, items_of(schema)):
            return False
        tests = conditions(type, schema, place.local, self.module)
        return tests is None or fits(f"and {tests[-1]}", self.lines.indent + STEP)

    def _read_tested(self, type: Type, schema: JsonObject, place: Place) -> None:
        tests = conditions(type, schema, place.local, self.module)
        if tests is None:
            raise NotFast
        if place.source != place.local:
            self.lines.add(f"{place.local} = {place.source}")
        self.lines.refuse_unless(tests)
        if isinstance(type, ListType):
            self.lines.add(f"{place.local} = list({place.local})")
        elif isinstance(type, MapType):
            self.lines.add(f"{place.local} = dict({place.local})")

    def _read_nullable(
        self, type: NullableType, schema: JsonObject, place: Place
    ) -> None:
        inner = without_null(schema)
        if not inner:
            raise NotFast
        self.lines.add(f"{place.local} = {place.source}")
        tests = self._plain_tests(type.inner, inner, place.local)
        if tests is not None:
            self._refuse_or_null(tests, place.local)
            return
        with self.lines.block(f"if {place.local} is not None:"):
            self.read(type.inner, inner, Place(place.local, place.local, place.depth))

    def _refuse_or_null(self, tests: tuple[str, ...], local: str) -> None:
        both = f"({' and '.join(tests)})" if len(tests) > 1 else tests[0]
        one_by_one = not fits(f"or {both}", self.lines.indent + STEP)
        for test in tests if one_by_one else (both,):
            self.lines.refuse_unless([f"{local} is None", test], word="or")

    def _plain_tests(
        self, type: Type, schema: JsonObject, local: str
    ) -> tuple[str, ...] | None:
        if not is_testable(type, schema):
            return None
        tests = conditions(type, schema, local, self.module)
        if tests is None:
            raise NotFast
        return tests

    def _read_object(self, type: Type, schema: JsonObject, place: Place) -> None:
        name = self._object_class(type, schema)
        if name is None:
            raise NotFast
        self.lines.add(f"{place.local} = {name}._fast({place.source})")
        self.lines.refuse_unless([f"{place.local} is not None"])

    def _object_class(self, type: Type, schema: JsonObject) -> Code | None:
        """The class whose fast path is that of ``schema``; None where there is none."""
        match type:
            case EntityType():
                package = self.module.package
                entity = package.entities[type.name]
                known = type.name in package.fast
                if known and is_entity(schema, type.name, entity.enforced_schema):
                    return self.module.entity_class(type)
            case RecordType():
                record = self.module.record(type)
                if record.fast and bare(schema) == record.schema:
                    return record.name
        return None

    def _read_enum(self, type: EnumType, schema: JsonObject, place: Place) -> None:
        kind, table = self._table(type, schema)
        if place.source != place.local:
            self.lines.add(f"{place.local} = {place.source}")
        self.lines.refuse_unless([f"type({place.local}) is {kind}"])
        self.lines.add(f"{place.local} = {table}[{place.local}]")

    def _table(self, type: EnumType, schema: JsonObject) -> tuple[str, Code]:
        package = self.module.package
        enum = package.enums[type.name]
        kinds = {each.__class__ for each in enum.values}
        if bare(schema) != bare(enum.schema) or kinds not in ({str}, {int}):
            raise NotFast
        table = self.module.scope.entity(package.tables[type.name])
        return kinds.pop().__name__, table

    def _read_moment(self, type: ScalarType, schema: JsonObject, place: Place) -> None:
        expression = self._moment(type, schema, place.source)
        self.lines.add(f"{place.local} = {expression}")

    def _moment(self, type: ScalarType, schema: JsonObject, source: str) -> Code:
        form = "date" if type.scalar is Scalar.DATE else "date-time"
        if (
            bare(schema) != {"type": "string", "format": form}
            or self.field.zone is not Zone.REQUIRED
        ):
            raise NotFast
        return decoded(type, source, self.module, self.field)

    def _read_leaf(self, type: LeafType, schema: JsonObject, place: Place) -> None:
        if self._leaf(type, schema, place.source) is not None:
            source = place.source
        else:
            plain = {key: each for key, each in schema.items() if key != LEAF}
            inner = ScalarType(type.scalar)
            tests = conditions(inner, plain, place.local, self.module)
            if tests is None:
                raise NotFast
            if place.source != place.local:
                self.lines.add(f"{place.local} = {place.source}")
            self.lines.refuse_unless(tests)
            source = place.local
        expression = decoded(type, source, self.module, self.field)
        if expression != place.local:
            self.lines.add(f"{place.local} = {expression}")

    def _leaf(self, type: LeafType, schema: JsonObject, source: str) -> Code | None:
        """The expression that decodes a leaf and refuses what ``schema`` does, if there is one."""
        form = moment_of(type, self.module)
        if form is None or bare(schema) not in (
            {"type": "string", "format": form},
            {"type": "string", LEAF: type.name},
        ):
            return None
        return decoded(type, source, self.module, self.field)

    def _read_list(self, type: ListType, schema: JsonObject, place: Place) -> None:
        suffix = f"_{place.depth}" if place.depth else ""
        sent, each = f"sent{suffix}", f"each{suffix}"
        shape = list_shape(schema, sent)
        if shape is None:
            raise NotFast
        self.lines.add(f"{sent} = {place.source}")
        inner = self._inline_item(type.item, items_of(schema), each)
        if inner is not None:
            kinds, expression = inner
            tests = (*shape, f"set(map(type, {sent})) <= {{{kinds}}}")
            self.lines.refuse_unless(tests)
            self.lines.add(f"{place.local} = [{expression} for {each} in {sent}]")
            return
        self.lines.refuse_unless(shape)
        self.lines.add(f"{place.local} = []")
        self._read_items(type.item, items_of(schema), place)

    def _read_items(self, type: Type, schema: JsonObject, place: Place) -> None:
        suffix = f"_{place.depth}" if place.depth else ""
        sent, each = f"sent{suffix}", f"each{suffix}"
        item = each if is_testable(type, schema) else f"{place.local.strip('_')}_item"
        name = self._object_class(type, schema)
        if name is not None:
            read = f"read_{place.local.strip('_')}"
            self.lines.add(f"{read} = {name}._fast")
        with self.lines.block(f"for {each} in {sent}:"):
            if name is not None:
                self.lines.add(f"{item} = {read}({each})")
                self.lines.refuse_unless([f"{item} is not None"])
            else:
                self.read(type, schema, Place(each, item, place.depth + 1))
            self.lines.add(f"{place.local}.append({item})")

    def _inline_item(
        self, type: Type, schema: JsonObject, each: str
    ) -> tuple[str, Code] | None:
        """The types that items must have, and the expression that decodes one without a test."""
        match type:
            case EnumType():
                kind, table = self._table(type, schema)
                return kind, Code(f"{table}[{each}]")
            case ScalarType(scalar=Scalar.DATE | Scalar.DATETIME, choices=()):
                return "str", self._moment(type, schema, each)
            case LeafType():
                expression = self._leaf(type, schema, each)
                return None if expression is None else ("str", expression)
        return None
