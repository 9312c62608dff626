"""Hostile calls of a generated tool: each is accepted, or refused soon and in few words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.types import Scalar
from support.project import build

KINDS = [*sorted({*Scalar} - {Scalar.ARRAY, Scalar.SPLAT}), "uuid", "timestamp"]
FIELDS = [f"{each}_one" for each in KINDS] + [f"{each}_many" for each in KINDS]


def _spec() -> str:
    lines = ["type: python_function", "name: take", "description: Take anything."]
    lines += ["arguments:", "  inline:"]
    for each in KINDS:
        lines.append(f"    {each}_one: {{type: {each}, required: false}}")
        lines.append(
            f"    {each}_many: {{type: '{each}[]', required: false, uniqueItems: true}}"
        )
    lines.append("    price: {type: decimal, precision: 10, scale: 2, required: false}")
    lines.append("    step: {type: number, multipleOf: 0.01, required: false}")
    lines.append("    wire: {type: decimal, wire: string, required: false}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def taking(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The input class of a tool with an argument of every type, alone and in lists."""
    folder: Path = tmp_path_factory.mktemp("taking")
    built = build(folder, {"a.yaml": _spec()}, targets=("python",))
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    return built.load("tools.take").TakeInput


MERSENNE = 2**61 - 1
VALUES: dict[str, Callable[[], str]] = {
    "long fraction": lambda: "0." + "1" * 5000,
    "long integer": lambda: "1" * 5000,
    "largest integer": lambda: "9" * 4300,
    "largest decimal": lambda: "9" * 4300 + ".0",
    "large power": lambda: "1e4299",
    "small power": lambda: "-1e-4299",
    "beyond floats": lambda: "1e309",
    "exact fraction": lambda: "0." + "1" * 4299,
    "quoted fraction": lambda: '"0.' + "1" * 1_000_000 + '"',
    "quoted power": lambda: '"1e999999999"',
    "quoted integer": lambda: '"' + "1" * 1_000_000 + '"',
    "ten megabytes": lambda: '"' + "a" * 10_000_000 + '"',
    "long moment": lambda: '"2000-01-01T00:00:00.' + "1" * 1_000_000 + 'Z"',
    "long duration": lambda: '"P' + "1" * 1_000_000 + 'Y"',
    "half a pair": lambda: '"\\ud800"',
    "nulls": lambda: '"' + "\\u0000" * 100_000 + '"',
    "deep list": lambda: "[" * 50_000 + "]" * 50_000,
    "deep object": lambda: '{"a":' * 50_000 + "1" + "}" * 50_000,
    "wide object": lambda: json.dumps({f"k{each}": each for each in range(50_000)}),
    "ints of one hash": lambda: json.dumps([x * MERSENNE for x in range(30_000)]),
    "floats of one hash": lambda: (
        "[" + ",".join(f"{x * MERSENNE}.5" for x in range(3000)) + "]"
    ),
    "lists of one hash": lambda: json.dumps([[x * MERSENNE] for x in range(3000)]),
    "texts": lambda: json.dumps(["x"] * 10_000),
    "nothings": lambda: json.dumps([None] * 10_000),
    "long names": lambda: json.dumps({"n" * 1_000_000: {"n" * 1_000_000: 1}}),
}


def judged(taking: Any, text: str) -> Any:
    """The decoded input or None; fails where something else is raised, or too much is said."""
    from importlib import import_module

    package = taking.__module__.partition(".")[0]
    error_type = import_module(package).InputError
    try:
        return taking.from_call(text)
    except error_type as error:
        assert len(error.retry_message()) < 20_000
        assert len(str(error)) < 20_000
        assert len(json.dumps([each.pointer for each in error.violations])) < 200_000
        return None


@pytest.mark.parametrize("name", VALUES)
def test_no_argument_of_any_type_lets_a_call_hang_or_crash(
    taking: Any, name: str
) -> None:
    value = VALUES[name]()
    # The costly ones are tried where they matter; every field meets every other value.
    for field in [*FIELDS, "price", "step", "wire", "unknown"]:
        accepted = judged(taking, f'{{"{field}": {value}}}')
        if accepted is not None and len(value) < 10_000:
            assert accepted == taking.from_call(accepted.to_json())
            assert repr(accepted)


def test_many_unknown_arguments_are_refused_in_a_few_lines(taking: Any) -> None:
    text = "{" + ",".join(f'"k{each}":{each}' for each in range(300_000)) + "}"
    assert judged(taking, text) is None


def test_a_name_that_occurs_twice_among_many_is_found_soon(taking: Any) -> None:
    text = "{" + ",".join(f'"k{each}":1' for each in range(300_000)) + ',"k299999":1}'
    assert judged(taking, text) is None
