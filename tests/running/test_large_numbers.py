"""Numbers that a double cannot hold: no digit is lost, and what is accepted is written again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from running.packages import imported, link, write_package

BIG = 2**53 + 1
BOUND = 99999999999999995000000
"""Between 99999999999999991611392, which a double holds for 1e23, and 10**23."""

TOOL = """
type: python_function
name: probe
description: None given.
arguments:
  inline:
    number: { type: float, required: false }
    maybe: { type: float?, required: false }
    numbers: { type: 'float[]', required: false }
    standing: { type: float, default: 9007199254740993 }
    low: { type: int, maximum: 99999999999999995000000, required: false }
    high: { type: int, minimum: 99999999999999995000000, required: false }
    over: { type: int, exclusiveMinimum: 1.0e+23, required: false }
    upto: { type: float, maximum: 99999999999999995000000, required: false }
    parts: { fields: { number: float }, required: false }
"""


@pytest.fixture(scope="module")
def input_type(tmp_path_factory: pytest.TempPathFactory) -> Any:
    catalog, found = link([TOOL])
    assert [] == [each.message for each in found]
    with imported(
        write_package(catalog, tmp_path_factory.mktemp("large")), "tools"
    ) as package:
        yield package.TOOLS["probe"].input_type


def test_an_integer_beyond_doubles_stays_the_integer(input_type: Any) -> None:
    call = {
        "number": BIG,
        "maybe": -BIG,
        "numbers": [BIG, 10**22 + 1],
        "parts": {"number": BIG},
        "standing": -1 - BIG,
    }
    for made in (input_type.from_dict(call), input_type.from_call(json.dumps(call))):
        assert (BIG, -BIG, [BIG, 10**22 + 1]) == (made.number, made.maybe, made.numbers)
        assert BIG == made.parts.number == made.to_dict()["parts"]["number"]
        assert call == made.to_dict()
        assert call == json.loads(made.to_json())


@pytest.mark.parametrize("name", ["low", "high", "over", "upto"])
@pytest.mark.parametrize("value", [1e23, 10**23, BOUND, BOUND - 1, BOUND + 1, 1e22])
@pytest.mark.parametrize("is_text", [False, True])
def test_what_an_integer_bound_admits_is_written_again(
    input_type: Any, name: str, value: float, is_text: bool
) -> None:
    says = value if isinstance(value, int) else {1e23: 10**23, 1e22: 10**22}[value]
    wanted = {
        "low": says <= BOUND,
        "high": says >= BOUND,
        "over": says > 10**23,
        "upto": says <= BOUND,
    }[name]
    call: Any = json.dumps({name: value}) if is_text else {name: value}
    read = input_type.from_call if is_text else input_type.from_dict
    if not wanted:
        with pytest.raises(ValueError):
            read(call)
        return
    made = read(call)
    again = input_type.from_dict(made.to_dict())
    assert made == again == input_type.from_call(made.to_json())
    assert says == getattr(made, name) or name == "upto"
