"""Type texts and the types that they name (S3.8-19; rows B7, B9, J1, J2)."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.model.types import (
    EntityType,
    EnumType,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
)
from support.linked import link, tool

TABLE = {
    "int": {"type": "integer"},
    "integer": {"type": "integer"},
    "float": {"type": "number"},
    "number": {"type": "number"},
    "double": {"type": "number"},
    "decimal": {"type": "number"},
    "bool": {"type": "boolean"},
    "boolean": {"type": "boolean"},
    "string": {"type": "string"},
    "str": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "primitive": {"type": ["string", "number", "boolean"]},
    "any": {"type": ["string", "number", "boolean"]},
    "object": {"type": "object"},
    "dict": {"type": "object"},
    "array": {"type": "array"},
    "list": {"type": "array"},
}
USER = "type: entity\nname: User\nfields: {id: int}\n"
STATE = "type: entity\nname: State\nenum: [open, closed]\n"
USER_SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "integer"}},
    "required": ["id"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("word", TABLE)
def test_every_word_for_a_type_has_its_schema(word: str) -> None:
    assert TABLE[word] == tool(f"value: {word}").properties["value"]


@pytest.mark.parametrize("spelling", ["array<{}>", "array[{}]", "{}[]", "list[{}]"])
@pytest.mark.parametrize("word", ["string", "int", "float", "bool", "date", "datetime"])
def test_every_spelling_of_a_list_is_read(word: str, spelling: str) -> None:
    linked = tool(f'value: "{spelling.format(word)}"')
    expected = {"type": "array", "items": TABLE[word]}
    assert expected == linked.properties["value"]
    assert ListType(ScalarType(Scalar(word))) == linked.field("value").type


def test_entities_and_enums_are_types_of_arguments() -> None:
    linked = tool(
        "one: User\nmany: 'User[]'\nstate: State\nstates: State[]", USER, STATE
    )
    assert [
        EntityType("User"),
        ListType(EntityType("User")),
        EnumType("State"),
        ListType(EnumType("State")),
    ] == [each.type for each in linked.tool.fields]
    states = {"type": "string", "enum": ["open", "closed"]}
    assert {
        "one": USER_SCHEMA,
        "many": {"type": "array", "items": USER_SCHEMA},
        "state": states,
        "states": {"type": "array", "items": states},
    } == linked.properties
    assert ("State", "User") == linked.tool.entities_read
    files = ("specs/0.yaml", "specs/1.yaml", "specs/2.yaml")
    assert files == linked.tool.sources


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        ("int?", {"type": ["integer", "null"]}),
        ("date?", {"type": ["string", "null"], "format": "date"}),
        ("primitive?", {"type": ["string", "number", "boolean", "null"]}),
        ("User?", {"anyOf": [USER_SCHEMA, {"type": "null"}]}),
        (
            "State?",
            {
                "anyOf": [
                    {"type": "string", "enum": ["open", "closed"]},
                    {"type": "null"},
                ]
            },
        ),
        (
            "int[]?",
            {
                "anyOf": [
                    {"type": "array", "items": {"type": "integer"}},
                    {"type": "null"},
                ]
            },
        ),
    ],
)
def test_a_type_with_a_question_mark_admits_null(text: str, schema: Any) -> None:
    linked = tool(f"value: '{text}'", USER, STATE)
    assert schema == linked.properties["value"]
    assert isinstance(linked.field("value").type, NullableType)
    assert not linked.field("value").required
    assert "required" not in linked.tool.input_schema


def test_a_description_of_a_nullable_entity_stands_outside() -> None:
    value = tool("value: {type: 'User?', description: Who}", USER).properties["value"]
    assert ["anyOf", "description"] == list(value)
    assert USER_SCHEMA == value["anyOf"][0]


def test_another_case_is_read_with_a_warning() -> None:
    linked = tool("count: Integer")
    assert [("type-case", "Integer")] == linked.told
    [made] = linked.catalog.tools
    assert ScalarType(Scalar.INT) == made.fields[0].type


@pytest.mark.parametrize(
    ("text", "suggestion"), [("strin", "string"), ("Usr", "User"), ("quux", None)]
)
def test_an_unknown_type_is_told_with_the_nearest(
    text: str, suggestion: str | None
) -> None:
    linked = tool(f"value: '{text}[]'", USER)
    assert [("unknown-type", text)] == linked.told
    assert suggestion == next(iter(linked.only.suggestions), None)


def test_an_unknown_type_is_one_mistake() -> None:
    linked = link(
        "type: sql_function\nname: probe\nsql: SELECT :a\n"
        "arguments: {inline: {a: {type: Nope, default: 3, minimum: 5}}}\n"
    )
    assert ["unknown-type"] == linked.slugs
    assert ["a"] == [each.name for each in linked.catalog.tools[0].fields]


def test_a_reference_to_a_refused_entity_is_no_second_mistake() -> None:
    linked = tool("value: User", USER.replace("fields", "feilds"))
    assert 1 == len(linked.slugs)
    assert "unknown-type" not in linked.slugs


def test_fields_inside_fields_become_types_of_their_own() -> None:
    linked = tool(
        "ship_to:\n  description: Where\n  fields:\n    city: string\n"
        "    lines: {type: array, items: {fields: {sku: string}}}"
    )
    kind = linked.field("ship_to").type
    assert isinstance(kind, RecordType)
    assert "ProbeShipTo" == kind.name
    lines = kind.fields[1].type
    assert isinstance(lines, ListType) and isinstance(lines.item, RecordType)
    assert "ProbeShipToLinesItem" == lines.item.name
    value = linked.properties["ship_to"]
    assert ["city", "lines"] == value["required"]
    assert "Where" == value["description"]
    assert False is value["properties"]["lines"]["items"]["additionalProperties"]


def test_record_names_are_unique() -> None:
    linked = tool("a_b: {fields: {x: int}}\naB: {fields: {y: int}}")
    names = [
        each.type.name
        for each in linked.tool.fields
        if isinstance(each.type, RecordType)
    ]
    assert ["ProbeAB", "ProbeAB2"] == names


def test_splat_is_for_paths() -> None:
    assert [("splat-outside-path", "splat")] == tool("rest: splat").told


def test_a_field_of_an_unknown_type_stays_and_nothing_else_is_said_of_it() -> None:
    linked = tool(
        "value: {type: 'Nope[]?', default: [{}], minItems: 1, description: D}"
    )
    assert ["unknown-type"] == linked.slugs
