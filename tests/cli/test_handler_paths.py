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


def test_a_value_that_no_caller_gets_is_told_when_files_are_made(
    run: Run, specs: Callable[[str, str], Path]
) -> None:
    dropped = "warning[T477] `backend.sums:add` returns a value, and nobody gets it"
    for code, is_told in {
        "def add(call): return 1": True,
        "from typing import Any\nasync def add(call) -> Any: return call.a": True,
        "def add(call) -> None: return None": False,
        "def add(call):\n  def inner(): return 1\n  return": False,
        "def add(call) -> int: return 1": False,
        "def add(call) -> Any: raise ValueError": False,
        "add = sum": False,
    }.items():
        specs("backend/sums.py", f"{code}\n")
        ran = run("generate", "--format", "concise")
        assert (0, is_told) == (ran.code, dropped in ran.err), (code, ran.err)
    specs("specs/add.yaml", f"{TOOL}returns: any\n")
    specs("backend/sums.py", "def add(call): return 1\n")
    assert dropped not in run("generate", "--format", "concise").err
