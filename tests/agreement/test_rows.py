"""A row of the ledger excuses what it is about, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.agreement.descriptors import Rows
from brimgen.emit.account import Loss, Recovery
from brimgen.model.json import Json

SCHEMA: Any = {"properties": {"a": {"properties": {"b": {}, "c": {}}}, "d": {}}}
BELOW = "/properties/a"


def rows(
    pointer: str,
    keyword: str,
    value: Json = None,
    recovered_by: Recovery = Recovery.DECODER,
) -> Rows:
    return Rows([Loss("t", pointer, keyword, value, "mcp", recovered_by)], SCHEMA)


MORE: list[tuple[str, str, Any, str, list[Any], bool]] = [
    (BELOW, "minLength", 2, "minLength", ["a"], True),
    (BELOW, "minLength", 2, "minLength", ["a", 3], True),
    (BELOW, "minLength", 2, "maxLength", ["a"], False),
    (BELOW, "minLength", 2, "minLength", ["d"], False),
    (BELOW, "minLength", 2, "minLength", [], False),
    (f"{BELOW}/items", "minLength", 2, "minLength", ["a", 0], True),
    (BELOW, "minLength", 2, "minLength", ["a", "b", "c"], False),
    (BELOW, "required", ["b"], "required", ["a", "b"], True),
    (BELOW, "additionalProperties", False, "unknown", ["a", "x"], True),
    (BELOW, "additionalProperties", {"type": "null"}, "type", ["a", "x"], True),
    (BELOW, "additionalProperties", {"type": "null"}, "type", ["a", "b"], False),
    (f"{BELOW}/additionalProperties", "format", "date", "format", ["a", "x"], True),
    (
        f"{BELOW}/additionalProperties",
        "format",
        "date",
        "format",
        ["a", "b"],
        False,
    ),
    (BELOW, "not", {"properties": {"b": {}}}, "not", ["a"], True),
    ("", "anyOf", [{"required": ["d"]}], "anyOf", [], True),
    ("", "anyOf", [{"required": ["d"]}], "minLength", ["a", "b"], False),
    ("", "allOf", [{"properties": {"a": {}}}], "minLength", ["a", "b"], True),
    ("", "allOf", [{"properties": {"a": {}}}], "minLength", ["d", "b"], False),
    ("", "allOf", [{"$ref": "#/x"}], "minLength", ["d", "b"], True),
    (f"{BELOW}/anyOf/1", "enum", [{}], "anyOf", ["a"], True),
    (f"{BELOW}/anyOf/1", "enum", [{}], "oneOf", ["a"], False),
    ("/$defs/It", "minLength", 2, "minLength", ["a", "b"], True),
    ("/$defs/It/properties/b", "minLength", 2, "minLength", ["a", "b"], True),
    ("/$defs/It/properties/b", "minLength", 2, "minLength", ["a", "c"], False),
    ("/properties/d~1e", "pattern", "a", "pattern", ["d/e"], True),
]


@pytest.mark.parametrize(
    ("pointer", "keyword", "value", "rule", "place", "excused"), MORE
)
def test_a_known_widening_excuses_a_descriptor_that_says_more_and_no_other(
    pointer: str, keyword: str, value: Json, rule: str, place: list[Any], excused: bool
) -> None:
    wanted = keyword if excused else None
    assert wanted == rows(pointer, keyword, value).widen(rule, place)


@pytest.mark.parametrize("recovered_by", Recovery)
def test_what_another_keyword_says_is_no_excuse(recovered_by: Recovery) -> None:
    told = rows(BELOW, "minLength", 2, recovered_by).widen("minLength", ["a"])
    untold = (Recovery.TEXT, Recovery.DECODER, Recovery.NONE)
    assert (recovered_by in untold) is (told is not None)


@pytest.mark.parametrize(
    ("pointer", "place", "excused"),
    [
        (BELOW, ["a"], True),
        (BELOW, [], True),
        (f"{BELOW}/anyOf/0/items", ["a", 3], True),
        (BELOW, ["d"], False),
        (BELOW, ["a", "b"], False),
    ],
)
def test_a_known_narrowing_excuses_a_descriptor_that_says_less_and_no_other(
    pointer: str, place: list[Any], excused: bool
) -> None:
    wanted = "type" if excused else None
    assert wanted == rows(pointer, "type", None, Recovery.NARROWED).narrow(place)
    assert rows(pointer, "type", None, Recovery.DECODER).narrow(place) is None
