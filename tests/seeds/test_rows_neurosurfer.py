"""Seed 001: rows of its table that need a project on disk, by the words of their checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen.cli import run as cli
from support.project import build

SPEC = """\
type: python_function
name: calculator
profiles: [toolspec]
description: Performs arithmetic operations
when_to_use: Use when you must compute a numeric result
arguments:
  inline:
    operation: { type: string, description: add|sub|mul|div }
    a: { type: number, description: Left operand }
    b: { type: number, description: Right operand }
returns: { type: number, description: Result of the operation }
"""


@pytest.fixture
def specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the specs of a project to stand in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    return tmp_path / "specs"


def test_N9_a_missing_when_to_use_is_an_error_with_its_line(
    specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = SPEC.splitlines(keepends=True)
    text = "".join(each for each in lines if not each.startswith("when_to_use"))
    (specs / "calculator.yaml").write_text(text)
    assert 1 == cli.run(["generate", "--format", "concise"])
    err = capsys.readouterr().err
    assert "specs/calculator.yaml:2:" in err
    assert "profile toolspec: `calculator` has no `when_to_use`" in err
    assert not (specs.parent / "out").exists()


def test_N9_another_type_under_the_same_name_is_told_by_diff(
    specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (specs / "calculator.yaml").write_text(SPEC)
    assert 0 == cli.run(["generate"])
    (specs / "calculator.yaml").write_text(
        SPEC.replace("b: { type: number", "b: { type: string")
    )
    capsys.readouterr()
    assert 3 == cli.run(["diff", "--format", "concise"])
    [told] = [line for line in capsys.readouterr().err.splitlines() if "L619" in line]
    assert told.startswith(
        "specs/calculator.yaml:10:5: warning[L619] `b` is a string now"
    )


def test_N10_what_to_json_writes_comes_in_and_is_the_same_spec(
    specs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = build(tmp_path / "first", {"calculator.yaml": SPEC})
    written = first.spec("calculator").to_json()
    file = tmp_path / "calculator.json"
    file.write_text(json.dumps(written))
    assert 0 == cli.run(["import", str(file)])
    imported = capsys.readouterr().out
    again = build(tmp_path / "second", {"calculator.yaml": imported})
    assert written == again.spec("calculator").to_json()


def bad(**changes: Any) -> dict[str, Any]:
    inputs = [
        {"name": "query", "type": "string", "description": "What", "required": True}
    ]
    return {
        "name": "find",
        "description": "Finds.",
        "when_to_use": "Use to find",
        "inputs": inputs,
        "returns": {"type": "string", "description": "What was found"},
        **changes,
    }


def test_N10_an_invalid_one_is_refused_with_the_reason_of_validate(
    specs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    query = bad()["inputs"][0]
    for spec, reason in (
        (bad(when_to_use=" "), "find has no when_to_use"),
        (bad(inputs=[query, query]), "duplicate input 'query'"),
        (bad(inputs=[{**query, "type": "float"}]), "find.query has unsupported type"),
    ):
        file = tmp_path / "find.json"
        file.write_text(json.dumps(spec))
        capsys.readouterr()
        assert 0 != cli.run(["import", str(file)])
        streams = capsys.readouterr()
        assert reason in streams.err
        assert "type: python_function" not in streams.out
