"""Formats for services tell paths from the root of the repository, the others from here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

GOOD = "type: python_function\nname: probe\n"
SPEC = "type: python_function\nname: probe\nnaem: x\n"


def _paths(format: str, text: str) -> str:
    if format == "sarif":
        result = json.loads(text)["runs"][0]["results"][0]
        place = result["locations"][0]["physicalLocation"]
        return str(place["artifactLocation"]["uri"])
    if format == "json":
        return str(json.loads(text)["diagnostics"][0]["file"])
    return text.partition("file=")[2].partition(",")[0]


@pytest.mark.parametrize(
    ("format", "from_here", "expected"),
    [
        ("sarif", "services/shop", "services/shop/specs/a.yaml"),
        ("github", "services/shop", "services/shop/specs/a.yaml"),
        ("github", ".", "services/shop/specs/a.yaml"),
        ("json", "services/shop", "specs/a.yaml"),
        ("json", ".", "services/shop/specs/a.yaml"),
    ],
)
def test_reports_name_files_from_the_root_of_the_repository(
    project: Path,
    run: Any,
    monkeypatch: pytest.MonkeyPatch,
    format: str,
    from_here: str,
    expected: str,
) -> None:
    (project / ".git").mkdir()
    shop = project / "services/shop"
    (shop / "specs").mkdir(parents=True)
    (shop / "specs/a.yaml").write_text(SPEC)
    monkeypatch.chdir(project / from_here)
    specs, out = ((shop / each).as_posix() for each in ("specs", "out"))
    ran = run("check", "--format", format, "--specs", specs, "--out", out)
    assert 1 == ran.code
    assert expected == _paths(format, ran.err)


def test_without_a_repository_paths_are_told_from_here(project: Path, run: Any) -> None:
    (project / "specs/a.yaml").write_text(SPEC)
    ran = run("check", "--format", "sarif")
    assert "specs/a.yaml" == _paths("sarif", ran.err)


@pytest.mark.parametrize("format", ["sarif", "junit", "json"])
def test_a_sound_run_is_a_whole_document_too(
    project: Path, run: Any, format: str
) -> None:
    (project / "specs/a.yaml").write_text(f"{GOOD}description: Look into it.\n")
    ran = run("generate", "--format", format)
    assert 0 == ran.code
    assert ran.err.startswith("<?xml" if format == "junit" else "{")
