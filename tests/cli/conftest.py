"""A project folder to stand in, and the command as a user runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from brimgen.cli import run as cli


@dataclass(frozen=True)
class Ran:
    """The outcome of one run of the command."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the working directory, out of the reach of other configurations."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "specs").mkdir()
    return tmp_path


@pytest.fixture
def run(project: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in ``project``."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = cli.run(list(arguments))
        streams = capsys.readouterr()
        return Ran(code, streams.out, streams.err)

    return run


@pytest.fixture
def write(project: Path) -> Callable[[str, str], Path]:
    """Write a file of the project."""

    def write(path: str, text: str) -> Path:
        file = project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write
