"""What the documentation shows is built or run: a page whose example fails is a bug."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
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


def test_using_page(tmp_path: Path) -> None:
    """Each example of the page is a program over the checked-in package, typed and run."""
    page = (ROOT / "docs" / "using.md").read_text("utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        schema = ROOT / "docs" / "demo" / "shop.sql"
        connection.executescript(schema.read_text("utf-8"))
    connection.close()
    files = [f"program_{number}.py" for number, _ in enumerate(programs)]
    path = str(ROOT / "out" / "python")
    for file, program in zip(files, programs, strict=True):
        (tmp_path / file).write_text(program, encoding="utf-8")
        run = [sys.executable, file]
        subprocess.run(run, cwd=tmp_path, env={"PYTHONPATH": path}, check=True)
    checked = [sys.executable, "-m", "mypy", "--strict", *files]
    subprocess.run(checked, cwd=tmp_path, env={"MYPYPATH": path}, check=True)
