"""Names that are none: refused as such, once, and by no provider besides."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.project import build

TARGETS = ("openai", "mcp", "anthropic", "gemini")


@pytest.mark.parametrize("name", [r"a\tb", r"a\rb", "x" * 129, ""])
@pytest.mark.parametrize("mode", ["complex", "standard"])
def test_what_is_no_name_is_told_once(tmp_path: Path, name: str, mode: str) -> None:
    spec = "type: python_function\nname: probe\ndescription: Look.\narguments:\n"
    spec += f"  mode: {mode}\n  inline:\n"
    spec += "    type: object\n    properties:\n  " if mode == "standard" else ""
    spec += f'    "{name}": {{type: integer, description: How many}}\n'
    diagnostics = build(tmp_path, {"a.yaml": spec}, targets=TARGETS).diagnostics
    told = [each.rule.reason for each in diagnostics if each.rule.severity == "error"]
    assert told in (["bad-field-name"], ["bad-argument-name"])
