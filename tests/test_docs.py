"""What the documentation shows is built or run: a page whose example fails is a bug."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.emit import EMITTERS
from support.checkers import MYPY, assert_clean
from support.pages import DOCS, assert_programs, blocks
from support.project import build

ROOT = Path(__file__).parents[1]
SUFFIXES = {"yaml": "yaml", "sql": "sql", "markdown": "md"}


def specs(page: Path) -> list[tuple[str, str]]:
    """The specs on a page: their language and text."""
    return [(each, text) for each in SUFFIXES for text in blocks(page, each)]


@pytest.mark.parametrize(("language", "text"), specs(DOCS / "spec-language.md"))
def test_every_spec_of_the_language_page_builds(
    tmp_path: Path, language: str, text: str
) -> None:
    built = build(tmp_path, {f"page.{SUFFIXES[language]}": text})
    assert [] == [each.message for each in built.diagnostics]
    assert built.files


@pytest.mark.parametrize("page", ["using.md", "service.md"])
def test_every_program_of_the_pages_about_use_runs(tmp_path: Path, page: str) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        schema = ROOT / "docs" / "demo" / "shop.sql"
        connection.executescript(schema.read_text("utf-8"))
    connection.close()
    programs = blocks(DOCS / page, "python")
    assert programs
    assert_programs(tmp_path, programs, ROOT / "out" / "python")


PAGES_OF_PROGRAMS = (
    *("bundles.md", "handlers.md", "http.md", "mcp-server.md"),
    *("resources-and-prompts.md", "service.md", "using.md"),
)


@pytest.mark.whole
def test_type_checkers_accept_the_programs_of_the_pages(tmp_path: Path) -> None:
    """All of them at once, over the package of the shop with every target in it.

    A program without an import goes on with the one before.
    """
    chosen = [word for each in EMITTERS for word in ("--target", each.name)]
    made = [sys.executable, "-m", "brimgen", "generate", "--out", str(tmp_path / "out")]
    subprocess.run([*made, *chosen], cwd=ROOT, check=True, capture_output=True)
    files: dict[str, str] = {}
    for page in PAGES_OF_PROGRAMS:
        name = page.removesuffix(".md").replace("-", "_")
        for number, program in enumerate(blocks(DOCS / page, "python")):
            if re.search(r"^(from|import) ", program, re.M) is None:
                files[[*files][-1]] += program
            else:
                files[f"{name}_{number}.py"] = program
    for file, program in files.items():
        (tmp_path / file).write_text(program, encoding="utf-8")
    assert len(files) > 10
    assert_clean(tmp_path, *files, by=[MYPY], packages=tmp_path / "out/python")


@pytest.mark.whole
def test_the_pages_build_as_a_site() -> None:
    """Without a warning: every link and anchor leads somewhere, as the site understands them."""
    made = [sys.executable, "docs/demo/site.py"]
    subprocess.run(made, cwd=ROOT, check=True, capture_output=True)
    site = ROOT / "build" / "site" / "html"
    assert "get_orders" in (site / "docs" / "shop.html").read_text("utf-8")
    assert "keyset" in (site / "search.json").read_text("utf-8")
