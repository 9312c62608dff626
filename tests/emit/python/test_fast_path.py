"""The fast path of a generated class is short enough to review, and takes common spellings."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Iterator
from types import ModuleType

import pytest

from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    is_read_fast,
    link,
    verdict,
    write_package,
)

ORDERS = """\
type: entity
name: Line
fields: {sku: string, price: float}
---
type: entity
name: Channel
enum: [web, shop]
---
type: python_function
name: place_order
description: Place an order.
arguments:
  inline:
    customer_id: {type: int, minimum: 1}
    title: {type: string, minLength: 1, maxLength: 80}
    weight: {type: float, minimum: 0}
    lines: {type: "Line[]", minItems: 1, maxItems: 50}
    channel: {type: Channel, default: web}
    limit: {type: int, default: 10, minimum: 1, maximum: 100}
    deliver_on: {type: date, required: false}
    placed_at: {type: datetime, required: false}
    total: {type: decimal, required: false, minimum: 0}
    note: {type: string?, required: false, maxLength: 200}
"""
ORDER = {
    "customer_id": 7,
    "title": "Late parcels",
    "weight": 2.5,
    "lines": [{"sku": "A-1", "price": 1.5}],
    "deliver_on": "2026-01-18",
}


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    catalog, found = link([ORDERS], Project(package="orders"))
    assert [] == errors(found)
    folder = write_package(catalog, tmp_path_factory.mktemp("orders"))
    with imported(folder, "orders") as package:
        yield package


def test_from_dict_of_ten_arguments_fits_on_a_screen(orders: ModuleType) -> None:
    decorator, *lines = inspect.getsource(orders.PlaceOrderInput.from_dict).splitlines()
    assert decorator.strip() == "@classmethod"
    assert len(lines) <= 66


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"weight": 3},
        {"lines": [{"sku": "A-1", "price": 2}] * 3},
        {"channel": "shop", "limit": 100, "note": "ring twice"},
        {"placed_at": "2026-01-18T05:00:00Z", "total": 12.5},
    ],
)
def test_a_common_spelling_is_decoded_without_the_validator(
    orders: ModuleType, change: dict[str, object]
) -> None:
    sent = {**ORDER, **change}
    assert is_read_fast(orders.PlaceOrderInput, sent)
    accepted = orders.PlaceOrderInput.from_accepted(sent)
    assert accepted == orders.PlaceOrderInput.from_dict(sent)


@pytest.mark.parametrize(
    "day",
    ["20260118", "2026-W03-7", "2026-W03", "2026W037", "2026-1-18", "", "2026-01", 7],
)
def test_a_day_in_another_form_of_iso_8601_is_refused(
    orders: ModuleType, day: object
) -> None:
    assert not verdict(orders.PlaceOrderInput, {**ORDER, "deliver_on": day})


@pytest.mark.parametrize(
    ("change", "is_accepted"),
    [
        ({"unknown": 1}, False),
        ({"total": None}, False),
        ({"total": None, "unknown": 1}, False),
        ({"note": None}, True),
        ({"note": None, "unknown": 1}, False),
    ],
)
def test_keys_that_nobody_declared_and_nulls_are_counted(
    orders: ModuleType, change: dict[str, object], is_accepted: bool
) -> None:
    assert is_accepted == verdict(orders.PlaceOrderInput, {**ORDER, **change})


def test_a_default_dictionary_is_not_changed_by_being_read(orders: ModuleType) -> None:
    sent: defaultdict[str, object] = defaultdict(list, ORDER)
    del sent["title"]
    assert not verdict(orders.PlaceOrderInput, sent)
    assert "title" not in sent
