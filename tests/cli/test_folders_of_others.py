"""A folder that is not ours is not taken for the output folder (issue 17, 17a)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from support.output import everything

SPEC = """\
type: python_function
name: {name}
description: Read a text file, which must lie below the home folder.
arguments: {{ inline: {{ path: {{ type: string, description: Where it lies }} }} }}
returns: {{ type: string, description: The text. }}
"""
READING = ("check", "diff", "breaking")


@pytest.fixture
def project(project: Path) -> Path:
    (project / "specs/a.yaml").write_text(SPEC.format(name="read_file"))
    return project


def states(root: Path) -> dict[str, tuple[int, ...]]:
    """What nobody may have touched, to the time of the inode."""
    found = {each: os.lstat(each) for each in (root, *root.rglob("*"))}
    return {
        str(path): (each.st_ino, each.st_mode, each.st_mtime_ns, each.st_ctime_ns)
        for path, each in found.items()
    }


@pytest.fixture
def theirs(project: Path) -> Path:
    """A folder in which somebody works."""
    folder = project / "theirs"
    (folder / "deep/er").mkdir(parents=True)
    (folder / "deep/er/notes.txt").write_text("mine\n")
    (folder / "deep").chmod(0o2775)
    return folder


@pytest.mark.parametrize("command", ["generate", "check", "diff"])
def test_a_folder_with_files_of_others_is_not_taken(
    run: Any, theirs: Path, command: str
) -> None:
    before, beside = states(theirs), os.listdir(theirs.parent)
    ran = run(command, "--out", "theirs")
    assert 1 == ran.code
    assert ran.err.startswith("error[O530]")
    assert "`deep`" in ran.err
    assert "`brimgen generate --adopt`" in ran.err
    assert (before, beside) == (states(theirs), os.listdir(theirs.parent))


def test_force_takes_no_folder_of_others(run: Any, theirs: Path) -> None:
    before = states(theirs)
    assert 1 == run("generate", "--force", "--out", "theirs").code
    assert before == states(theirs)


def test_a_folder_is_adopted_once_and_keeps_its_files(run: Any, theirs: Path) -> None:
    assert 0 == run("generate", "--out", "theirs", "--adopt").code
    assert "mine\n" == (theirs / "deep/er/notes.txt").read_text()
    for command in ("check", "generate"):
        assert 0 == run(command, "--out", "theirs").code


def test_a_file_in_the_way_is_not_adopted(run: Any, theirs: Path) -> None:
    mine = theirs / "python/tools/schemas/tools/read_file.input.json"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine\n")
    ran = run("generate", "--out", "theirs", "--adopt", "--format", "concise")
    path = "theirs/python/tools/schemas/tools/read_file.input.json"
    assert f"{path}:1:1: error[O513]" in ran.err
    assert "mine\n" == mine.read_text()


@pytest.mark.parametrize("text", ['{"name": "Shop", "icons": []}\n', "", "[]"])
def test_a_manifest_of_another_program_is_not_replaced(
    run: Any, project: Path, text: str
) -> None:
    """Web applications have a ``manifest.json``, too."""
    (project / "web").mkdir()
    manifest = project / "web/manifest.json"
    manifest.write_text(text)
    for flags in ((), ("--force",)):
        ran = run("generate", "--out", "web", *flags, "--format", "concise")
        assert (1, text) == (ran.code, manifest.read_text())
        assert "web:1:1: error[O530]" in ran.err
    ran = run("generate", "--out", "web", "--adopt", "--format", "concise")
    assert (1, text) == (ran.code, manifest.read_text())
    assert "web/manifest.json:1:1: error[O513]" in ran.err


def test_a_damaged_manifest_of_ours_is_told_as_before(run: Any, project: Path) -> None:
    assert 0 == run("generate").code
    manifest = project / "out/manifest.json"
    for text in (manifest.read_text()[:40], ""):
        manifest.write_text(text)
        ran = run("generate", "--format", "concise")
        assert (1, text) == (ran.code, manifest.read_text())
        assert "out/manifest.json:1:1: error[O514]" in ran.err
    assert 0 == run("generate", "--force").code
    assert 0 == run("check").code


def test_a_repository_is_adopted_on_purpose_only(run: Any, project: Path) -> None:
    (project / "gen/.git/objects").mkdir(parents=True)
    (project / "gen/.git/HEAD").write_text("ref: refs/heads/main\n")
    assert 1 == run("generate", "--out", "gen").code
    assert 0 == run("generate", "--out", "gen", "--adopt").code
    assert "ref: refs/heads/main\n" == (project / "gen/.git/HEAD").read_text()


@pytest.mark.parametrize("names", [(), (".DS_Store",), (".gitkeep", "Thumbs.db")])
def test_an_empty_folder_is_an_output_folder(
    run: Any, project: Path, names: tuple[str, ...]
) -> None:
    (project / "gen/empty").mkdir(parents=True)
    for each in names:
        (project / "gen" / each).write_text("")
    assert 0 == run("generate", "--out", "gen").code
    assert all((project / "gen" / each).is_file() for each in names)


def test_the_folder_of_another_project_keeps_its_files(run: Any, project: Path) -> None:
    (project / "other").mkdir()
    (project / "other/b.yaml").write_text(SPEC.format(name="write_file"))
    assert 0 == run("generate", "--package", "shop").code
    before = everything(project / "out")
    flags = ("--specs", "other", "--package", "mail")
    for command in ("generate", "check"):
        ran = run(command, *flags, "--format", "concise")
        assert (1, before) == (ran.code, everything(project / "out"))
        assert "out:1:1: error[O530]" in ran.err
    assert 0 == run("generate", *flags, "--adopt").code
    assert "python/mail/tools/write_file.py" in everything(project / "out")
    assert "python/shop/tools/read_file.py" not in everything(project / "out")


def test_a_renamed_package_and_new_specs_stay_in_their_folder(
    run: Any, project: Path
) -> None:
    assert 0 == run("generate", "--package", "shop").code
    assert 0 == run("generate", "--package", "mail").code
    (project / "specs/a.yaml").unlink()
    (project / "specs/b.yaml").write_text(SPEC.format(name="write_file"))
    assert 0 == run("generate", "--package", "mail").code


def test_a_link_to_a_folder_of_others_is_no_way_into_it(run: Any, theirs: Path) -> None:
    (theirs.parent / "link").symlink_to("theirs")
    before = states(theirs)
    for out in ("link", "specs/../link"):
        assert 1 == run("generate", "--out", out).code
    assert before == states(theirs)


COMMANDS = [
    ("generate",),
    ("generate", "--adopt", "--force"),
    ("check",),
    ("diff",),
    ("watch",),
    ("action", "--list", "specs/a.yaml"),
    ("action", "specs/a.yaml"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_writes_to_a_home_folder(
    run: Any, theirs: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("HOME", str(theirs))
    before, beside = states(theirs), os.listdir(theirs.parent)
    ran = run(*command, "--out", "specs/../theirs")
    assert 2 == ran.code
    assert ran.err.startswith(
        "error[O509]: the output folder theirs is your home folder\n --> --out\n"
    )
    assert (before, beside) == (states(theirs), os.listdir(theirs.parent))


@pytest.mark.parametrize("out", ["/", "~"])
def test_a_configuration_names_no_home_and_no_file_system(
    run: Any, project: Path, out: str
) -> None:
    """Refused before anything is read in it."""
    named = str(Path(out).expanduser())
    (project / "brimgen.yaml").write_text(f"out: {json.dumps(named)}\n")
    ran = run("check", "--format", "concise")
    assert 2 == ran.code
    assert ran.err.startswith("brimgen.yaml:1:6: error[O5")


def test_the_folder_of_the_project_is_no_output_folder_by_any_path(
    run: Any, project: Path
) -> None:
    (project / "link").symlink_to(".")
    (project / "brimgen.yaml").write_text("package: shop\n")
    for out in (".", "link", "link/link/specs", "specs/..", "link/specs/x", ".."):
        ran = run("generate", "--out", out, "--adopt", "--force")
        assert 2 == ran.code
        assert ran.err.startswith("error[O505]")
    assert ["a.yaml"] == os.listdir(project / "specs")
