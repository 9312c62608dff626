"""Libraries that warn, log or print: nothing of it reaches the streams that programs read."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from brimgen.quiet import quiet

SPEC = """
type: entity
name: Node
properties:
  default: { $ref: "#/$defs/Inner" }
$defs:
  Inner: { type: object, properties: { next: { $ref: "#/$defs/Inner" } } }
---
type: python_function
name: probe
description: Try whatever may be tried.
arguments:
  inline:
    properties:
      default: { $ref: "#/$defs/P", description: First. }
      node: { entity_ref: Node, description: Second. }
      odd: { type: string, format: weird-format, description: Third. }
    $defs:
      P: { type: object, properties: { default: { $ref: "#/$defs/P" } } }
"""
FLAVOURS = "[pydantic, msgspec, typed_dict]"


def test_models_of_a_property_called_default(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/a.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "brimgen.yaml").write_text(
        f"targets: [python, json_schema, mcp, models]\nmodels: {FLAVOURS}\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "generate", "--format", "json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr
    assert isinstance(json.loads(ran.stderr), dict)
    pydantic = (tmp_path / "out/python/tools/models/pydantic.py").read_text(
        encoding="utf-8"
    )
    assert "default: NodeInner | None = None" in pydantic
    listed = tmp_path / "out/python/tools/descriptors/mcp/tools.json"
    tools = json.loads(listed.read_text(encoding="utf-8"))
    schema = tools["tools"][0]["inputSchema"]
    assert {"P", "Inner"} <= {name.rpartition("_")[2] for name in schema["$defs"]}


def test_what_a_library_says_goes_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    with quiet():
        print("printed")
        print("printed", file=sys.stderr)
        warnings.warn("warned", stacklevel=1)
        logging.getLogger("sqlglot").error("logged")
    assert ("", "") == capsys.readouterr()
    assert logging.getLogger("sqlglot").isEnabledFor(logging.ERROR)


def test_an_error_of_a_library_is_raised() -> None:
    with pytest.raises(ValueError, match="wrong"), quiet():
        raise ValueError("wrong")
