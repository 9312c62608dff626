"""The toolspec target: people who want ToolSpec ask for it, and nobody else carries it."""

from __future__ import annotations

from pathlib import Path

from support.project import build

TOOL = """\
type: python_function
name: double
description: Double a number.
when_to_use: To double.
arguments:
  inline:
    n: { type: int, description: The number. }
returns: { type: int, description: The double. }
"""


def test_a_package_has_tool_specs_where_its_project_asks(tmp_path: Path) -> None:
    asked = build(tmp_path / "a", {"a.yaml": TOOL}, targets=("python", "toolspec"))
    assert [("n", "integer")] == [(x.name, x.type) for x in asked.spec("double").inputs]
    plain = build(tmp_path / "b", {"a.yaml": TOOL}, targets=("python",))
    assert [] == [path for path in plain.files if "spec" in path]
