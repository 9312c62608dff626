"""Differences of schemas: a table of what is said, and the promise that nothing is missed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from brimgen.schema.compare import Difference, Kind, differences

INTEGER = {"type": "integer"}
REFUSING = frozenset([Kind.NARROWER, Kind.OTHER, Kind.GONE])
ACCEPTING = frozenset([Kind.WIDER, Kind.OTHER, Kind.NEW])


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


TABLE = [
    ({"type": "string"}, INTEGER, Kind.OTHER, "is an integer now, was a string"),
    (INTEGER, {"type": "number"}, Kind.WIDER, "is a number now, was an integer"),
    ({"type": "number"}, INTEGER, Kind.NARROWER, "is an integer now, was a number"),
    (
        {"type": ["string", "null"]},
        {"type": "string"},
        Kind.NARROWER,
        "is a string now, was a string or null",
    ),
    (
        INTEGER,
        {"anyOf": [INTEGER, {"type": "null"}]},
        Kind.WIDER,
        "is an integer or null now, was an integer",
    ),
    ({}, {"type": "string"}, Kind.NARROWER, "is a string now, was any value"),
    ({"enum": [1, 2]}, {"enum": [1]}, Kind.NARROWER, "is never 2 now"),
    ({"enum": [1]}, {"enum": [1, "b"]}, Kind.WIDER, 'may be "b" now'),
    ({"const": 1}, {"enum": [1, 2]}, Kind.WIDER, "may be 2 now"),
    ({}, {"enum": ["a", "b"]}, Kind.NARROWER, 'must be one of "a", "b"'),
    ({"maximum": 9}, {"maximum": 5}, Kind.NARROWER, "has `maximum` 5 now, was 9"),
    ({"minimum": 5}, {"minimum": 1}, Kind.WIDER, "has `minimum` 1 now, was 5"),
    (
        {"exclusiveMinimum": 1},
        {"exclusiveMinimum": 2},
        Kind.NARROWER,
        "has `exclusiveMinimum` 2 now, was 1",
    ),
    (
        {"exclusiveMaximum": 1},
        {"exclusiveMaximum": 2},
        Kind.WIDER,
        "has `exclusiveMaximum` 2 now, was 1",
    ),
    ({}, {"minLength": 1}, Kind.NARROWER, "has `minLength` 1 now, had none"),
    ({}, {"minimum": 0}, Kind.NARROWER, "has `minimum` 0 now, had none"),
    ({"maxItems": 2}, {}, Kind.WIDER, "has no `maxItems` now, was 2"),
    ({"pattern": "a"}, {"pattern": "b"}, Kind.OTHER, 'has `pattern` "b" now, was "a"'),
    ({"format": "date"}, {}, Kind.WIDER, "has no `format` now, was `date`"),
    ({"default": 1}, {"default": 2}, Kind.DEFAULT, "is 2 when left out, was 1"),
    ({}, {"default": None}, Kind.DEFAULT, "is null when left out, had no default"),
    ({"title": "A"}, {"title": "B"}, Kind.WORDS, "has another title"),
    ({"not": {}}, {"not": INTEGER}, Kind.OTHER, "has another rule in `not`"),
    (
        {"anyOf": [INTEGER, {"type": "string"}, {"type": "boolean"}]},
        {"anyOf": [INTEGER, {"type": "string"}]},
        Kind.NARROWER,
        "has fewer forms (`anyOf`)",
    ),
]


@pytest.mark.parametrize(("old", "new", "kind", "text"), TABLE)
def test_each_change_of_a_schema_is_told_in_words(
    old: Any, new: Any, kind: Kind, text: str
) -> None:
    assert (Difference((), kind, text),) == differences(old, new)


PROPERTIES = [
    (_object(), _object(a=INTEGER), Kind.NEW, "is new"),
    (_object(), _object("a", a=INTEGER), Kind.NARROWER, "is new and must be given"),
    (_object(a=INTEGER), _object(), Kind.GONE, "is gone"),
    (_object(a=INTEGER), _object("a", a=INTEGER), Kind.NARROWER, "must be given"),
    (_object("a", a=INTEGER), _object(a=INTEGER), Kind.WIDER, "may be left out"),
    (
        {"properties": {"a": INTEGER}},
        {"additionalProperties": {"type": "number"}},
        Kind.WIDER,
        "is a number now, was an integer",
    ),
]


@pytest.mark.parametrize(("old", "new", "kind", "text"), PROPERTIES)
def test_what_is_said_of_properties(old: Any, new: Any, kind: Kind, text: str) -> None:
    assert Difference(("a",), kind, text) in differences(old, new)


def test_the_way_leads_through_lists_and_references() -> None:
    def tree(maximum: int) -> dict[str, Any]:
        node = _object(
            value={"type": "integer", "maximum": maximum},
            children={"type": "array", "items": {"$ref": "#/$defs/Node"}},
        )
        return {"$ref": "#/$defs/Node", "$defs": {"Node": node}}

    assert (
        Difference(("value",), Kind.NARROWER, "has `maximum` 5 now, was 9"),
        Difference(
            ("children", "[]", "value"), Kind.NARROWER, "has `maximum` 5 now, was 9"
        ),
    ) == differences(tree(9), tree(5))


def test_equal_schemas_have_none_however_they_were_written() -> None:
    inlined = _object("a", a=_object(b=INTEGER))
    shared = _object("a", a={"$ref": "#/$defs/B"}) | {
        "$defs": {"B": _object(b=INTEGER)}
    }
    assert () == differences(inlined, shared)
    assert () == differences(
        {"type": ["integer", "null"]}, {"anyOf": [INTEGER, {"type": "null"}]}
    )


VALUES = st.recursive(
    st.sampled_from([None, True, 0, 1, 2, 1.5, "", "a", "bb"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=4,
)
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    small = st.integers(0, 2)
    keywords = {
        "type": st.sampled_from(TYPES)
        | st.lists(st.sampled_from(TYPES), min_size=1, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "minimum": small,
        "maximum": small,
        "exclusiveMaximum": small,
        "minLength": small,
        "maxLength": small,
        "minItems": small,
        "maxItems": small,
        "pattern": st.sampled_from(["^a", "b"]),
        "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        "required": st.lists(st.sampled_from("ab"), unique=True),
        "additionalProperties": st.booleans() | inner,
        "items": inner,
        "anyOf": st.lists(inner, min_size=1, max_size=3),
        "not": inner,
    }
    return st.fixed_dictionaries({}, optional=keywords)


SCHEMAS = st.recursive(st.booleans() | st.just({}), _schemas, max_leaves=4)


@given(SCHEMAS, SCHEMAS, st.lists(VALUES, min_size=5, max_size=20))
def test_no_value_is_lost_or_gained_in_silence(
    old: Any, new: Any, values: list[Any]
) -> None:
    kinds = {each.kind for each in differences(old, new)}
    was, now = Draft202012Validator(old), Draft202012Validator(new)
    for value in values:
        before, after = was.is_valid(value), now.is_valid(value)
        if before and not after:
            assert kinds & REFUSING, (old, new, value)
        if after and not before:
            assert kinds & ACCEPTING, (old, new, value)
