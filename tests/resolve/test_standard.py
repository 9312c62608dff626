"""Standard mode: the author's text, closed, typed without lies (S0.13-14; rows B4, B5)."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.diagnostics import Diagnostics, Span
from brimgen.model.types import (
    RecordType,
)
from brimgen.resolve.entities.leaves import to_node
from brimgen.resolve.standard.keyword_check import Dialect, check_schema
from brimgen.source.nodes import MapNode
from brimgen_runtime.grammar.keywords import SHAPES
from support.linked import Linked, tool

DRAFT_07 = "http://json-schema.org/draft-07/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def standard(schema: Any, *entities: str, **options: Any) -> Linked:
    """A tool whose inline block is ``schema``."""
    return tool(json.dumps(schema), *entities, **options)


def verdict(linked: Linked, value: Any) -> bool:
    return jsonschema.Draft202012Validator(linked.tool.input_schema).is_valid(value)


def test_widely_shared_definitions_do_not_explode() -> None:
    defs: dict[str, Any] = {"d0": {"type": "string"}}
    for number in range(1, 40):
        ref = {"$ref": f"#/$defs/d{number - 1}"}
        defs[f"d{number}"] = {"type": "object", "properties": {"l": ref, "r": ref}}
    schema = {"properties": {"v": {"$ref": "#/$defs/d39"}}, "$defs": defs}
    assert isinstance(standard(schema).tool.fields[0].type, RecordType)


OLD: list[tuple[Any, Any, bool]] = [
    ({"items": [{"type": "string"}], "additionalItems": False}, ["a"], True),
    ({"items": [{"type": "string"}], "additionalItems": False}, ["a", 1], False),
    ({"items": [{"type": "string"}]}, [1], False),
    ({"dependencies": {"a": ["b"]}}, {"a": 1}, False),
    ({"dependencies": {"a": {"required": ["b"]}}}, {"a": 1, "b": 2}, True),
    ({"dependencies": {"a": {"required": ["b"]}}}, {"a": 1}, False),
    ({"$ref": "#/definitions/s", "minLength": 5}, "ab", True),
]


@pytest.mark.parametrize(("schema", "value", "expected"), OLD)
def test_draft_07_keeps_its_verdicts(schema: Any, value: Any, expected: bool) -> None:
    root = {
        "$schema": DRAFT_07,
        "type": "object",
        "properties": {"v": schema},
        "definitions": {"s": {"type": "string"}},
    }
    linked = standard(root)
    assert expected is verdict(linked, {"v": value})
    assert expected is jsonschema.Draft7Validator(root).is_valid({"v": value})
    assert LATEST == linked.tool.input_schema["$schema"]


# What the other dialect has not: where it is used all the same, we look at its shape.
FOREIGN = {
    Dialect.DRAFT_07: {"prefixItems", "dependentRequired", "deprecated", "$defs"},
    Dialect.DRAFT_2020_12: {"additionalItems"},
}
SPAN = Span.at_file("specs/x.yaml")
SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["a", "string"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(
        st.sampled_from(["a", "type", "items", "not"]), inner, max_size=2
    ),
    max_leaves=6,
)
KEYWORDS = (
    set(SHAPES)
    - {"$schema", "$id", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor"}
    - {"pattern", "format", "minContains", "maxContains", "readOnly", "writeOnly"}
    - {"contentMediaType", "contentEncoding", "$comment"}
    | {"type", "items", "prefixItems", "properties", "allOf", "not", "$defs"}
    | {"additionalProperties", "propertyNames", "additionalItems", "dependencies"}
)


@given(st.dictionaries(st.sampled_from(sorted(KEYWORDS)), VALUES, max_size=3))
def test_the_shapes_are_those_of_the_metaschemas(schema: Any) -> None:
    """Same verdict as jsonschema's, for both dialects."""
    node = to_node(schema, SPAN)
    assert isinstance(node, MapNode)
    for dialect, validator in (
        (Dialect.DRAFT_2020_12, jsonschema.Draft202012Validator),
        (Dialect.DRAFT_07, jsonschema.Draft7Validator),
    ):
        if FOREIGN[dialect] & _keys(schema):
            continue
        expected = validator(validator.META_SCHEMA).is_valid(schema)
        assert expected is check_schema(node, dialect, Diagnostics())


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(_keys, value.values()))
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set()


PET = "type: entity\nname: Pet\nfields: {name: string, age: int}\n"


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ({"properties": {"bark": {"type": "string"}}}, ["entity-is-closed"]),
        ({"properties": {"bark": True}}, ["entity-is-closed"]),
        ({"properties": {"bark": False}}, []),
        ({"properties": {"name": {"maxLength": 5}}}, []),
        ({"required": ["age"]}, []),
        ({"minProperties": 1}, []),
    ],
)
def test_what_stands_beside_a_closed_entity(beside: Any, told: list[str]) -> None:
    pet = {"allOf": [{"$ref": "#/entities/Pet"}, beside]}
    large = "".join(f"  toy_{n}: {{type: string, maxLength: 9}}\n" for n in range(90))
    for entity in (
        PET,
        PET.replace("}", ", mother: Pet?}"),
        f"type: entity\nname: Pet\nfields:\n  name: string\n  age: int\n{large}",
    ):
        assert told == standard({"properties": {"pet": pet}}, entity).slugs
