"""A schema in Standard mode is kept verbatim; keywords that are none are told."""

from __future__ import annotations

import pytest

from brimgen.source.nodes import MapNode
from support.syntax import Parsed, inline


def schema(text: str) -> Parsed:
    """Read a tool whose one property ``p`` has the schema ``text``."""
    return inline(f"properties:\n  p: {text}\nrequired: [p]")


RIGHT = [
    "true",
    "{}",
    "{ type: [string, 'null'], minLength: 2.0, pattern: '^a$', format: email }",
    "{ enum: [1, null, { a: [] }], default: ~, const: [1], examples: [] }",
    "{ type: array, items: [true, { type: string }], additionalItems: false }",
    "{ type: array, prefixItems: [true], items: false, contains: {}, minContains: 0 }",
    "{ anyOf: [{ $ref: '#/$defs/A' }, { not: {} }], $defs: { A: true } }",
    "{ if: {}, then: true, else: false, propertyNames: {}, unevaluatedProperties: false }",
    "{ dependentRequired: { a: [b] }, dependencies: { a: [b], c: { type: string } } }",
    "{ patternProperties: { '^x': {} }, additionalProperties: { type: string } }",
    "{ multipleOf: 0.01, minimum: -1, exclusiveMaximum: 1e3, readOnly: true }",
    "{ entity_ref: Order, description: An order }",
    "{ x-mine: [1], contentEncoding: base64, $comment: c, title: t, deprecated: true }",
    "{ type: object, properties: { requierd: { type: boolean }, minimun: true } }",
    "{ from_context: app.user.id, type: string, llm: false }",
    "{ discriminator: { propertyName: kind }, type: object }",
    "{ default: { minimun: 1 }, enum: [{ minimun: 1 }], const: { minimun: 1 } }",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_json_schema_can_say(text: str) -> None:
    parsed = schema(text)
    assert [] == parsed.told
    standard = parsed.arguments.standard
    assert standard is not None
    assert ["properties", "required"] == [each.key.text for each in standard.entries]


@pytest.mark.parametrize(
    ("word", "suggestions"),
    [
        ("minimun", ("minimum",)),
        ("requierd", ("required",)),
        ("additionalproperties", ("additionalProperties",)),
        ("min", ("minimum",)),
        ("enum_values", ("enum",)),
        ("nullable", ()),
    ],
)
@pytest.mark.parametrize(
    "within",
    [
        "{}",
        "{{ items: {} }}",
        "{{ items: [{}] }}",
        "{{ anyOf: [true, {}] }}",
        "{{ properties: {{ a: {} }} }}",
        "{{ $defs: {{ a: {{ not: {} }} }} }}",
    ],
)
def test_a_keyword_that_has_no_effect(
    within: str, word: str, suggestions: tuple[str, ...]
) -> None:
    parsed = schema(within.format(f"{{ {word}: 1 }}"))
    assert [("misspelt-keyword", word)] == parsed.told
    assert suggestions == parsed.only.suggestions[:1]
    assert parsed.arguments.sound and parsed.arguments.standard is not None


@pytest.mark.parametrize(
    "text", ["{ type: int }", "{ required: true }", "{ items: 5, oneOf: {} }"]
)
def test_what_breaks_the_metaschema_is_told_later(text: str) -> None:
    parsed = schema(text)
    assert [] == parsed.told
    assert parsed.arguments.sound and parsed.arguments.standard is not None


def test_the_schema_is_kept_as_it_is() -> None:
    parsed = inline(
        "properties: { b: { type: string }, a: {} }\ntype: object\nx-n: 1.10"
    )
    standard = parsed.arguments.standard
    assert standard is not None
    assert ["properties", "type", "x-n"] == [each.key.text for each in standard.entries]
    properties = standard.get("properties")
    assert isinstance(properties, MapNode)
    assert ["b", "a"] == [each.key.text for each in properties.entries]
