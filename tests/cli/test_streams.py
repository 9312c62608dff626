"""Streams that are full, or were never there: the exit code still tells how it ended."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPEC = "type: entity\nname: Page\nfields: { a: int }\n"
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
        ("targets", ">/dev/full", 74),
        ("targets", ">/dev/full 2>/dev/full", 74),
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
