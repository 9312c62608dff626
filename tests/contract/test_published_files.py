"""Contracts are read wherever a build publishes their parts."""

from __future__ import annotations

import json

import pytest

from brimgen.contract.published import contracts

TOOL = {"name": "find", "description": "Find.", "annotations": {"readOnlyHint": True}}
SCHEMA = ("json_schema/tools/find.input.json", b'{"type": "object"}')


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("mcp/tools.json", {"tools": [TOOL]}),
        ("mcp/tools/find.json", TOOL),
        ("python/shop/descriptors/mcp/tools.json", {"tools": [TOOL]}),
        ("python/shop/descriptors/mcp/tools/find.json", TOOL),
    ],
)
def test_descriptors_are_found_in_the_package_and_beside_it(
    path: str, content: object
) -> None:
    [found] = contracts([SCHEMA, (path, json.dumps(content).encode())]).values()
    assert {"description": "Find.", "readOnlyHint": True} == found.words


def test_an_entity_in_a_file_of_its_own_is_part_of_the_contract() -> None:
    tree = {
        "json_schema/tools/find.input.json": b'{"items": {"$ref": "../entities/Ab.json"}}',
        "json_schema/tools/find.output.json": b'{"$ref": "../entities/Ab.json"}',
        "json_schema/entities/Ab.json": b'{"type": "integer"}',
    }
    [found] = contracts(tree.items()).values()
    assert {"items": {"type": "integer"}} == found.input
    assert {"type": "integer"} == found.output
