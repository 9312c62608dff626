"""Annotations: the TypedDict classes of a module, and what types are called in it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from brimgen.diagnostics import Span
from brimgen.emit.code import Code
from brimgen.emit.codecs.annotations import Records, annotation
from brimgen.model.leaves import Leaf, LeafPython, PythonName, Shipped
from brimgen.model.types import (
    EntityType,
    Field,
    JsonType,
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

SPAN = Span("x.yaml", 1, 1, 1, 2)
HOME = PythonName("shop", "Money")


def _annotated(type: Type) -> Code:
    assert isinstance(type, ScalarType)
    return Code({"string": "str"}.get(type.scalar, type.scalar))


def _record(name: str, *fields: str, optional: tuple[str, ...] = ()) -> RecordType:
    made = [
        Field(
            name=each,
            type=ScalarType(Scalar.STRING),
            required=each not in optional,
            schema={},
            span=SPAN,
        )
        for each in fields
    ]
    return RecordType(name, tuple(made))


def test_a_member_that_may_be_missing_is_not_required() -> None:
    records = Records([])
    assert "Row" == records.name(_record("row", "a", "b", optional=("b",)), _annotated)
    expected = (
        "class Row(TypedDict):\n"
        '    """A result, or a part of one, by the names of its spec."""\n\n'
        "    a: str\n    b: NotRequired[str]"
    )
    assert {"Row": expected} == records.classes
    assert {"NotRequired", "TypedDict"} == records.words


@pytest.mark.parametrize("name", ["class", "a-b", "__x", "str"])
def test_a_name_that_no_class_body_can_have_makes_a_call(name: str) -> None:
    """A member `str` would stand for the type in the annotations behind it."""
    records = Records([])
    records.name(_record("row", name), _annotated)
    expected = f'Row = TypedDict("Row", {{"{name}": "str"}})'
    assert [expected] == [*records.classes.values()]


def test_names_that_are_taken_are_left_alone_and_equal_records_share_theirs() -> None:
    records = Records(["Row"])
    first = _record("row", "a")
    names = [records.name(each, _annotated) for each in (first, first)]
    assert ["Row2", "Row2"] == names
    assert "Row3" == records.name(_record("row", "b"), _annotated)


def _leaf(
    name: str, *, shipped: Shipped | None = None, python: LeafPython | None = None
) -> Leaf:
    return Leaf(
        name=name,
        span=SPAN,
        scalar=Scalar.STRING,
        schema={},
        sql=Scalar.STRING,
        shipped=shipped,
        python=python,
    )


class _Names:
    """Names that are noted down as they are asked for."""

    def __init__(self, records: Records | None) -> None:
        self.records = records
        self.asked: list[str] = []
        self.leaves = {
            "money": _leaf("money", python=LeafPython(HOME, HOME, HOME)),
            "uuid": _leaf("uuid", shipped=Shipped.UUID),
            "url": _leaf("url", shipped=Shipped.URL),
        }

    def _noted(self, name: str) -> Code:
        self.asked.append(name)
        return Code(name)

    def standard(self, name: str) -> Code:
        return self._noted(name)

    def entity(self, name: str) -> Code:
        return self._noted(name)

    def own_leaf(self, name: str) -> Code:
        return self._noted(name)

    def literal(self, choices: Sequence[Code], plain: str) -> Code:
        return Code(f"{plain} of {', '.join(choices)}")


def _scalar(scalar: Scalar, *choices: str | float) -> ScalarType:
    return ScalarType(scalar, choices)


@pytest.mark.parametrize(
    ("type", "expected", "asked"),
    [
        (_scalar(Scalar.INT), "int", []),
        (_scalar(Scalar.SPLAT), "str", []),
        (_scalar(Scalar.DATETIME), "datetime", ["datetime"]),
        (_scalar(Scalar.OBJECT), "dict[str, Any]", ["Any"]),
        (_scalar(Scalar.ARRAY), "list[Any]", ["Any"]),
        (_scalar(Scalar.STRING, "a", "b"), 'str of "a", "b"', []),
        (_scalar(Scalar.INT, 1, 2.0), "int", []),
        (_scalar(Scalar.FLOAT, 1), "float", []),
        (EntityType("User"), "User", ["User"]),
        (LeafType("money", Scalar.STRING), "money", ["money"]),
        (LeafType("uuid", Scalar.STRING), "UUID", ["UUID"]),
        (LeafType("url", Scalar.STRING), "str", []),
        (ListType(_scalar(Scalar.DATE)), "list[date]", ["date"]),
        (MapType(_scalar(Scalar.BOOL)), "dict[str, bool]", []),
        (NullableType(_scalar(Scalar.FLOAT)), "float | None", []),
        (NullableType(_scalar(Scalar.PRIMITIVE)), "Any", ["Any"]),
        (UnionType((_scalar(Scalar.INT), _scalar(Scalar.STRING))), "int | str", []),
        (_record("row", "a"), "Row", []),
        (RecordType("row", (), extra=JsonType()), "dict[str, Any]", ["Any"]),
    ],
)
def test_what_a_type_is_called(type: Type, expected: str, asked: list[str]) -> None:
    names = _Names(Records([]))
    assert expected == annotation(type, names)
    assert asked == names.asked


def test_without_records_a_record_is_anything() -> None:
    assert "Any" == annotation(_record("row", "a"), _Names(None))
