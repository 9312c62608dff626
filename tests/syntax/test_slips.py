"""Keys with a slip: one mistake, one error, and nothing else is said to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.project import build

SQL = """\
type: sql_function
name: find_bikes
description: List the bikes of a kind, with the price of a day.
when_to_use: Use for questions about what can be hired.
arguments:
  inline:
    data:
      type: string
      description: Kind of a bike, as in the price list
      enum: [city, race]
      default: city
    limit: int
returns: Bike[]
mcp:
  title: Bikes
connection: default
sql: SELECT 1 AS wheels, 'city' AS kind WHERE :data = 'city' LIMIT :limit
"""
ENTITY = """\
type: entity
name: Bike
description: A bike for hire.
fields: {wheels: int, kind: string}
"""
LISTED = """\
type: python_function
name: list_bikes
description: List all bikes of a shop, the newest first.
arguments:
  inline:
    - name: body
      type: string
      description: What the shop is called
returns: void
"""
KEYS = [
    *(
        ("tool.yaml", key)
        for key in (
            *("type", "name", "description", "when_to_use", "arguments", "inline"),
            *("enum", "default", "returns", "mcp", "title", "connection", "sql"),
        )
    ),
    *(("entity.yaml", key) for key in ("type", "name", "description", "fields")),
    *(("listed.yaml", key) for key in ("type", "name", "description", "arguments")),
]
FILES = {"tool.yaml": SQL, "entity.yaml": ENTITY, "listed.yaml": LISTED}


def _said(folder: Path, files: dict[str, str]) -> list[str]:
    return [
        f"{each.rule.code} {each.message} {each.suggestions}"
        for each in build(folder, files).diagnostics
    ]


def test_without_a_slip_nothing_is_said(tmp_path: Path) -> None:
    assert [] == _said(tmp_path, FILES)


@pytest.mark.parametrize(("file", "key"), KEYS)
@pytest.mark.parametrize("slip", ["dropped", "doubled", "last"])
def test_a_slip_of_a_key_is_one_mistake(
    tmp_path: Path, file: str, key: str, slip: str
) -> None:
    """The key that was meant is suggested; that it is missing is not said."""
    middle = len(key) // 2
    wrong = {
        "dropped": key[:middle] + key[middle + 1 :],
        "doubled": key[:middle] + key[middle] + key[middle:],
        "last": key[:-1],
    }[slip]
    text = FILES[file]
    at = text.rindex(f"{key}:")
    changed = text[:at] + wrong + text[at + len(key) :]
    said = _said(tmp_path, {**FILES, file: changed})
    assert 1 == len(said), said
