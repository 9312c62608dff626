"""Five shapes of arguments: their specs for our generator, and calls that are right and wrong."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ENTITIES = """\
type: entity
name: Customer
fields:
  name: { type: string, minLength: 1, maxLength: 80 }
  email: { type: string, maxLength: 120 }
  age: { type: int, minimum: 0, maximum: 150 }
---
type: entity
name: Place
fields:
  street: { type: string, maxLength: 120 }
  city: { type: string }
  latitude: { type: float, minimum: -90, maximum: 90 }
  longitude: { type: float, minimum: -180, maximum: 180 }
---
type: entity
name: Line
fields:
  sku: { type: string, minLength: 1, maxLength: 20 }
  quantity: { type: int, minimum: 1, maximum: 99 }
  price: { type: float, minimum: 0 }
  gift: bool
"""

_TOOL = "type: python_function\nname: {name}\ndescription: Takes one shape.\n"

_FLAT = """\
arguments:
  inline:
    customer_id: { type: int, minimum: 1 }
    title: { type: string, minLength: 1, maxLength: 80 }
    ratio: { type: float, minimum: 0, maximum: 1 }
    status: { type: string, enum: [open, shipped, cancelled] }
    limit: { type: int, default: 10, minimum: 1, maximum: 100 }
"""
_DATES = """\
arguments:
  inline: { first: date, last: date, opened: datetime, closed: datetime }
"""
_NESTED = """\
arguments:
  inline: { customer: Customer, place: Place, line: Line }
"""
_OPEN = """\
arguments:
  inline:
    type: object
    additionalProperties: true
    required: [customer, line]
    properties:
      customer:
        type: object
        additionalProperties: true
        required: [name, age]
        properties:
          name: { type: string, minLength: 1, maxLength: 80 }
          age: { type: integer, minimum: 0, maximum: 150 }
      line:
        type: object
        additionalProperties: true
        required: [sku, quantity]
        properties:
          sku: { type: string, minLength: 1, maxLength: 20 }
          quantity: { type: integer, minimum: 1, maximum: 99 }
"""
_LIST = """\
arguments:
  inline: { lines: "Line[]" }
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape: its title, its spec, a right call, and calls with one mistake each."""

    name: str
    title: str
    spec: str
    valid: dict[str, Any]
    invalid: tuple[dict[str, Any], ...]


def _changed(value: dict[str, Any], change: Callable[[Any], object]) -> dict[str, Any]:
    other = copy.deepcopy(value)
    change(other)
    return other


def _shape(
    name: str, title: str, arguments: str, valid: dict[str, Any], *changes: Any
) -> Shape:
    invalid = tuple(_changed(valid, change) for change in changes)
    return Shape(name, title, _TOOL.format(name=name) + arguments, valid, invalid)


def _line(number: int) -> dict[str, Any]:
    return {
        "sku": f"A-{number}",
        "quantity": number % 99 + 1,
        "price": 2.5 + number,
        "gift": number % 3 == 0,
    }


_ORDER: dict[str, Any] = {
    "customer": {"name": "Ada", "email": "ada@example.org", "age": 36},
    "place": {
        "street": "Unter den Linden 1",
        "city": "Berlin",
        "latitude": 52.5,
        "longitude": 13.4,
    },
    "line": _line(7),
}

SHAPES = (
    _shape(
        "flat",
        "flat: 5 scalars with bounds, enum, closed",
        _FLAT,
        {
            "customer_id": 7,
            "title": "Late parcels",
            "ratio": 0.25,
            "status": "shipped",
            "limit": 50,
        },
        lambda call: call.update(customer_id="7"),
        lambda call: call.update(limit=1000),
        lambda call: call.update(status="lost"),
        lambda call: call.pop("ratio"),
        lambda call: call.update(more=1),
    ),
    _shape(
        "dates",
        "dates and datetimes",
        _DATES,
        {
            "first": "2026-01-18",
            "last": "2026-02-28",
            "opened": "2026-01-18T05:00:00Z",
            "closed": "2026-01-18T12:30:00+05:30",
        },
        lambda call: call.update(first="tomorrow"),
        lambda call: call.update(last="2026-02-30"),
        lambda call: call.update(opened="2026-01-18T05:00:00"),
        lambda call: call.update(closed="2026-01-18"),
    ),
    _shape(
        "nested",
        "three nested entities",
        _NESTED,
        _ORDER,
        lambda call: call["customer"].update(age=-1),
        lambda call: call["place"].pop("city"),
        lambda call: call["line"].update(quantity="7"),
        lambda call: call["line"].update(more=1),
        lambda call: call.pop("place"),
    ),
    _shape(
        "nested_open",
        "two nested objects, open",
        _OPEN,
        {
            "customer": {"name": "Ada", "age": 36, "since": 2021},
            "line": {"sku": "A-7", "quantity": 7},
            "note": "leave it at the door",
        },
        lambda call: call["customer"].update(age=-1),
        lambda call: call["line"].pop("sku"),
        lambda call: call["line"].update(quantity="7"),
        lambda call: call.pop("line"),
    ),
    _shape(
        "many",
        "list of 100 entities",
        _LIST,
        {"lines": [_line(number) for number in range(100)]},
        lambda call: call["lines"][50].update(quantity="7"),
        lambda call: call["lines"][99].pop("sku"),
        lambda call: call["lines"][10].update(more=1),
    ),
)
