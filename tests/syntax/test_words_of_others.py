"""Keys that other tools have: each is refused, with the key that says it here."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.project import build

SPEC = """\
type: sql_function
name: find_bikes
description: Find bikes.
arguments:
  inline:
    kind: {{ type: string, {entry} }}
{body}: SELECT 1 AS n WHERE :kind = 'city'
returns: int
"""


@pytest.mark.parametrize(
    ("entry", "body", "key", "meant"),
    [
        ("choices: [city]", "sql", "choices", "enum"),
        ("regex: '^c'", "sql", "regex", "pattern"),
        ("optional: true", "sql", "optional", "required"),
        ("desc: Kind of a bike", "sql", "desc", "description"),
        ("ge: 1", "sql", "ge", "minimum"),
        ("minLength: 1", "query", "query", "sql"),
    ],
)
def test_the_key_of_ours_is_named(
    tmp_path: Path, entry: str, body: str, key: str, meant: str
) -> None:
    """One mistake, one error: a statement under a wrong key is not missing besides."""
    built = build(tmp_path, {"a.yaml": SPEC.format(entry=entry, body=body)})
    [told] = built.diagnostics
    assert ("S203", (meant,)) == (told.rule.code, told.suggestions)
    assert f"`{key}`" in told.message
