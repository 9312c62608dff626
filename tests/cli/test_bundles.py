"""A project with bundles, as its users see it: lock file, bundles.json, switches (F3, F8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

LOCK = "brimgen.lock.json"
LISTED = "out/python/tools/descriptors/mcp/tools.json"
SPEC = """\
type: bundle
name: files
description: Files on the disk.
---
type: python_function
name: read_file
description: Read a text file, which must lie below the home folder.
bundle: files
arguments: { inline: { path: { type: string, description: Where it lies } } }
returns: { type: string, description: The text. }
"""


@pytest.fixture
def spec(project: Path) -> Path:
    path = project / "specs" / "files.yaml"
    path.write_text(SPEC)
    return path


def bytes_of(project: Path) -> dict[str, bytes]:
    """All that is checked in, but the specs."""
    return {
        str(each.relative_to(project)): each.read_bytes()
        for each in [project / LOCK, *(project / "out").rglob("*")]
        if each.is_file()
    }


def bundles(project: Path) -> Any:
    return json.loads((project / "out/python/tools/bundles.json").read_text())[
        "bundles"
    ]


def test_a_rebuild_changes_no_byte(run: Any, project: Path, spec: Path) -> None:
    assert 0 == run("generate").code
    first = bytes_of(project)
    assert 0 == run("generate").code
    assert 0 == run("check").code
    assert first == bytes_of(project)


def test_the_listing_of_a_bundle_keeps_identities_between_builds(
    run: Any, project: Path, spec: Path
) -> None:
    run("generate")
    [bundle] = bundles(project)
    [tool] = bundle.pop("tools")
    lock = json.loads((project / LOCK).read_text())
    kept = lock["bundles"]["files"]
    assert {
        "id": kept["id"],
        "slug": "files",
        "displayName": "files",
        "description": "Files on the disk.",
        "isEnabled": True,
        "createdAt": kept["createdAt"],
        "modifiedAt": kept["modifiedAt"],
    } == bundle
    assert ("read-file", "v1", "python") == (
        tool["slug"],
        tool["version"],
        tool["type"],
    )
    assert lock["tools"]["read_file"]["id"] == tool["id"]
    assert "argSchema" not in tool


def test_a_switch_moves_no_time_and_empties_the_tool_sets(
    run: Any, project: Path, spec: Path
) -> None:
    run("generate")
    [before] = bundles(project)
    lock = (project / LOCK).read_bytes()
    spec.write_text(SPEC.replace("name: files\n", "name: files\nisEnabled: false\n"))
    assert 0 == run("generate").code
    [after] = bundles(project)
    assert {**before, "isEnabled": False} == after
    assert lock == (project / LOCK).read_bytes()
    assert [] == json.loads((project / LISTED).read_text())["tools"]


def test_check_tells_a_stale_lock(run: Any, project: Path, spec: Path) -> None:
    run("generate")
    (project / LOCK).unlink()
    ran = run("check", "--format", "concise")
    assert 3 == ran.code
    assert f"{LOCK}:1:1: error[O526]" in ran.err
    assert not (project / LOCK).exists()
    ran = run("action", "--catalog", "--format", "json")
    (told,) = json.loads(ran.err)["diagnostics"]
    assert (3, "O526", LOCK) == (ran.code, told["code"], told["file"])


def test_a_lock_that_cannot_be_read_stops_the_build(
    run: Any, project: Path, spec: Path
) -> None:
    run("generate")
    before = bytes_of(project)
    (project / LOCK).write_text("<<<<<<< HEAD\n")
    ran = run("generate", "--format", "concise")
    assert 1 == ran.code
    assert (
        f"{LOCK}:1:1: error[O525] cannot read the lock file: it is not JSON" in ran.err
    )
    assert {**before, LOCK: b"<<<<<<< HEAD\n"} == bytes_of(project)


def test_a_failing_disk_leaves_lock_and_output_as_they_were(
    run: Any, project: Path, spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("generate")
    before = bytes_of(project)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("brimgen.api.write", fail)
    spec.write_text(SPEC.replace("The text.", "The whole text."))
    assert 74 == run("generate").code
    assert before == bytes_of(project)


def test_without_bundles_there_is_no_lock(run: Any, project: Path, spec: Path) -> None:
    run("generate")
    spec.write_text("type: python_function\nname: loose\ndescription: Do it all.\n")
    assert 0 == run("generate").code
    assert not (project / LOCK).exists()
    assert not (project / "out/python/tools/bundles.json").exists()
    assert 0 == run("check").code


def test_the_lock_lies_beside_the_configuration(run: Any, project: Path) -> None:
    below = project / "shop"
    (below / "specs").mkdir(parents=True)
    (below / "specs" / "files.yaml").write_text(SPEC)
    (below / "brimgen.yaml").write_text("package: shop\n")
    assert 0 == run("generate", "--config", "shop/brimgen.yaml").code
    assert (below / LOCK).is_file()
    assert not (project / LOCK).exists()
