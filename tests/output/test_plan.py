"""What a run would do, and what it must leave alone (issue 2, point 6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from brimgen.output.plan import State
from support.output import generate, outputs, plan_of

FILES = {"python/a.py": "a\n", "json/b.json": "{}\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    generate(tmp_path / "out", FILES)
    return tmp_path / "out"


def test_all_is_new_where_there_is_nothing(tmp_path: Path) -> None:
    plan, found = plan_of(tmp_path / "out", FILES)
    assert ("json/b.json", "python/a.py") == plan.paths(State.NEW)
    assert not found
    assert not plan.is_clean
    assert not (tmp_path / "out").exists()


def test_a_written_folder_is_clean(root: Path) -> None:
    plan, _ = plan_of(root, FILES)
    assert plan.is_clean
    assert {State.SAME} == set(plan.states.values())


def test_a_changed_spec_makes_a_changed_file(root: Path) -> None:
    plan, _ = plan_of(root, {**FILES, "python/a.py": "new\n"})
    assert ("python/a.py",) == plan.paths(State.CHANGED)
    assert {"python/a.py", "manifest.json"} == plan.puts


def test_a_deleted_file_is_missing(root: Path) -> None:
    (root / "python/a.py").unlink()
    plan, _ = plan_of(root, FILES)
    assert ("python/a.py",) == plan.paths(State.MISSING)
    assert {"python/a.py"} == plan.puts


def test_a_file_without_a_spec_is_removed(root: Path) -> None:
    plan, _ = plan_of(root, {"python/a.py": "a\n"})
    assert ("json/b.json",) == plan.paths(State.ORPHANED) == plan.removes


def test_an_edited_file_is_kept_and_stays_known_as_edited(root: Path) -> None:
    (root / "python/a.py").write_text("mine\n")
    for text in ("a\n", "new\n"):
        plan, _ = plan_of(root, {**FILES, "python/a.py": text})
        assert ("python/a.py",) == plan.paths(State.EDITED) == plan.kept
        assert "python/a.py" not in plan.puts
        assert not plan.is_clean


def test_an_edited_file_without_a_spec_is_kept(root: Path) -> None:
    (root / "json/b.json").write_text("mine\n")
    plan, _ = plan_of(root, {"python/a.py": "a\n"})
    assert ("json/b.json",) == plan.kept
    assert () == plan.removes
    assert frozenset({"json/b.json"}) == plan.unmade


def test_force_replaces_and_removes_edited_files(root: Path) -> None:
    (root / "python/a.py").write_text("mine\n")
    (root / "json/b.json").write_text("mine\n")
    plan, _ = plan_of(root, {"python/a.py": "a\n"}, force=True)
    assert b"a\n" == plan.held["python/a.py"]
    assert ("json/b.json",) == plan.removes


def test_an_edit_that_says_what_the_spec_says_now_is_no_edit(root: Path) -> None:
    (root / "python/a.py").write_text("new\n")
    plan, _ = plan_of(root, {**FILES, "python/a.py": "new\n"})
    assert State.SAME is plan.states["python/a.py"]
    assert {"manifest.json"} == plan.puts


def test_foreign_files_are_not_mentioned(root: Path) -> None:
    (root / "python/mine.py").write_text("mine\n")
    plan, _ = plan_of(root, FILES)
    assert plan.is_clean


def test_a_foreign_file_in_the_way_is_an_error(root: Path) -> None:
    (root / "python/c.py").write_text("mine\n")
    plan, found = plan_of(root, {**FILES, "python/c.py": "c\n"})
    (only,) = found
    assert "file-in-the-way" == only.rule.reason
    assert "out/python/c.py" == only.span.file
    plan, found = plan_of(root, {**FILES, "python/c.py": "c\n"}, force=True)
    assert not found
    assert b"c\n" == plan.held["python/c.py"]


def test_a_foreign_file_with_the_right_bytes_is_adopted(root: Path) -> None:
    (root / "manifest.json").unlink()
    plan, found = plan_of(root, FILES)
    assert not found
    assert {"manifest.json"} == plan.puts


@pytest.mark.parametrize("force", [False, True])
def test_folders_and_links_in_the_way_are_errors_always(
    root: Path, tmp_path: Path, force: bool
) -> None:
    (root / "folder.py").mkdir()
    (root / "link.py").symlink_to(tmp_path / "elsewhere.py")
    (root / "linked").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(root / "pipe.py")
    files = dict.fromkeys(("folder.py", "link.py", "linked/x.py", "pipe.py"), "x\n")
    _, found = plan_of(root, {**FILES, **files}, force=force)
    assert ["file-in-the-way"] * 4 == [each.rule.reason for each in found]
    assert [
        "out/folder.py",
        "out/link.py",
        "out/linked/x.py",
        "out/pipe.py",
    ] == [each.span.file for each in found]


def test_a_folder_may_take_the_place_of_a_file_of_ours(root: Path) -> None:
    generate(root, {"thing": "a file\n"})
    generate(root, {"thing/inner": "now a folder\n"})
    assert "now a folder\n" == (root / "thing/inner").read_text()


def test_a_damaged_manifest_stops_the_run_unless_forced(root: Path) -> None:
    (root / "manifest.json").write_text("<<<<<<< HEAD\n")
    for files in (FILES, dict.fromkeys(FILES, "changed\n")):
        _, found = plan_of(root, files)
        (told,) = found  # whose the files are, nobody knows: it is no mistake of theirs
        assert "unreadable-manifest" == told.rule.reason
        assert told.message.endswith(": a conflict of a merge is not resolved in it")
    plan, found = plan_of(root, FILES, force=True)
    assert not found
    assert {"manifest.json"} == plan.puts


def test_a_new_version_changes_the_manifest_alone(root: Path) -> None:
    text = (root / "manifest.json").read_text()
    (root / "manifest.json").write_text(text.replace("1.2.3", "1.2.2"))
    plan, _ = plan_of(root, FILES)
    assert {"manifest.json"} == plan.puts
    assert not plan.is_clean


def test_a_run_for_one_target_leaves_the_others_alone(tmp_path: Path) -> None:
    root = tmp_path / "out"
    python = outputs({"python/a.py": "a\n"})
    generate(root, (*python, *outputs({"sql/a.sql": "select 1\n"}, "sql")))
    plan, _ = plan_of(root, python, targets=frozenset({"python"}))
    assert plan.is_clean
    plan, _ = plan_of(root, python)
    assert ("sql/a.sql",) == plan.removes


def test_planning_writes_nothing(root: Path) -> None:
    before = {each: each.stat().st_mtime_ns for each in root.parent.rglob("*")}
    plan_of(root, {"python/a.py": "new\n", "python/d.py": "d\n"})
    assert before == {each: each.stat().st_mtime_ns for each in root.parent.rglob("*")}


def test_a_file_where_the_folder_belongs_is_one_error(tmp_path: Path) -> None:
    root = tmp_path / "out"
    root.write_text("mine")
    plan, found = plan_of(root, {"a/b.py": "1", "a/c.py": "2", "d.json": "{}"})
    assert [("O513", "out")] == [(each.rule.code, each.span.file) for each in found]
    assert frozenset() == plan.puts
    assert "mine" == root.read_text()
