"""`items` fold into the list: constraints on a list type are about its items (spec-language.md)."""

from __future__ import annotations

import pytest

from brimgen.syntax.decls import FieldDecl
from support.syntax import inline


def said(field: FieldDecl) -> tuple[object, ...]:
    """What a field says, without places."""
    written = field.type
    assert written is not None
    return (
        (written.name, written.is_list, written.is_optional),
        list(field.attributes),
        None if field.fields is None else [said(each) for each in field.fields],
    )


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("{ type: array, items: int }", "{ type: 'int[]' }"),
        ("{ items: int }", "int[]"),
        ("{ type: list, items: { type: int } }", "{ type: 'int[]' }"),
        ("{ type: 'array?', items: int }", "{ type: 'int[]?' }"),
        (
            "{ type: array, items: { type: string, enum: [a] } }",
            "{ type: 'string[]', enum: [a] }",
        ),
        (
            "{ type: array, minItems: 1, items: { type: int, min: 1 } }",
            "{ type: 'int[]', minItems: 1, minimum: 1 }",
        ),
        (
            "{ type: array, items: { type: object, fields: { x: int } } }",
            "{ type: 'object[]', fields: { x: int } }",
        ),
        ("{ type: array, items: Order }", "Order[]"),
    ],
)
def test_two_ways_to_say_one_thing(long: str, short: str) -> None:
    first, second = inline(f"x: {long}"), inline(f"x: {short}")
    assert [] == first.told == second.told
    assert said(second.field) == said(first.field)
    assert first.field.items is None


def test_what_is_said_of_the_item_alone_stays_apart() -> None:
    parsed = inline(
        "x: { type: array, description: All, items: { type: int, description: One, x-a: 1 } }"
    )
    assert [] == parsed.told
    assert ["description"] == list(parsed.field.attributes)
    assert parsed.field.items is not None
    assert ["description", "x-a"] == list(parsed.field.items.attributes)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("{ type: int, items: int }", [("items-beside-type", "items")]),
        ("{ type: 'int[]', items: int }", [("items-beside-type", "items")]),
        ("{ type: array, items: 'int[]' }", [("list-of-lists", "'int[]'")]),
        ("{ type: array, items: { type: array } }", [("list-of-lists", "array")]),
        ("{ type: array, items: { items: int } }", [("list-of-lists", "int")]),
        ("{ type: array, items: 'int?' }", [("optional-item", "'int?'")]),
        ("{ type: array, items: [int] }", [("field-not-a-type", "[int]")]),
        (
            "{ type: array, items: { type: int, default: 1 } }",
            [("item-key", "default")],
        ),
        (
            "{ type: array, enum: [a], items: { type: string, enum: [a] } }",
            [("constraint-twice", "enum")],
        ),
        ("{ type: array, items: { typ: int } }", [("unknown-key", "typ")]),
    ],
)
def test_a_mistake_in_the_items_of_a_list_is_told(
    entry: str, told: list[tuple[str, str]]
) -> None:
    parsed = inline(f"x: {entry}")
    assert told == parsed.told
    assert not parsed.field.sound
