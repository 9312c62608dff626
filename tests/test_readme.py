"""The README shows what is there: excerpts are of real files, commands run, the call works."""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: (\S+))?\n(.*?)^```", README, re.M | re.S)


@pytest.mark.parametrize(
    ("path", "text"), [(path, text) for _, path, text in BLOCKS if path]
)
def test_excerpts_are_of_real_files(path: str, text: str) -> None:
    assert text in (ROOT / path).read_text("utf-8")


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert links
    assert [] == [link for link in links if not (ROOT / link).exists()]


def test_commands_work_in_an_empty_folder(tmp_path: Path) -> None:
    commands = [
        line.removeprefix("$ brimgen ")
        for language, _, text in BLOCKS
        if language == "console"
        for line in text.splitlines()
    ]
    assert "init" == commands[0]
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-m", "brimgen", *shlex.split(command)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={"PYTHONPATH": str(ROOT / "generator"), "PATH": "/usr/bin:/bin"},
            check=False,
        )
        assert 0 == done.returncode, (command, done.stderr)


def test_ci_runs_the_two_commands() -> None:
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    [text] = [text for language, path, text in BLOCKS if language == "sh"]
    assert ["make generate", "make test"] == text.splitlines()
    assert all(line in ci.splitlines() for line in text.splitlines())


def test_the_call_changes_a_row(tmp_path: Path) -> None:
    [program] = [
        text for language, path, text in BLOCKS if language == "python" and not path
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
