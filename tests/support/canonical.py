"""Hypothesis strategies: canonical schemas as the resolver makes them, and instances of them."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

WORDS = st.text(alphabet=string.ascii_lowercase, min_size=1, max_size=6)
TEXTS = st.text(
    alphabet=st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=12
)
Schema = dict[str, Any]


def _annotated(schemas: SearchStrategy[Schema]) -> SearchStrategy[Schema]:
    @st.composite
    def draw_annotated(draw: DrawFn) -> Schema:
        schema = dict(draw(schemas))
        if draw(st.booleans()):
            schema["description"] = draw(TEXTS)
        return schema

    return draw_annotated()


@st.composite
def _integers(draw: DrawFn) -> Schema:
    low = draw(st.integers(-50, 50))
    schema: Schema = {"type": "integer"}
    if draw(st.booleans()):
        schema["minimum"] = low
    if draw(st.booleans()):
        schema["maximum"] = low + draw(st.integers(0, 20))
    return schema


@st.composite
def _strings(draw: DrawFn) -> Schema:
    schema: Schema = {"type": "string"}
    low = draw(st.integers(0, 3))
    if draw(st.booleans()):
        schema["minLength"] = low
    if draw(st.booleans()):
        schema["maxLength"] = low + draw(st.integers(1, 4))
    return schema


@st.composite
def _choices(draw: DrawFn) -> Schema:
    values = draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
    return {"type": "string", "enum": values}


_PLAIN: SearchStrategy[Schema] = st.one_of(
    _integers(),
    _strings(),
    _choices(),
    st.sampled_from(
        [
            {"type": "number"},
            {"type": "number", "exclusiveMinimum": 0, "maximum": 10},
            {"type": "boolean"},
            {"type": "string", "format": "date"},
            {"type": "string", "format": "date-time"},
            {"type": "string", "format": "uri"},
            {"type": "string", "pattern": "^[a-z]+$"},
            {"type": "string", "pattern": "^(?!x)[a-z]+$"},
            {"type": ["string", "number", "boolean"]},
            {"type": "integer", "enum": [1, 2, 3]},
            {"type": "integer", "exclusiveMinimum": 2, "exclusiveMaximum": 9},
            {"type": "integer", "minimum": 5, "exclusiveMinimum": 2},
            {"type": "string", "const": "only"},
            {"type": "boolean", "const": True},
            {"enum": ["a", 1, 2.5, False]},
        ]
    ),
)


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema or schema.get("type") in ("array", "object"):
        return {"anyOf": [schema, {"type": "null"}]}
    if "type" not in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    kind = schema["type"]
    return {**schema, "type": [*([kind] if isinstance(kind, str) else kind), "null"]}


@st.composite
def _lists(draw: DrawFn, items: SearchStrategy[Schema]) -> Schema:
    schema: Schema = {"type": "array", "items": draw(items)}
    if draw(st.booleans()):
        schema["maxItems"] = draw(st.integers(1, 3))
    return schema


@st.composite
def objects(draw: DrawFn, values: SearchStrategy[Schema]) -> Schema:
    """A closed object; optional properties may have a default that their schema accepts."""
    names = draw(st.lists(WORDS, max_size=4, unique=True))
    properties, required = {}, []
    for name in names:
        schema = draw(values)
        kind = draw(st.sampled_from(["required", "optional", "default", "nullable"]))
        if kind == "nullable":
            schema = _nullable(schema)
        if kind == "required":
            required.append(name)
        if kind == "default":
            schema = {**schema, "default": draw(instances(schema))}
        properties[name] = schema
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


_VALUES: SearchStrategy[Schema] = st.recursive(
    _annotated(_PLAIN),
    lambda inner: st.one_of(
        _annotated(_lists(inner)),
        _annotated(objects(inner)),
        st.lists(inner, min_size=2, max_size=2).map(lambda two: {"anyOf": two}),
    ),
    max_leaves=6,
)


def canonical() -> SearchStrategy[Schema]:
    """The input schema of a tool, as Shorthand and Complex arguments give it."""
    return objects(_VALUES)


def recursive() -> SearchStrategy[Schema]:
    """The same, with a recursive entity in it that is referred to from several places."""

    @st.composite
    def draw_recursive(draw: DrawFn) -> Schema:
        node = draw(objects(_annotated(_PLAIN)))
        reference = {"$ref": "#/$defs/Node"}
        node["properties"]["zz_children"] = {"type": "array", "items": reference}
        root = draw(objects(_annotated(_PLAIN)))
        root["properties"]["zz_tree"] = reference
        root["properties"]["zz_twin"] = {**reference, "description": "the other one"}
        root["required"] = [*root.get("required", []), "zz_tree"]
        return {**root, "$defs": {"Node": node}}

    return draw_recursive()


def instances(schema: Schema, root: Schema | None = None) -> SearchStrategy[Any]:
    """Values that ``schema`` accepts (of patterns only those used above are known)."""
    root = root or schema
    if "$ref" in schema:
        target = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
        return st.deferred(lambda: instances(target, root))
    if "anyOf" in schema:
        return st.one_of([instances(each, root) for each in schema["anyOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema["type"]
    if isinstance(kind, list):
        return st.one_of([instances({**schema, "type": each}, root) for each in kind])
    if kind == "object":
        return _object_instances(schema, root)
    if kind == "array":
        items = instances(schema["items"], root)
        return st.lists(items, max_size=schema.get("maxItems", 2))
    return _SCALARS[kind](schema)


def _object_instances(schema: Schema, root: Schema) -> SearchStrategy[Any]:
    required = schema.get("required", [])
    properties = schema["properties"].items()
    return st.fixed_dictionaries(
        {name: instances(each, root) for name, each in properties if name in required},
        optional={
            name: instances(each, root)
            for name, each in properties
            if name not in required
        },
    )


def _string_instances(schema: Schema) -> SearchStrategy[str]:
    match schema.get("format"):
        case "date":
            return st.dates().map(lambda day: day.isoformat())
        case "date-time":
            return st.dates().map(lambda day: f"{day.isoformat()}T05:00:00Z")
        case "uri":
            return WORDS.map(lambda word: f"https://example.com/{word}")
    if "pattern" in schema:
        return WORDS.filter(lambda word: not word.startswith("x"))
    low = schema.get("minLength", 0)
    return st.text(
        alphabet=string.ascii_letters,
        min_size=low,
        max_size=schema.get("maxLength", low + 5),
    )


def _integer_instances(schema: Schema) -> SearchStrategy[int]:
    if "exclusiveMinimum" in schema:
        return st.integers(max(schema.get("minimum", 0), 3), 8)
    low = schema.get("minimum", schema.get("maximum", 0) - 20)
    return st.integers(low, schema.get("maximum", low + 20))


def _number_instances(schema: Schema) -> SearchStrategy[float]:
    if "maximum" in schema:
        return st.floats(0, 10, exclude_min=True)
    return st.floats(-1e6, 1e6)


_SCALARS = {
    "string": _string_instances,
    "integer": _integer_instances,
    "number": _number_instances,
    "boolean": lambda schema: st.booleans(),
    "null": lambda schema: st.none(),
}
