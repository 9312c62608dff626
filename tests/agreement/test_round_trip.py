"""What is written again is what was sent, or its default; other spellings are no other meaning."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from brimgen.agreement.reference_validator import Oracle
from brimgen.agreement.round_trip import Meaning

SCHEMA: Any = json.loads("""{
  "type": "object",
  "properties": {
    "n": {"type": "integer", "default": 5},
    "price": {"type": "number", "x-decimal": [10, 2], "x-default": "0.10", "default": 0.1},
    "x": {"type": "number"},
    "at": {"type": "string", "format": "date-time"},
    "zoneless": {"type": "string", "x-tz": "assume-utc"},
    "id": {"type": "string", "format": "uuid"},
    "note": {"type": ["string", "null"]},
    "list": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
    "odd": {"type": "integer", "default": "none"},
    "m": {"type": "integer", "default": null},
    "times": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Moment"}}, {"type": "null"}]},
    "node": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
  },
  "$defs": {
    "Item": {"properties": {"a": {}, "b": {"type": "integer", "default": 1}}},
    "Moment": {"type": "string", "format": "date-time"},
    "Node": {
      "properties": {
        "at": {"$ref": "#/$defs/Moment"},
        "next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
      }
    }
  }
}""")
ROWS = """
{} | {"n": 5, "price": 0.10} |
{} | {"n": 6, "price": 0.10} | /n
{} | {"price": 0.10} | /n
{} | {"n": 5, "price": 0.1000001} | /price
{} | {…, "note": "x"} | /note
{} | {…, "m": null} |
{} | {…, "odd": "none"} | /odd
{} | {…, "more": 1} | /more
{"note": null} | {…, "note": null} |
{"note": null} | {…} | /note
{"n": 3.0} | {"n": 3, "price": 0.10} |
{"n": true} | {"n": 1, "price": 0.10} | /n
{"n": 9007199254740993} | {"n": 9007199254740992, "price": 0.10} | /n
{"x": 9007199254740993} | {…, "x": 9007199254740992.0} |
{"price": 1.25} | {"n": 5, "price": 1.250} |
{"price": 1.25} | {"n": 5, "price": 1.26} | /price
{"at": "2026-01-01t00:00:00z"} | {…, "at": "2026-01-01T01:00:00+01:00"} |
{"at": "2026-01-01T00:00:00Z"} | {…, "at": "2026-01-01T00:00:01Z"} | /at
{"zoneless": "2026-01-01T00:00:00.1234567"} | {…, "zoneless": "2026-01-01T00:00:00.123456Z"} |
{"zoneless": "2026-01-01T00:00:00"} | {…, "zoneless": "2026-01-01T01:00:00Z"} | /zoneless
{"id": "123E4567-E89B-42D3-A456-426614174000"} | {…, "id": "123e4567-e89b-42d3-a456-426614174000"} |
{"note": "AB"} | {…, "note": "ab"} | /note
{"list": [{"a": 1}, {"a": 2}]} | {…, "list": [{"a": 1, "b": 1}, {"a": 3, "b": 2}]} | /list/1/a /list/1/b
{"list": [{"a": 1}]} | {…, "list": [{"a": 1}]} |
{"list": []} | {…, "list": [{}]} | /list
{"times": ["2026-01-01t00:00:00z"]} | {…, "times": ["2026-01-01T00:00:00Z"]} |
{"times": ["2026-01-01t00:00:00z"]} | {…, "times": ["2026-01-01T00:00:01Z"]} | /times/0
{"times": null} | {…, "times": null} |
{"times": null} | {…, "times": []} | /times
{"node": {"next": {"at": "2026-01-01t00:00:00z"}}} | {…, "node": {"next": {"at": "2026-01-01T00:00:00Z"}}} |
{"node": {"next": {"at": "2026-01-01t00:00:00z"}}} | {…, "node": {"next": {"at": "2026-01-02T00:00:00Z"}}} | /node/next/at
"""  # noqa: E501
"""What is sent, what is written, and where these differ; the defaults stand for the dots."""


@pytest.mark.parametrize("row", ROWS.strip().splitlines())
def test_what_is_not_as_it_was_sent(row: str) -> None:
    sent, written, places = row.replace("…", '"n": 5, "price": 0.10').split(" |")
    meaning = Meaning(SCHEMA, Oracle(SCHEMA))
    text = json.loads(written, parse_float=Decimal)
    assert places.split() == [*meaning.unlike(json.loads(sent), text)]
