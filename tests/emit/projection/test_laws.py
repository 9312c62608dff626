"""The laws of projections (descriptors.md), over canonical schemas of every shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brimgen.emit.anthropic.profiles import ANTHROPIC_STRICT
from brimgen.emit.gemini.openapi import spelt
from brimgen.emit.gemini.profiles import GEMINI, GEMINI_OPENAPI
from brimgen.emit.openai.profiles import OPENAI, OPENAI_AZURE
from brimgen.emit.projection import Recovery
from brimgen_runtime.schema.validator import Validator
from support.canonical import canonical, instances, recursive
from support.profiles import PROFILES
from support.projected import projected
from support.subsets import (
    anthropic_refusals,
    as_json_schema,
    gemini_refusals,
    openai_refusals,
    openapi_refusals,
)

Schema = dict[str, Any]
SCHEMAS = st.one_of(canonical(), recursive())
STRUCTURE = {
    *("type", "properties", "required", "items", "anyOf", "$ref", "$defs"),
    "description",
}
STRICT = [each for each in PROFILES if each.all_required]
OTHERS = [each for each in PROFILES if not each.all_required]


@st.composite
def calls(draw: st.DrawFn) -> tuple[Schema, Any]:
    """A canonical schema and an instance that it accepts."""
    schema = draw(SCHEMAS)
    return schema, draw(instances(schema))


def filled(value: Any, schema: Any, root: Any) -> Any:
    """``value`` as a strict call sends it: every absent property is null."""
    if "$ref" in schema:
        return filled(value, root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in schema:
        fitting = (
            each
            for each in schema["anyOf"]
            if Draft202012Validator({**each, "$defs": root.get("$defs", {})}).is_valid(
                value
            )
        )
        return filled(value, next(fitting), root)
    if isinstance(value, list) and "items" in schema:
        return [filled(each, schema["items"], root) for each in value]
    if isinstance(value, dict) and "properties" in schema:
        return {
            name: filled(value[name], each, root) if name in value else None
            for name, each in schema["properties"].items()
        }
    return value


@given(calls(), st.sampled_from(STRICT))
def test_a_strict_call_is_accepted_and_means_the_same(
    call: tuple[Schema, Any], profile: Any
) -> None:
    """Law 1."""
    schema, value = call
    projection = projected(schema, profile)
    assume(profile is OPENAI or not _too_deep(projection))
    assert () == projection.obstacles
    sent = filled(value, schema, schema)
    assert [] == [
        error.message
        for error in Draft202012Validator(projection.schema).iter_errors(sent)
    ]
    received = Validator(schema).drop_nulls(sent)
    assert Draft202012Validator(schema).is_valid(received)
    assert _bare(value) == _bare(received)


def _too_deep(projection: Any) -> bool:
    """Whether it is only the smaller limits of Azure that stand in the way."""
    return all(" are allowed" in each.reason for each in projection.obstacles) and bool(
        projection.obstacles
    )


def _bare(value: Any) -> Any:
    """``value`` without null properties: those of nullable arguments decode to None anyway."""
    if isinstance(value, dict):
        return {k: _bare(each) for k, each in value.items() if each is not None}
    return [_bare(each) for each in value] if isinstance(value, list) else value


@given(SCHEMAS)
def test_a_schema_keeps_every_rule_of_its_provider(schema: Schema) -> None:
    Draft202012Validator.check_schema(schema)
    for profile, judge in (
        (OPENAI, openai_refusals),
        (OPENAI_AZURE, openai_refusals),
        (ANTHROPIC_STRICT, anthropic_refusals),
        (GEMINI, gemini_refusals),
        (GEMINI_OPENAPI, lambda said: openapi_refusals(spelt(said))),
    ):
        projection = projected(schema, profile)
        if not projection.obstacles and projection.schema["properties"]:
            assert [] == judge(projection.schema), profile.name
    for word in ("pattern", "format", "minimum", "exclusiveMinimum", "maxItems"):
        assert word not in dict(_said(projected(schema, OPENAI_AZURE, "t").schema))


@given(calls(), st.sampled_from(OTHERS))
def test_a_schema_accepts_what_the_canonical_one_accepts(
    call: tuple[Schema, Any], profile: Any
) -> None:
    """Law 1 for profiles that let a call leave out what is optional."""
    schema, value = call
    projection = projected(schema, profile)
    assume(not projection.obstacles)
    said: Any = projection.schema
    if profile is GEMINI_OPENAPI:
        said = as_json_schema(spelt(said))
    assert Draft202012Validator(schema).is_valid(value)
    assert Draft202012Validator(said).is_valid(value)


@given(canonical())
def test_only_limits_and_shapeless_objects_stand_in_the_way(schema: Schema) -> None:
    for profile in PROFILES:
        for each in projected(schema, profile).obstacles:
            assert " are allowed" in each.reason or profile is GEMINI_OPENAPI


def _said(node: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(node, Mapping):
        return
    for keyword, value in node.items():
        if keyword == "enum":
            # A union of types is said type by type, each with its own values.
            yield from (("enum", json.dumps(each)) for each in value)
        elif keyword not in STRUCTURE:
            yield keyword, json.dumps(value)
        parts = {"items": [value], "anyOf": value}.get(keyword, [])
        if keyword in ("properties", "$defs"):
            parts = list(value.values())
        for each in parts:
            yield from _said(each)


@given(SCHEMAS, st.sampled_from(PROFILES))
def test_what_is_not_said_stands_in_the_ledger(schema: Schema, profile: Any) -> None:
    """Law 4."""
    projection = projected(schema, profile)
    said = set(_said(projection.schema))
    lost = {
        each for loss in projection.losses for each in _said({loss.keyword: loss.value})
    }
    assert set(_said(schema)) <= said | lost
    text = json.dumps(projection.schema, ensure_ascii=False)
    for loss in projection.losses:
        assert loss.recovered_by in (
            Recovery.TEXT,
            Recovery.DECODER,
            Recovery.KEYWORD,
        )
        if loss.recovered_by is Recovery.TEXT and loss.keyword == "maxLength":
            assert f"at most {loss.value} character" in text
