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
    EntityType,
    EnumType,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    UnionType,
)
from brimgen.resolve.entities.leaves import to_node
from brimgen.resolve.standard.keyword_check import Dialect, check_schema
from brimgen.source.nodes import MapNode
from brimgen_runtime.grammar.keywords import SHAPES
from support.linked import Linked, tool

STRING, INT, FLOAT, BOOL = (
    ScalarType(each) for each in (Scalar.STRING, Scalar.INT, Scalar.FLOAT, Scalar.BOOL)
)
INTEGER = {"type": "integer"}
DRAFT_07 = "http://json-schema.org/draft-07/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def standard(schema: Any, *entities: str, **options: Any) -> Linked:
    """A tool whose inline block is ``schema``."""
    return tool(json.dumps(schema), *entities, **options)


def verdict(linked: Linked, value: Any) -> bool:
    return jsonschema.Draft202012Validator(linked.tool.input_schema).is_valid(value)


def test_the_text_stays_and_the_root_is_closed() -> None:
    schema = {
        "type": "object",
        "properties": {
            "one": {"oneOf": [{"$ref": "#/$defs/a"}, {"not": {"type": "string"}}]},
            "open": {"type": "object", "properties": {"x": {"const": None}}},
        },
        "required": ["one"],
        "$defs": {"a": {"type": "string", "minLength": 3}},
        "x-mine": [1, {"properties": 3}],
    }
    linked = standard(schema)
    expected = {**schema, "additionalProperties": False}
    assert json.dumps(expected) == json.dumps(linked.tool.input_schema)
    assert linked.tool.standard
    assert schema == standard(schema, closed=False).tool.input_schema


@pytest.mark.parametrize(
    ("root", "added"),
    [
        ({}, "additionalProperties"),
        ({"patternProperties": {"^x": {}}}, "additionalProperties"),
        ({"anyOf": [{"required": ["a"]}]}, "additionalProperties"),
        ({"additionalProperties": True}, None),
        ({"additionalProperties": {"type": "string"}}, None),
        ({"unevaluatedProperties": True}, None),
        ({"allOf": [{"properties": {"b": {}}}]}, "unevaluatedProperties"),
        ({"oneOf": [{"anyOf": [{"properties": {}}]}]}, "unevaluatedProperties"),
        ({"if": {"properties": {"a": {}}}}, "unevaluatedProperties"),
        ({"dependentSchemas": {"a": {"properties": {}}}}, "unevaluatedProperties"),
        ({"$ref": "#/$defs/b", "$defs": {"b": {}}}, "unevaluatedProperties"),
    ],
)
def test_a_pasted_schema_is_closed_where_that_changes_nothing_else(
    root: Any, added: str | None
) -> None:
    schema = {"type": "object", "properties": {"a": {}}, **root}
    made = standard(schema).tool.input_schema
    assert made == (schema if added is None else {**schema, added: False})


def test_a_root_without_type_is_an_object() -> None:
    made = standard({"properties": {"a": {}}, "required": ["a"]}).tool.input_schema
    assert ["type", "properties", "required", "additionalProperties"] == list(made)
    nullable = standard({"type": ["object", "null"], "properties": {"a": {}}})
    assert "object" == nullable.tool.input_schema["type"]


def test_fields_that_are_only_called_properties() -> None:
    assert {"type": "string"} == tool("properties: string").properties["properties"]


TYPES = [
    ({"type": "string"}, STRING),
    ({"type": "integer"}, INT),
    ({"type": "number"}, FLOAT),
    ({"type": "string", "format": "date"}, ScalarType(Scalar.DATE)),
    ({"type": "string", "format": "date-time"}, ScalarType(Scalar.DATETIME)),
    ({"type": "string", "format": "uuid"}, STRING),
    ({"format": "date"}, JsonType()),
    ({"type": ["string", "null"]}, NullableType(STRING)),
    (
        {"type": ["string", "null"], "format": "date"},
        NullableType(ScalarType(Scalar.DATE)),
    ),
    ({"type": ["string", "integer"]}, UnionType((STRING, INT))),
    (
        {"type": ["string", "number", "boolean", "null"]},
        NullableType(UnionType((STRING, FLOAT, BOOL))),
    ),
    ({"type": ["string", "object"]}, JsonType()),
    ({"type": "null"}, JsonType()),
    ({"type": "object"}, ScalarType(Scalar.OBJECT)),
    ({"type": "array"}, ScalarType(Scalar.ARRAY)),
    ({"type": "array", "items": {}}, ScalarType(Scalar.ARRAY)),
    (
        {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        ListType(ListType(INT)),
    ),
    (
        {
            "type": "array",
            "prefixItems": [{"type": "string"}],
            "items": {"type": "integer"},
        },
        ScalarType(Scalar.ARRAY),
    ),
    ({"type": "object", "additionalProperties": {"type": "integer"}}, MapType(INT)),
    (
        {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "patternProperties": {"^x": {}},
        },
        ScalarType(Scalar.OBJECT),
    ),
    ({"enum": ["a", "b"]}, ScalarType(Scalar.STRING, ("a", "b"))),
    ({"enum": ["a", None]}, NullableType(ScalarType(Scalar.STRING, ("a",)))),
    ({"type": ["string", "null"], "enum": ["a"]}, ScalarType(Scalar.STRING, ("a",))),
    ({"enum": [1, 2.0]}, ScalarType(Scalar.INT, (1, 2))),
    ({"enum": [1, 2.5]}, FLOAT),
    (
        {"enum": ["a", 1, True]},
        UnionType(
            (
                ScalarType(Scalar.STRING, ("a",)),
                ScalarType(Scalar.BOOL, (True,)),
                ScalarType(Scalar.INT, (1,)),
            )
        ),
    ),
    ({"enum": ["a", [1]]}, JsonType()),
    ({"const": "x"}, ScalarType(Scalar.STRING, ("x",))),
    ({"const": None}, JsonType()),
    ({"anyOf": [{"type": "string"}, {"type": "null"}]}, NullableType(STRING)),
    ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, FLOAT),
    (
        {"oneOf": [{"const": "a"}, {"const": "b"}]},
        ScalarType(Scalar.STRING, ("a", "b")),
    ),
    ({"oneOf": [{"type": "string"}, {"type": "array"}]}, JsonType()),
    ({"allOf": [{"type": "string"}]}, STRING),
    ({"not": {"type": "string"}}, JsonType()),
    ({"properties": {"x": {}}}, JsonType()),
    (True, JsonType()),
]


@pytest.mark.parametrize(("schema", "expected"), TYPES, ids=lambda case: str(case)[:60])
def test_a_pasted_schema_has_the_type_that_it_says(schema: Any, expected: Any) -> None:
    assert expected == standard({"properties": {"v": schema}}).field("v").type


def record(schema: Any, **root: Any) -> RecordType:
    kind = standard({"properties": {"v": schema}, **root}).field("v").type
    assert isinstance(kind, RecordType)
    return kind


def test_records_say_what_else_they_admit() -> None:
    base = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert JsonType() == record(base).extra
    assert record({**base, "additionalProperties": False}).extra is None
    extra = record({**base, "additionalProperties": {"type": "integer"}}).extra
    assert extra == INT
    both = {**base, "patternProperties": {"^x": {}}, "additionalProperties": False}
    assert JsonType() == record(both).extra
    closed = {**base, "unevaluatedProperties": False}
    assert record(closed).extra is None
    assert JsonType() == record({**closed, "anyOf": [{"properties": {"b": {}}}]}).extra
    opened = {**closed, "allOf": [{"unevaluatedProperties": True}]}
    assert JsonType() == record(opened).extra


def test_all_of_and_refs_add_their_properties() -> None:
    made = record(
        {
            "type": "object",
            "allOf": [
                {"$ref": "#/$defs/base"},
                {"properties": {"b": {"type": "integer"}}, "required": ["a"]},
            ],
        },
        **{"$defs": {"base": {"properties": {"a": {"type": "string"}}}}},
    )
    assert [("a", STRING, True), ("b", INT, False)] == sorted(
        ((each.name, each.type, each.required) for each in made.fields),
        key=lambda each: each[0],
    )


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/base", "properties": {"b": INTEGER}, "required": ["a"]},
        {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": INTEGER}}]},
        {"allOf": [{"$ref": "#/$defs/extended"}, {"type": "object"}]},
    ],
    ids=["$ref", "allOf", "both"],
)
def test_an_object_has_what_its_reference_and_its_siblings_declare(schema: Any) -> None:
    base = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
    }
    extended = {"$ref": "#/$defs/base", "properties": {"b": INTEGER}}
    made = record(schema, **{"$defs": {"base": base, "extended": extended}})
    assert {("a", STRING, True), ("b", INT, False)} == {
        (each.name, each.type, each.required) for each in made.fields
    }


def test_an_object_with_siblings_may_still_be_null() -> None:
    base = {"type": ["object", "null"], "properties": {"a": {"type": "string"}}}
    schema = {"properties": {"x": {"$ref": "#/$defs/base", "properties": {"b": {}}}}}
    [found] = standard({**schema, "$defs": {"base": base}}).tool.fields
    assert isinstance(found.type, NullableType)
    assert isinstance(found.type.inner, RecordType)
    assert {"a", "b"} == {each.name for each in found.type.inner.fields}


def test_a_recursive_object_with_siblings_ends_in_any_json() -> None:
    child = {"$ref": "#/$defs/node", "properties": {"extra": INTEGER}}
    node = {"type": "object", "properties": {"child": child}}
    made = record(child, **{"$defs": {"node": node}})
    assert {"extra": INT, "child": JsonType()} == {
        each.name: each.type for each in made.fields
    }


def test_recursion_ends_in_any_json() -> None:
    node = {
        "type": "object",
        "properties": {
            "next": {"$ref": "#/$defs/node"},
            "label": {"type": "string"},
        },
    }
    made = record({"$ref": "#/$defs/node"}, **{"$defs": {"node": node}})
    assert [JsonType(), STRING] == [each.type for each in made.fields]


def test_widely_shared_definitions_do_not_explode() -> None:
    defs: dict[str, Any] = {"d0": {"type": "string"}}
    for number in range(1, 40):
        ref = {"$ref": f"#/$defs/d{number - 1}"}
        defs[f"d{number}"] = {"type": "object", "properties": {"l": ref, "r": ref}}
    schema = {"properties": {"v": {"$ref": "#/$defs/d39"}}, "$defs": defs}
    assert isinstance(standard(schema).field("v").type, RecordType)


USER = "type: entity\nname: User\nfields: {id: int}\n"
STATE = "type: entity\nname: State\nenum: [on, off]\n"
NODE = "type: entity\nname: Node\nfields: {children: 'Node[]'}\n"


def test_entities_stand_wherever_a_schema_stands() -> None:
    linked = standard(
        {
            "properties": {
                "a": {"entity_ref": "User", "description": "Who"},
                "b": {"type": "array", "items": {"$ref": "#/entities/State"}},
                "c": {"anyOf": [{"entity_ref": "Node"}, {"type": "null"}]},
                "d": {"const": {"entity_ref": "User"}},
                "entity_ref": {"type": "string"},
            }
        },
        USER,
        STATE,
        NODE,
    )
    kinds = {each.name: each.type for each in linked.tool.fields}
    assert EntityType("User") == kinds["a"]
    assert ListType(EnumType("State")) == kinds["b"]
    assert NullableType(EntityType("Node")) == kinds["c"]
    assert STRING == kinds["entity_ref"]
    assert ("Node", "State", "User") == linked.tool.entities_read
    assert "Who" == linked.properties["a"]["description"]
    assert {"const": {"entity_ref": "User"}} == linked.properties["d"]
    assert verdict(linked, {"a": {"id": 1}, "b": ["on"], "c": {"children": []}})
    assert not verdict(linked, {"a": {"id": "x"}})
    assert not verdict(linked, {"b": ["dim"]})
    assert not verdict(linked, {"c": {"children": [{}]}})


def test_hidden_properties_and_inherited_ones() -> None:
    linked = standard(
        {
            "properties": {
                "q": {"type": "string"},
                "who": {"type": "string", "from_context": "app.user.id"},
                "key": {"type": "string", "llm": False},
            },
            "required": ["q", "who"],
        }
    )
    assert ["q"] == list(linked.properties)
    assert ["q"] == linked.tool.input_schema["required"]
    assert {"type": "string"} == linked.tool.bound_schema["properties"]["who"]  # type: ignore[index,call-overload]
    assert ["who", "key"] == [each.name for each in linked.tool.hidden_fields]


@pytest.mark.parametrize(
    ("schema", "slug", "text"),
    [
        ({"properties": {"a": {"type": "int"}}}, "unknown-schema-type", '"int"'),
        ({"properties": {"a": {"minimum": "1"}}}, "bad-keyword", '"1"'),
        ({"properties": {"a": {"enum": "x"}}}, "bad-keyword", '"x"'),
        ({"properties": {"a": {"required": True}}}, "required-of-property", None),
        ({"required": True, "properties": {"a": {}}}, "bad-keyword", "true"),
        ({"properties": {"a": {}}, "required": ["a", "a"]}, "bad-keyword", None),
        ({"properties": {"a": {"items": [{}]}}}, "bad-keyword", None),
        ({"properties": {"a": {"allOf": []}}}, "bad-keyword", "[]"),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "dangling-ref", '"#/$defs/b"'),
        ({"properties": {"a": {"$ref": "b.json"}}}, "remote-ref", '"b.json"'),
        ({"properties": {"a": {"$ref": "file:///etc/x"}}}, "remote-ref", None),
        ({"properties": {"a": {"$ref": "https://x.y/z"}}}, "remote-ref", None),
        (
            {
                "properties": {"a": {"$ref": "#/$defs/b"}},
                "$defs": {"b": {"anyOf": [{"$ref": "#/$defs/b"}]}},
            },
            "ref-loop",
            '"#/$defs/b"',
        ),
        ({"type": "array", "properties": {"a": {}}}, "root-not-object", '"array"'),
        ({"properties": {"a": {"pattern": "(a"}}}, "bad-pattern", "("),
        ({"properties": {"a": {"entity_ref": "Usr"}}}, "unknown-entity", '"Usr"'),
        (
            {
                "$schema": "http://json-schema.org/draft-03/schema#",
                "properties": {"a": {}},
            },
            "unknown-schema-dialect",
            None,
        ),
        (
            {"properties": {"a": {"properties": {"b": {"llm": False}}}}},
            "bad-hidden-property",
            '"llm"',
        ),
        (
            {"properties": {"a": {"type": "integer", "default": "x"}}},
            "default-not-applied",
            '"a"',
        ),
    ],
)
def test_one_mistake_is_one_diagnostic(
    schema: Any, slug: str, text: str | None
) -> None:
    linked = standard(schema, USER)
    [(said, at)] = linked.told
    assert slug == said
    assert text is None or text.strip('"') == at.strip('"')


def test_a_rejected_default_is_neither_published_nor_applied() -> None:
    linked = standard({"properties": {"a": {"type": "integer", "default": "x"}}})
    [made] = linked.catalog.tools
    assert made.fields[0].default is None
    assert {"type": "integer"} == made.input_schema["properties"]["a"]  # type: ignore[index,call-overload]


def test_defaults_apply_where_they_may() -> None:
    linked = standard(
        {
            "properties": {
                "a": {"$ref": "#/$defs/n", "default": 3},
                "b": {"type": "string", "default": "x"},
            },
            "required": ["b"],
            "$defs": {"n": {"type": "integer"}},
        }
    )
    a, b = linked.tool.fields
    assert a.default is not None and 3 == a.default.value
    assert b.required and b.default is None


@pytest.mark.parametrize(
    ("schema", "applied"),
    [
        ({"$ref": "#/$defs/n"}, 3),
        ({"$ref": "#/$defs/again"}, 3),
        ({"$ref": "#/$defs/n", "default": 4}, 4),
        ({"$ref": "#/$defs/n", "maximum": 9}, 3),
        ({"$ref": "#/$defs/n", "maximum": 2}, None),
        ({"allOf": [{"type": "integer"}, {"default": 5}]}, 5),
        ({"allOf": [{"$ref": "#/$defs/n"}], "description": "Mine."}, 3),
        ({"allOf": [{"type": "integer", "maximum": 4}, {"default": 5}]}, None),
    ],
)
def test_a_default_of_a_definition_or_a_part_is_applied_or_reported(
    schema: Any, applied: int | None
) -> None:
    definitions = {
        "n": {"type": "integer", "default": 3, "description": "How many."},
        "again": {"$ref": "#/$defs/n"},
    }
    linked = standard({"properties": {"x": schema}, "$defs": definitions})
    [tool_of_x] = linked.catalog.tools
    [x] = tool_of_x.fields
    assert applied == (x.default.value if x.default is not None else None)
    assert linked.slugs == (["default-not-applied"] if applied is None else [])
    if "$ref" in schema:
        assert "How many." == x.description


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


def test_draft_07_that_reads_alike_stays_untouched() -> None:
    schema = {"$schema": DRAFT_07, "type": "object", "properties": {"a": {}}}
    assert {**schema, "additionalProperties": False} == standard(
        schema
    ).tool.input_schema


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
