"""`type: entity`: fields, properties or enum (spec-language.md; S0.5-7, S4.28)."""

from __future__ import annotations

import pytest

from brimgen.source.nodes import ScalarNode
from support.syntax import Parsed, read


def entity(body: str) -> Parsed:
    return read(f"type: entity\nname: Thing\n{body}")


@pytest.mark.parametrize("key", ["fields", "inline"])
def test_an_entity_is_read_with_its_fields(key: str) -> None:
    parsed = entity(
        f"title: A thing\ndescription: Text\n{key}: {{ a: int, b: Thing? }}\nx-a: 1\n"
    )
    assert [] == parsed.told
    decl = parsed.entity
    assert decl.content is not None and decl.enum is None and decl.sound
    assert ["a", "b"] == [each.name.value for each in decl.content.fields]
    assert decl.title is not None and decl.description is not None
    assert ("A thing", "Text") == (decl.title.value, decl.description.value)
    assert ["x-a"] == [each.key.text for each in decl.extensions]


def test_fields_are_written_like_arguments() -> None:
    listed = entity("fields:\n  - { name: a, type: int }\n")
    standard = entity("fields: { properties: { a: { type: string } } }\n")
    assert [] == listed.told == standard.told
    assert listed.entity.content is not None and standard.entity.content is not None
    assert ["a"] == [each.name.value for each in listed.entity.content.fields]
    assert standard.entity.content.standard is not None


def test_properties_with_their_keywords() -> None:
    parsed = entity(
        "title: T\ndescription: D\nproperties: { a: { type: string } }\nrequired: [a]\n"
        "additionalProperties: false\n$defs: { X: {} }\nx-a: 1\n"
    )
    assert [] == parsed.told
    content = parsed.entity.content
    assert content is not None and content.standard is not None
    expected = ["properties", "required", "additionalProperties", "$defs"]
    assert expected == [each.key.text for each in content.standard.entries]
    assert parsed.entity.title is not None and parsed.entity.description is not None


def test_an_enum_keeps_source_text() -> None:
    parsed = entity("enum: [no, 1.10, 2, 'a b']\n")
    assert [] == parsed.told
    values = parsed.entity.enum or ()
    assert ["no", "1.10", "2", "a b"] == [
        each.text for each in values if isinstance(each, ScalarNode)
    ]


@pytest.mark.parametrize(
    "body",
    [
        "entity_ref: Base\n",
        "entity_ref: Base\nomit: [a]\n",
        "entity_ref: Base\nfields: { a: { description: Text } }\n",
        "entity_ref: Base\nproperties: { a: {} }\n",
    ],
)
def test_an_entity_inherits_from_another(body: str) -> None:
    parsed = entity(body)
    assert [] == parsed.told
    content = parsed.entity.content
    assert content is not None and content.entity_ref is not None
    assert "Base" == content.entity_ref.value


MISTAKES = [
    ("", [("entity-without-content", "Thing")]),
    ("fields: ~\n", [("entity-without-content", "Thing")]),
    ("fields: { a: int }\nenum: [b]\n", [("entity-two-forms", "enum")]),
    (
        "fields: { a: int }\nproperties: { a: {} }\n",
        [("entity-two-forms", "properties")],
    ),
    ("inline: { a: int }\nfields: { b: int }\n", [("synonym-twice", "fields")]),
    ("entity_ref: Base\nenum: [a]\n", [("entity-two-forms", "enum")]),
    ("extends: Base\nenum: [a]\n", [("unknown-key", "extends")]),
    ("enum: [a]\nentity_ref: Base\n", [("entity-two-forms", "entity_ref")]),
    ("enum: []\n", [("empty-list", "[]")]),
    ("enum: red\n", [("wrong-kind", "red")]),
    ("enum: [true, a, ~]\n", [("bad-enum-value", "true"), ("bad-enum-value", "~")]),
    ("fields: Base\n", [("wrong-kind", "Base")]),
    ("fields: { a: [b] }\n", [("field-not-a-type", "[b]")]),
    ("fields: { a: { maximum: 5 } }\n", [("argument-without-type", "a")]),
    ("field: { a: int }\n", [("unknown-key", "field")]),
    ("fields: { a: int }\nrequired: [a]\n", [("unknown-key", "required")]),
    ("properties: [a]\n", [("wrong-kind", "[a]")]),
    ("properties: { a: {} }\nrequierd: [a]\n", [("unknown-key", "requierd")]),
    ("omit: [a]\nfields: { a: int }\n", [("omit-without-entity", "omit")]),
    ("omit: [a]\n", [("omit-without-entity", "omit")]),
    ("entity_ref: [Base]\n", [("entity-ref-not-a-name", "[Base]")]),
    ("description: [a]\nfields: { a: int }\n", [("wrong-kind", "[a]")]),
    (
        "arguments: { inline: { a: int } }\nfields: { a: int }\n",
        [("unknown-key", "arguments")],
    ),
]


@pytest.mark.parametrize(("body", "told"), MISTAKES)
def test_a_mistake_in_an_entity_is_told(body: str, told: list[tuple[str, str]]) -> None:
    parsed = entity(body)
    assert told == parsed.told
    assert not parsed.entity.sound


def test_three_forms_at_once() -> None:
    parsed = entity("fields: { a: int }\nproperties: { a: {} }\nenum: [a]\n")
    assert [
        ("entity-two-forms", "properties"),
        ("entity-two-forms", "enum"),
    ] == parsed.told
    assert {"fields"} == {
        parsed.under(note.span) for each in parsed.diagnostics for note in each.notes
    }
