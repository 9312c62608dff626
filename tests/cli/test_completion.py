"""What shells complete: commands, options, and the values that brimgen knows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("expl", "explain"),
        ("check --stri", "--strict-loss"),
        ("check --color n", "never"),
        ("check --target json", "json_schema"),
        ("explain l620", "L620"),
    ],
)
def test_bash_completes_commands_options_and_values(
    words: str, completed: str, tmp_path: Path
) -> None:
    program = tmp_path / "brimgen"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m brimgen \"$@\"\n")
    program.chmod(0o755)
    last = len(words.split())
    script = (
        'eval "$(_BRIMGEN_COMPLETE=bash_source brimgen)"\n'
        f"COMP_WORDS=(brimgen {words}) COMP_CWORD={last}\n"
        "_brimgen_completion brimgen\n"
        'echo "${COMPREPLY[*]}"\n'
    )
    ran = subprocess.run(
        ["bash", "--norc", "-c", script],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (completed, "") == (ran.stdout.strip(), ran.stderr)
