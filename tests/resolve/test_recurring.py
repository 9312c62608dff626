"""Fields that say the same: made once, each under its own name; mistakes are told at each."""

from __future__ import annotations

from dataclasses import replace

from brimgen.diagnostics import Span
from brimgen.model.fields import Context, Default, Zone
from brimgen.model.types import Field, Scalar, ScalarType
from support.linked import link

ENTITY = "type: entity\nname: Page\nfields: { offset: { type: int, minimum: 0 } }\n"


def _tool(name: str, inline: str, *, inherits: str = "") -> str:
    head = f"type: python_function\nname: {name}\narguments:\n"
    return f"{head}  {inherits}\n  inline:\n    {inline}\n"


def test_what_says_the_same_shares_all_but_name_and_place() -> None:
    said = "{ type: string, enum: [a, b], default: a, description: Which }"
    catalog = link(_tool("one", f"kind: {said}"), _tool("two", f"sort: {said}")).catalog
    [one], [two] = (each.fields for each in catalog.tools)
    assert ("kind", "sort") == (one.name, two.name)
    assert one.span != two.span
    assert one.schema is two.schema
    assert one == two.renamed("kind", one.span)


def test_a_field_keeps_all_that_it_says_under_another_name() -> None:
    field = Field(
        name="kind",
        type=ScalarType(Scalar.DATETIME),
        schema={"type": "string"},
        span=Span("a.yaml", 1, 2, 3, 4),
        required=False,
        default=Default("x"),
        description="Which",
        deprecated=True,
        origin=Context(("app", "x")),
        declared=False,
        precision=3,
        scale=2,
        zone=Zone.ASSUME_UTC,
        wire_string=True,
        bind_json=False,
    )
    span = Span("b.yaml", 5, 6, 7, 8)
    for each in (field, replace(field, wire_string=False, bind_json=True)):
        assert replace(each, name="sort", span=span) == each.renamed("sort", span)


def test_what_is_written_otherwise_is_something_else() -> None:
    number, text = (
        _tool(name, f"x: {{ type: primitive, default: {value} }}")
        for name, value in (("one", "1"), ("two", '"1"'))
    )
    catalog = link(number, text).catalog
    assert [1, "1"] == [each.fields[0].schema["default"] for each in catalog.tools]


def test_a_mistake_is_told_wherever_it_stands() -> None:
    wrong = "{ type: int, default: 150, maximum: 100 }"
    linked = link(_tool("one", f"a: {wrong}"), _tool("two", f"b: {wrong}"))
    assert [("out-of-bounds", "150"), ("out-of-bounds", "150")] == linked.told


def test_a_warning_is_told_wherever_it_stands() -> None:
    linked = link(*(_tool(each, "a: Int") for each in ("one", "two", "three")))
    assert [("type-case", "Int")] * 3 == linked.told
    assert 3 == len(linked.catalog.tools)


def test_a_name_that_cannot_be_is_told_although_the_rest_is_known() -> None:
    linked = link(_tool("one", "a: int"), _tool("two", '"": int'))
    assert ["bad-field-name"] == [each.rule.reason for each in linked.diagnostics]


def test_what_an_entity_hands_on_is_made_once() -> None:
    tools = (_tool(each, "a: int", inherits="entity_ref: Page") for each in "xy")
    one, two = link(ENTITY, *tools).catalog.tools
    assert one.fields[0] is two.fields[0]
    assert not one.fields[0].declared


def test_nested_classes_are_named_after_their_owners() -> None:
    nested = "place: { fields: { street: string } }"
    one, two = link(_tool("one", nested), _tool("two", nested)).catalog.tools
    assert one.fields[0].type != two.fields[0].type
