"""Handlers that do not exist are told by the build, which imports none of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

TOOL = "type: python_function\nname: add\nhandler: backend.sums:add\n"


@pytest.fixture
def specs(write: Callable[[str, str], Path]) -> Callable[[str, str], Path]:
    write("specs/add.yaml", TOOL)
    return write


def test_a_function_that_is_gone_is_told_and_nothing_is_written(
    run: Run, specs: Callable[[str, str], Path], project: Path
) -> None:
    specs("src/backend/__init__.py", "")
    specs("src/backend/sums.py", "raise RuntimeError\n\ndef ad(call): ...\n")
    ran = run("generate")
    assert 1 == ran.code
    said = "the handler `backend.sums:add` of `add` does not exist: the module"
    assert f"{said} backend.sums has no add" in ran.err
    assert "did you mean `ad`" in ran.err
    assert not (project / "out").exists()
    specs("src/backend/sums.py", "raise RuntimeError\n\nadd = sum\n")
    assert 0 == run("generate").code
    # The next run looks again.
    specs("src/backend/sums.py", "raise RuntimeError\n")
    assert "has no add" in run("generate").err
    (project / "src/backend/sums.py").unlink()
    assert "there is no module backend.sums" in run("check").err


def test_a_package_may_be_elsewhere(
    run: Run, specs: Callable[[str, str], Path]
) -> None:
    assert 0 == run("generate").code
    specs("backend/sums.py", "from somewhere import *\n")
    assert 0 == run("generate").code
