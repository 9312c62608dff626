"""JSON in cells: what it says besides is left out, and entities are read as all else in rows."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

SPEC = """\
type: entity
name: Stamp
fields:
  at: datetime
  n: decimal
  on: date?
  ok: bool?
  low: { type: decimal, required: false, min: 0 }
  note: { type: string, required: false }
  local: { type: datetime, tz: assume-utc, required: false }
  step: { type: decimal, enum: [0.5, 1.5], required: false }
  slot: { type: datetime, enum: ["2026-01-01T00:00:00Z"], required: false }
  stamped: { type: timestamp, required: false }
---
type: entity
name: Outer
fields: { one: Stamp, more: "Stamp[]?" }
---
type: entity
name: Holder
fields: { one: Stamp, part: { type: object, fields: { at: datetime, w: int } } }
---
type: sql_function
name: cells
returns:
  inline:
    a: Stamp
    o: Outer?
    l: { type: "Stamp[]", required: false }
    b: { type: object, required: false, fields: { name: string, in: { fields: { w: int? } } } }
sql: SELECT * FROM t
---
type: sql_function
name: held
returns: Holder
sql: SELECT * FROM t
---
type: sql_function
name: open
returns:
  type: object
  properties:
    free: { type: object, properties: { a: { type: integer } } }
  required: [free]
  additionalProperties: false
sql: SELECT '{}' AS free
"""
GOOD: dict[str, Any] = {"at": "2026-01-01T00:00:00Z", "n": 1.5}
NEW_YEAR = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("cells")
    made = build(folder, {"all.yaml": SPEC}, targets=("python", "sql"))
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    made.load()
    return made


def _cells(built: Built, **columns: Any) -> dict[str, Any]:
    row = {"a": GOOD, **columns}
    texts = {name: json.dumps(cell) for name, cell in row.items()}
    found: dict[str, Any] = built.load("sql.cells").decode(texts)
    return found


def test_unknown_members_of_inline_objects_are_left_out(built: Built) -> None:
    cell: dict[str, Any] = {
        "name": "n",
        "Name": 2,
        "more": 1,
        "in": {"w": 3, "x": [], "W": 1},
    }
    assert {"name": "n", "in": {"w": 3}} == _cells(built, b=cell)["b"]
    assert {"name": "n", "in": {}} == _cells(built, b={"name": "n", "in": {"W": 1}})[
        "b"
    ]


OPEN = """\
type: entity
name: Tag
fields: { word: string }
---
type: sql_function
name: opened
returns:
  type: object
  properties:
    part:
      type: object
      properties:
        n: { type: integer }
        note: { type: string }
        at: { type: [string, "null"], format: date-time }
        inner: { type: object, properties: { w: { type: number } }, required: [w] }
        rest: { type: object, additionalProperties: { type: boolean } }
        tag: { entity_ref: Tag }
      required: [n, at]
      additionalProperties: { type: integer }
  additionalProperties: false
sql: SELECT '{}' AS part
---
type: sql_function
name: whole
returns:
  type: object
  properties: { part: { type: object, properties: { n: { type: integer } }, required: [n] } }
  required: [part]
sql: SELECT '{}' AS part
"""


def test_open_objects_are_read_as_closed_ones(tmp_path: Path) -> None:
    made = build(tmp_path, {"a.yaml": OPEN}, targets=("python", "sql"))
    made.load()
    opened, whole = made.load("sql.opened").decode, made.load("sql.whole").decode
    good: dict[str, Any] = {"n": 1, "at": None}

    def part(**members: Any) -> Any:
        return opened({"part": json.dumps({**good, **members})})["part"]

    assert {**good, "more": 2} == part(more=2, note=None)
    assert {**good, "inner": {"w": 1.5, "x": "y"}} == part(inner={"w": 1.5, "x": "y"})
    assert {**good, "rest": {"a": True}} == part(rest={"a": 1})
    assert {"n": 1, "at": NEW_YEAR} == part(at="2026-01-01 00:00:00")
    assert made.load("entities").Tag(word="w") == part(tag={"word": "w", "x": 1})["tag"]
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"n": "1"}, "column 'part/n': expected int, got str '1'"),
        ({"n": None}, "column 'part/n': expected int, got NoneType None"),
        ({"more": "2"}, "column 'part/more': expected int, got str '2'"),
        ({"inner": {}}, "column 'part/inner/w': missing among none"),
        ({"inner": {"w": "x"}}, "column 'part/inner/w': expected float, got str 'x'"),
    )
    for members, told in wrong:
        with pytest.raises(ValueError) as caught:
            part(**members)
        assert told == str(caught.value)
    for cell in ('{"at": null}', "[]", "7"):
        with pytest.raises(ValueError, match="column 'part"):
            opened({"part": cell})
    assert {"part": {"n": 1, "x": []}} == whole({"part": '{"n": 1, "x": []}'})
    with pytest.raises(ValueError, match="column 'part/n': expected int, got str 'x'"):
        whole({"part": '{"n": "x"}'})


def test_unknown_members_of_entities_are_left_out(built: Built) -> None:
    stamp = built.load("entities").Stamp(at=NEW_YEAR, n=Decimal("1.5"))
    more = {**GOOD, "x": {"y": 1}}
    found = _cells(built, a=more, o={"one": more, "more": [more], "z": 1}, l=[more])
    assert stamp == found["a"]
    assert [stamp] == found["l"]
    assert (stamp, [stamp]) == (found["o"].one, found["o"].more)
    many = {**GOOD, **{f"x{each}": each for each in range(5000)}}
    assert stamp == _cells(built, a=many)["a"]


@pytest.mark.parametrize(
    ("name", "said", "expected"),
    [
        ("at", "2026-01-01 00:00:00", NEW_YEAR),
        (
            "at",
            "2025-12-31T23:59:60Z",
            dt.datetime(2025, 12, 31, 23, 59, 59, 999999, dt.UTC),
        ),
        ("at", "2026-01-01", NEW_YEAR),
        ("n", "1.50", Decimal("1.50")),
        ("n", 1, Decimal(1)),
        ("low", "2.5", Decimal("2.5")),
        ("on", "2026-02-03 00:00:00", dt.date(2026, 2, 3)),
        ("ok", 1, True),
        ("ok", 0, False),
        ("note", None, None),
        ("local", "2026-01-01 00:00:00", NEW_YEAR),
        ("step", "1.50", Decimal("1.50")),
        ("slot", "2026-01-01 00:00:00", NEW_YEAR),
        ("stamped", "2026-01-01 00:00:00", NEW_YEAR),
    ],
)
def test_entities_are_read_as_all_else(
    built: Built, name: str, said: object, expected: object
) -> None:
    found = _cells(built, o={"one": {**GOOD, name: said}})["o"].one
    assert repr(expected) == repr(getattr(found, name))


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("at", "x", "column 'a/at': expected datetime, got str 'x'"),
        ("at", 1, "column 'a/at': expected string, got int 1"),
        ("n", "abc", "column 'a/n': expected number, got str 'abc'"),
        ("n", "NaN", "column 'a/n': expected number, got Decimal Decimal('NaN')"),
        ("on", "2026-02-30", "column 'a/on': expected date (YYYY-MM-DD), got str "),
        ("ok", 2, "column 'a/ok': expected boolean or null, got int 2"),
        ("step", "2.5", "column 'a/step': expected one of 0.5, 1.5, got Decimal Dec"),
        (
            "slot",
            "x",
            "column 'a/slot': expected one of \"2026-01-01T00:00:00Z\", got ",
        ),
        ("low", "-1", "column 'a/low': expected at least 0, got Decimal Decimal("),
    ],
)
def test_what_an_entity_does_not_take_names_its_cell(
    built: Built, name: str, said: object, told: str
) -> None:
    with pytest.raises(ValueError) as caught:
        _cells(built, a={**GOOD, name: said})
    assert "RowError" == type(caught.value).__name__
    assert told == str(caught.value)[: len(told)]


def test_what_is_missing_names_its_cell(built: Built) -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"a": {"n": 1}}, "column 'a/at': missing, expected datetime"),
        ({"a": []}, "column 'a': expected object, got list []"),
        ({"l": [GOOD, {"at": GOOD["at"]}]}, "column 'l/1/n': missing, expected number"),
    )
    for columns, told in cases:
        with pytest.raises(ValueError) as caught:
            _cells(built, **columns)
        assert told == str(caught.value)


def test_a_moment_of_an_enum_is_written_as_it_is_read(tmp_path: Path) -> None:
    spec = """\
type: entity
name: Slot
fields:
  at: { type: datetime, enum: ["2026-01-01T00:00:00+00:00"] }
  id: { type: uuid, enum: [0198D0F0-0000-7000-8000-000000000001], required: false }
  again:
    type: datetime[]
    enum: ["2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00.50Z"]
    default: ["2026-01-02T00:00:00.50Z"]
---
type: sql_function
name: slots
returns: { inline: { slot: Slot } }
sql: SELECT * FROM slots
"""
    made = build(tmp_path, {"a.yaml": spec}, targets=("python", "sql"))
    made.load()
    slot = made.load("entities").Slot
    read = slot.from_dict({"at": "2026-01-01T00:00:00Z"})
    assert read == slot.from_dict(read.to_dict())
    assert ["2026-01-02T00:00:00.500000Z"] == read.to_dict()["again"]
    cell = '{"at": "2026-01-01 00:00:00", "id": "0198d0f0-0000-7000-8000-000000000001"}'
    row = made.load("sql.slots").decode({"slot": cell})
    assert (
        slot.from_dict({**read.to_dict(), "id": json.loads(cell)["id"]}) == row["slot"]
    )
