"""References: those that a dialect knows, and those that say nothing in it."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from brimgen_runtime.schema.errors import SchemaError
from brimgen_runtime.schema.validator import Validator

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("schema", "oracle"),
    [
        ({"$recursiveRef": "#/nowhere"}, jsonschema.Draft202012Validator),
        (
            {"$schema": DRAFT_07, "$recursiveRef": "#/no"},
            jsonschema.Draft7Validator,
        ),
        (
            {"$schema": DRAFT_07, "not": {"$dynamicRef": "#/no"}},
            jsonschema.Draft7Validator,
        ),
    ],
)
def test_a_keyword_of_another_dialect_says_nothing(schema: Any, oracle: Any) -> None:
    assert oracle(schema).is_valid({}) == Validator(schema).is_valid({})


def test_dynamic_references_are_refused_and_not_ignored() -> None:
    with pytest.raises(SchemaError, match=r"/properties/a: \$dynamicRef"):
        Validator({"properties": {"a": {"$dynamicRef": "#a"}}}).compile()
