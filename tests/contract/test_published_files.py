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


@pytest.mark.parametrize("root", ["json_schema", "python/shop/schemas"])
def test_schemas_are_found_in_the_package_and_beside_it(root: str) -> None:
    tree = {
        f"{root}/tools/find.input.json": b'{"type": "object"}',
        f"{root}/tools/find.output.json": b'{"type": "integer"}',
        f"{root}/unpublished/draft.input.json": b'{"type": "object"}',
    }
    [found] = contracts(tree.items()).values()
    assert ("find", {"type": "object"}) == (found.name, found.input)
    assert {"type": "integer"} == found.output
