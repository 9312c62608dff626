"""Long runs tell on a terminal, and nowhere else, what they are doing; nothing of it stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.cli.console import progress
from brimgen.cli.console.progress import Progress

if sys.platform == "win32":
    pytest.skip("there are no pseudo terminals", allow_module_level=True)

SPEC = """\
type: python_function
name: find_{number}
description: Find all that fit, in order.
handler: backend:find_{number}
arguments:
  inline:
    title: {{ type: string, maxLength: 80, description: What is looked for }}
returns: string[]
"""
RUN = """\
import sys
from brimgen.cli.console import progress
progress.AFTER, progress._EVERY = float(sys.argv.pop(1)), 0.0
from brimgen.__main__ import script
script()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    for number in range(12):
        text = SPEC.format(number=number)
        (tmp_path / f"specs/find_{number}.yaml").write_text(text)
    return tmp_path


def on_a_terminal(
    folder: Path, *arguments: str, after: float = 0.0, **surroundings: str
) -> str:
    """What a run writes on a terminal, which is its stderr."""
    ours, theirs = os.openpty()
    shown = bytearray()
    with subprocess.Popen(
        [sys.executable, "-c", RUN, str(after), *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "NO_COLOR": "1", "TERM": "xterm", **surroundings},
    ):
        os.close(theirs)
        while True:
            try:
                data = os.read(ours, 1 << 16)
            except OSError:  # as the end is told on Linux
                break
            if not data:
                break
            shown += data
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")


def seen_at_the_end(shown: str) -> str:
    """What a terminal shows once everything was written: what comes later stands over it."""
    lines: list[str] = []
    for line in shown.split("\n"):
        cells: list[str] = []
        for part in line.split("\r"):
            cells[: len(part)] = part
        lines.append("".join(cells).rstrip(" "))
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        (["generate"], ["making openai"]),
        (["check"], ["making openai"]),
        (["lint"], []),
        pytest.param(
            ["verify"],
            ["comparing tools, 50 %"],
            marks=pytest.mark.whole,
        ),
    ],
)
def test_steps_are_shown_and_gone_at_the_end(
    project: Path, command: list[str], steps: list[str]
) -> None:
    if command[0] == "check":
        on_a_terminal(project, "generate", after=1000.0)
    shown = on_a_terminal(project, *command, BRIMGEN_CACHE="")
    for step in ("reading specs, 50 %", "checking tools", *steps):
        assert f"\rbrimgen: {step}" in shown
    silent = on_a_terminal(project, *command, after=1000.0, BRIMGEN_CACHE="")
    assert "\r" not in silent
    if command[0] != "generate":
        assert silent == seen_at_the_end(shown)
    assert "reading specs" not in seen_at_the_end(shown)


def test_each_step_is_shown_once(project: Path) -> None:
    shown = on_a_terminal(project, "generate", BRIMGEN_CACHE="")
    assert 1 == shown.count("brimgen: making openai")


@pytest.mark.parametrize(
    ("format", "surroundings"), [("json", {}), ("full", {"TERM": "dumb"})]
)
def test_programs_and_dumb_terminals_are_told_nothing(
    project: Path, format: str, surroundings: dict[str, str]
) -> None:
    command = "generate", "--format", format
    assert "reading" not in on_a_terminal(project, *command, **surroundings)


def test_errors_stand_where_they_always_do(project: Path) -> None:
    (project / "specs/find_3.yaml").write_text("type: python_function\nnam: x\n")
    shown = on_a_terminal(project, "generate", BRIMGEN_CACHE="")
    assert "\rbrimgen: reading specs" in shown
    silent = on_a_terminal(project, "generate", after=1000.0, BRIMGEN_CACHE="")
    assert silent == seen_at_the_end(shown) != ""


def test_a_terminal_that_is_gone_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as stream:
        shown = Progress(stream)
        shown.begin("one")
        assert b"\rbrimgen: one" == os.read(ours, 100)
        os.close(ours)
        assert [1, 2] == [*shown.through("two", [1, 2])]
        shown.end()


def test_a_line_fits_into_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "AFTER", 0.0)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((12, 4)))
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as stream:
        shown = Progress(stream)
        shown.begin("checking tools")
        assert b"\rbrimgen: ch" == os.read(ours, 100)
        shown.begin("a")
        assert b"\rbrimgen: a " == os.read(ours, 100)
        shown.end()
        assert b"\r" + b" " * 10 + b"\r" == os.read(ours, 100)
    os.close(ours)
