"""Texts: what is meant to be right is right, what is meant to be wrong is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen.agreement.instances import FORMATS, admitted
from brimgen.agreement.reference_validator import JUDGED, Oracle
from brimgen_runtime.schema.texts import format_test


@pytest.mark.parametrize("name", FORMATS)
def test_verify_knows_right_and_wrong_texts_of_every_format(name: str) -> None:
    """The oracle, the runtime and the table agree on what is one."""
    ours = format_test(name)
    oracle = Oracle({"type": "string", "format": name})
    assert ours is not None and name in JUDGED
    right, wrong = FORMATS[name]
    assert (True, True) == (ours(right), oracle.accepts(right))
    assert (False, False) == (ours(wrong), oracle.accepts(wrong))


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^[A-Z]{2}-[0-9]{4}$"},
        {"pattern": "^(red|green)$"},
        {"pattern": r"^\d{3,5}$", "minLength": 5},
        {"pattern": "b+", "minLength": 3},
        {"pattern": r"^[\w.]+@[\w]+\.(com|org)$"},
        {"pattern": "[ä-ü]$"},
        {"minLength": 7, "maxLength": 7},
        {"maxLength": 0},
        {"format": "uuid"},
        {"format": "date", "pattern": "^2026"},
    ],
    ids=str,
)
def test_a_text_is_found(schema: dict[str, Any]) -> None:
    oracle = Oracle({"type": "string", **schema})
    assert any(map(oracle.accepts, admitted(schema)))
