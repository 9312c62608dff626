"""Rows of an inline shape: a TypedDict whose members are what they are said to be."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from uuid import UUID

import black
import pytest

from support.checkers import MYPY, PYRIGHT, RUFF, assert_clean
from support.project import Built, build
from support.served import answered

LONG = "a_name_" + "x" * 90
SPEC = f"""\
type: entity
name: Color
enum: [red, green]
---
type: entity
name: Point
fields: {{ x: int, y: int? }}
---
type: entity
name: Final
fields: {{ n: int }}
---
type: leaf
name: money
schema: {{ type: string }}
python: {{ type: "decimal:Decimal", parse: "decimal:Decimal", dump: "builtins:str" }}
---
type: sql_function
name: whole
arguments: {{ inline: {{ id: int }} }}
returns:
  inline:
    id: int
    uid: uuid
    price: money
    at: datetime
    on: date?
    color: Color
    tags: string[]
    pt: Point
    pts: {{ type: "Point[]", required: false }}
    last: Final
    total: decimal
    kind: {{ type: string, enum: [a, b] }}
    class: int
    size: {{ type: object, fields: {{ w: int, h: datetime?, in: {{ fields: {{ uid: uuid }} }} }} }}
    any: object
    list: array
    {LONG}: {{ type: "Color[]", required: false }}
sql: SELECT * FROM t WHERE id = :id
---
type: sql_function
name: plain
returns: {{ inline: {{ a: int, b: string?, {LONG}: int }} }}
sql: SELECT 1 AS a, NULL AS b, 2 AS {LONG}
---
type: sql_function
name: none
returns: {{ inline: {{ b: string? }} }}
sql: SELECT NULL AS b
---
type: sql_function
name: schemas
returns:
  type: array
  items:
    type: object
    properties:
      grid: {{ type: array, items: {{ type: array, items: {{ type: integer }} }} }}
      mixed: {{ type: [string, integer] }}
      parts: {{ type: array, items: {{ type: object, properties: {{ s: {{ type: string }} }} }} }}
      free: {{ type: array, items: {{}} }}
      open: {{ type: object, additionalProperties: {{ type: integer }} }}
    required: [grid, mixed, parts, free, open]
    additionalProperties: false
sql: SELECT :grid AS grid, 1 AS mixed, 1 AS parts, 1 AS free, 1 AS open
arguments: {{ inline: {{ grid: string }} }}
---
type: sql_function
name: finals
returns: Final[]
sql: SELECT 1 AS n
---
type: sql_function
name: ids
returns: uuid[]
sql: SELECT uid FROM t
"""
UID = "0190a3f0-0000-7000-8000-000000000001"
ROW: dict[str, object] = {
    "id": 1,
    "uid": UID,
    "price": "1.50",
    "at": "2026-01-01 00:00:00",
    "on": None,
    "color": "red",
    "tags": '["a"]',
    "pt": '{"x": 1}',
    "pts": None,
    "last": '{"n": 1}',
    "total": "1.5",
    "kind": "a",
    "class": 3,
    "size": f'{{"w": 1, "h": "2026-01-01T00:00:00Z", "in": {{"uid": "{UID}"}}}}',
    "any": '{"k": [1, "x"]}',
    "list": '["1", 2]',
    LONG: '["green"]',
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("rows"),
        {"all.yaml": SPEC},
        targets=("python", "sql", "mcp", "service", "server"),
    )
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    made.load()
    return made


@pytest.fixture(scope="module")
def whole(built: Built) -> ModuleType:
    return built.load("sql.whole")


def test_members_are_what_they_are_said_to_be(built: Built, whole: ModuleType) -> None:
    entities = built.load("entities")
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    expected = {
        "id": 1,
        "uid": UUID(UID),
        "price": Decimal("1.50"),
        "at": at,
        "on": None,
        "color": entities.Color.RED,
        "tags": ["a"],
        "pt": entities.Point(x=1),
        "last": entities.Final(n=1),
        "total": Decimal("1.5"),
        "kind": "a",
        "class": 3,
        "size": {"w": 1, "h": at, "in": {"uid": UUID(UID)}},
        "any": {"k": [1, "x"]},
        "list": ["1", 2],
        LONG: [entities.Color.GREEN],
    }
    assert expected == whole.decode(ROW)


@pytest.mark.parametrize(
    ("column", "cell", "told"),
    [
        ("color", "blue", "column 'color': expected one of 'red', 'green', got str "),
        ("uid", "x", "column 'uid': expected UUID, got str 'x'"),
        ("price", "x", "column 'price': expected money, got str 'x'"),
        ("any", "[1]", "column 'any': expected object, got str '[1]'"),
        ("list", "{}", "column 'list': expected list, got str '{}'"),
        ("tags", "[1]", "column 'tags/0': expected text, got int 1"),
        ("size", "[]", "column 'size': expected object, got str '[]'"),
        ("size", '{"w": "1"}', "column 'size/w': expected int, got str '1'"),
        ("on", "2026-02-30", "column 'on': expected date, got str '2026-02-30'"),
        ("at", "2026-02-30", "column 'at': expected datetime, got str '2026-02-30'"),
        ("size", '{"x": 1}', "column 'size/w': missing among x"),
        ("size", '{"W": 1}', "column 'size/w': missing among W"),
        ("size", '{"w": 1}', "column 'size/in': missing among w"),
        ("size", '{"w": 1, "in": {}}', "column 'size/in/uid': missing among none"),
    ],
)
def test_what_is_of_another_type_is_refused(
    whole: ModuleType, column: str, cell: str, told: str
) -> None:
    with pytest.raises(ValueError) as caught:
        whole.decode({**ROW, column: cell})
    assert told == str(caught.value)[: len(told)]


def test_parts_of_schemas_are_read_by_their_types(built: Built) -> None:
    """A string within JSON is itself, and no JSON once more."""
    row = {
        "grid": "[[1, 2.0], []]",
        "mixed": "7",
        "parts": '[{"s": "x"}, {}]',
        "free": '["{", 1, null]',
        "open": '{"a": 1}',
    }
    expected = {
        "grid": [[1, 2], []],
        "mixed": "7",
        "parts": [{"s": "x"}, {}],
        "free": ["{", 1, None],
        "open": {"a": 1},
    }
    module = built.load("sql.schemas")
    assert expected == module.decode(row)
    with pytest.raises(ValueError, match="column 'mixed': expected str or int, got"):
        module.decode({**row, "mixed": 1.5})


def test_a_caller_is_told_which_columns_are_null(tmp_path: Path) -> None:
    spec = """\
type: entity
name: person
fields:
  id: int
  bio: string?
  note: { type: string, required: false }
  level: { type: int?, default: 3 }
  nulls: int?
---
type: sql_function
name: persons
returns: person[]
sql: SELECT 1 AS id, NULL AS bio, NULL AS note, NULL AS level, NULL AS nulls
---
type: sql_function
name: nested
returns:
  inline:
    at: date?
    one: { type: object, fields: { a: int?, b: { type: int, required: false } } }
sql: SELECT NULL AS at, '{"a":null,"b":null}' AS one
---
type: sql_function
name: opened
returns:
  type: object
  properties:
    a: { type: [integer, "null"] }
    b: { type: integer }
    in:
      type: object
      properties: { a: { type: [integer, "null"] }, b: { type: integer } }
sql: SELECT NULL AS a, NULL AS b, '{"a":null,"b":null,"c":null}' AS "in"
"""
    made = build(tmp_path, {"a.yaml": spec}, targets=("python", "sql", "service"))
    assert not made.diagnostics.has_errors, [*made.diagnostics]
    made.load()
    with closing(sqlite3.connect(":memory:")) as connection:
        service = made.load("service").Service(connections={"default": connection})
        [person] = service.call("persons", {})
        assert {"id": 1, "bio": None, "level": None, "nulls": None} == person
        assert {"at": None, "one": {"a": None}} == service.call("nested", {})
        opened = {"a": None, "in": {"a": None, "c": None}}
        assert opened == service.call("opened", {})


@pytest.mark.whole
def test_checkers_and_formatters_find_nothing(built: Built) -> None:
    package = built.folder / "out" / "python" / built.package
    mode = black.Mode(target_versions={black.TargetVersion.PY311})
    for path in (package / "sql").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert text == black.format_str(text, mode=mode), path
    settings = {
        "include": [str((package / "sql").relative_to(built.folder))],
        "typeCheckingMode": "strict",
    }
    strict = built.folder / "pyrightconfig.json"
    strict.write_text(json.dumps(settings), encoding="utf-8")
    assert_clean(package.parent, built.package, by=[MYPY])
    assert_clean(package, "sql", by=[RUFF])
    assert_clean(package, by=[(*PYRIGHT, "--project", str(strict))])


def test_a_server_sends_them_as_json(built: Built, tmp_path: Path) -> None:
    """A UUID, and a leaf of the project, have a form in JSON that their values do not tell."""
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path)) as connection:
        columns = ", ".join(f'"{each}"' for each in ROW)
        marks = ", ".join("?" * len(ROW))
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.execute(f"INSERT INTO t VALUES ({marks})", tuple(ROW.values()))
        connection.commit()
    server, given = built.load("mcp_server"), {"connections": {"default": str(path)}}
    found = answered(server, "whole", {"id": 1}, **given)
    assert not found["isError"], found
    sent = found["structuredContent"]
    assert (UID, "1.50", UID) == (sent["uid"], sent["price"], sent["size"]["in"]["uid"])
    listed = answered(server, "ids", **given)
    assert {"result": [UID]} == listed["structuredContent"]
