"""The whole tree or nothing: writing, recovering, and what survives."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from brimgen.output.journal import Journal
from support.output import everything, generate, plan_of, tree

FILES = {"python/a.py": "a\n", "python/b.py": "b\n", "json/c.json": "{}\n"}
NEXT = {"python/a.py": "A\n", "python/b.py": "b\n", "sql/d.sql": "d\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "out"


def test_the_tree_is_what_was_made(root: Path) -> None:
    generate(root, FILES)
    assert FILES == tree(root)
    assert ["out"] == os.listdir(root.parent)
    generate(root, NEXT)
    assert NEXT == tree(root)
    assert ["out"] == os.listdir(root.parent)
    assert not (root / "json").exists()


def test_unchanged_files_keep_their_times_and_identity(root: Path) -> None:
    generate(root, FILES)
    before = (root / "python/b.py").stat()
    generate(root, NEXT)
    after = (root / "python/b.py").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_foreign_files_folders_and_links_survive(root: Path) -> None:
    generate(root, FILES)
    (root / "json/mine").mkdir()
    (root / "empty").mkdir()
    (root / "json/mine/x.txt").write_text("mine")
    (root / "link").symlink_to("nowhere")
    os.mkfifo(root / "pipe")
    generate(root, NEXT)
    assert "mine" == (root / "json/mine/x.txt").read_text()
    assert (root / "empty").is_dir()
    assert "nowhere" == os.readlink(root / "link")
    assert (root / "pipe").is_fifo()


def test_hard_links_of_replaced_files_are_not_written_through(root: Path) -> None:
    generate(root, FILES)
    os.link(root / "python/a.py", root.parent / "copy.py")
    generate(root, NEXT)
    assert "a\n" == (root.parent / "copy.py").read_text()


def test_the_modes_of_files_are_kept(root: Path) -> None:
    generate(root, FILES)
    (root / "python/a.py").chmod(0o755)
    (root / "python").chmod(0o700)
    generate(root, NEXT)
    assert 0o755 == (root / "python/a.py").stat().st_mode & 0o777
    assert 0o700 == (root / "python").stat().st_mode & 0o777


def test_what_a_run_that_died_early_left_is_removed(root: Path) -> None:
    generate(root, FILES)
    stage = root / ".brimgen-journal" / "stage"
    stage.mkdir(parents=True)
    (stage / "half").write_text("half")
    generate(root, FILES)
    assert ["json", "manifest.json", "python"] == sorted(os.listdir(root))


def test_an_interrupted_journal_is_seen_by_check_and_finished_by_the_next_run(
    tmp_path: Path,
) -> None:
    root = tmp_path / "out"
    generate(root, FILES)
    plan, _ = plan_of(root, NEXT)
    journal = Journal(root)
    journal._prepare(plan)
    seen, _ = plan_of(root, FILES)
    assert seen.interrupted
    assert not seen.is_clean
    journal.recover()
    assert NEXT == tree(root)
    assert plan_of(root, NEXT)[0].is_clean


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[[1]]",
        '[[0, "../x", true]]',
        '[[0, "\\ud800", true]]',
        '[[0, "a\\u0000b", true]]',
        '[[1e999, "a", true]]',
        "[" * 100_000,
    ],
)
def test_a_damaged_journal_is_forgotten(tmp_path: Path, text: str) -> None:
    root = tmp_path / "out"
    generate(root, FILES)
    before = everything(root)
    (root / ".brimgen-journal/new").mkdir(parents=True)
    (root / ".brimgen-journal/intent.json").write_text(text)
    Journal(root).recover()
    assert before == everything(root)


def test_a_journal_does_not_reach_through_a_link(tmp_path: Path) -> None:
    root, outside = tmp_path / "out", tmp_path / "outside"
    generate(root, FILES)
    outside.mkdir()
    (root / "link").symlink_to(outside)
    (root / ".brimgen-journal/new").mkdir(parents=True)
    (root / ".brimgen-journal/old").mkdir()
    (root / ".brimgen-journal/new/0").write_text("evil")
    (root / ".brimgen-journal/intent.json").write_text('[[0, "link/evil", true]]')
    Journal(root).recover()
    assert [] == [*outside.iterdir()]
    assert not (root / ".brimgen-journal").exists()


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_no_journal_gives_way(tmp_path: Path, kind: str) -> None:
    root, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("")
    generate(root, FILES)
    if kind == "file":
        (root / ".brimgen-journal").write_text("")
    else:
        (root / ".brimgen-journal").symlink_to(outside)
    generate(root, NEXT)
    assert NEXT == tree(root)
    assert ["kept"] == [each.name for each in outside.iterdir()]


def test_a_disk_that_is_full_within_a_file_leaves_the_old_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(tmp_path / "out", FILES)

    def full(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="full"):
        generate(tmp_path / "out", NEXT)
    assert FILES == tree(tmp_path / "out")
    assert ["out"] == os.listdir(tmp_path)
