"""Every code of the stage: its wrong example is told alone, its right one is clean."""

from __future__ import annotations

import pytest

from brimgen.diagnostics.catalogue import KINDS, Kind
from support.syntax import read

SHAPES = [kind for kind in KINDS if kind.code.startswith("S2")]


def file_name(example: str) -> str:
    """The kind of file that an example is: most are YAML."""
    if example.startswith(("/*", "SELECT")):
        return "one.sql"
    return "one.md" if example.startswith("---\n") else "one.yaml"


@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.slug)
def test_wrong_example_is_told_once_and_alone(kind: Kind) -> None:
    [(reason, _)] = read({file_name(kind.wrong): kind.wrong}).told
    assert reason in [rule.reason for rule in kind.rules]


@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.slug)
def test_right_example_is_clean(kind: Kind) -> None:
    assert [] == read({file_name(kind.right): kind.right}).told
