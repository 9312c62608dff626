"""Numbers that no JSON has, and documents that grow as they are read: diagnostics, in time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.api import Diagnostics
from support.budget import costs
from support.imports import import_tools
from support.project import build

DIGITS = "9" * 5000
FIELDS = {
    "{ type: float, multipleOf: 1e-300, default: 1.0e+300 }": set[str](),
    "{ type: float, multipleOf: 1e-300, default: 1.7e+308 }": set[str](),
    "{ type: float, multipleOf: 5.0e-324, default: 1.7e+308 }": set[str](),
    "{ type: int, multipleOf: 7, default: 1.0e+300 }": {"R331"},
    "{ type: float, default: 1e400 }": {"S112"},
    "{ type: float, default: .nan }": {"S112"},
    "{ type: float, default: -0.0 }": set[str](),
    "{ type: decimal, default: 1E+999999999 }": {"S112"},
    f"{{ type: int, default: {DIGITS} }}": {"S112"},
    f"{{ type: int, enum: [{DIGITS}] }}": {"S112"},
    f"{{ type: int, default: 0x{'f' * 5000} }}": {"S112"},
    f"{{ type: decimal, precision: {DIGITS} }}": {"S112", "R343"},
}
PROMPTS = {
    "{{ 1e400 }}": {"R393"},
    "{{ -1e400 }}": {"R393"},
    "{% if args.a < 1e400 %}x{% endif %}": {"R393"},
    "{{ args.a | round(1e400) }}": {"R393"},
    f"{{{{ {DIGITS} }}}}": {"R393"},
    f"{{{{ args.a[{DIGITS}] }}}}": {"R393"},
    f"{{{{ 0x{'f' * 5000} }}}}": {"R393"},
    '{{ "\\ud800" }}': {"S101"},
    "{% autoescape false %}x{% endautoescape %}": {"T480"},
    "{% autoescape args.a %}{{ args.a }}{% endautoescape %}": {"T480"},
    "{{ 10 ** 10 ** 10 }}": {"T480"},
    '{{ "a" * 1000000000 }}': set[str](),
    "{% for x in range(1000000000) %}x{% endfor %}": {"R383"},
}
PROMPT = "---\ntype: template_function\nname: p\ndescription: d\n" + (
    "arguments: { inline: { a: int } }\n---\n"
)


def codes(diagnostics: Diagnostics) -> set[str]:
    return {each.rule.code for each in diagnostics if each.rule.severity == "error"}


@pytest.mark.parametrize("field", FIELDS, ids=lambda each: each[:60])
def test_a_number_is_exact_or_refused(field: str, tmp_path: Path) -> None:
    spec = (
        f"type: python_function\nname: t\narguments: {{ inline: {{ a: {field} }} }}\n"
    )
    assert FIELDS[field] == codes(build(tmp_path, {"a.yaml": spec}).diagnostics)


@pytest.mark.parametrize("text", PROMPTS, ids=lambda each: each[:60])
def test_a_constant_of_a_prompt_is_written_or_refused(
    text: str, tmp_path: Path
) -> None:
    made = build(tmp_path, {"a.md": f"{PROMPT}{text}\n"}, targets=("prompts",))
    assert PROMPTS[text] == codes(made.diagnostics)


LINKS: dict[str, Callable[[Any], Any]] = {
    "reference": lambda ref: ref,
    "items": lambda ref: {"type": "array", "items": ref},
    "map": lambda ref: {"type": "object", "additionalProperties": ref},
    "two of allOf": lambda ref: {"allOf": [ref, ref]},
    "one of allOf": lambda ref: {"allOf": [ref]},
    "two of oneOf": lambda ref: {"oneOf": [ref, {"type": "array", "items": ref}]},
    "two of anyOf": lambda ref: {"type": "array", "items": {"anyOf": [ref, ref]}},
    "properties": lambda ref: {"type": "object", "properties": {"a": ref, "b": ref}},
}
ONE = ("reference", "items", "map", "one of allOf")
"""The links of one reference each: a chain of twenty is imported whole."""


def chained(count: int, link: Callable[[Any], Any], prefix: str) -> dict[str, Any]:
    steps = {f"D{n}": link({"$ref": f"{prefix}D{n + 1}"}) for n in range(count)}
    leaf = {"type": "object", "properties": {"x": {"type": "string"}}}
    return {**steps, f"D{count}": leaf}


def openapi(count: int, link: Callable[[Any], Any]) -> str:
    prefix = "#/components/schemas/"
    content = {"application/json": {"schema": {"$ref": f"{prefix}D0"}}}
    operation = {
        "operationId": "probe",
        "requestBody": {"content": content},
        "responses": {"200": {"description": "d", "content": content}},
    }
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "t", "version": "1"},
            "servers": [{"url": "https://a.example"}],
            "paths": {"/x": {"post": operation}},
            "components": {"schemas": chained(count, link, prefix)},
        }
    )


def json_schema(count: int, link: Callable[[Any], Any]) -> str:
    return json.dumps(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Root",
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/D0"}},
            "$defs": chained(count, link, "#/$defs/"),
        }
    )


@pytest.mark.parametrize("write", [openapi, json_schema])
@pytest.mark.parametrize(
    ("count", "link"), [*((200, each) for each in LINKS), *((20, each) for each in ONE)]
)
def test_an_import_of_chained_schemas_ends(
    count: int, link: str, write: Callable[[int, Callable[[Any], Any]], str]
) -> None:
    if link == "properties":
        count = min(
            count, 20
        )  # those become entities, whose chains are judged elsewhere
    _, diagnostics = import_tools("api.json", write(count, LINKS[link]))
    assert codes(diagnostics) <= {"I707", "I701"}
    if count == 20:
        assert not codes(diagnostics)


def test_a_short_chain_with_two_references_each_is_imported_whole() -> None:
    made, diagnostics = import_tools("api.json", openapi(8, LINKS["two of oneOf"]))
    assert (len(made), codes(diagnostics)) == (2, set())


@pytest.mark.parametrize(
    "number", [DIGITS, f"-{DIGITS}", "NaN", "1e400", f"0.{DIGITS}"]
)
def test_a_number_of_an_imported_file_is_read_or_refused(number: str) -> None:
    schema = f'{{"type": "object", "properties": {{"a": {{"default": {number}}}}}}}'
    text = f'[{{"name": "t", "inputSchema": {schema}}}]'
    _, diagnostics = import_tools("a.json", text)
    assert len(codes(diagnostics)) <= 1


WORDS = (
    *(
        "1e400",
        "-0.0",
        "1e-300",
        "1e300",
        DIGITS,
        ".nan",
        "null",
        "~",
        "0x1F",
        "!!str 1",
    ),
    *(
        "'\u202e'",
        '"\\u202e"',
        '"\\ud800"',
        '"\\0"',
        "{{ x }}",
        "*a",
        "&a 1",
        "E0[]",
        "E0?",
    ),
    *("array<array<int>>", "'{{ 1e400 }}'", "[[[[[[]]]]]]", "2026-02-30"),
)
KEYS = (
    *("type", "default", "enum", "fields", "items", "maximum", "multipleOf", "$ref"),
    *("properties", "entity_ref", "description", "pattern", "examples", "<<"),
)
HOSTILE = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3).map(lambda x: f"[{', '.join(x)}]")
    | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4).map(
        lambda x: f"{{ {', '.join(f'{k}: {v}' for k, v in x.items())} }}"
    ),
    max_leaves=8,
)
SPEC = """\
type: entity
name: E0
fields: {{ a: {0} }}
---
type: python_function
name: probe
description: {1}
arguments: {{ inline: {{ a: {2}, b: E0 }} }}
returns: {3}
---
type: template_function
name: say
arguments: {{ inline: {{ a: {4} }} }}
template: {5}
"""


@costs(20)
@given(st.lists(HOSTILE, min_size=6, max_size=6))
def test_hostile_values_in_every_position_are_built_or_refused(
    tmp_path_factory: pytest.TempPathFactory, values: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("specs")
    build(folder, {"a.yaml": SPEC.format(*values)})
