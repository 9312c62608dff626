"""Seed 004: schemas from plain types, descriptions, enums, nesting."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.project import build

PARSE_URL = """\
type: entity
name: URLComponent
enum: [scheme, host, port, path, query, fragment]
---
type: python_function
name: parse_url
description: Take a URL apart.
arguments:
  descriptions:
    url: The URL to parse
    components: Which URL components to extract
    maxResults: Maximum number of results to return
  inline:
    url: string
    components: URLComponent[]
    maxResults: { type: int, required: false }
"""
PARSE_URL_SCHEMA = """\
{
    "type": "object",
    "properties": {
        "url": {
            "type": "string",
            "description": "The URL to parse"
        },
        "components": {
            "type": "array",
            "items": {
                "type": "string",
                "enum": ["scheme", "host", "port", "path", "query", "fragment"]
            },
            "description": "Which URL components to extract"
        },
        "maxResults": {
            "type": "integer",
            "description": "Maximum number of results to return"
        }
    },
    "required": ["url", "components"]
}
"""
GEO_SEARCH = """\
type: entity
name: Coordinate
fields:
  latitude: float
  longitude: float
---
type: python_function
name: geo_search
description: Search around a place.
arguments:
  descriptions:
    center: The center point for the search
    radiusKm: Search radius in kilometers
    query: What to search for
  inline:
    center: Coordinate
    radiusKm: float
    query: string
"""
GEO_SEARCH_SCHEMA = """\
{
    "type": "object",
    "properties": {
        "center": {
            "type": "object",
            "properties": {
                "latitude": { "type": "number" },
                "longitude": { "type": "number" }
            },
            "required": ["latitude", "longitude"],
            "description": "The center point for the search"
        },
        "radiusKm": { "type": "number", "description": "Search radius in kilometers" },
        "query": { "type": "string", "description": "What to search for" }
    },
    "required": ["center", "radiusKm", "query"]
}
"""


@pytest.mark.parametrize("closed", [True, False])
def test_extras_are_rejected_either_way(tmp_path: Path, closed: bool) -> None:
    built = build(tmp_path, {"tool.yaml": GEO_SEARCH}, closed=closed)
    tool = built.tool("geo_search")
    call = {"center": {"latitude": 1, "longitude": 2}, "radiusKm": 3, "query": "x"}
    assert 3.0 == tool.input_type.from_dict(call).radiusKm
    with pytest.raises(ValueError, match="extra"):
        tool.input_type.from_dict({**call, "extra": 1})
    with pytest.raises(ValueError, match="altitude"):
        tool.input_type.from_dict({**call, "center": {**call["center"], "altitude": 1}})


def test_O5_nested_fields_keep_their_descriptions(tmp_path: Path) -> None:
    spec = GEO_SEARCH.replace(
        "latitude: float", "latitude: { type: float, description: Degrees north }"
    )
    built = build(tmp_path, {"tool.yaml": spec})
    center = built.schema("geo_search.input")["properties"]["center"]
    assert "The center point for the search" == center["description"]
    assert "Degrees north" == center["properties"]["latitude"]["description"]


def test_O7_recursion_decodes_a_tree(tmp_path: Path) -> None:
    spec = (
        "type: entity\nname: Node\nfields:\n  label: string\n  children: Node[]\n---\n"
        "type: python_function\nname: plant\ndescription: Plant a tree.\n"
        "arguments:\n  inline:\n    start: Node\n"
    )
    built = build(tmp_path, {"tool.yaml": spec})
    schema = built.schema("plant.input")
    assert ["Node"] == list(schema["$defs"])
    tree = {"label": "a", "children": [{"label": "b", "children": []}]}
    made = built.tool("plant").input_type.from_dict({"start": tree})
    assert "b" == made.start.children[0].label
    assert {"start": tree} == made.to_dict()
    with pytest.raises(ValueError) as caught:
        built.tool("plant").input_type.from_dict(
            {"start": {"label": "a", "children": [{"label": 1, "children": []}]}}
        )
    assert ["/start/children/0/label"] == [
        each.pointer for each in caught.value.violations
    ]
