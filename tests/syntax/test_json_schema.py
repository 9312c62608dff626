"""The shape of a schema in Standard mode: kept verbatim, and every wrong keyword told."""

from __future__ import annotations

import pytest

from brimgen.source.nodes import MapNode
from support.syntax import Parsed, inline


def schema(text: str, beside: str = "") -> Parsed:
    """Read a tool whose one property ``p`` has the schema ``text``."""
    return inline(f"properties:\n  p: {text}\n{beside}")


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
    "{ type: object, properties: { required: { type: boolean }, type: true } }",
    "{ from_context: app.user.id, type: string }",
    "{ discriminator: { propertyName: kind }, type: object }",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_json_schema_can_say(text: str) -> None:
    parsed = schema(text, "required: [p]")
    assert [] == parsed.told
    standard = parsed.arguments.standard
    assert standard is not None
    assert ["properties", "required"] == [each.key.text for each in standard.entries]


WRONG = [
    ("string", "schema-expected", "string"),
    ("[]", "schema-expected", "[]"),
    ("{ type: int }", "unknown-json-type", "int"),
    ("{ type: [string, nil] }", "unknown-json-type", "nil"),
    ("{ type: 5 }", "wrong-kind", "5"),
    ("{ type: {} }", "wrong-kind", "{}"),
    ("{ items: string }", "schema-expected", "string"),
    ("{ items: [string] }", "schema-expected", "string"),
    ("{ anyOf: { type: string } }", "wrong-kind", "{ type: string }"),
    ("{ oneOf: [] }", "empty-list", "[]"),
    ("{ allOf: [string] }", "schema-expected", "string"),
    ("{ properties: [a] }", "wrong-kind", "[a]"),
    ("{ required: true }", "old-draft", "true"),
    ("{ required: a }", "wrong-kind", "a"),
    ("{ required: [[a]] }", "wrong-kind", "[a]"),
    ("{ exclusiveMinimum: true }", "old-draft", "true"),
    ("{ exclusiveMinimum: x }", "wrong-kind", "x"),
    ("{ minimum: '1' }", "wrong-kind", "'1'"),
    ("{ minLength: -1 }", "wrong-kind", "-1"),
    ("{ multipleOf: 0 }", "wrong-kind", "0"),
    ("{ pattern: [a] }", "wrong-kind", "[a]"),
    ("{ $ref: {} }", "wrong-kind", "{}"),
    ("{ enum: red }", "wrong-kind", "red"),
    ("{ uniqueItems: yes }", "wrong-kind", "yes"),
    ("{ dependentRequired: { a: b } }", "wrong-kind", "b"),
    ("{ dependentSchemas: { a: [b] } }", "schema-expected", "[b]"),
    ("{ dependencies: { a: b } }", "schema-expected", "b"),
    ("{ $defs: [] }", "wrong-kind", "[]"),
    (
        "{ properties: { a: { not: { if: { type: str } } } } }",
        "unknown-json-type",
        "str",
    ),
    ('{ properties: { "a\\tb": true } }', "bad-argument-name", '"a\\tb"'),
]


@pytest.mark.parametrize(("text", "slug", "under"), WRONG)
def test_a_wrong_keyword(text: str, slug: str, under: str) -> None:
    parsed = schema(text, "required: []")
    if text in ("string", "[]"):
        parsed = schema(text, "  q: {}")
    assert [(slug, under)] == parsed.told
    assert parsed.arguments.standard is None and not parsed.arguments.sound


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("int", "integer"),
        ("Float", "number"),
        ("dict", "object"),
        ("list", "array"),
        ("any", None),
        ("strin", "string"),
        ("String", "string"),
        ("date", "string"),
    ],
)
def test_a_type_of_another_language(word: str, meant: str | None) -> None:
    parsed = schema(f"{{ type: {word} }}")
    assert [("unknown-json-type", word)] == parsed.told
    assert (() if meant is None else (meant,)) == parsed.only.suggestions


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
def test_a_keyword_that_has_no_effect(word: str, suggestions: tuple[str, ...]) -> None:
    parsed = schema(f"{{ {word}: 1 }}")
    assert [("misspelt-keyword", word)] == parsed.told
    assert suggestions == parsed.only.suggestions[:1]
    assert parsed.arguments.sound and parsed.arguments.standard is not None


def test_data_in_a_schema_is_not_a_schema() -> None:
    parsed = schema(
        "{ default: { type: int }, enum: [{ minimun: 1 }], const: { oneOf: [] } }"
    )
    assert [] == parsed.told


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


def test_all_mistakes_of_a_schema_at_once() -> None:
    parsed = inline(
        "properties:\n"
        "  a: { type: int }\n"
        "  b: { minLength: x, items: { required: true } }\n"
        "  c: string\n"
        "required: a"
    )
    assert [
        ("unknown-json-type", "int"),
        ("wrong-kind", "x"),
        ("old-draft", "true"),
        ("schema-expected", "string"),
        ("wrong-kind", "a"),
    ] == parsed.told
