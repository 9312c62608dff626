"""A value is the same from an argument, an answer and a cell."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

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
    answer = built.load("http.fetch_addresses").CALL.decode(
        {"places": [PLACE, PLACE], "best": None}
    )
    assert {"places": [place, place], "best": None} == answer
    row = built.load("sql.read_place").decode({"place": json.dumps(PLACE)})
    assert {"place": place} == row


def test_an_answer_with_a_wrong_entity_is_refused(built: Built) -> None:
    decode = built.load("http.fetch_addresses").CALL.decode
    with pytest.raises(ValueError, match="no date"):
        decode({"places": [{**PLACE, "since": "yesterday"}], "best": None})
