"""What docs/ci.md and the definition of the hooks say is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from brimgen.cli import run as cli

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)


def command(line: str) -> list[str]:
    program, *arguments = shlex.split(line)
    assert "brimgen" == program
    return arguments


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What `brimgen init` starts, in a repository."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    (tmp_path / ".git").mkdir()
    assert 0 == cli.run(["init"])
    return tmp_path


def test_the_hooks_check_and_mend(project: Path) -> None:
    hooks = {each["id"]: each for each in HOOKS}
    assert {"brimgen-check", "brimgen-generate"} == hooks.keys()
    assert 3 == cli.run(command(hooks["brimgen-check"]["entry"]))
    assert 0 == cli.run(command(hooks["brimgen-generate"]["entry"]))
    assert 0 == cli.run(command(hooks["brimgen-check"]["entry"]))


@pytest.mark.parametrize("hook", HOOKS, ids=lambda each: each["id"])
def test_a_hook_looks_at_the_project_as_a_whole(hook: dict[str, Any]) -> None:
    assert ("python", False) == (hook["language"], hook["pass_filenames"])
    # Settings may stand in any file, and of a spec that is removed no hook is told.
    assert hook["always_run"]
    # Without stages it would also run where only the message of a commit is judged.
    assert {"pre-commit", "pre-merge-commit"} < {*hook["stages"]}
    assert "commit-msg" not in hook["stages"]


def test_the_page_names_the_hooks_that_there_are() -> None:
    used = set(re.findall(r"id: (\S+)", PAGE))
    assert used and used <= {each["id"] for each in HOOKS}


def test_the_workflow_of_the_page_runs(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (text,) = re.findall(r"(?s)```yaml\n(name: specs.*?)```", PAGE)
    steps = yaml.safe_load(text)["jobs"]["check"]["steps"]
    (check,) = [each["run"] for each in steps if "brimgen check" in each.get("run", "")]
    assert 0 == cli.run(["generate"])
    assert 0 == cli.run(command(check))
    (project / "specs/orders.yaml").write_text(
        "type: entity\nname: Orders\nfeilds: {}\n"
    )
    capsys.readouterr()
    assert 1 == cli.run(command(check))
    assert "::error file=specs/orders.yaml,line=3," in capsys.readouterr().err


def test_the_page_shows_the_attributes_of_a_new_project(project: Path) -> None:
    (shown,) = re.findall(r"(?s)```gitattributes\n(.*?)```", PAGE)
    assert shown == (project / ".gitattributes").read_text(encoding="utf-8")
