"""What the documentation shows is built or run: a page whose example fails is a bug."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from support.pages import DOCS, assert_programs, blocks
from support.project import build

ROOT = Path(__file__).parents[1]
SUFFIXES = {"yaml": "yaml", "sql": "sql", "markdown": "md"}


def specs(page: Path) -> list[tuple[str, str]]:
    """The specs on a page: their language and text."""
    return [(each, text) for each in SUFFIXES for text in blocks(page, each)]


@pytest.mark.parametrize(("language", "text"), specs(DOCS / "spec-language.md"))
def test_spec_language_page(tmp_path: Path, language: str, text: str) -> None:
    built = build(tmp_path, {f"page.{SUFFIXES[language]}": text})
    assert [] == [each.message for each in built.found]
    assert built.files


def test_using_page(tmp_path: Path) -> None:
    """Each example of the page is a program over the checked-in package, typed and run."""
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        schema = ROOT / "docs" / "demo" / "shop.sql"
        connection.executescript(schema.read_text("utf-8"))
    connection.close()
    programs = blocks(DOCS / "using.md", "python")
    assert programs
    assert_programs(tmp_path, programs, ROOT / "out" / "python")
