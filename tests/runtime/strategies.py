"""Hypothesis strategies: JSON Schemas of every admitted keyword, and instances near them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

NAMES = st.sampled_from(["a", "b", "c", "a~/b", "ä"])
NUMBERS = st.one_of(
    st.integers(-5, 5),
    st.sampled_from([0.5, -1.5, 1.0, 2.0, 3.0, 1e300, 10**20, -0.0]),
)
STRINGS = st.sampled_from(["", "a", "ab", "abc", "b1", "2026-01-18", "ä", "😀", "a\n"])
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, STRINGS)
INSTANCES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)
    ),
    max_leaves=8,
)
PATTERNS = ["^a", "b$", r"^\w+$", r"\d", "^.$", "^[^a]*$", "(a|b)+"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]

_COUNTS = st.integers(0, 3)


def _flat() -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(
                st.sampled_from(TYPES),
                st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True),
            ),
            "enum": st.lists(SCALARS, min_size=1, max_size=3),
            "const": INSTANCES,
            "minimum": NUMBERS,
            "maximum": NUMBERS,
            "exclusiveMinimum": NUMBERS,
            "exclusiveMaximum": NUMBERS,
            "multipleOf": st.sampled_from([1, 2, 0.5, 3]),
            "minLength": _COUNTS,
            "maxLength": _COUNTS,
            "pattern": st.sampled_from(PATTERNS),
            "format": st.sampled_from(["date", "ipv4", "unheard-of"]),
            "minItems": _COUNTS,
            "maxItems": _COUNTS,
            "uniqueItems": st.booleans(),
            "minProperties": _COUNTS,
            "maxProperties": _COUNTS,
            "required": st.lists(NAMES, max_size=2, unique=True),
            "dependentRequired": st.dictionaries(
                NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2
            ),
        },
    ).flatmap(_few)


@st.composite
def _few(draw: DrawFn, words: dict[str, Any]) -> dict[str, Any]:
    """Keep a few keywords: with all of them no instance is ever valid."""
    keep = draw(st.lists(st.sampled_from(sorted(words)), max_size=3)) if words else []
    return {word: words[word] for word in words if word in keep}


def _deep(inner: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(NAMES, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "properties": named,
            "patternProperties": st.dictionaries(
                st.sampled_from(PATTERNS), inner, max_size=2
            ),
            "additionalProperties": inner,
            "propertyNames": inner,
            "items": inner,
            "prefixItems": several,
            "contains": inner,
            "minContains": _COUNTS,
            "maxContains": _COUNTS,
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "dependentSchemas": named,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
            "$ref": st.sampled_from(["#/$defs/one", "#/$defs/two"]),
            "required": st.lists(NAMES, max_size=2, unique=True),
            "type": st.sampled_from(["object", "array", ["object", "array"]]),
        },
    ).flatmap(_few)


SUBSCHEMAS = st.recursive(
    st.one_of(st.booleans(), _flat()), lambda inner: _deep(inner), max_leaves=8
)


@st.composite
def schemas(draw: DrawFn) -> dict[str, Any]:
    """A schema with two definitions, which may refer to themselves below a property or an item."""
    schema = draw(_deep(SUBSCHEMAS) | _flat())
    one = draw(_flat())
    two = {
        "type": ["object", "array", "string"],
        "properties": {"a": {"$ref": "#/$defs/two"}, "b": draw(SUBSCHEMAS_FLAT)},
        "items": {"$ref": "#/$defs/one"},
    }
    return {**schema, "$defs": {"one": one, "two": two}}


SUBSCHEMAS_FLAT = st.one_of(st.booleans(), _flat())
