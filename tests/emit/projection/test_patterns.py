"""What becomes of examples that patterns are about."""

from __future__ import annotations

import pytest

from brimgen.emit.projection.examples import input_examples, refused_examples
from support.made import tool


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
        ("^(?:[A-Z]{2}-)*[A-Z]{2}$", "AB-CD", ({"sku": "AB-CD"},)),
        ("^(?:[A-Z]{2}-)*[A-Z]{2}$", "AB-cd", ()),
        (r"^(A)\1$", "AA", ({"sku": "AA"},)),
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
    [reason] = refused_examples(made)  # type: ignore[arg-type]
    assert reason.startswith('{"sku": "ab"}: sku: ')


def test_an_authors_example_of_a_slow_pattern_goes_out_untried() -> None:
    own = {"extensions": {"x-input-examples": [{"sku": "a" * 60 + "!"}]}}
    made = sku("^(a+)+$", example="a", **own)
    assert ({"sku": "a" * 60 + "!"},) == input_examples(made)  # type: ignore[arg-type]
