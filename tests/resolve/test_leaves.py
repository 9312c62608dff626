"""Leaves: those of the language, those of a project, and what is said of their values (row O6)."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.model.leaves import LeafPython, PythonName, Shipped
from brimgen.model.types import LeafType, ListType, NullableType, Scalar
from support.linked import link, tool

IP = """\
type: leaf
name: ip_address
description: An IPv4 address
schema: { type: string, format: ipv4 }
python: { type: "ipaddress:IPv4Address" }
placeholder: 203.0.113.77
"""


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("url", {"type": "string"}),
        (
            "uuid",
            {"type": "string", "format": "uuid", "description": "UUID string"},
        ),
        (
            "timestamp",
            {
                "type": "string",
                "format": "date-time",
                "description": "ISO 8601 date string",
            },
        ),
    ],
)
def test_the_leaves_of_the_language(word: str, plain: dict[str, str]) -> None:
    linked = tool(f"value: {word}")
    assert plain == linked.properties["value"]
    assert LeafType(word, Scalar.STRING) == linked.field("value").type
    assert Shipped(word) is linked.catalog.leaves[word].shipped


def test_the_text_of_the_property_wins() -> None:
    schema = tool("id: { type: uuid, description: Who }").properties["id"]
    assert "Who" == schema["description"]
    schema = tool("ids: { type: 'uuid[]', description: Whose }").properties["ids"]
    assert ("Whose", "UUID string") == (
        schema["description"],
        schema["items"]["description"],
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("uuid?", NullableType(LeafType("uuid", Scalar.STRING))),
        ("uuid[]", ListType(LeafType("uuid", Scalar.STRING))),
        ("array<uuid>", ListType(LeafType("uuid", Scalar.STRING))),
        ("uuid[]?", NullableType(ListType(LeafType("uuid", Scalar.STRING)))),
    ],
)
def test_optional_leaves_and_lists_of_them(text: str, kind: object) -> None:
    assert kind == tool(f"value: '{text}'").field("value").type


def test_a_leaf_of_a_project() -> None:
    linked = tool("ip: ip_address", IP)
    assert {
        "type": "string",
        "format": "ipv4",
        "description": "An IPv4 address",
        "x-leaf": "ip_address",
    } == linked.properties["ip"]
    leaf = linked.catalog.leaves["ip_address"]
    address = PythonName("ipaddress", "IPv4Address")
    assert LeafPython(address, address, PythonName("", "str")) == leaf.python
    assert Scalar.STRING is leaf.sql
    assert ("specs/0.yaml", "specs/1.yaml") == linked.tool.sources


def test_the_placeholder_is_forgotten() -> None:
    linked = tool("ip: ip_address", IP)
    assert "203.0.113.77" not in repr(linked.catalog)


@pytest.mark.parametrize(
    ("python", "expected"),
    [
        ("", None),
        ("python: str\n", None),
        (
            "python: shop.money:Iban\n",
            LeafPython(
                PythonName("shop.money", "Iban"),
                PythonName("shop.money", "Iban"),
                PythonName("", "str"),
            ),
        ),
        (
            "python: { type: 'shop:Iban', parse: 'shop:Iban.parse', dump: 'shop.io:dump' }\n",
            LeafPython(
                PythonName("shop", "Iban"),
                PythonName("shop", "Iban.parse"),
                PythonName("shop.io", "dump"),
            ),
        ),
        (
            "python: { type: str, parse: 'shop:clean' }\n",
            LeafPython(
                PythonName("", "str"),
                PythonName("shop", "clean"),
                PythonName("", "str"),
            ),
        ),
    ],
)
def test_what_a_leaf_is_in_python(python: str, expected: LeafPython | None) -> None:
    linked = tool(
        "x: iban", f"type: leaf\nname: iban\nschema: {{type: string}}\n{python}"
    )
    assert expected == linked.catalog.leaves["iban"].python
    assert (expected is not None) == ("x-leaf" in linked.properties["x"])


@pytest.mark.parametrize(
    ("kind", "sql", "expected"),
    [
        ("string", "", Scalar.STRING),
        ("string", "sql: date", Scalar.DATE),
        ("string", "sql: datetime", Scalar.DATETIME),
        ("string", "sql: decimal", Scalar.DECIMAL),
        ("string", "sql: str", Scalar.STRING),
        ("integer", "", Scalar.INT),
        ("integer", "sql: decimal", Scalar.DECIMAL),
        ("number", "sql: decimal", Scalar.DECIMAL),
        ("boolean", "", Scalar.BOOL),
    ],
)
def test_what_a_database_is_given(kind: str, sql: str, expected: Scalar) -> None:
    spec = f"type: leaf\nname: x\nschema: {{type: {kind}}}\n{sql}\n"
    linked = link(spec)
    assert ([], expected) == (linked.slugs, linked.catalog.leaves["x"].sql)


def test_a_field_adds_to_the_schema_of_its_leaf() -> None:
    leaf = "type: leaf\nname: sku\nschema: {type: string, maxLength: 20}\n"
    schema = tool(
        "x: { type: sku, minLength: 3, enum: [abc, abd], default: abc }", leaf
    )
    assert {
        "type": "string",
        "enum": ["abc", "abd"],
        "minLength": 3,
        "maxLength": 20,
        "default": "abc",
    } == schema.properties["x"]


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("{ type: uuid, default: nobody }", ("rejected-value", "nobody")),
        ("{ type: ip_address, default: 1.2.3 }", ("rejected-value", "1.2.3")),
        (
            "{ type: ip_address, precision: 2 }",
            ("constraint-not-for-type", "precision"),
        ),
        ("Ip_Address", ("unknown-type", "Ip_Address")),
        ("UUID", ("unknown-type", "UUID")),
    ],
)
def test_what_is_told_of_a_field(field: str, told: tuple[str, str]) -> None:
    assert [told] == tool(f"x: {field}", IP).told


def test_a_name_of_the_project_hides_that_of_the_language() -> None:
    entity = "type: entity\nname: url\nfields: { host: string }\n"
    assert "host" in tool("x: url", entity).properties["x"]["properties"]
    leaf = "type: leaf\nname: uuid\nschema: { type: integer }\n"
    assert {"type": "integer"} == tool("x: uuid", leaf).properties["x"]


@pytest.mark.parametrize(
    ("other", "slug"),
    [
        ("type: entity\nname: ip_address\nfields: { a: int }\n", "duplicate-name"),
        (
            "type: leaf\nname: IP_ADDRESS\nschema: { type: string }\n",
            "same-name-in-other-case",
        ),
    ],
)
def test_leaves_and_entities_share_their_names(other: str, slug: str) -> None:
    assert [slug] == link(IP, other).slugs


@pytest.mark.parametrize("name", ["int", "list", "void", "ContentBlock"])
def test_a_leaf_cannot_take_a_word_of_the_language(name: str) -> None:
    linked = link(f"type: leaf\nname: {name}\nschema: {{type: string}}\n")
    assert f"a leaf cannot be called `{name}`" in linked.only.message


def test_a_leaf_that_was_refused_is_no_second_mistake() -> None:
    linked = tool("x: point", "type: leaf\nname: point\nschema: {type: object}\n")
    assert ["leaf-not-primitive"] == linked.slugs


@pytest.mark.parametrize("ref", ["entity_ref: uuid", "$ref: '#/entities/uuid'"])
def test_pasted_schemas_name_leaves(ref: str) -> None:
    linked = tool(
        f"properties:\n  a: {{ {ref} }}\n  b: {{ type: array, items: {{ {ref} }} }}"
    )
    expected = {"type": "string", "format": "uuid", "description": "UUID string"}
    assert expected == linked.properties["a"]
    assert ListType(LeafType("uuid", Scalar.STRING)) == linked.field("b").type


def test_leaves_inside_entities_and_results() -> None:
    entity = "type: entity\nname: Host\nfields: { ip: ip_address, seen: timestamp? }\n"
    linked = tool("host: Host", IP, entity)
    inner: Any = linked.properties["host"]["properties"]
    assert ("ip_address", "date-time") == (
        inner["ip"]["x-leaf"],
        inner["seen"]["format"],
    )
    assert ("Host", "ip_address", "timestamp") == linked.tool.entities_read
