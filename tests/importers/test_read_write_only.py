"""What OpenAPI says of one direction only, and what `allOf` merges (`importers.schemas`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen.emit.schema_files import schemas_root
from support.imports import import_tools
from support.project import Built, build

SCHEMAS: dict[str, Any] = {
    "Id": {"type": "integer", "readOnly": True},
    "Book": {
        "type": "object",
        "required": ["id", "title", "pin"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "key": {"$ref": "#/components/schemas/Id"},
            "other": {
                "allOf": [{"$ref": "#/components/schemas/Id"}],
                "description": "o",
            },
            "maybe": {
                "allOf": [{"$ref": "#/components/schemas/Place"}],
                "nullable": True,
                "readOnly": True,
                "description": "m",
            },
            "title": {"type": "string"},
            "pin": {"type": "string", "writeOnly": True},
            "author": {"$ref": "#/components/schemas/Author"},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["at"],
                    "properties": {
                        "at": {"type": "string", "readOnly": True},
                        "name": {"type": "string"},
                    },
                },
            },
        },
    },
    "Author": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "since": {"type": "string", "readOnly": True},
            "books": {"type": "array", "items": {"$ref": "#/components/schemas/Book"}},
        },
    },
    "Place": {"type": "object", "properties": {"city": {"type": "string"}}},
    "Account": {
        "type": "object",
        "required": ["password"],
        "properties": {"password": {"type": "string", "writeOnly": True}},
    },
    "Stamp": {
        "type": "object",
        "properties": {"at": {"type": "string", "readOnly": True}},
    },
    "Pet": {
        "type": "object",
        "description": "A pet",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "kind": {"type": "string"}},
    },
    "Dog": {
        "allOf": [
            {"$ref": "#/components/schemas/Pet"},
            {
                "required": ["bark"],
                "properties": {
                    "bark": {"type": "string"},
                    "kind": {"type": "string", "enum": ["dog"]},
                    "pin": {"type": "string", "writeOnly": True},
                },
            },
        ]
    },
    "Closed": {
        "allOf": [
            {"$ref": "#/components/schemas/Pet"},
            {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}},
        ]
    },
    "Either": {
        "type": "object",
        "properties": {"of": {"type": "string"}},
        "anyOf": [
            {"$ref": "#/components/schemas/Pet"},
            {"$ref": "#/components/schemas/Place"},
        ],
    },
}


def _named(least: int) -> dict[str, Any]:
    name = {"type": "string", "minLength": least}
    return {"type": "object", "properties": {"name": name}}


def _document(sent: Any, back: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": sent}}
    answer = {"application/json": {"schema": back}}
    operation = {
        "operationId": "send",
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "ok", "content": answer}},
    }
    return {
        "openapi": "3.0.3",
        "servers": [{"url": "https://a.example"}],
        "paths": {"/": {"post": operation}},
        "components": {"schemas": SCHEMAS},
    }


def _imported(sent: Any, back: Any) -> tuple[str, ...]:
    text = json.dumps(_document(sent, back))
    documents, diagnostics = import_tools("a.json", text)
    assert [] == [(each.rule.code, each.message) for each in diagnostics]
    return documents


def _built(folder: Path, sent: Any, back: Any) -> Built:
    built = build(folder, {"a.yaml": "---\n".join(_imported(sent, back))})
    assert not built.diagnostics.has_errors
    return built


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _names(documents: tuple[str, ...]) -> list[str]:
    return [each.splitlines()[1].removeprefix("name: ") for each in documents]


def test_what_is_read_only_is_not_sent_and_what_is_write_only_does_not_come_back(
    tmp_path: Path,
) -> None:
    project = _built(tmp_path, _ref("Book"), _ref("Book"))
    sent = project.schema("send.input")
    assert ["title", "pin"] == sent["required"]
    assert ["title", "pin", "author", "parts"] == [*sent["properties"]]
    assert {"name": {"type": "string"}} == (
        sent["properties"]["parts"]["items"]["properties"]
    )
    schemas = schemas_root(project.catalog.project)
    definitions = project.json(f"{schemas}/tools/send.input.json")["$defs"]
    assert ["name", "books"] == [*definitions["AuthorRequest"]["properties"]]
    assert ["title", "pin", "author", "parts"] == (
        [*definitions["BookRequest"]["properties"]]
    )
    back = project.json(f"{schemas}/entities.json")["$defs"]
    assert ["id", "key", "other", "maybe", "title", "author", "parts"] == (
        [*back["Book"]["properties"]]
    )
    assert "m" == back["Book"]["properties"]["maybe"]["description"]
    assert ["id", "title"] == back["Book"]["required"]
    assert ["name", "since", "books"] == [*back["Author"]["properties"]]


def test_an_entity_has_a_second_form_only_where_both_are_used() -> None:
    list_of_places = {"type": "array", "items": _ref("Place")}
    usual = ["Id", "Book", "Author", "Place", "Account", "Stamp", "Pet", "Dog"]
    usual = [*usual[1:], "Either", "send"]
    assert usual == _names(_imported(list_of_places, _ref("Place")))
    nested = {"type": "object", "properties": {"account": _ref("Account")}}
    only_sent = ["AccountRequest" if each == "Account" else each for each in usual]
    assert only_sent == _names(_imported(nested, _ref("Place")))


def test_an_object_that_loses_all_of_its_properties_is_no_entity() -> None:
    nested = {"type": "object", "properties": {"stamp": _ref("Stamp"), "a": {}}}
    documents = _imported(nested, _ref("Stamp"))
    assert "stamp:\n        type: object\n        properties: {}\n" in documents[-1]
    assert 'returns: { "$ref": "#/entities/Stamp" }\n' in documents[-1]


def test_what_is_derived_is_one_object(tmp_path: Path) -> None:
    project = _built(tmp_path, _ref("Dog"), {"allOf": [_ref("Dog")]})
    sent = project.schema("send.input")
    assert ["name", "kind", "bark", "pin"] == [*sent["properties"]]
    assert ["name", "bark"] == sent["required"]
    assert ["dog"] == sent["properties"]["kind"]["enum"]
    (dog,) = (x for x in project.catalog.tools if x.name == "send")
    assert dog.returns is not None
    assert "EntityType(name='Dog')" == str(dog.returns.type)


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        (_ref("Closed"), {"name": "a", "x-n": 1}, {"name": "a", "x-n": ""}),
        (_ref("Either"), {"of": "x", "name": "a"}, {"of": 1, "name": "a"}),
        (
            {"allOf": [_ref("Either"), _ref("Pet")]},
            {"name": "a", "of": "x"},
            {"of": "x"},
        ),
        ({"allOf": [{"not": _ref("Place")}]}, [], {"city": "x"}),
        (
            {"allOf": [_named(2), _named(3)]},
            {"name": "abc"},
            {"name": "ab"},
        ),
    ],
)
def test_what_is_put_together_otherwise_refuses_no_more_than_was_said(
    tmp_path: Path, schema: Any, right: Any, wrong: Any
) -> None:
    project = _built(tmp_path, {"type": "array", "items": schema}, {"type": "string"})
    decode = project.tool("send").input_type.from_dict
    assert [right] == decode({"body": [right]}).to_dict()["body"]
    with pytest.raises(ValueError):
        decode({"body": [wrong]})


def test_schemas_without_a_name_may_be_referred_to() -> None:
    place = "#/paths/~1/post/responses/200/content/application~1json/schema"
    sent = {
        "type": "object",
        "properties": {"a": {"$ref": f"{place}/properties/n"}, "b": {"$ref": place}},
    }
    back = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}}}
    documents = _imported(sent, back)
    assert "      a: { type: integer, minimum: 3 }\n      b:\n" in documents[-1]
    document = _document({"$ref": f"{place}/nowhere"}, back)
    _, diagnostics = import_tools("a.json", json.dumps(document))
    assert ["I743"] == [each.rule.code for each in diagnostics]


@pytest.mark.parametrize(
    "schemas",
    [
        {"A": {"allOf": [_ref("A")]}},
        {"A": {"allOf": [_ref("B")]}, "B": {"allOf": [_ref("A"), {"type": "object"}]}},
        {"A": _ref("B"), "B": _ref("A")},
        {"A": {"oneOf": [_ref("B")]}, "B": {"allOf": [_ref("A")], "title": "x"}},
    ],
)
def test_what_is_a_part_of_itself_is_left_open(schemas: Any) -> None:
    document = _document({"type": "string"}, _ref("A"))
    document["components"] = {"schemas": schemas}
    documents, diagnostics = import_tools("a.json", json.dumps(document))
    assert "$comment" in documents[-1]
    assert {"I743"} == {each.rule.code for each in diagnostics}
