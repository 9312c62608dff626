"""The benchmarks run in a fresh clone: what they import is installed by `make bench`."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = sorted((ROOT / "benchmarks").glob("*.py"))
LOCAL = {each.stem for each in BENCHMARKS} | {"brimgen", "support"}


def _name(requirement: str) -> str:
    """The name of a distribution, as they are compared."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def _installed() -> set[str]:
    """What the extra `bench` and those that it names ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked, waiting = {_name(each) for each in project["dependencies"]}, ["bench"]
    while waiting:
        for each in extras[waiting.pop()]:
            inner = re.match(r"brimgen\[(\w+)\]", each)
            if inner is not None:
                waiting.append(inner[1])
            else:
                asked.add(_name(each))
    return asked


def test_a_fresh_clone_has_what_the_benchmarks_import() -> None:
    asked, distributions = _installed(), packages_distributions()
    missing: set[tuple[str, str]] = set()
    for path in BENCHMARKS:
        for node in ast.parse(path.read_text()).body:
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for top in {each.partition(".")[0] for each in names}:
                if top in sys.stdlib_module_names or top in LOCAL:
                    continue
                homes = {_name(each) for each in distributions.get(top, [top])}
                if not homes & asked:
                    missing.add((path.name, top))
    assert set() == missing


def test_make_bench_installs_the_extra() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert "bench: .venv/bench.stamp" in makefile
    assert "-e '.[bench]'" in makefile


def test_the_lock_pins_the_peers() -> None:
    pinned = {
        _name(each)
        for each in (ROOT / "requirements.lock").read_text().splitlines()
        if each and not each.startswith("#")
    }
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    peers = {
        _name(each)
        for each in extras["optional-dependencies"]["bench"]
        if not each.startswith("brimgen")
    }
    assert peers <= pinned


def test_the_pages_of_figures_are_those_that_were_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    made: dict[Path, str] = importlib.import_module("bench").pages()
    assert {path.read_text() for path in made} == {*made.values()}
