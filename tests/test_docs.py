"""What the documentation shows is built: a page whose example fails is a bug."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.project import build

ROOT = Path(__file__).parents[1]
SUFFIXES = {"yaml": "yaml", "sql": "sql", "markdown": "md"}


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced spec blocks of a page: their language and text."""
    found = re.findall(r"^```(\w+)\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    return [(language, text) for language, text in found if language in SUFFIXES]


@pytest.mark.parametrize(
    ("language", "text"), blocks(ROOT / "docs" / "spec-language.md")
)
def test_spec_language_page(tmp_path: Path, language: str, text: str) -> None:
    built = build(tmp_path, {f"page.{SUFFIXES[language]}": text})
    assert [] == [each.message for each in built.found]
    assert built.files
