"""`returns`: a type, a typed mapping, a block, JSON Schema, or nothing (spec-language.md)."""

from __future__ import annotations

import pytest

from brimgen.syntax.decls import ReturnsDecl
from support.syntax import HEAD, Parsed, read


def returns(value: str, key: str = "returns") -> Parsed:
    return read(f"{HEAD}{key}: {value}\n")


def decl(parsed: Parsed) -> ReturnsDecl:
    assert [] == parsed.told
    found = parsed.tool.returns
    assert found is not None
    return found


@pytest.mark.parametrize("key", ["returns", "return_shape", "outputSchema"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Order", ("Order", False)),
        ("Order[]", ("Order", True)),
        ("list[dict]", ("dict", True)),
        ("markdown", ("markdown", False)),
        ("{ type: 'string[]' }", ("string", True)),
        ("{ type: array, description: All of them }", ("array", False)),
        ("{ entity_ref: 'Order[]' }", ("Order", True)),
        ("{ entity_ref: 'list[Order]', description: Newest first }", ("Order", True)),
    ],
)
def test_every_spelling_of_the_type_of_a_result_is_read(
    key: str, value: str, expected: tuple[str, bool]
) -> None:
    found = decl(returns(value, key))
    assert found.type is not None and found.content is None and found.schema is None
    assert expected == (found.type.name, found.type.is_list)
    assert ("description" in value) == (found.description is not None)


@pytest.mark.parametrize("value", ["", "~", "void", "' void '", "{ type: void }"])
def test_every_way_to_say_no_result_is_read(value: str) -> None:
    parsed = returns(value)
    assert [] == parsed.told
    assert parsed.tool.returns is None


def test_a_tool_that_says_nothing_of_a_result_has_none() -> None:
    assert read(HEAD).tool.returns is None


@pytest.mark.parametrize(
    ("value", "is_list", "is_optional"),
    [
        ("{ fields: { a: int } }", False, False),
        ("{ type: object, fields: { a: int } }", False, False),
        ("{ type: 'object?', fields: { a: int } }", False, True),
        ("{ type: 'object[]', fields: { a: int } }", True, False),
        ("{ type: 'object[]?', fields: { a: int } }", True, True),
        ("{ type: array, fields: [{ name: a, type: int }] }", True, False),
        ("{ type: array, items: { fields: { a: int } } }", True, False),
        ("{ type: array, items: { type: object, fields: { a: int } } }", True, False),
    ],
)
def test_fields_as_an_argument_has_them(
    value: str, is_list: bool, is_optional: bool
) -> None:
    found = decl(returns(f"{value[:-2]}, description: Text }}"))
    assert found.content is not None and found.description is not None
    assert ["a"] == [each.name.value for each in found.content.fields]
    assert (is_list, is_optional) == (found.is_list, found.is_optional)


def test_a_list_of_a_type() -> None:
    found = decl(returns("{ type: array, items: date, description: Text }"))
    assert found.type is not None and found.description is not None
    assert ("date", True) == (found.type.name, found.type.is_list)


@pytest.mark.parametrize(
    "value",
    [
        "{ type: object, properties: { fields: { type: string } } }",
        "{ type: array, items: { type: object, properties: { fields: true } } }",
        "{ type: array, items: { type: integer } }",
        "{ title: Totals }",
    ],
)
def test_what_json_schema_has_words_for(value: str) -> None:
    assert decl(returns(value)).schema is not None


def test_a_result_that_extends_an_entity_is_read() -> None:
    found = decl(
        returns("{ entity_ref: Order, inline: { a: int }, description: Text }")
    )
    assert found.content is not None and found.content.entity_ref is not None
    assert "Order" == found.content.entity_ref.value
    assert ["a"] == [each.name.value for each in found.content.fields]
    assert found.description is not None


@pytest.mark.parametrize(
    "value",
    [
        "{ type: object, properties: { a: { type: string } }, required: [a] }",
        "{ type: string, format: date, description: A day }",
        "{ type: array, items: { entity_ref: Order } }",
        "{ oneOf: [{ type: string }, { type: 'null' }] }",
        "{ type: [string, 'null'], description: Maybe, title: T }",
        "{}",
    ],
)
def test_a_result_as_a_schema_is_read(value: str) -> None:
    found = decl(returns(value))
    assert found.schema is not None and found.type is None
    assert ("description" in value) == (found.description is not None)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("5", [("type-not-text", "5")]),
        ("[Order]", [("type-not-text", "[Order]")]),
        ("int[][]", [("list-of-lists", "int[][]")]),
        ("{ type: 5 }", [("type-not-text", "5")]),
        ("{ type: ~ }", [("empty-type", "~")]),
        ("{ type: int, description: 5 }", [("wrong-kind", "5")]),
        ("{ type: int, inline: { a: int } }", [("returns-two-forms", "type")]),
        ("{ inline: { a: int }, limit: int }", [("unknown-key", "limit")]),
        ("{ inline: { a: [b] } }", [("field-not-a-type", "[b]")]),
        ("void[]", [("void-of-something", "void[]")]),
        ("array<void>", [("void-of-something", "array<void>")]),
        ("list of void", [("void-of-something", "list of void")]),
        ("'void?'", [("void-of-something", "'void?'")]),
        ("{ type: void | None }", [("void-of-something", "void | None")]),
        ("{ type: int, descripton: Many }", [("unknown-key", "descripton")]),
        ("{ type: integer, descripton: Many }", [("unknown-key", "descripton")]),
        ("{ type: 'Order[]', note: Many }", [("unknown-key", "note")]),
    ],
)
def test_a_mistake_in_a_result_is_told(value: str, told: list[tuple[str, str]]) -> None:
    parsed = returns(value)
    assert told == parsed.told
    assert not parsed.tool.sound


def test_a_misspelt_description_is_read() -> None:
    parsed = returns("{ type: 'int[]', descripton: How many }")
    found = parsed.tool.returns
    assert (
        found is not None and found.type is not None and found.description is not None
    )
    assert ("int", "How many") == (found.type.name, found.description.value)


def test_two_words_for_returns() -> None:
    parsed = read(f"{HEAD}returns: int\noutputSchema: {{ type: integer }}\n")
    assert [("synonym-twice", "outputSchema")] == parsed.told
