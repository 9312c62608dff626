"""The page about generated classes: its spec is built, its programs are run and typed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.emit.models import EMITTER as MODELS
from brimgen.emit.models import FLAVOURS
from brimgen.model.project import Project
from running.packages import errors, link, write_package
from support.pages import DOCS, blocks

PAGE = DOCS / "python.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package of the page's spec, and its programs beside it."""
    (spec,) = blocks(PAGE, "yaml")
    catalog, found = link([spec], Project(package="geo", models=FLAVOURS))
    assert [] == errors(found)
    place = write_package(catalog, tmp_path_factory.mktemp("page"), MODELS)
    for number, program in enumerate(blocks(PAGE, "python")):
        (place / f"program_{number}.py").write_text(program, encoding="utf-8")
    return place


def _run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


def test_every_program_of_the_page_about_python_runs(folder: Path) -> None:
    programs = sorted(folder.glob("program_*.py"))
    assert 6 == len(programs)
    for program in programs:
        _run(folder, program.name)


@pytest.mark.whole
def test_mypy_has_nothing_to_say(folder: Path) -> None:
    programs = [each.name for each in folder.glob("program_*.py")]
    _run(folder, "-m", "mypy", "--strict", "--config-file=", "geo", *programs)


@pytest.mark.whole
def test_strict_pyright_has_nothing_to_say(folder: Path) -> None:
    """Neither of programs of users nor of anything in the package."""
    config = {"include": ["program_*.py", "geo"], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    told = json.loads(
        _run(folder, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable)
    )
    assert [] == told["generalDiagnostics"]
    assert told["summary"]["filesAnalyzed"] > 10
