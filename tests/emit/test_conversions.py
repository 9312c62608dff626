"""One writer of conversions: a value is the same from an argument, an answer and a cell."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from brimgen.emit.code import Code
from brimgen.emit.codecs.conversions import (
    KEEP,
    Call,
    Chain,
    Combinators,
    Conversion,
    Items,
    Members,
    OrNone,
    Values,
    combined,
    expression,
    function,
    keeps,
)
from support.project import Built, build

SPECS = """\
type: entity
name: Mode
enum: [land, sea]
---
type: entity
name: Address
fields:
  street: string
  since: date
  seen: "datetime[]?"
  price: decimal
  id: uuid
  modes: "Mode[]"
  notes: { type: "string[]", default: [] }
---
type: python_function
name: keep_address
description: Keep an address.
arguments: { inline: { place: Address } }
---
type: http_function
name: fetch_addresses
description: Fetch addresses.
allowedHosts: [api.example.com]
request: { url: "https://api.example.com/all" }
returns: { inline: { places: "Address[]", best: Address? } }
---
type: sql_function
name: read_place
connection: default
description: Read one place.
sql: SELECT place FROM places
returns: { inline: { place: Address } }
"""
PLACE: dict[str, Any] = {
    "street": "Hauptstr. 1",
    "since": "2026-01-18",
    "seen": ["2026-01-18T05:00:00Z"],
    "price": 12.5,
    "id": "c2b8c1de-3f68-4c1c-9f7e-0a9fbb5a3a10",
    "modes": ["sea"],
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder: Path = tmp_path_factory.mktemp("conversions")
    made = build(folder, {"a.yaml": SPECS}, targets=("python", "http", "sql"))
    assert [] == [each.message for each in made.diagnostics if each.rule.code[0] != "L"]
    return made


def test_an_entity_is_equal_wherever_it_comes_from(built: Built) -> None:
    place = built.tool("keep_address").input_type.from_dict({"place": PLACE}).place
    assert dt.date(2026, 1, 18) == place.since
    assert [dt.datetime(2026, 1, 18, 5, tzinfo=dt.UTC)] == place.seen
    assert (Decimal("12.5"), UUID(PLACE["id"])) == (place.price, place.id)
    answer = built.load("http.fetch_addresses")._decode(
        {"places": [PLACE, PLACE], "best": None}
    )
    assert {"places": [place, place], "best": None} == answer
    row = built.load("sql.read_place").decode({"place": json.dumps(PLACE)})
    assert {"place": place} == row


def test_an_answer_with_a_wrong_entity_is_refused(built: Built) -> None:
    decode = built.load("http.fetch_addresses")._decode
    with pytest.raises(ValueError, match="no date"):
        decode({"places": [{**PLACE, "since": "yesterday"}], "best": None})


DATE = Call(Code("to_date"))
SHOWN: list[tuple[Conversion, str, str]] = [
    (KEEP, "raw", "lambda value: value"),
    (DATE, "to_date(raw)", "to_date"),
    (Call(Code("f"), (Code("1"),)), "f(raw, 1)", "lambda value: f(value, 1)"),
    (
        Chain(DATE, Call(Code("f"))),
        "f(to_date(raw))",
        "lambda value: f(to_date(value))",
    ),
    (Items(KEEP), "list(raw)", "lambda value: list(value)"),
    (
        Items(Items(DATE)),
        "[[to_date(item) for item in each] for each in raw]",
        "lambda value: [[to_date(item) for item in each] for each in value]",
    ),
    (
        Values(DATE),
        "{key: to_date(each) for key, each in raw.items()}",
        "lambda value: {key: to_date(each) for key, each in value.items()}",
    ),
    (OrNone(KEEP), "raw", "lambda value: value"),
    (
        OrNone(DATE),
        "(None if raw is None else to_date(raw))",
        "lambda value: (None if value is None else to_date(value))",
    ),
    (
        Members((("at", DATE),), Code("record")),
        'record(raw, {"at": to_date})',
        'lambda value: record(value, {"at": to_date})',
    ),
]


def test_a_conversion_is_an_expression_or_a_function() -> None:
    raw = Code("raw")
    found = [(str(expression(each, raw)), str(function(each))) for each, *_ in SHOWN]
    assert [tuple(expected) for _, *expected in SHOWN] == found


def test_a_combinator_stands_only_where_parts_need_it() -> None:
    by = Combinators("listed", "mapped", "maybe", "record", plain=Code("plain"))
    used: set[str] = set()
    made = [
        Items(OrNone(KEEP)),
        Members((("a", KEEP),), Code("")),
        Items(Values(DATE)),
        Members((("a", KEEP), ("at", OrNone(DATE))), Code("")),
    ]
    assert [
        "plain",
        "plain",
        "listed(mapped(to_date))",
        'record({"at": maybe(to_date)})',
    ] == [combined(each, by, used) for each in made]
    assert {"listed", "mapped", "maybe", "record"} == used
    assert [True, True, False, False] == [keeps(each) for each in made]
