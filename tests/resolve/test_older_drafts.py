"""Schemas of draft-04, draft-06 and 2019-09 keep their verdicts, whatever they are published as."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from runtime.corpora import lines, needs_corpora
from support.linked import HEAD, Linked, link, tool

DRAFT_04 = "http://json-schema.org/draft-04/schema#"
DRAFT_06 = "http://json-schema.org/draft-06/schema#"
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
LATEST = "https://json-schema.org/draft/2020-12/schema"

WHOLE_NUMBERS = {"maskbench/Github_trivial---o14485"}
"""Schemas with an instance like 12345.0, which is no integer in draft-04, and one in brimgen."""

NUMBERS = [4, 5, 6, 10, 11, "x"]
CASES: list[tuple[str, str, Any, list[Any]]] = [
    ("above", DRAFT_04, {"minimum": 5, "exclusiveMinimum": True}, NUMBERS),
    ("below", DRAFT_04, {"maximum": 10, "exclusiveMaximum": True}, NUMBERS),
    ("at least", DRAFT_04, {"minimum": 5, "exclusiveMinimum": False}, NUMBERS),
    ("no bound", DRAFT_04, {"exclusiveMaximum": False}, NUMBERS),
    ("an id", DRAFT_04, {"$ref": "#number"}, [1, "x"]),
    ("a pointer", DRAFT_04, {"$ref": "#/definitions/number"}, [1, "x"]),
    ("siblings", DRAFT_04, {"$ref": "#number", "minimum": 9}, [1, 10]),
    (
        "an id that is a pointer",
        DRAFT_04,
        {"id": "#/properties/v", "type": "string", "maxLength": 1},
        ["x", "xy"],
    ),
    ("const", DRAFT_04, {"const": 1}, [1, 2]),
    ("a date", DRAFT_04, {"format": "date"}, ["no date"]),
    ("positions", DRAFT_04, {"items": [{"type": "string"}]}, [["x"], [1]]),
    (
        "closed positions",
        DRAFT_04,
        {"items": [{"type": "string"}], "additionalItems": False},
        [["x"], ["x", "y"]],
    ),
    ("dependencies", DRAFT_04, {"dependencies": {"a": ["b"]}}, [{"a": 1}, {"b": 1}]),
    (
        "a property id",
        DRAFT_04,
        {"properties": {"id": {"type": "string"}}},
        [{"id": 1}],
    ),
    ("above a number", DRAFT_06, {"exclusiveMinimum": 5}, NUMBERS),
    ("const of 06", DRAFT_06, {"const": 1}, [1, 2]),
    ("if", DRAFT_06, {"if": True, "then": False}, [1]),
    ("contains", DRAFT_06, {"contains": {"type": "string"}}, [["x"], [1]]),
    ("a time", DRAFT_06, {"format": "time"}, ["no time"]),
    (
        "positions of 2019-09",
        DRAFT_2019,
        {"items": [{"type": "string"}], "additionalItems": {"type": "integer"}},
        [["x"], [1], ["x", 1], ["x", "y"]],
    ),
    ("no positions", DRAFT_2019, {"additionalItems": False}, [[], [1]]),
    ("into positions", DRAFT_2019, {"$ref": "#/properties/w/items/1"}, [1, "x"]),
    ("siblings of 2019-09", DRAFT_2019, {"$ref": "#/$defs/n", "minimum": 9}, [1, 10]),
    (
        "recursion",
        DRAFT_2019,
        {"properties": {"in": {"$recursiveRef": "#"}}},
        [{"in": {"v": {"in": {}}}}, {"in": {"v": {"in": 1}}}, {"in": 1}],
    ),
    (
        "recursion from an anchor",
        DRAFT_2019,
        {"$recursiveAnchor": True, "properties": {"in": {"$id": "x:in"}}},
        [{"in": 1}, 1],
    ),
    (
        "unevaluated",
        DRAFT_2019,
        {"allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
        [{"a": 1}, {"b": 1}],
    ),
]
AROUND = {
    DRAFT_04: {
        "definitions": {"number": {"id": "#number", "type": "number"}},
        "shared": {
            "above": {
                "minimum": 0,
                "exclusiveMinimum": True,
                "properties": {"in": {"items": [{"$ref": "#/shared/text"}]}},
            },
            "text": {"type": "string"},
        },
    },
    DRAFT_06: {},
    DRAFT_2019: {"$defs": {"n": {"type": "number"}}},
}


@pytest.mark.parametrize(("case", "draft", "schema", "values"), CASES)
def test_a_pasted_schema_keeps_the_verdicts_of_its_draft(
    case: str, draft: str, schema: Any, values: list[Any]
) -> None:
    properties = {"v": schema}
    if case == "into positions":
        properties["w"] = {"items": [{"type": "string"}, {"type": "integer"}]}
    whole = {
        "$schema": draft,
        "type": "object",
        "properties": properties,
        **AROUND[draft],
    }
    published = _published(tool(json.dumps(whole)))
    assert published["$schema"] in (DRAFT_07, LATEST)
    for value in values:
        assert _accepts(whole, {"v": value}) is _accepts(published, {"v": value}), value


@pytest.mark.parametrize("draft", [DRAFT_2019, LATEST])
@pytest.mark.parametrize("needed", [["b"], {"required": ["b"]}])
def test_dependencies_bind_all_validators_of_the_newer_drafts(
    draft: str, needed: Any
) -> None:
    """They ignore that keyword, which the decoder of the tool obeys."""
    schema = {"$schema": draft, "properties": {"a": {}, "b": {}}}
    published = _published(tool(json.dumps({**schema, "dependencies": {"a": needed}})))
    assert "dependencies" not in published
    assert not _accepts(published, {"a": 1})
    assert _accepts(published, {"a": 1, "b": 2})


def test_entities_and_leaves_may_be_of_an_older_draft() -> None:
    bounds = "minimum: 0, exclusiveMinimum: true"
    entity = (
        f"type: entity\nname: Item\n$schema: {DRAFT_04}\n"
        f"properties: {{n: {{type: integer, {bounds}}}}}"
    )
    leaf = (
        "type: leaf\nname: share\nschema:\n"
        f"  {{$schema: '{DRAFT_04}', type: number, {bounds}}}"
    )
    linked = tool("item: Item\npart: share", entity, leaf)
    for value in (0, 1):
        for call in ({"item": {"n": value}, "part": 1}, {"item": {}, "part": value}):
            published = json.loads(json.dumps(linked.tool.input_schema))
            assert bool(value) is _accepts(published, call)


@needs_corpora
def test_real_schemas_of_older_drafts_keep_their_verdicts(step: int) -> None:
    """A result is published as written, so its schema judges as the author's own does."""
    items = [
        item
        for item in lines("maskbench/items")
        if str(item["schema"].get("$schema")).startswith((DRAFT_04[:-1], DRAFT_06[:-1]))
    ]
    assert len(items) > 1000
    chosen = items[::step]
    refused = count = 0
    for item in chosen:
        returns = json.dumps(item["schema"])
        linked = link(f"{HEAD}returns: {{mode: standard, inline: {returns}}}\n")
        if linked.diagnostics.has_errors:
            refused += 1
            continue
        [made] = linked.catalog.tools
        assert made.returns is not None
        published = json.loads(json.dumps(made.returns.schema))
        for each in item["tests"]:
            count += 1
            expected = _accepts(item["schema"], each["data"])
            is_same = expected is _accepts(published, each["data"])
            # jsonschema judges no host names without a further library.
            is_host = "hostname" in returns and each["valid"] is not expected
            assert is_same or is_host or item["id"] in WHOLE_NUMBERS, item["id"]
    assert count > len(chosen)
    assert refused <= 0.1 * len(chosen)


def _published(linked: Linked) -> Any:
    assert {"dialect-mix"} >= set(linked.slugs)
    [made] = linked.catalog.tools
    return json.loads(json.dumps(made.input_schema))


def _accepts(schema: Any, call: object) -> bool:
    kind = jsonschema.validators.validator_for(schema)
    checker = kind.FORMAT_CHECKER
    return bool(kind(schema, format_checker=checker).is_valid(call))
