"""Real processes with little to live on: open files, room for a file.

The exit code says what became of the output: 0, the new tree; any other, the old one. Nothing is
left beside it, and a run without limits makes the new one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("there are no such limits", allow_module_level=True)

import resource

TOOL = """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
handler: backend.tools:find_{word}
arguments: {{ inline: {{ title: {{ type: string, description: A title }} }} }}
"""
WORDS = ("orders", "invoices", "parcels", "returns")


def generate(project: Path, limit: Callable[[], None] | None = None) -> int:
    """The exit code of a run."""
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "generate"],
        cwd=project,
        env={**os.environ, "BRIMGEN_CACHE": ""},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
    )
    assert "Traceback" not in ran.stderr, ran.stderr
    return ran.returncode


def tree(project: Path) -> dict[str, bytes]:
    out = project / "out"
    return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*.*")}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project of which the output is old, and the same with the new one."""
    old, new = (tmp_path_factory.mktemp(each) / "project" for each in ("old", "new"))
    (old / "specs").mkdir(parents=True)
    (old / "brimgen.yaml").write_text("targets: [python, json_schema, mcp]\n")
    for word in WORDS:
        (old / f"specs/{word}.yaml").write_text(TOOL.format(word=word))
    assert 0 == generate(old)
    changed = TOOL.format(word="orders").replace("every", "each")
    (old / "specs/orders.yaml").write_text(changed)
    shutil.copytree(old, new)
    assert 0 == generate(new)
    return old, new


def limited(what: int, most: int) -> None:
    resource.setrlimit(what, (most, most))


def hold(projects: tuple[Path, Path], project: Path, limit: Callable[[], None]) -> int:
    """Generate with a limit; hold what becomes of it against the promise."""
    old, new = projects
    shutil.copytree(old, project)
    code = generate(project, limit)
    assert code in (0, 74)
    assert tree(project) == tree(new if code == 0 else old)
    assert {"out", "specs", "brimgen.yaml"} == set(os.listdir(project))
    assert 0 == generate(project)
    assert tree(project) == tree(new)
    return code


@pytest.mark.whole
def test_a_build_with_few_open_files_leaves_the_old_or_the_new_tree(
    projects: tuple[Path, Path], tmp_path: Path
) -> None:
    # With five there is none left to remove a folder with: the stage stays for the next run.
    codes = [
        hold(
            projects,
            tmp_path / str(most),
            partial(limited, resource.RLIMIT_NOFILE, most),
        )
        for most in (6, 7, 8, 10, 12, 16)
    ]
    assert 0 == codes[-1]


def test_little_room_for_a_file(projects: tuple[Path, Path], tmp_path: Path) -> None:
    codes = [
        hold(
            projects,
            tmp_path / str(most),
            partial(limited, resource.RLIMIT_FSIZE, most),
        )
        for most in (0, 1000, 1 << 20)
    ]
    assert [74, 74, 0] == codes
