"""CONTRIBUTING's recipe for a provider is followed in a copy of the package: it is all there is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[2]
SPEC = """\
type: python_function
name: find
description: Find a shelf.
arguments:
  inline:
    shelf: {type: string, pattern: "^[A-Z]$"}
    limit: {type: int, default: 10}
"""

LISTED = "out/python/probe/descriptors/acme/tools.json"
Brimgen = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, with the folder, the template and the row of the provider."""
    copy = tmp_path_factory.mktemp("copy")
    unwanted = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "generator", copy / "generator", ignore=unwanted)
    shutil.copytree(ROOT / "templates", copy / "templates")
    (copy / "docs").mkdir()
    shutil.copyfile(ROOT / "docs/diagnostics.md", copy / "docs/diagnostics.md")
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    recipe = page.split("\n## Add a provider")[1].split("\n## ")[0]
    module, row = re.findall(r"```python\n(.*?)```", recipe, re.S)
    [template] = re.findall(r"```jinja\n(.*?)```", recipe, re.S)
    (copy / "templates" / "acme").mkdir()
    (copy / "templates" / "acme" / "tool.json.j2").write_text(template, "utf-8")
    folder = copy / "generator" / "brimgen" / "emit" / "acme"
    folder.mkdir()
    (folder / "__init__.py").write_text(module, encoding="utf-8")
    table = folder.parents[1] / "model" / "targets.py"
    before, end, after = table.read_text("utf-8").partition(
        ')\n"""All targets, in the order'
    )
    assert end
    table.write_text(before + row + end + after, encoding="utf-8")
    return copy / "generator"


@pytest.fixture
def brimgen(package: Path, tmp_path: Path) -> Brimgen:
    """Run the command of the copy in a project that asks for the provider."""
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "find.yaml").write_text(SPEC)
    settings = "package: probe\ndescriptors: {profiles: [acme]}\n"
    (tmp_path / "brimgen.yaml").write_text(settings)
    variables = {**os.environ, "PYTHONPATH": str(package), "BRIMGEN_CACHE": ""}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "brimgen", *arguments],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


def test_its_profile_is_generated(brimgen: Brimgen, tmp_path: Path) -> None:
    ran = brimgen("generate")
    assert 0 == ran.returncode, ran.stderr
    assert not (tmp_path / LISTED).parents[1].joinpath("openai").exists()
    module = tmp_path / "out" / "python" / "probe" / "descriptors" / "__init__.py"
    assert '"""Return the tools for Acme."""' in module.read_text("utf-8")
    [tool] = json.loads((tmp_path / LISTED).read_text("utf-8"))
    shelf = tool["parameters"]["properties"]["shelf"]
    assert ("find", "string") == (tool["name"], shelf["type"])
    assert "pattern" not in shelf and "^[A-Z]$" in shelf["description"]
    losses = json.loads((tmp_path / "out" / "losses.json").read_text("utf-8"))
    lost = [(each["keyword"], each["recovered_by"]) for each in losses]
    assert ("pattern", "text") in lost
    assert {"acme"} == {each["profile"] for each in losses}


def test_a_program_chooses_among_its_tools(brimgen: Brimgen, tmp_path: Path) -> None:
    (tmp_path / "specs" / "other.yaml").write_text(SPEC.replace("find", "other"))
    assert 0 == brimgen("generate").returncode
    program = (
        "from probe.descriptors import acme\n"
        "print([each['name'] for each in acme()], [each['name'] for each in acme(only=['find'])])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path / "out" / "python",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "['find', 'other'] ['find']\n" == ran.stdout, ran.stderr


def test_verify_judges_a_new_provider(brimgen: Brimgen) -> None:
    ran = brimgen("verify")
    assert 0 == ran.returncode, ran.stdout + ran.stderr
    assert "acme" in ran.stdout


def test_editors_know_a_new_provider(brimgen: Brimgen) -> None:
    validator = Draft202012Validator(
        json.loads(brimgen("explain", "--schema", "specs").stdout)
    )
    spec = {"type": "python_function", "name": "find"}
    assert validator.is_valid({**spec, "targets": ["acme"]})
    assert not validator.is_valid({**spec, "targets": ["acem"]})
