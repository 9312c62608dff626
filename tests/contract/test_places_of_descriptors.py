"""What models are told is compared wherever the descriptors of a build lie."""

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
