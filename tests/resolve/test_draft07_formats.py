"""Formats that draft-07 does not know: nothing that is published asserts them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import FormatChecker, validators

from brimgen.emit import emitter
from brimgen.model.catalog import Catalog
from support.linked import Linked, tool

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
ID = {"type": "string", "format": "uuid"}
LEFT = {"type": "string", "format": "duration"}

SCHEMAS: dict[str, dict[str, Any]] = {
    "as it is": {"properties": {"id": ID}},
    "dependencies": {"properties": {"id": ID}, "dependencies": {"x": ["id"]}},
    "positions": {
        "properties": {"id": {"type": "string"}, "a": {"items": [LEFT]}},
        "additionalProperties": ID,
    },
    "all of": {"properties": {}, "allOf": [{"properties": {"id": ID}}]},
    "a reference with siblings": {
        "properties": {"id": {"$ref": "#/definitions/id", "maxLength": 1}},
        "definitions": {"id": ID},
    },
}
CALLS = [{"id": "no uuid"}, {"id": "no uuid", "a": ["no duration"]}, {"extra": "no"}]


@pytest.mark.parametrize("case", SCHEMAS)
def test_no_published_schema_is_stricter_than_draft07(case: str) -> None:
    schema = {"$schema": DRAFT_07, "type": "object", **SCHEMAS[case]}
    linked = tool(json.dumps(schema))
    assert {"dialect-mix"} == set(linked.slugs)
    [made] = linked.catalog.tools
    meant = (
        {"additionalProperties": False, **schema} if "allOf" not in schema else schema
    )
    for call in [{}, *CALLS]:
        if "allOf" in schema and call.keys() - {"id"}:
            continue
        wanted = _accepts(meant, call)
        assert wanted == _accepts(made.input_schema, call), call
        assert wanted == _accepts(_mcp(linked.catalog), call), call


def test_an_entity_of_draft07_in_a_tool_without_a_dialect() -> None:
    entity = f"type: entity\nname: Item\n$schema: {DRAFT_07}\nproperties: {{id: {json.dumps(ID)}}}"
    linked = _with_entity(entity)
    [made] = linked.catalog.tools
    call = {"item": {"id": "no uuid"}}
    assert _accepts(made.input_schema, call) and _accepts(_mcp(linked.catalog), call)


def test_a_model_is_told_of_the_format_and_the_ledger_has_a_row() -> None:
    linked = tool(json.dumps({"$schema": DRAFT_07, "properties": {"id": ID}}))
    assert "(UUID)" == _mcp(linked.catalog)["properties"]["id"]["description"]
    [row] = [
        each
        for each in emitter("mcp").losses(linked.catalog)
        if each.keyword == "x-format"
    ]
    assert ("/properties/id", "uuid") == (row.pointer, row.value)


def test_2020_12_asserts_both() -> None:
    linked = tool(json.dumps({"properties": {"id": ID}}))
    assert [] == linked.slugs
    assert not _accepts(linked.tool.input_schema, {"id": "no uuid"})


def _with_entity(entity: str) -> Linked:
    return tool("item: Item", entity)


def _mcp(catalog: Catalog) -> Any:
    [text] = [
        each.text
        for each in emitter("mcp").emit(catalog)
        if each.path.endswith("/mcp/tools.json")
    ]
    return json.loads(text)["tools"][0]["inputSchema"]


def _accepts(schema: Any, call: object) -> bool:
    schema = json.loads(json.dumps(schema))
    kind = validators.validator_for(schema, default=validators.Draft202012Validator)
    drafted = kind is validators.Draft7Validator
    checker = FormatChecker(formats=())
    for name in () if drafted else ("uuid", "duration"):
        checker.checks(name)(lambda value: not str(value).startswith("no"))
    return bool(kind(schema, format_checker=checker).is_valid(call))
