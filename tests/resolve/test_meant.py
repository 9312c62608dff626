"""What was probably meant by a value of the wrong type."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.project import build

SPEC = """\
type: python_function
name: find_orders
description: List the orders of a customer, newest first.
arguments:
  inline:
    since: {{ type: {type}, default: {default}, description: Where to begin }}
"""
MEANT = [
    ("int", '"10"', "10"),
    ("int", "1_000", "1000"),
    ("int", "1.5", None),
    ("int", "ten", None),
    ("float", '"1,000.5"', "1000.5"),
    ("decimal", '"0.10"', "0.10"),
    ("bool", "no", "false"),
    ("bool", '"true"', "true"),
    ("bool", "1", "true"),
    ("string", "5", '"5"'),
    ("string", "true", '"true"'),
    ("date", "2026/1/5", "2026-01-05"),
    ("date", "2026-01-05T10:00:00Z", "2026-01-05"),
    ("date", "2026-02-30", None),
    ("date", "today", None),
    ("datetime", "2026-01-05", "2026-01-05T00:00:00Z"),
    ("datetime", "2026-01-05 9:30", "2026-01-05T09:30:00Z"),
    ("datetime", "2026-01-05T09:30:15", "2026-01-05T09:30:15Z"),
    ("datetime", "2026-01-05T09:30:15+0200", "2026-01-05T09:30:15+02:00"),
    ('"string[]"', "open", "[open]"),
    ('"string[]"', '"open, paid"', "[open, paid]"),
    ('"int[]"', '["1"]', "1"),
    ("int", "[1]", None),
    # Digits of other scripts are none here, and would be none where they are suggested.
    ("int", '"\u0663"', None),
    ("date", '"\u0662\u0660\u0662\u0664-\u0660\u0661-\u0660\u0661"', None),
]


@pytest.mark.parametrize(("type", "default", "meant"), MEANT)
def test_what_was_meant_is_suggested(
    tmp_path: Path, type: str, default: str, meant: str | None
) -> None:
    (told,) = build(
        tmp_path, {"a.yaml": SPEC.format(type=type, default=default)}
    ).diagnostics
    assert "R331" == told.rule.code
    assert (() if meant is None else (meant,)) == told.suggestions


@pytest.mark.parametrize(
    ("type", "default", "meant"), [each for each in MEANT if each[2] is not None]
)
def test_what_is_suggested_is_sound(
    tmp_path: Path, type: str, default: str, meant: str
) -> None:
    """A suggestion that is no value either would cost a second run."""
    text = f"[{meant}]" if default.startswith("[") else meant
    built = build(tmp_path, {"a.yaml": SPEC.format(type=type, default=text)})
    assert [] == [each.message for each in built.diagnostics]
