"""The forms of `arguments`, the modes of `inline` (spec-language.md; S0.2-14, S0.20-21, S0.33)."""

from __future__ import annotations

import pytest

from support.syntax import HEAD, Parsed, inline, read


def arguments(block: str, key: str = "arguments") -> Parsed:
    """Read a tool whose ``arguments`` hold ``block``, a YAML text."""
    lines = "".join(f"  {line}\n" for line in block.splitlines())
    return read(f"{HEAD}{key}:\n{lines}")


def names(parsed: Parsed) -> list[str]:
    return [each.name.value for each in parsed.arguments.fields]


@pytest.mark.parametrize("key", ["arguments", "args", "inputs", "parameters"])
def test_every_word_for_arguments(key: str) -> None:
    parsed = arguments("inline: { q: string }", key)
    assert [] == parsed.told
    assert ["q"] == names(parsed)


@pytest.mark.parametrize("second", ["args", "inputs", "parameters"])
def test_two_words_for_arguments(second: str) -> None:
    text = f"{HEAD}arguments: {{ inline: {{ a: int }} }}\n{second}: {{ inline: {{ b: int }} }}\n"
    parsed = read(text)
    assert [("synonym-twice", second)] == parsed.told
    [note] = parsed.only.notes
    assert "arguments" == parsed.under(note.span)
    assert ["a"] == names(parsed)


@pytest.mark.parametrize(
    "nothing", ["", "~", "{}", "{ inline: }", "{ inline: {} }", "[]"]
)
def test_every_way_to_say_no_arguments_is_read(nothing: str) -> None:
    parsed = read(f"{HEAD}arguments: {nothing}\n")
    assert [] == parsed.told
    decl = parsed.tool.arguments
    assert decl is None or ((), None, None) == (
        decl.fields,
        decl.standard,
        decl.entity_ref,
    )


@pytest.mark.parametrize("value", ["Customer", "5", "true"])
def test_arguments_are_a_mapping(value: str) -> None:
    parsed = read(f"{HEAD}arguments: {value}\n")
    assert [("wrong-kind", value)] == parsed.told


@pytest.mark.parametrize(
    ("value", "meant"),
    [("Customer", "{entity_ref: Customer}"), ("Gr\u00f6\u00dfe", "")],
)
def test_a_name_in_the_place_of_arguments(value: str, meant: str) -> None:
    parsed = read(f"{HEAD}arguments: {value}\n")
    assert ((meant,) if meant else ()) == parsed.only.suggestions


def test_inline_is_a_mapping() -> None:
    assert [("wrong-kind", "Customer")] == arguments("inline: Customer").told


@pytest.mark.parametrize("null", ["~", "null", ""])
def test_a_null_entity_is_none(null: str) -> None:
    parsed = arguments(f"entity_ref: {null}\ninline: {{ a: int }}")
    assert [] == parsed.told
    assert parsed.arguments.entity_ref is None


def test_arguments_inherit_from_an_entity_but_for_the_omitted() -> None:
    parsed = arguments("entity_ref: Customer\nomit: [email, 1.10]")
    assert [] == parsed.told
    reference = parsed.arguments.entity_ref
    assert reference is not None
    assert ("Customer", "Customer") == (reference.value, parsed.under(reference.span))
    assert ["email", "1.10"] == [each.value for each in parsed.arguments.omit]


@pytest.mark.parametrize(
    ("value", "slug"),
    [
        ("Customer[]", "entity-ref-is-list"),
        ("array<Customer>", "entity-ref-is-list"),
        ("[Customer]", "entity-ref-not-a-name"),
        ("{ name: Customer }", "entity-ref-not-a-name"),
        ("5", "entity-ref-not-a-name"),
        ("Customer?", "entity-ref-not-a-name"),
        ("Customer | Order", "unreadable-type"),
        ("''", "empty-type"),
    ],
)
def test_what_cannot_be_inherited(value: str, slug: str) -> None:
    parsed = arguments(f"entity_ref: {value}\ninline: {{ limit: {{ maximum: 5 }} }}")
    assert [(slug, value)] == parsed.told
    assert parsed.arguments.entity_ref is None and not parsed.arguments.sound


@pytest.mark.parametrize("beside", ["", "entity_ref: ~\n"])
def test_omit_needs_something_inherited(beside: str) -> None:
    parsed = arguments(f"{beside}omit: [email]\ninline: {{ a: int }}")
    assert [("omit-without-entity", "omit")] == parsed.told


def test_descriptions_beside_the_arguments_are_read() -> None:
    parsed = arguments("descriptions: { a: One, a.b: Two }\ninline: { a: int }")
    assert [] == parsed.told
    assert [("a", "One"), ("a.b", "Two")] == [
        (name.value, text.value) for name, text in parsed.arguments.descriptions
    ]


def test_descriptions_that_are_no_texts_are_told() -> None:
    parsed = arguments("descriptions: { a: [One], b: 5 }\ninline: { a: int }")
    assert [("wrong-kind", "[One]"), ("wrong-kind", "5")] == parsed.told


STANDARD = [
    "properties: { id: { type: integer } }",
    "properties: { id: { type: integer } }\nrequired: [id]",
    "type: object\nproperties: {}",
    "properties: { a: true, b: false }",
    "properties: { type: { type: string } }",
    "properties: { items: { type: string }, fields: { type: string } }",
]
NOT_STANDARD = [
    "properties: string",
    "properties: string[]",
    "properties: { type: string }",
    "properties: { type: object, fields: { a: int } }",
    "properties: { type: array, items: { type: string } }",
    "limit: { type: int }",
]


@pytest.mark.parametrize("entries", STANDARD)
def test_the_fingerprint_of_standard_mode(entries: str) -> None:
    parsed = inline(entries)
    assert [] == parsed.told
    assert parsed.arguments.standard is not None
    assert () == parsed.arguments.fields
    assert entries.startswith(parsed.arguments.standard.entries[0].key.text)


@pytest.mark.parametrize("entries", NOT_STANDARD)
def test_a_field_called_properties(entries: str) -> None:
    parsed = inline(entries)
    assert [] == parsed.told
    assert parsed.arguments.standard is None
    assert [entries.split(":")[0]] == names(parsed)


def test_a_mode_keeps_properties_from_being_read_as_a_schema() -> None:
    parsed = arguments(
        "mode: complex\ninline:\n  properties: { fields: { a: { type: int } } }"
    )
    assert [] == parsed.told
    assert ["properties"] == names(parsed)


def test_a_mode_has_arguments_read_as_a_schema() -> None:
    parsed = arguments("mode: standard\ninline:\n  oneOf: [{ required: [a] }]")
    assert [] == parsed.told
    assert parsed.arguments.standard is not None


def test_an_unknown_mode_is_told_with_the_nearest() -> None:
    parsed = arguments("mode: standart\ninline: { a: int }")
    assert [("unknown-choice", "standart")] == parsed.told
    assert ("standard",) == parsed.only.suggestions


def test_shorthand_among_schemas_is_still_standard_mode() -> None:
    parsed = inline("properties:\n  id: { type: integer }\n  name: string")
    assert [] == parsed.told
    assert parsed.arguments.standard is not None


@pytest.mark.parametrize(
    "block",
    [
        "text: string\nlimit: { type: int }",
        "mode: string",
        "omit: bool\nmodel: string",
        "descriptions: { type: object }",
        "online: bool",
        "online: { type: bool }",
    ],
)
def test_arguments_directly_under_the_key(block: str) -> None:
    parsed = arguments(block, "args")
    assert [("implicit-inline", "args")] == parsed.told
    assert [line.split(":")[0] for line in block.splitlines()] == names(parsed)
    assert parsed.arguments.sound


def test_a_schema_directly_under_the_key() -> None:
    parsed = arguments(
        "type: object\nproperties: { a: { type: string } }", "parameters"
    )
    assert [("implicit-inline", "parameters")] == parsed.told
    assert parsed.arguments.standard is not None


def test_directives_beside_implicit_arguments() -> None:
    parsed = arguments("mode: standard\ndescriptions: { a: One }\nallOf: [{}]")
    assert [("implicit-inline", "arguments")] == parsed.told
    assert parsed.arguments.standard is not None
    assert ["allOf"] == [each.key.text for each in parsed.arguments.standard.entries]
    assert 1 == len(parsed.arguments.descriptions)


@pytest.mark.parametrize(
    ("beside", "slug", "suggestions"),
    [
        ("limit: int", "stray-argument", ()),
        ("model: string", "stray-argument", ()),
        ("support_email: { type: string }", "stray-argument", ()),
        ("description: { type: string }", "stray-argument", ("descriptions",)),
        ("entityRef: Customer", "unknown-key", ("entity_ref",)),
        ("entity-ref: Customer", "unknown-key", ("entity_ref",)),
        ("fields: { a: int }", "unknown-key", ("inline",)),
    ],
)
def test_a_stray_key_beside_inline(
    beside: str, slug: str, suggestions: tuple[str, ...]
) -> None:
    parsed = arguments(f"inline:\n  text: string\n{beside}")
    assert [(slug, beside.split(":")[0])] == parsed.told
    assert suggestions == parsed.only.suggestions
    assert ["text"] == names(parsed) and not parsed.arguments.sound


@pytest.mark.parametrize(
    ("block", "under", "meant"),
    [
        ("entityRef: Customer", "entityRef", "entity_ref"),
        ("entity_reff: Customer", "entity_reff", "entity_ref"),
        ("in_line: { limit: int }", "in_line", "inline"),
    ],
)
def test_a_misspelt_block_is_no_argument(block: str, under: str, meant: str) -> None:
    parsed = arguments(block)
    assert [("unknown-key", under)] == parsed.told
    assert (meant,) == parsed.only.suggestions


@pytest.mark.parametrize(
    ("block", "slugs"),
    [
        ("inline: { type: object }", ["schema-or-field"]),
        ("inline: { type: object, description: string }", ["schema-or-field"]),
        ("mode: complex\ninline: { type: object }", []),
        ("mode: standard\ninline: { type: object }", []),
        ("inline: { type: object, size: int }", []),
        ("inline: { type: string }", []),
        ("inline: { type: { type: object } }", []),
    ],
)
def test_fields_that_look_like_a_schema(block: str, slugs: list[str]) -> None:
    parsed = arguments(block)
    assert slugs == [slug for slug, _ in parsed.told]
    assert parsed.arguments.sound
