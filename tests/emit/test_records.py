"""Records: the TypedDict classes of a module."""

from __future__ import annotations

import pytest

from brimgen.diagnostics import Span
from brimgen.emit.code import Code
from brimgen.emit.records import Records
from brimgen.model.fields import Field
from brimgen.model.types import RecordType, Scalar, ScalarType, Type

SPAN = Span("x.yaml", 1, 1, 1, 2)


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
    expected = f'Row = TypedDict(\n    "Row",\n    {{"{name}": "str"}},\n)'
    assert [expected] == [*records.classes.values()]


def test_names_that_are_taken_are_left_alone_and_equal_records_share_theirs() -> None:
    records = Records(["Row"])
    first = _record("row", "a")
    names = [records.name(each, _annotated) for each in (first, first)]
    assert ["Row2", "Row2"] == names
    assert "Row3" == records.name(_record("row", "b"), _annotated)
