"""What is written again is what was sent, or its default; other spellings are no other meaning."""

from __future__ import annotations

import json
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from brimgen.agreement.binding_laws import misplaced_parameters
from brimgen.agreement.instances import Instances
from brimgen.agreement.reference_validator import Oracle
from brimgen.agreement.round_trip import Meaning

SCHEMA: Any = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "default": 5},
        "price": {"type": "number", "x-decimal": [10, 2], "x-default": "0.10"},
        "x": {"type": "number"},
        "at": {"type": "string", "format": "date-time"},
        "zoneless": {"type": "string", "x-tz": "assume-utc"},
        "id": {"type": "string", "format": "uuid"},
        "leaf": {"type": "string", "x-leaf": "sku"},
        "note": {"type": ["string", "null"]},
        "list": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        "odd": {"type": "integer", "default": "none"},
        "m": {"type": "integer", "default": None},
    },
    "$defs": {
        "Item": {"properties": {"a": {}, "b": {"type": "integer", "default": 1}}}
    },
}
SCHEMA["properties"]["price"]["default"] = 0.1


def unlike(sent: Any, written: str, schema: Any = SCHEMA) -> list[str]:
    judge = Oracle(schema).accepts_part
    made = Meaning(schema, Instances(schema, judge).flat, judge)
    text = json.loads(written, parse_float=Decimal)
    return [*made.unlike(sent, text)]


DEFAULTS = '"n": 5, "price": 0.10'


@pytest.mark.parametrize(
    ("sent", "written", "places"),
    [
        ({}, f"{{{DEFAULTS}}}", []),
        ({}, '{"n": 6, "price": 0.10}', ["/n"]),
        ({}, '{"price": 0.10}', ["/n"]),
        ({}, '{"n": 5, "price": 0.1000001}', ["/price"]),
        ({}, f'{{{DEFAULTS}, "note": "x"}}', ["/note"]),
        ({}, f'{{{DEFAULTS}, "m": null}}', []),
        ({}, f'{{{DEFAULTS}, "odd": "none"}}', ["/odd"]),
        ({}, f'{{{DEFAULTS}, "more": 1}}', ["/more"]),
        ({"note": None}, f'{{{DEFAULTS}, "note": null}}', []),
        ({"note": None}, f"{{{DEFAULTS}}}", ["/note"]),
        ({"n": 3.0}, '{"n": 3, "price": 0.10}', []),
        ({"n": True}, '{"n": 1, "price": 0.10}', ["/n"]),
        ({"n": 2**53 + 1}, f'{{"n": {2**53}, "price": 0.10}}', ["/n"]),
        ({"x": 2**53 + 1}, f'{{{DEFAULTS}, "x": {2**53}}}', []),
        ({"price": 1.25}, '{"n": 5, "price": 1.250}', []),
        ({"price": 1.25}, '{"n": 5, "price": 1.26}', ["/price"]),
        (
            {"at": "2026-01-01t00:00:00z"},
            f'{{{DEFAULTS}, "at": "2026-01-01T01:00:00+01:00"}}',
            [],
        ),
        (
            {"at": "2026-01-01T00:00:00Z"},
            f'{{{DEFAULTS}, "at": "2026-01-01T00:00:01Z"}}',
            ["/at"],
        ),
        (
            {"zoneless": "2026-01-01T00:00:00.1234567"},
            f'{{{DEFAULTS}, "zoneless": "2026-01-01T00:00:00.123456Z"}}',
            [],
        ),
        (
            {"zoneless": "2026-01-01T00:00:00"},
            f'{{{DEFAULTS}, "zoneless": "2026-01-01T01:00:00Z"}}',
            ["/zoneless"],
        ),
        ({"id": "AB"}, f'{{{DEFAULTS}, "id": "ab"}}', []),
        ({"note": "AB"}, f'{{{DEFAULTS}, "note": "ab"}}', ["/note"]),
        ({"leaf": "AB"}, f'{{{DEFAULTS}, "leaf": "a-b"}}', []),
        (
            {"list": [{"a": 1}, {"a": 2}]},
            f'{{{DEFAULTS}, "list": [{{"a": 1, "b": 1}}, {{"a": 3, "b": 2}}]}}',
            ["/list/1/a", "/list/1/b"],
        ),
        ({"list": [{"a": 1}]}, f'{{{DEFAULTS}, "list": [{{"a": 1}}]}}', []),
        ({"list": []}, f'{{{DEFAULTS}, "list": [{{}}]}}', ["/list"]),
    ],
)
def test_what_is_not_as_it_was_sent(sent: Any, written: str, places: list[str]) -> None:
    assert places == unlike(sent, written)


def or_null(schema: Any) -> Any:
    return {"anyOf": [schema, {"type": "null"}]}


MOMENT: Any = {"type": "string", "format": "date-time"}
NODE: Any = {"properties": {"at": MOMENT, "next": or_null({"$ref": "#/$defs/Node"})}}
BRANCHED: Any = {
    "properties": {
        "times": or_null({"type": "array", "items": MOMENT}),
        "node": or_null({"$ref": "#/$defs/Node"}),
    },
    "$defs": {"Node": NODE},
}


@pytest.mark.parametrize(
    ("sent", "written", "places"),
    [
        (
            {"times": ["2026-01-01t00:00:00z"]},
            '{"times": ["2026-01-01T00:00:00Z"]}',
            [],
        ),
        (
            {"times": ["2026-01-01t00:00:00z"]},
            '{"times": ["2026-01-01T00:00:01Z"]}',
            ["/times/0"],
        ),
        ({"times": None}, '{"times": null}', []),
        ({"times": None}, '{"times": []}', ["/times"]),
        (
            {"node": {"next": {"at": "2026-01-01t00:00:00z"}}},
            '{"node": {"next": {"at": "2026-01-01T00:00:00Z"}}}',
            [],
        ),
        (
            {"node": {"next": {"at": "2026-01-01t00:00:00z"}}},
            '{"node": {"next": {"at": "2026-01-02T00:00:00Z"}}}',
            ["/node/next/at"],
        ),
    ],
)
def test_beside_null_and_in_itself_a_text_may_be_spelt_otherwise_too(
    sent: Any, written: str, places: list[str]
) -> None:
    assert places == unlike(sent, written, BRANCHED)


def module(source: str, *names: str) -> Any:
    params = [SimpleNamespace(name=each) for each in names]
    return SimpleNamespace(SOURCE=source, PARAMS=params)


@pytest.mark.parametrize(
    ("made", "wrong"),
    [
        ({"a": "x", "b": "y", "c": None}, []),
        ({"a": "y", "b": "x", "c": None}, ["a", "b"]),
        ({"a": "x", "b": "y"}, ["c"]),
        ({"a": "x", "b": "y", "c": "z"}, ["c"]),
        (("x", "y", None), []),
        (("x", None, "y"), ["b", "c"]),
        (("x", "y", "x", None), []),
        (("x", "y", "y", None), ["a"]),
    ],
    ids=str,
)
def test_parameters_that_carry_another_argument(made: Any, wrong: list[str]) -> None:
    """A positional one is called as the place in the statement where it stands."""
    sql = module("SELECT :a, :b::text WHERE :a = :c", "a", "b", "c")
    values = {"a": "x", "b": "y", "c": None}
    assert wrong == [*misplaced_parameters(made, sql, values)]
