"""What a slip was probably meant to be: the nearest names; rather none than a bad one."""

from __future__ import annotations

import pytest

from brimgen.diagnostics import did_you_mean

KEYS = ("arguments", "targets", "returns", "tags", "description", "descriptions")


@pytest.mark.parametrize(
    ("slip", "known", "expected"),
    [
        ("argumnets", KEYS, ("arguments",)),
        ("strng", ("string", "str", "int"), ("string",)),
        ("Returns", KEYS, ("returns",)),
        ("find_order", ("find_orders", "bind_order"), ("find_orders", "bind_order")),
        ("quantity", KEYS, ()),
        ("itn", ("float", "int", "string"), ("int",)),
        ("Strin", ("int", "string"), ("string",)),
        ("XY", ("Yx",), ("Yx",)),
        ("ab", ("cd",), ()),
        ("tool_7", [f"tool_{n}{n}" for n in range(400)], ("tool_77",)),
    ],
)
def test_the_nearest_known_names_are_suggested_for_a_slip(
    slip: str, known: list[str], expected: tuple[str, ...]
) -> None:
    assert expected == did_you_mean(slip, known)
