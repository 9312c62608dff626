"""The README shows what is there: excerpts are of real files, commands run, the call works."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```", README, re.M | re.S)


def test_what_the_readme_shows_of_a_file_stands_in_it() -> None:
    shown = [(path, text) for _, path, text in BLOCKS if path]
    assert len(shown) > 2
    for path, text in shown:
        assert text in (ROOT / path).read_text("utf-8"), path


def headings(page: Path) -> set[str]:
    """The anchors of a page, as hosts of repositories make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    return {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles
    }


def test_every_link_of_every_page_leads_somewhere() -> None:
    lost = []
    for page in PAGES:
        prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.S | re.M)
        for link in re.findall(r"\]\((?!https?:)([^)]+)\)", prose):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not target.exists() or (anchor and anchor not in headings(target)):
                lost.append(f"{page.relative_to(ROOT)}: {link}")
    assert [] == lost


def test_the_index_leads_to_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    told = re.findall(r"^\| \[([\w/-]+\.md)\]\(\1\)", index, re.M)
    docs = ROOT / "docs"
    pages = [*docs.glob("*.md"), *docs.glob("internal/*.md")]
    there = [each.relative_to(docs).as_posix() for each in pages]
    assert sorted({*there} - {"README.md"}) == sorted(told)


def test_figures_stand_in_the_pages_that_measure() -> None:
    """What is said of the alternatives is measured, and told with its conditions."""
    page = (ROOT / "docs" / "compare.md").read_text("utf-8")
    told, _, _ = page.partition("\n## ")
    figures = set(re.findall(r"\b\d+\.\d+\b|\b\d{3,}\b", told))
    pages = " ".join(
        (ROOT / "docs" / name).read_text("utf-8")
        for name in ("internal/performance.md", "descriptors.md")
    )
    assert len(figures) > 10
    assert set() == {
        each for each in figures if not re.search(rf"(?<![\d.]){each}(?![\d.])", pages)
    }


def _brimgen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "brimgen", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/generator:{ROOT}/runtime", "PATH": "/usr/bin:/bin"},
        check=False,
    )


@pytest.mark.whole
def test_commands_work_in_an_empty_folder(tmp_path: Path) -> None:
    commands = [
        line.removeprefix("$ brimgen ")
        for language, _, text in BLOCKS
        if language == "console"
        for line in text.splitlines()
    ]
    assert "init" == commands[0]
    for command in commands:
        done = _brimgen(tmp_path, *shlex.split(command))
        assert 0 == done.returncode, (command, done.stderr)
    [first_calls] = [text for language, _, text in BLOCKS if language == "bash"]
    answers = []
    for line in first_calls.splitlines():
        if line.startswith("python "):
            done = subprocess.run(
                [sys.executable, *shlex.split(line)[1:]],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                env={"PYTHONPATH": "out/python"},
                check=True,
            )
            answers.append(done.stdout)
    assert [2, 1] == [order["order_id"] for order in json.loads(answers[-1])]


def test_the_mistake_is_told_so(tmp_path: Path) -> None:
    [spec] = [text for language, _, text in BLOCKS if language == "sql"]
    [told] = [text for language, _, text in BLOCKS if language == "text"]
    file = tmp_path / "specs" / "cancel_order.sql"
    file.parent.mkdir()
    file.write_text(spec.replace("changed_by = :actor_id", "changed_by = :actor"))
    done = _brimgen(tmp_path, "generate")
    assert 1 == done.returncode
    assert told in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_commands_that_a_newcomer_runs_are_those_of_ci() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    [text] = [text for language, path, text in BLOCKS if language == "sh"]
    assert ["make generate", "make test"] == text.splitlines()
    assert {*text.splitlines()} < {each.partition(" | ")[0] for each in ci.splitlines()}


def test_the_call_changes_a_row(tmp_path: Path) -> None:
    [program] = [
        text for language, path, text in BLOCKS if (language, path) == ("python", "")
    ]
    database = tmp_path / "shop.db"
    with sqlite3.connect(database) as connection:
        schema = ROOT / "docs" / "demo" / "shop.sql"
        connection.executescript(schema.read_text("utf-8"))
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "out" / "python")},
        check=True,
    )
    [row] = connection.execute(
        "SELECT status, note, changed_by FROM orders WHERE order_id = 12"
    )
    assert ("cancelled", "too late", "u-7") == row
    connection.close()
