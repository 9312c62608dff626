"""Types as text (spec-language.md; S0.30-33, S3.7-11; row J1)."""

from __future__ import annotations

import json

import pytest

from support.syntax import inline, read

SCALARS = ["string", "int", "float", "bool", "date", "datetime"]


def spelled(text: str) -> tuple[str, bool, bool]:
    """Name, list and optional of a type that is read without a report."""
    parsed = inline(f"x: {{ type: {json.dumps(text)} }}")
    assert [] == parsed.told
    found = parsed.field.type
    assert found is not None
    return found.name, found.is_list, found.is_optional


@pytest.mark.parametrize("scalar", SCALARS)
def test_every_spelling_of_a_list_is_one_type(scalar: str) -> None:
    spellings = [
        f"array<{scalar}>",
        f"array[{scalar}]",
        f"{scalar}[]",
        f"list[{scalar}]",
    ]
    assert {(scalar, True, False)} == {spelled(each) for each in spellings}
    assert (scalar, False, False) == spelled(scalar)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Order", ("Order", False, False)),
        ("my-entity_2", ("my-entity_2", False, False)),
        ("int?", ("int", False, True)),
        ("int ?", ("int", False, True)),
        ("int[]?", ("int", True, True)),
        ("array<int>?", ("int", True, True)),
        ("list[dict]", ("dict", True, False)),
        (" int ", ("int", False, False)),
        ("array < int >", ("int", True, False)),
        ("array [ int ]", ("int", True, False)),
        ("int [ ]", ("int", True, False)),
        ("array", ("array", False, False)),
        ("list?", ("list", False, True)),
    ],
)
def test_every_spelling_of_a_type_is_read(
    text: str, expected: tuple[str, bool, bool]
) -> None:
    assert expected == spelled(text)


@pytest.mark.parametrize(
    ("text", "slug", "suggestions"),
    [
        ("", "empty-type", ()),
        ("  ", "empty-type", ()),
        ("[]", "list-of-nothing", ()),
        ("array<>", "list-of-nothing", ()),
        ("array< >", "list-of-nothing", ()),
        ("array[]", "list-of-nothing", ()),
        ("list[]?", "list-of-nothing", ()),
        ("array<array<int>>", "list-of-lists", ()),
        ("int[][]", "list-of-lists", ()),
        ("list[int[]]", "list-of-lists", ()),
        ("list[int][]", "list-of-lists", ()),
        ("list[list]", "list-of-lists", ()),
        ("array<int[]>?", "list-of-lists", ()),
        ("int?[]", "optional-item", ("int[]?",)),
        ("array<int?>", "optional-item", ("int[]?",)),
        ("int??", "unreadable-type", ("int?",)),
        ("?", "unreadable-type", ()),
        ("array<int", "unreadable-type", ()),
        ("int]", "unreadable-type", ("int[]",)),
        ("int[3]", "unreadable-type", ()),
        ("array<int>>", "unreadable-type", ("int[]",)),
        ("int | None", "unreadable-type", ("int?",)),
        ("None | int", "unreadable-type", ("int?",)),
        ("string or null", "unreadable-type", ("string?",)),
        ("Optional[int]", "unreadable-type", ("int?",)),
        ("Optional[List[int]]", "unreadable-type", ()),
        ("List[int]", "unreadable-type", ("int[]",)),
        ("list<int>", "unreadable-type", ("int[]",)),
        ("tuple[int, ...]", "unreadable-type", ("int[]",)),
        ("list of int", "unreadable-type", ("int[]",)),
        ("dict[str, int]", "unreadable-type", ("object",)),
        ("int | str", "unreadable-type", ()),
        ("The number of rows", "unreadable-type", ()),
        ("2nd", "unreadable-type", ()),
        # What only Unicode calls a digit is no letter, and none that a size is written with.
        ("\u00b2", "unreadable-type", ()),
        ("\u00b2[]", "unreadable-type", ()),
        ("varchar(\u0663)", "unreadable-type", ()),
        ("varchar(3)", "unreadable-type", ("{type: string, maxLength: 3}",)),
        ("int" + " " * 300 + "[]", "unreadable-type", ()),
    ],
)
def test_what_is_no_type(text: str, slug: str, suggestions: tuple[str, ...]) -> None:
    parsed = inline(f"x: {{ type: {json.dumps(text)} }}")
    assert [(slug, json.dumps(text))] == [
        (slug, json.dumps(json.loads(under))) for slug, under in parsed.told
    ]
    assert suggestions == parsed.only.suggestions
    assert parsed.field.type is None
    assert not parsed.field.sound


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ("~", "empty-type"),
        ("5", "type-not-text"),
        ("true", "type-not-text"),
        ("[string, 'null']", "type-not-text"),
        ("{ a: b }", "type-not-text"),
    ],
)
def test_a_type_is_text(value: str, slug: str) -> None:
    parsed = inline(f"x: {{ type: {value} }}")
    assert [(slug, value)] == parsed.told


@pytest.mark.parametrize("text", ["Order", "Order[]", "array<Order>", "list[ Order ]?"])
@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_the_name_has_its_own_place(text: str, quote: str) -> None:
    parsed = inline(f"x: {quote}{text}{quote}")
    found = parsed.field.type
    assert found is not None
    assert "Order" == parsed.under(found.name_span)
    assert f"{quote}{text}{quote}" == parsed.under(found.span)


def test_the_place_of_a_name_that_is_also_part_of_the_list_word() -> None:
    found = inline("x: '   array<y>'").field.type
    assert found is not None
    assert len("    x: '   array<") + 1 == found.name_span.column


def test_a_type_over_two_lines_is_the_place_of_its_name() -> None:
    found = inline('x: "array<\n  Order>"').field.type
    assert found is not None
    assert "Order" == found.name
    assert found.name_span.line == found.span.end_line == found.span.line + 1


def test_the_same_text_is_told_at_each_place() -> None:
    parsed = read("type: entity\nname: E\nfields:\n  a: int[][]\n  b: int[][]\n")
    assert [4, 5] == [each.span.line for each in parsed.diagnostics]
