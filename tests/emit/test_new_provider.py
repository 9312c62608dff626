"""CONTRIBUTING's recipe for a provider is followed in a copy of the package: it is all there is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
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


def test_the_recipe_makes_a_provider(package: Path, tmp_path: Path) -> None:
    """Its profile is generated, chosen from and judged, and editors know its name."""
    (tmp_path / "specs").mkdir()
    for name in ("find", "other"):
        (tmp_path / f"specs/{name}.yaml").write_text(SPEC.replace("find", name, 1))
    settings = "package: probe\ndescriptors: {profiles: [acme]}\n"
    (tmp_path / "brimgen.yaml").write_text(settings)
    path = os.pathsep.join([str(package), str(tmp_path / "out/python")])
    variables = {**os.environ, "PYTHONPATH": path, "BRIMGEN_CACHE": ""}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        ran = subprocess.run(
            command, cwd=tmp_path, env=variables, capture_output=True, text=True
        )
        assert 0 == ran.returncode, ran.stdout + ran.stderr
        return ran.stdout

    run("-m", "brimgen", "generate")
    assert not (tmp_path / LISTED).parents[1].joinpath("openai").exists()
    module = (tmp_path / LISTED).parents[1] / "__init__.py"
    assert '"""Return the tools for Acme."""' in module.read_text("utf-8")
    tool, _ = json.loads((tmp_path / LISTED).read_text("utf-8"))
    shelf = tool["parameters"]["properties"]["shelf"]
    assert ("find", "string") == (tool["name"], shelf["type"])
    assert "pattern" not in shelf and "^[A-Z]$" in shelf["description"]
    losses = json.loads((tmp_path / "out/losses.json").read_text("utf-8"))
    lost = [(each["keyword"], each["recovered_by"]) for each in losses]
    assert ("pattern", "text") in lost
    assert {"acme"} == {each["profile"] for each in losses}
    program = "import probe.descriptors as d; print(d.acme(only=['other'])[0]['name'])"
    assert "other\n" == run("-c", program)
    assert "acme" in run("-m", "brimgen", "verify")
    schema = json.loads(run("-m", "brimgen", "explain", "--schema", "specs"))
    spec = {"type": "python_function", "name": "find"}
    assert Draft202012Validator(schema).is_valid({**spec, "targets": ["acme"]})
    assert not Draft202012Validator(schema).is_valid({**spec, "targets": ["acem"]})
