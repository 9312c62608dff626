"""Streams that are full, closed by their reader, or were never there: the exit code still tells how
it ended.

What cannot be written is told by 74: of a report that is cut short nobody may believe that it is
the whole. Whoever has stopped reading a pipe has seen enough, and how a run ends is as ever.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SPEC = "type: entity\nname: Page\nfields: { a: int }\n"
TOOL = """\
type: python_function
name: find_page
handler: backend:find_page
arguments: { inline: { b: int } }
"""
GENERATE, USAGE = "generate", "generate --bogus"


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("command", "streams", "code"),
    [
        (GENERATE, "2>/dev/full", 74),
        (GENERATE, "2>&-", 0),
        (GENERATE, ">&- 2>&-", 0),
        (USAGE, "2>/dev/full", 2),
        (USAGE, "2>&-", 2),
        ("", "2>/dev/full", 2),
        ("explain --targets", ">/dev/full", 74),
        ("explain --targets", ">/dev/full 2>/dev/full", 74),
    ],
)
@pytest.mark.parametrize("again", [False, True])
def test_the_exit_code_with_streams_that_cannot_be_written(
    command: str, streams: str, code: int, again: bool, tmp_path: Path
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/page.yaml").write_text(SPEC)
    line = f'"{sys.executable}" -m brimgen {command} {streams}'
    if again:
        subprocess.run(["sh", "-c", line], cwd=tmp_path)
    assert code == subprocess.run(["sh", "-c", line], cwd=tmp_path).returncode


BAD = {"specs/bad.yaml": "type: x\n"}
CHANGED = {"specs/page.yaml": SPEC.replace("a:", "b:")}


@pytest.fixture
def unread() -> Iterator[int]:
    """A pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.skipif(sys.platform == "win32", reason="its pipes end otherwise")
@pytest.mark.parametrize(
    ("command", "change", "code"),
    [
        ("generate", BAD, 1),
        ("generate", CHANGED, 0),
        ("check", BAD, 1),
        ("check --format json", BAD, 1),
        ("check", CHANGED, 3),
        ("diff", CHANGED, 3),
        ("action --list specs/page.yaml", {}, 0),
        ("import bad.json", {"bad.json": "{"}, 1),
        ("init started", {}, 0),
        ("explain --all", {}, 0),
        ("--help", {}, 0),
        ("", {}, 2),
    ],
)
def test_a_reader_who_has_gone_changes_no_exit_code(
    command: str,
    change: dict[str, str],
    code: int,
    generated: Path,
    tmp_path: Path,
    unread: int,
) -> None:
    project = tmp_path / "project"
    shutil.copytree(generated, project)
    for name, text in change.items():
        (project / name).write_text(text)
    ran = brimgen(project, *command.split(), stdout=unread, stderr=unread)
    assert code == ran.returncode
    if command.startswith("init"):
        assert (project / "started/brimgen.schema.json").is_file()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that was generated."""
    project = tmp_path_factory.mktemp("generated")
    (project / "specs").mkdir()
    (project / "specs/page.yaml").write_text(SPEC)
    assert 0 == brimgen(project, "generate").returncode
    return project


OUT = ("stdout", "stderr")


def brimgen(folder: Path, *arguments: str, **more: Any) -> Any:
    streams = more or dict.fromkeys(OUT, subprocess.PIPE)
    command = [sys.executable, "-m", "brimgen", *arguments]
    return subprocess.run(command, cwd=folder, **streams)
