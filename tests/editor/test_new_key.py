"""CONTRIBUTING's recipe for a key is followed in a copy of the package: a row and a reader."""

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
SPEC = "type: python_function\nname: find\ndescription: Find a shelf.\n"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package with the row and the reader."""
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    recipe = recipe.split("## Add a key of the language")[1].split("\n## ")[0]
    row, reader = re.findall(r"```python\n   (.*?)   ```", recipe, re.S)
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in ("generator", "templates"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=unwanted)
    (tmp_path / "docs").mkdir()
    shutil.copyfile(ROOT / "docs/diagnostics.md", tmp_path / "docs/diagnostics.md")
    package = tmp_path / "generator" / "brimgen"
    keys = package / "syntax" / "keys.py"
    before, start, after = keys.read_text("utf-8").partition("_TOOL: Rows = {\n")
    assert start
    keys.write_text(before + start + after.replace("}\n", f"{row}}}\n", 1), "utf-8")
    tools = package / "resolve" / "tools" / "tools.py"
    text, count = re.subn(r"(?m)^ +tags=.*\n", reader, tools.read_text("utf-8"))
    assert count == 1
    tools.write_text(text, "utf-8")
    return tmp_path


def brimgen(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "brimgen", *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "generator"), "BRIMGEN_CACHE": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_key_is_added_as_contributing_says(copy: Path) -> None:
    (copy / "specs").mkdir()
    spec = copy / "specs" / "find.yaml"
    spec.write_text(f"{SPEC}areas: [stock, sales]\n")
    ran = brimgen(copy, "show", "find")
    assert "stock" in ran.stdout, ran.stdout + ran.stderr
    spec.write_text(f"{SPEC}areas: stock\n")
    assert (
        "`areas` must be a list, not the text `stock`" in brimgen(copy, "check").stderr
    )
    spec.write_text(f"{SPEC}araes: [stock]\n")
    assert "did you mean `areas`" in brimgen(copy, "check").stderr
    schema = json.loads(brimgen(copy, "explain", "--schema", "specs").stdout)
    validator = Draft202012Validator(schema)
    tool = {"type": "python_function", "name": "find"}
    assert validator.is_valid({**tool, "areas": ["stock"]})
    assert not validator.is_valid({**tool, "areas": "stock"})
