"""The tutorial, from its first command to its last: what it shows is what a reader sees."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"^```(\w+)(?: (\S+))?\n(.*?)^```",
    (ROOT / "docs" / "tutorial.md").read_text("utf-8"),
    re.M | re.S,
)


def test_every_step_of_the_tutorial_works(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            ("out/python", str(ROOT / "generator"), str(ROOT / "runtime"))
        ),
    }

    def execute(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), (command, done.stderr)
        return done.stdout + done.stderr

    printed: dict[str, list[str]] = {}
    for language, path, text in BLOCKS:
        if path:
            (tmp_path / path).write_text(text, "utf-8")
            if path.endswith(".py"):
                printed[path] = [execute(path), execute(path)]
        elif language == "console":
            _check_commands(text, execute)
    assert printed == {
        "agent.py": ["1 order cancelled\n", "0 order cancelled\n"],
        "loop.py": ["", ""],
    }


def _check_commands(text: str, execute: object) -> None:
    """Run each command of a block; what stands below one is what it prints."""
    assert callable(execute)
    for part in text.removeprefix("$ ").split("\n$ "):
        command, _, expected = part.strip("\n").partition("\n")
        words = shlex.split(command)
        if words[0] == "export" or "serve" in words:
            continue
        arguments = ["-m", "brimgen"] if words[0] == "brimgen" else []
        printed = execute(*arguments, *words[1:])
        assert expected in printed, (command, printed)
        if not expected:
            assert "error" not in printed, (command, printed)
