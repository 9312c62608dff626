"""Answers of an inline shape: a TypedDict whose members are what they are said to be."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from support.checkers import MYPY, PYRIGHT, assert_clean
from support.project import Built, build

SPECS = """\
type: entity
name: Color
enum: [red, green]
---
type: entity
name: Point
fields: { x: int, at: date }
---
type: leaf
name: money
schema: { type: integer }
python: { type: "decimal:Decimal", parse: "decimal:Decimal", dump: "builtins:int" }
---
type: http_function
name: whole
allowedHosts: [a.example]
request: { urlTemplate: "https://a.example/" }
returns:
  inline:
    id: int
    uid: uuid
    price: money
    at: { type: datetime, tz: assume-utc }
    day: date?
    color: Color
    points: { type: "Point[]", required: false }
    total: { type: decimal, wire: string }
    free: object
    below:
      type: object
      required: false
      fields: { days: "date[]", cost: decimal, name: string }
---
type: http_function
name: rows
allowedHosts: [a.example]
request: { urlTemplate: "https://a.example/" }
returns:
  type: array
  items:
    type: object
    properties:
      cost: { type: number, x-precision: 20, x-scale: 3 }
      on: { type: string, format: date }
      open: { type: object, properties: { n: { type: integer } } }
    additionalProperties: false
---
type: http_function
name: mixed
allowedHosts: [a.example]
request: { urlTemplate: "https://a.example/" }
returns:
  inline:
    exact: decimal
    point: Point
    more: { type: object, required: false, fields: { cost: decimal, on: date } }
"""
WHOLE = {
    "id": 3.0,
    "uid": "0190a5a0-7c8e-7b1c-9d2e-3f4a5b6c7d8e",
    "price": 7,
    "at": "2026-01-02T03:04:05",
    "color": "red",
    "points": [{"x": 1, "at": "2026-01-02"}],
    "total": "1.50",
    "free": {"a": [1, 2.5]},
    "below": {"days": ["2026-02-03"], "cost": 2.5, "name": "n"},
}
USE = """
from typing import assert_type
import datetime as dt
from decimal import Decimal
from {package}.http import whole, rows

result = whole.invoke({{}})
assert result.ok is True
assert_type(result.value["at"], dt.datetime)
assert_type(result.value["total"], Decimal)
assert_type(result.value["id"], int)
if "below" in result.value:
    assert_type(result.value["below"]["days"], list[dt.date])
listed = rows.invoke({{}})
assert listed.ok is True
for each in listed.value:
    assert_type(each, rows.RowsResultItem)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("records"), {"a.yaml": SPECS})
    assert [] == [x.message for x in made.diagnostics if x.rule.severity == "error"]
    return made


class Transport:
    """Answers with one body."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def send(self, _request: Any, _budget: Any, /) -> Any:
        """Return the answer."""
        return self._answer


def _asked(package: Built, name: str, body: str) -> Any:
    transport = Transport(package.load("http").Answer(200, (), body.encode()))
    result = package.load(f"http.{name}").invoke({}, transport=transport)
    assert result.ok, result
    return result


def test_members_are_of_their_types(package: Built) -> None:
    found = _asked(package, "whole", json.dumps(WHOLE))
    entities = package.load("entities")
    assert {
        "id": 3,
        "uid": UUID("0190a5a0-7c8e-7b1c-9d2e-3f4a5b6c7d8e"),
        "price": Decimal(7),
        "at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "color": entities.Color("red"),
        "points": [entities.Point(1, date(2026, 1, 2))],
        "total": Decimal("1.50"),
        "free": {"a": [1, 2.5]},
        "below": {"days": [date(2026, 2, 3)], "cost": Decimal("2.5"), "name": "n"},
    } == found.value
    assert type(found.value["id"]) is int
    assert {"ok": True, "value": WHOLE} == found.to_dict()


def test_what_is_absent_stays_so_and_what_is_unknown_is_kept(
    package: Built,
) -> None:
    least = {key: WHOLE[key] for key in WHOLE if key not in ("points", "below")}
    found = _asked(package, "whole", json.dumps({**least, "day": None, "new": 1}))
    assert {*least, "day", "new"} == {*found.value}
    assert found.value["day"] is None


def test_objects_in_a_list(package: Built) -> None:
    body = '[{"on": "2026-01-02", "open": {"n": 1, "m": 2.50}}, {"cost": 1}]'
    found = _asked(package, "rows", body)
    first, second = found.value
    assert {"on": date(2026, 1, 2), "open": {"n": 1, "m": 2.5}} == first
    assert {"cost": 1} == second


LONG = "1234567890123456.123"


def test_decimals_keep_their_digits(package: Built) -> None:
    point = '{"x": 1, "at": "2026-01-02"}'
    more = f'{{"cost": {LONG}, "on": "2026-01-02"}}'
    body = f'{{"exact": {LONG}, "point": {point}, "more": {more}}}'
    found = _asked(package, "mixed", body)
    assert Decimal(LONG) == found.value["exact"] == found.value["more"]["cost"]
    assert date(2026, 1, 2) == found.value["more"]["on"]
    assert json.loads(body, parse_float=Decimal) == found.to_dict()["value"]


@pytest.mark.whole
def test_type_checkers_know_the_members(package: Built) -> None:
    root: Path = package.out / "python"
    (root / "use.py").write_text(USE.format(package=package.package))
    assert_clean(root, "use.py", by=[MYPY, PYRIGHT])
