"""What docs/ci.md says of merges and of partly staged specs, done word by word with a real git."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
MERGE = re.findall(r"(?s)```sh\n(git reset.*?)```", PAGE)
TOOL = """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
handler: backend.tools:find_{word}
arguments: {{ inline: {{ title: {{ type: string, description: A title }} }} }}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A generated project on the branch `main`."""
    monkeypatch.chdir(tmp_path)
    for key in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{key}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{key}_EMAIL", "somebody@example.com")
    for key in ("GLOBAL", "SYSTEM"):
        monkeypatch.setenv(f"GIT_CONFIG_{key}", os.devnull)
    (tmp_path / "brimgen.yaml").write_text("targets: [python, json_schema, mcp]\n")
    (tmp_path / "specs").mkdir()
    for word in ("orders", "parcels"):
        write(word)
    ran("git init --quiet --initial-branch=main")
    committed()
    return tmp_path


def ran(command: str, code: int = 0) -> str:
    """What a command says, which ends with ``code``."""
    program, *arguments = shlex.split(command)
    start = [sys.executable, "-m", "brimgen"] if program == "brimgen" else [program]
    done = subprocess.run([*start, *arguments], capture_output=True, text=True)
    assert code == done.returncode, done.stdout + done.stderr
    return done.stdout + done.stderr


def write(word: str, how: str = "every") -> None:
    text = TOOL.format(word=word).replace("every", how)
    Path(f"specs/find_{word}.yaml").write_text(text)


def committed() -> None:
    ran("brimgen generate")
    ran("git add --all")
    ran("git commit --quiet --message=change")


def test_a_merge_that_conflicts_in_what_is_generated(repository: Path) -> None:
    ran("git switch --quiet --create theirs")
    Path("specs/find_orders.yaml").unlink()
    write("returns")
    committed()
    ran("git switch --quiet main")
    write("orders", "each")
    write("invoices")
    committed()
    ran("git merge theirs", code=1)
    assert 1 == ran("brimgen check --format concise", code=1).count("error[")
    ran("git rm --quiet specs/find_orders.yaml")
    (commands,) = MERGE
    for line in commands.splitlines():
        ran(line)
    ran("git commit --quiet --no-edit")
    assert "" == ran("git status --porcelain")
    tools = {each.name for each in Path("out/python").rglob("find_*.py")}
    assert {f"find_{word}.py" for word in ("parcels", "invoices", "returns")} == tools
    ran("brimgen check")


def test_a_spec_of_which_some_changes_are_staged(repository: Path) -> None:
    write("parcels", "each")
    ran("git add specs")
    write("parcels", "any")
    write("new")
    ran("brimgen generate")
    (commands,) = re.findall(r"`(git restore out && [^`]*)`", PAGE)
    for line in commands.split(" && "):
        ran(line)
    # As pre-commit does it: what is not staged is set aside while the hooks run.
    Path("specs/find_new.yaml").rename("new.yaml")
    write("parcels", "each")
    ran("brimgen generate")
    ran("git add out")
    ran("git commit --quiet --message=some")
    ran("brimgen check")
    Path("new.yaml").rename("specs/find_new.yaml")
    write("parcels", "any")
    ran("brimgen generate")
    ran("brimgen check")
