"""JSON Schema documents: objects become entities."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from importers.documents import imported
from support.project import build

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "order form",
    "type": "object",
    "properties": {
        "to": {"$ref": "#/$defs/address"},
        "again": {"$ref": "#"},
        "count": {"$ref": "#/$defs/count", "default": 1},
        "note": {"$ref": "#/$defs/address/properties/street"},
    },
    "required": ["to"],
    "$defs": {
        "address": {"type": "object", "properties": {"street": {"type": "string"}}},
        "count": {"type": "integer", "minimum": 1},
    },
}


def test_a_json_schema_becomes_entities(tmp_path: Path) -> None:
    documents, told = imported("a.json", SCHEMA)
    assert [] == told
    assert (
        "type: entity\nname: OrderForm\ntitle: order form\nproperties:\n"
        '  to: { "$ref": "#/entities/address" }\n'
        '  again: { "$ref": "#/entities/OrderForm" }\n'
        "  count: { type: integer, minimum: 1, default: 1 }\n"
        "  note: { type: string }\nrequired: [to]\n",
        "type: entity\nname: address\nproperties:\n  street: { type: string }\n",
    ) == documents
    build(tmp_path, {"a.yaml": "---\n".join(documents)})


BROKEN: list[tuple[Mapping[str, Any], str]] = [
    (
        {"$ref": "#/$defs/gone"},
        "I743 `$ref` of `#/$defs/gone` is left open: nothing stands there",
    ),
    (
        {"$ref": "other.json"},
        "I743 `$ref` of `other.json` is left open: nothing is read from elsewhere",
    ),
]


@pytest.mark.parametrize(("schema", "said"), BROKEN)
def test_a_reference_that_cannot_be_followed_is_left_open(
    schema: Mapping[str, Any], said: str
) -> None:
    document = {"type": "object", "properties": {"a": schema}}
    documents, told = imported("a.json", document)
    assert [said] == [each.partition(" ")[2] for each in told]
    assert said.partition(" is left open: ")[2] in documents[0]


def test_a_schema_without_objects_is_told() -> None:
    assert ["1 I702 there is no object with properties in this schema"] == imported(
        "a.json", {"$defs": {"count": {"type": "integer"}}}
    )[1]


@pytest.mark.parametrize("draft", ["draft-04", "draft-06", "draft-07"])
def test_an_older_schema_is_imported_with_its_meaning(
    draft: str, tmp_path: Path
) -> None:
    is_04 = draft == "draft-04"
    above = (
        {"minimum": 0, "exclusiveMinimum": True} if is_04 else {"exclusiveMinimum": 0}
    )
    document = {
        "$schema": f"http://json-schema.org/{draft}/schema#",
        "id" if is_04 else "$id": "https://example.com/order.json",
        "title": "Order",
        "properties": {
            "n": {"type": "integer", **above},
            "line": {"$ref": "#/definitions/Line"},
        },
        "definitions": {
            "Line": {
                "id" if is_04 else "$id": "#line",
                "type": "object",
                "properties": {"t": {"type": "array", "items": [{"type": "string"}]}},
            }
        },
    }
    documents, told = imported("order.json", document)
    assert [] == told
    built = build(
        tmp_path, {"order.yaml": "---\n".join(documents)}, targets=("json_schema",)
    )
    order = built.schema("Order")
    valid = jsonschema.Draft202012Validator(order).is_valid
    assert valid({"n": 1, "line": {"t": ["x"]}})
    assert not valid({"n": 0})
    assert not valid({"line": {"t": [1]}})
