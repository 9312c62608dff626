"""There and back: what is accepted is written as JSON that is accepted and means the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from brimgen.model.project import Project
from running.packages import (
    imported,
    link,
    standard_spec,
    verdict,
    without_errors,
    write_package,
)
from support.budget import costs

NAMES = ["a", "b", "c", "d"]

LEAVES: list[tuple[dict[str, Any], list[Any]]] = [
    ({"type": "integer", "default": 5}, [5, 1, 1.0]),
    ({"type": "integer"}, [0, 7]),
    ({"type": ["string", "null"], "default": "x"}, ["x", None, "y"]),
    ({"type": ["string", "null"]}, ["x", None]),
    ({"type": ["string", "null"], "default": None}, ["x", None]),
    ({"type": "boolean", "default": True}, [True, False]),
    ({"type": "number", "default": 1.5}, [1.5, 2, 1e300]),
    ({"type": "string", "format": "date"}, ["2026-01-18"]),
    (
        {"type": "string", "format": "date-time", "default": "2026-01-18T00:00:00Z"},
        ["2026-01-18T00:00:00Z", "2026-01-18T02:00:00+02:00"],
    ),
    (
        {"type": "string", "enum": ["p", "q"], "default": "q"},
        ["p", "q"],
    ),
    ({"type": "array", "items": {"type": "integer"}, "default": [1]}, [[1], [], [2]]),
    ({"type": "object", "default": {"k": 1}}, [{"k": 1}, {}, {"k": [None]}]),
    ({"default": 3}, [3, None, {"z": 1}, "t"]),
    ({}, [None, [1.5], {"z": None}]),
]
"""Properties, and values of theirs."""

_some = st.sampled_from(NAMES)
COUNTING: SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {},
    optional={
        "minProperties": st.integers(0, 3),
        "maxProperties": st.integers(0, 3),
        "dependentRequired": st.dictionaries(
            _some, st.lists(_some, max_size=2, unique=True), max_size=2
        ),
        "anyOf": st.lists(
            st.builds(lambda name: {"required": [name]}, _some), min_size=1, max_size=2
        ),
        "oneOf": st.lists(
            st.builds(lambda name: {"required": [name]}, _some), min_size=1, max_size=2
        ),
        "not": st.builds(lambda name: {"required": [name]}, _some),
        "if": st.builds(lambda name: {"required": [name]}, _some),
        "then": st.builds(lambda count: {"maxProperties": count}, st.integers(0, 3)),
        "required": st.lists(_some, max_size=1),
        "additionalProperties": st.booleans(),
    },
)


@st.composite
def objects(draw: DrawFn, depth: int = 2) -> tuple[dict[str, Any], Any]:
    """A schema of an object, and a strategy of values near it."""
    properties: dict[str, Any] = {}
    values: dict[str, SearchStrategy[Any]] = {}
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4)):
        form = draw(st.sampled_from(["leaf", "leaf", "object", "list"]))
        if form == "leaf" or depth == 0:
            properties[name], known = draw(st.sampled_from(LEAVES))
            values[name] = st.sampled_from(known)
            continue
        inner, near = draw(objects(depth=depth - 1))
        properties[name], values[name] = inner, near
        if form == "list":
            properties[name] = {
                "type": "array",
                "items": inner,
                "uniqueItems": draw(st.booleans()),
            }
            values[name] = st.lists(near, max_size=2)
    schema = {"type": "object", "properties": properties}
    words = draw(COUNTING)
    kept = draw(st.lists(st.sampled_from([*words] or [""]), max_size=2))
    schema |= {key: each for key, each in words.items() if key in kept}
    near = st.fixed_dictionaries({}, optional=values)
    if schema.get("additionalProperties", True) is not False and depth < 2:
        near = st.builds(
            lambda given, more: {**more, **given},
            near,
            st.sampled_from([{}, {}, {"z": 1}]),
        )
    return schema, near


@costs(50)
@given(data=st.data())
def test_what_is_accepted_is_written_and_read_again(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """For schemas of which most count what is there, or depend on it (spec-language.md)."""
    drawn = data.draw(st.lists(objects(), min_size=12, max_size=12))
    texts = [
        standard_spec(f"t{number}", "d", schema)
        for number, (schema, _) in enumerate(drawn)
    ]
    catalog, _ = without_errors(*link(texts, Project(package="round")))
    folder = write_package(catalog, tmp_path_factory.mktemp("round"))
    with imported(folder, "round") as package:
        for tool in catalog.tools:
            _, near = drawn[int(tool.name[1:])]
            for _ in range(8):
                _goes_round(package.TOOLS[tool.name].input_type, data.draw(near))


def _goes_round(input_type: Any, sent: Any) -> None:
    if not verdict(input_type, sent):
        return
    for call in (input_type.from_dict(sent), input_type.from_accepted(sent)):
        written = call.to_dict()
        text = json.dumps(written)
        again = input_type.from_dict(json.loads(text))
        assert call == again
        assert json.loads(text) == json.loads(json.dumps(again.to_dict()))
        assert json.loads(text) == json.loads(call.to_json())
        assert call == input_type.from_call(call.to_json())
