"""Which patterns may run at build time, and what becomes of examples that they are about."""

from __future__ import annotations

import re
import time

import pytest

from brimgen.emit.projection.examples import input_examples, wrong_with
from brimgen.emit.projection.patterns import is_quick
from brimgen.emit.projection.phrases import phrase
from support.made import tool


@pytest.mark.parametrize(
    "pattern",
    ["", "^[A-Z]{2}-[0-9]{4}$", "^a+b*$", r"^\d{1,3}$", "^(?:a|b)$", "a[(*+]", r"\("],
)
def test_quick(pattern: str) -> None:
    assert is_quick(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*b", "a*a*a*b", "(?=a)a", r"(a)\1", "(a{2}){3}", "a" * 201],
)
def test_not_quick(pattern: str) -> None:
    assert not is_quick(pattern)


@pytest.mark.parametrize("pattern", ["^a*a*$", "^.*.*$", r"^\w+\w+$"])
def test_a_quick_pattern_is_done_at_once(pattern: str) -> None:
    assert is_quick(pattern)
    began = time.process_time()
    assert re.search(pattern, "a" * 1000 + "!\n!") is None
    assert time.process_time() - began < 1


def sku(pattern: str, *, example: str, **more: object) -> object:
    """A tool with one argument."""
    schema = {"type": "string", "pattern": pattern, "examples": [example]}
    properties = {"sku": schema}
    return tool(
        "t",
        {"type": "object", "properties": properties, "required": ["sku"]},
        **more,
    )


@pytest.mark.parametrize(
    ("pattern", "example", "sent"),
    [
        ("^[A-Z]{2}$", "AB", ({"sku": "AB"},)),
        ("^[A-Z]{2}$", "ab", ()),
        ("^(a+)+$", "aa", ()),
    ],
)
def test_an_example_goes_out_where_its_pattern_was_tried(
    pattern: str, example: str, sent: object
) -> None:
    made = sku(pattern, example=example)
    assert sent == input_examples(made)  # type: ignore[arg-type]


def test_an_authors_own_example_is_held_against_patterns() -> None:
    own = {"extensions": {"x-input-examples": [{"sku": "ab"}, {"sku": "AB"}]}}
    made = sku("^[A-Z]{2}$", example="AB", **own)
    assert ({"sku": "AB"},) == input_examples(made)  # type: ignore[arg-type]
    [reason] = wrong_with(made)  # type: ignore[arg-type]
    assert reason.startswith('{"sku": "ab"}: sku: ')


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "default: 0"),
        (-2.0, "default: -2"),
        (0.5, "default: 0.5"),
        (1e20, "1e+20"),
    ],
)
def test_a_whole_default_is_said_as_a_whole_number(value: float, said: str) -> None:
    assert said in str(phrase("default", value))
