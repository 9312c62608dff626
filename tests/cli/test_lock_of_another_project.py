"""The lock file belongs to the specs and the output folder of one project (issue 17, 1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

LOCK = "brimgen.lock.json"
BUNDLES = "python/tools/bundles.json"
BUNDLE = """\
type: bundle
name: {name}
description: Files on the disk.
---
type: python_function
name: read_{name}
description: Read a text file, which must lie below the home folder.
bundle: {name}
arguments: {{ inline: {{ path: {{ type: string, description: Where it lies }} }} }}
returns: {{ type: string, description: The text. }}
"""
LOOSE = "type: python_function\nname: loose\ndescription: Do it all.\n"
STATED = """\
id: 01890af0-0000-7000-8000-00000000000{number}
createdAt: "2026-01-01T00:00:00Z"
modifiedAt: "2026-01-01T00:00:00Z"
"""


@pytest.fixture
def project(project: Path) -> Path:
    """A project with a bundle, and specs of others beside its own."""
    (project / "specs/files.yaml").write_text(BUNDLE.format(name="files"))
    for name, text in (("loose", LOOSE), ("mails", BUNDLE.format(name="mails"))):
        (project / name).mkdir()
        (project / name / "a.yaml").write_text(text)
    return project


@pytest.fixture
def lock(project: Path, run: Any) -> Path:
    assert 0 == run("generate").code
    return project / LOCK


def ids(lock: Path) -> dict[str, str]:
    entries = json.loads(lock.read_text())
    return {
        name: entry["id"]
        for kind in ("bundles", "tools")
        for name, entry in entries[kind].items()
    }


def test_other_specs_without_bundles_do_not_delete_the_lock_of_the_project(
    run: Any, project: Path, lock: Path
) -> None:
    before = lock.read_bytes()
    assert 0 == run("generate", "--specs", "loose", "--out", "other").code
    assert before == lock.read_bytes()
    assert 0 == run("check").code


def test_other_specs_with_bundles_do_not_replace_the_ids_of_the_project(
    run: Any, project: Path, lock: Path
) -> None:
    before = lock.read_bytes()
    flags = ("--specs", "mails", "--out", "other")
    assert 0 == run("generate", *flags).code
    assert before == lock.read_bytes()
    own = project / "mails.brimgen.lock.json"
    assert {"mails", "read_mails"} == ids(own).keys()
    kept = own.read_bytes()
    assert 0 == run("generate", *flags).code
    assert 0 == run("check", *flags).code
    assert kept == own.read_bytes()


def test_two_folders_of_specs_without_a_configuration_keep_their_ids(
    run: Any, project: Path
) -> None:
    for name in ("a", "b"):
        folder = project / f"services/{name}/specs"
        folder.mkdir(parents=True)
        (folder / "x.yaml").write_text(BUNDLE.format(name=name))
    flags = [
        ("--specs", f"services/{name}/specs", "--out", f"services/{name}/out")
        for name in ("a", "b")
    ]
    for each in (*flags, *flags):
        assert 0 == run("generate", *each).code
    for each in flags:
        assert 0 == run("check", *each).code
    assert not (project / LOCK).exists()


def test_two_configurations_in_one_folder_keep_their_ids(
    run: Any, project: Path, lock: Path
) -> None:
    before = lock.read_bytes()
    (project / "mine.yaml").write_text("specs: mails\nout: gen\n")
    assert 0 == run("generate", "--config", "mine.yaml").code
    assert before == lock.read_bytes()
    assert {"mails", "read_mails"} == ids(project / "mine.brimgen.lock.json").keys()
    assert 0 == run("check", "--config", "mine.yaml").code
    assert 0 == run("check").code


def test_specs_that_lie_in_another_project_do_not_touch_its_lock(
    run: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = project / "theirs"
    (theirs / "specs").mkdir(parents=True)
    (theirs / "specs/x.yaml").write_text(BUNDLE.format(name="x"))
    (theirs / "brimgen.yaml").write_text("package: theirs\n")
    monkeypatch.chdir(theirs)
    assert 0 == run("generate").code
    before = (theirs / LOCK).read_bytes()
    (theirs / "specs/x.yaml").write_text(BUNDLE.format(name="y"))
    monkeypatch.chdir(project)
    assert 0 == run("generate", "--specs", "theirs/specs", "--out", "preview").code
    assert before == (theirs / LOCK).read_bytes()


def test_another_output_folder_has_the_ids_of_the_project(
    run: Any, project: Path, lock: Path
) -> None:
    before = lock.read_bytes()
    assert 0 == run("generate", "--out", "preview").code
    assert (project / "out" / BUNDLES).read_bytes() == (
        project / "preview" / BUNDLES
    ).read_bytes()
    assert before == lock.read_bytes()
    assert [LOCK] == [each.name for each in project.glob("*.lock.json")]


def test_another_output_folder_does_not_write_to_the_lock_of_the_project(
    run: Any, project: Path, lock: Path
) -> None:
    before = lock.read_bytes()
    (project / "specs/more.yaml").write_text(BUNDLE.format(name="more"))
    ran = run("generate", "--out", "preview")
    assert (1, before) == (ran.code, lock.read_bytes())
    assert ran.err.startswith("error[O525]")
    assert f" --> {LOCK}:1:1\n" in ran.err
    assert "`brimgen generate` without `--out`" in ran.err
    assert not (project / "preview").exists()
    assert 3 == run("check", "--out", "preview").code
    assert before == lock.read_bytes()
    assert 0 == run("generate").code
    assert 0 == run("generate", "--out", "preview").code


def test_the_same_folders_written_otherwise_are_those_of_the_project(
    run: Any, project: Path
) -> None:
    (project / "link").symlink_to("specs")
    assert (
        0 == run("generate", "--specs", "./link", "--out", f"{project}/x/../out").code
    )
    assert {"files", "read_files"} == ids(project / LOCK).keys()


def test_no_lock_is_written_where_the_specs_state_all_of_it(
    run: Any, project: Path
) -> None:
    bundle, tool = BUNDLE.format(name="files").split("---\n")
    text = f"{bundle}{STATED.format(number=1)}---\n{tool}{STATED.format(number=2)}"
    (project / "specs/files.yaml").write_text(text)
    assert 0 == run("generate").code
    assert not (project / LOCK).exists()
    assert 0 == run("check").code


def test_what_is_no_lock_is_not_deleted_with_the_last_bundle(
    run: Any, project: Path, lock: Path
) -> None:
    lock.write_text('{"mine": true}\n')
    (project / "specs/files.yaml").write_text(LOOSE)
    assert 1 == run("generate").code
    assert '{"mine": true}\n' == lock.read_text()


def test_a_lock_that_goes_with_the_last_bundle_is_told(
    run: Any, project: Path, lock: Path
) -> None:
    (project / "specs/files.yaml").write_text(LOOSE)
    ran = run("generate")
    assert not lock.exists()
    assert f"{LOCK} removed: no bundle needs it\n" in ran.err
