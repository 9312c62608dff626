"""CONTRIBUTING's recipe for an importer is followed in a copy of the package: it is complete."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLS = """\
[{"acme": "find", "help": "Find a shelf.", "level": 3,
  "input": {"type": "object", "properties": {"shelf": {"type": "string"}}}},
 {"acme": "lost", "help": 7}]
"""
SPEC = """\
type: python_function
name: find
description: Find a shelf.
arguments:
  mode: standard
  inline:
    type: object
    properties:
      shelf: { type: string }
x-acme: { level: 3 }
"""


def test_a_file_of_a_new_format_is_imported_and_its_mistakes_are_told(
    tmp_path: Path,
) -> None:
    for folder in ("generator", "templates"):
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=unwanted)
    (tmp_path / "docs").mkdir()
    shutil.copyfile(ROOT / "docs/diagnostics.md", tmp_path / "docs/diagnostics.md")
    recipe = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    recipe = recipe.split("## Add an importer")[1].split("\n## ")[0]
    reader, row = re.findall(r"```python\n(.*?)```", recipe, re.S)
    module = tmp_path / "generator/brimgen/importers/tool_lists.py"
    before, head, after = module.read_text("utf-8").partition("\n\nFORMATS = (\n")
    rows, end, rest = after.partition(')\n"""The formats')
    assert head and end
    module.write_text(f"{before}\n\n{reader}{head}{rows}{row}{end}{rest}", "utf-8")
    (tmp_path / "tools.json").write_text(TOOLS, "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "import", "tools.json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "generator")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert SPEC == ran.stdout, ran.stderr
    assert "tools.json:3:2" in ran.stderr and "`input` of a tool" in ran.stderr
