"""``x-leaf``: what a schema cannot say of a value, asked of what reads it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from brimgen_runtime.schema.expects import expected_lines
from brimgen_runtime.schema.formats import to_uuid
from brimgen_runtime.schema.validator import Validator

TEXT = "123e4567-e89b-12d3-a456-426614174000"


def even(value: int) -> int:
    """An even number."""
    if value % 2:
        raise ValueError("odd")
    return value


LEAVES = {"even": even}


@pytest.mark.parametrize(
    ("schema", "value", "accepted"),
    [
        ({"type": ["integer", "null"], "x-leaf": "even"}, None, True),
        ({"type": "string", "x-leaf": "unheard-of"}, "anything", True),
        ({"type": "string", "x-leaf": 3}, "anything", True),
        ({"type": "integer", "x-leaf": "even"}, 2, True),
        ({"type": "integer", "x-leaf": "even"}, 3, False),
        ({"type": "integer", "x-leaf": "even", "minimum": 4}, 2, False),
        (
            {"anyOf": [{"type": "integer", "x-leaf": "even"}, {"type": "string"}]},
            3,
            False,
        ),
        (
            {"type": "array", "items": {"type": "integer", "x-leaf": "even"}},
            [2, 3],
            False,
        ),
    ],
)
def test_a_leaf_accepts_what_its_parser_reads(
    schema: dict[str, Any], value: object, accepted: bool
) -> None:
    validator = Validator(schema, leaves=LEAVES)
    assert accepted == validator.is_valid(value)
    assert accepted == (not validator.violations(value))


def test_a_value_that_is_wrong_already_is_told_once() -> None:
    asked: list[int] = []
    validator = Validator(
        {"type": "integer", "maximum": 5, "x-leaf": "seen"},
        leaves={"seen": asked.append},
    )
    [only] = validator.violations(7)
    assert ("maximum", []) == (only.rule, asked)


def test_a_wrong_leaf_is_told_without_the_text_of_the_parser() -> None:
    def refuse(value: object) -> object:
        raise ValueError("never shown")

    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "x-leaf": "odd_one"}},
        "required": ["a"],
    }
    validator = Validator(schema, leaves={"odd_one": refuse})
    [only] = validator.violations({"a": "x"})
    assert ("leaf", 'a: expected odd_one, got "x"') == (only.rule, only.message)
    assert [["a (odd_one, required)"]] == expected_lines(validator.schema)


def test_to_uuid_reads_what_the_format_accepts_and_no_more() -> None:
    assert UUID(TEXT) == to_uuid(TEXT.upper())
    for text in ("", "x", f"urn:uuid:{TEXT}", TEXT + "\n", TEXT.replace("-", "")):
        with pytest.raises(ValueError, match="no UUID"):
            to_uuid(text)
