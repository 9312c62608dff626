"""Entries of `inline` and `fields`: shorthand, complex, the list form (spec-language.md)."""

from __future__ import annotations

import pytest

from brimgen.syntax.decls import FieldDecl
from support.syntax import HEAD, inline, read


def attributes(field: FieldDecl) -> dict[str, str]:
    """The scalar attributes of a field, as source text."""
    return {
        each.key.text: getattr(each.value, "text", "…")
        for each in field.attributes.values()
    }


def test_shorthand_and_complex_mix() -> None:
    parsed = inline("a: int\nb: { type: string, description: Text }\nc: Order[]")
    assert [] == parsed.told
    assert [("a", "int"), ("b", "string"), ("c", "Order")] == [
        (each.name.value, each.type.name if each.type else None)
        for each in parsed.arguments.fields
    ]
    assert parsed.arguments.sound


def test_attributes_keep_their_order_under_standard_names() -> None:
    parsed = inline("x: { max: 9, type: int, min: 1, enum_values: [1, 2], x-mine: 1 }")
    assert [] == parsed.told
    assert ["maximum", "minimum", "enum", "x-mine"] == list(attributes(parsed.field))
    [maximum, *_] = parsed.field.attributes.values()
    assert "max" == parsed.under(maximum.key.span)


def test_numbers_keep_their_text() -> None:
    field = inline("x: { type: decimal, default: 1.10, maximum: 99.90 }").field
    assert {"default": "1.10", "maximum": "99.90"} == attributes(field)


def test_null_is_a_default_and_otherwise_nothing() -> None:
    field = inline("x: { type: int, default: ~, description: ~, minimum: }").field
    assert ["default"] == list(attributes(field))


WRONG_ATTRIBUTES = [
    ("required: yes", "yes", ("true",)),
    ("required: [a]", "[a]", ()),
    ("deprecated: 'off'", "'off'", ("false",)),
    ("llm: 0", "0", ("false",)),
    ("minimum: true", "true", ()),
    ("minimum: [1]", "[1]", ()),
    ("minimum: ''", "''", ()),
    ("multipleOf: 0", "0", ()),
    ("multipleOf: x", "x", ()),
    ("minLength: -1", "-1", ()),
    ("maxItems: 1.5", "1.5", ()),
    ("precision: ten", "ten", ()),
    ("pattern: 5", "5", ('"5"',)),
    ("minLength: '3'", "'3'", ("3",)),
    ("examples: 5", "5", ("[5]",)),
    ("enum: red", "red", ("[red]",)),
    ("enum: 'a, b'", "'a, b'", ("[a, b]",)),
    ("from_context: [app, user]", "[app, user]", ()),
]


@pytest.mark.parametrize(("attribute", "under", "suggestions"), WRONG_ATTRIBUTES)
def test_a_wrong_shape_is_told_and_left_out(
    attribute: str, under: str, suggestions: tuple[str, ...]
) -> None:
    parsed = inline(f"x: {{ type: string, {attribute} }}")
    assert [("wrong-kind", under)] == parsed.told
    assert suggestions == parsed.only.suggestions
    assert {} == attributes(parsed.field)
    assert not parsed.field.sound


@pytest.mark.parametrize(
    ("written", "words", "suggestions"),
    [
        ("5", "5", ('"5"',)),
        ("[Finds it, at once]", "Finds it at once", ()),
        ("{Finds: {it: [at, once]}}", "Finds it at once", ()),
        ("[]", "", ()),
    ],
)
def test_the_words_of_a_description_of_a_wrong_shape_are_read(
    written: str, words: str, suggestions: tuple[str, ...]
) -> None:
    parsed = inline(f"x: {{ type: string, description: {written} }}")
    assert [("wrong-kind", written)] == parsed.told
    assert suggestions == parsed.only.suggestions
    assert {"description": words} == attributes(parsed.field)
    assert not parsed.field.sound


@pytest.mark.parametrize(
    "attribute",
    ["minLength: 2.0", "minimum: 2026-01-18", "minimum: '0.01'", "maximum: -1.5e3"],
)
def test_right_shapes_that_look_odd(attribute: str) -> None:
    assert [] == inline(f"x: {{ type: string, {attribute} }}").told


def test_every_wrong_item_of_an_enum_is_told() -> None:
    parsed = inline("x: { type: string, enum: [a, [b], {c: d}, null] }")
    assert [("wrong-kind", "[b]"), ("wrong-kind", "{c: d}")] == parsed.told


@pytest.mark.parametrize(
    ("attribute", "suggestions"),
    [
        ("bind: jsn", ("json",)),
        ("wire: number", ()),
        ("tz: assume_utc", ("assume-utc",)),
    ],
)
def test_an_unknown_choice_of_an_argument_is_told_with_the_nearest(
    attribute: str, suggestions: tuple[str, ...]
) -> None:
    parsed = inline(f"x: {{ type: string, {attribute} }}")
    assert [("unknown-choice", attribute.split()[1])] == parsed.told
    assert suggestions == parsed.only.suggestions


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("maximun", ("maximum",)),
        ("descripton", ("description",)),
        ("min_length", ("minLength",)),
        ("fromContext", ("from_context",)),
        ("Default", ("default",)),
        ("zzz", ()),
    ],
)
def test_an_unknown_key_has_a_suggestion(key: str, meant: tuple[str, ...]) -> None:
    parsed = inline(f"limit: {{ type: int, {key}: 5 }}")
    assert [("unknown-key", key)] == parsed.told
    assert f"unknown key `{key}` in `limit`" == parsed.only.message
    assert meant == parsed.only.suggestions[:1]


def test_two_mistakes_in_an_entry() -> None:
    parsed = inline("limit: { maximun: 5 }")
    assert [
        ("argument-without-type", "limit"),
        ("unknown-key", "maximun"),
    ] == parsed.told


def test_a_misspelt_type_is_one_mistake() -> None:
    assert [("unknown-key", "typ")] == inline("limit: { typ: int }").told


@pytest.mark.parametrize(
    "word", ["properties", "oneOf", "$ref", "const", "additionalProperties"]
)
def test_json_schema_in_an_entry(word: str) -> None:
    parsed = inline(f"x: {{ type: object, {word}: 1 }}")
    assert [("schema-keyword-in-entry", word)] == parsed.told


@pytest.mark.parametrize(
    ("value", "under"),
    [("10", "10"), ("true", "true"), ("[a, b]", "[a, b]"), ("~", "x"), ("", "x")],
)
def test_what_is_no_entry(value: str, under: str) -> None:
    parsed = inline(f"x: {value}")
    assert [("field-not-a-type", under)] == parsed.told


def test_nested_fields_without_fields_are_one_mistake() -> None:
    parsed = inline("address: { street: string, city: string, zip: string }")
    assert [("nested-without-fields", "address")] == parsed.told


def test_an_entry_without_a_type() -> None:
    parsed = inline("limit: { maximum: 5 }\nnone: {}")
    assert [
        ("argument-without-type", "limit"),
        ("argument-without-type", "none"),
    ] == parsed.told


def test_an_entry_that_refines_needs_no_type() -> None:
    parsed = read(
        f"{HEAD}arguments:\n  entity_ref: Page\n  inline:\n    limit: {{ maximum: 5 }}\n"
    )
    assert [] == parsed.told
    assert parsed.field.type is None and parsed.field.sound


NESTED = """\
gift:
  type: {type}
  fields:
    message: string
    lines: {{ type: array, items: {{ fields: {{ sku: string }} }} }}
"""


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("object", ("object", False, False)),
        ("object?", ("object", False, True)),
        ("object[]", ("object", True, False)),
        ("array", ("object", True, False)),
        ("array?", ("object", True, True)),
        ("dict", ("dict", False, False)),
    ],
)
def test_fields_inside_every_spelling_of_an_object_are_read(
    written: str, expected: tuple[str, bool, bool]
) -> None:
    parsed = inline(NESTED.format(type=written))
    assert [] == parsed.told
    field = parsed.field
    assert field.type is not None and field.fields is not None
    assert expected == (field.type.name, field.type.is_list, field.type.is_optional)
    [message, lines] = field.fields
    assert ["message", "lines"] == [message.name.value, lines.name.value]
    assert lines.type is not None and lines.fields is not None
    assert ("object", True) == (lines.type.name, lines.type.is_list)
    assert ["sku"] == [each.name.value for each in lines.fields]


def test_fields_alone_are_an_object() -> None:
    field = inline("at: { fields: { x: float } }").field
    assert field.type is not None
    assert ("object", False) == (field.type.name, field.type.is_list)


def test_fields_of_a_scalar() -> None:
    parsed = inline("at: { type: string, fields: { x: float } }")
    assert [("fields-beside-type", "string")] == parsed.told


def test_nested_fields_do_not_inherit() -> None:
    parsed = read(
        f"{HEAD}arguments:\n  entity_ref: Page\n  inline:\n"
        "    at: { fields: { x: { minimum: 5 } } }\n"
    )
    assert [("argument-without-type", "x")] == parsed.told


def test_a_broken_nested_field_makes_the_whole_unsound() -> None:
    parsed = inline("a: { fields: { b: { fields: { c: 'int[][]' } } } }\nd: int")
    [a, d] = parsed.arguments.fields
    assert (False, True, False) == (a.sound, d.sound, parsed.arguments.sound)


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("plain", None),
        ("first name", None),
        ("größe", None),
        ("a.b[0]$@", None),
        ('"a\\"b"', None),
        ("x" * 128, None),
        ("x" * 129, "bad-argument-name"),
        ('"a\\tb"', "bad-argument-name"),
        ('"a\\nb"', "bad-argument-name"),
    ],
)
def test_a_name_that_no_argument_can_have_is_told(name: str, slug: str | None) -> None:
    parsed = inline(f"{name}: string")
    assert ([] if slug is None else [(slug, name)]) == parsed.told
    assert (slug is None) == bool(parsed.arguments.fields)


def test_arguments_as_a_list_are_read() -> None:
    parsed = read(
        f"{HEAD}inputs:\n"
        "  - { name: q, type: string, description: Query }\n"
        "  - { name: region, type: string, required: false, enum_values: [north, south] }\n"
    )
    assert [] == parsed.told
    [q, region] = parsed.arguments.fields
    assert ("q", {"description": "Query"}) == (q.name.value, attributes(q))
    assert {"required": "false", "enum": "…"} == attributes(region)


def test_mistakes_in_the_list_form() -> None:
    parsed = read(
        f"{HEAD}parameters:\n"
        "  - { type: string }\n"
        "  - name\n"
        "  - { name: a, typ: string }\n"
        "  - { name: b }\n"
        "  - { name: c, type: int }\n"
        "  - { name: c, type: int }\n"
        "  - {}\n"
    )
    assert [
        ("missing-key", "type"),
        ("wrong-kind", "name"),
        ("unknown-key", "typ"),
        ("argument-without-type", "b"),
        ("duplicate-argument", "c"),
        ("missing-key", "{}"),
    ] == parsed.told
    [note] = next(
        each for each in parsed.diagnostics if each.rule.reason == "duplicate-argument"
    ).notes
    assert (8, "c") == (note.span.line, parsed.under(note.span))
