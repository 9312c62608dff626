"""A fault at every write-side call, as an error and as a kill: old tree or new tree, always."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.output import journal
from support.output import everything, generate, plan_of

OLD = {f"python/tools/t{n}.py": f"old {n}\n" for n in range(4)} | {"json/x.json": "1\n"}
NEW = {f"python/tools/t{n}.py": f"new {n}\n" for n in range(1, 6)} | {"sql/y.sql": "2"}
FOREIGN = {"python/mine.py": "mine\n", "json/deep/notes.txt": "notes\n"}
CALLS = ("mkdir", "rename", "replace", "unlink", "rmdir", "open", "chmod")


class Killed(BaseException):
    """Stands for the end of the process in runs that stay in this one."""


def prepare(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """An old tree with foreign files in ``folder``/out, and both trees that are allowed."""
    root = folder / "out"
    generate(root, OLD)
    for path, text in FOREIGN.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    old = everything(root)
    model = folder / "model" / "out"
    generate(model, OLD)
    generate(model, NEW)
    return old, everything(model) | FOREIGN


def inject(patch: pytest.MonkeyPatch, at: int, fail: Callable[[], None]) -> list[int]:
    """Make the write-side call number ``at`` fail; return the counter of calls."""
    count = [0]

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*args: Any, **options: Any) -> Any:
            count[0] += 1
            if count[0] == at:
                fail()
            return call(*args, **options)

        return wrapper

    for name in CALLS:
        patch.setattr(os, name, counted(getattr(os, name)))
    patch.setattr(os, "write", counted(os.write))
    return count


def calls_of_a_run(folder: Path) -> int:
    prepare(folder)
    with pytest.MonkeyPatch.context() as patch:
        count = inject(patch, -1, lambda: None)
        generate(folder / "out", NEW)
    return count[0]


def visible(root: Path) -> dict[str, str]:
    """The tree as its readers see it: without the journal's own folder."""
    return {
        path: text
        for path, text in everything(root).items()
        if not path.startswith(journal.JOURNAL_NAME)
    }


@pytest.mark.parametrize(
    "code",
    [
        errno.ENOSPC,
        *(
            pytest.param(each, marks=pytest.mark.whole)
            for each in (errno.EIO, errno.EACCES, errno.EROFS)
        ),
    ],
)
def test_an_error_leaves_the_old_or_the_new_tree(tmp_path: Path, code: int) -> None:
    def fail() -> None:
        raise OSError(code, os.strerror(code))

    total = calls_of_a_run(tmp_path / "count")
    assert total > 20
    for at in range(1, total + 1):
        folder = tmp_path / f"{at}"
        root = folder / "out"
        old, new = prepare(folder)
        with pytest.MonkeyPatch.context() as patch:
            inject(patch, at, fail)
            try:
                generate(root, NEW)
            except OSError as problem:
                assert problem.errno == code
        assert visible(root) in (old, new), f"torn at call {at}"
        generate(root, NEW)
        assert new == everything(root)
        # A parent that cannot be opened cannot be locked itself: a lock file stands in.
        lock = {".out.brimgen-lock"} if code == errno.EACCES else set()
        assert {"out", "model"} == set(os.listdir(folder)) - lock
        assert plan_of(root, NEW)[0].is_clean


@pytest.mark.whole
def test_a_kill_is_repaired_by_the_next_run(tmp_path: Path) -> None:
    total = calls_of_a_run(tmp_path / "count")
    for at in range(1, total + 1):
        folder = tmp_path / f"{at}"
        root = folder / "out"
        old, new = prepare(folder)
        child = os.fork()
        if child == 0:
            with pytest.MonkeyPatch.context() as patch:
                inject(patch, at, lambda: os._exit(9))
                generate(root, NEW)
                os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) in (0, 9)
        torn = everything(root) not in (old, new)
        assert not torn or plan_of(root, OLD)[0].interrupted, f"torn at call {at}"
        generate(root, NEW)
        assert new == everything(root)
        assert {"out", "model"} == set(os.listdir(folder))


def test_ctrl_c_leaves_the_old_or_the_new_tree_or_a_journal(tmp_path: Path) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    total = calls_of_a_run(tmp_path / "count")
    for at in range(1, total + 1):
        folder = tmp_path / f"{at}"
        root = folder / "out"
        old, new = prepare(folder)
        with pytest.MonkeyPatch.context() as patch:
            inject(patch, at, fail)
            with contextlib.suppress(KeyboardInterrupt):
                generate(root, NEW)
        torn = visible(root) not in (old, new)
        assert not torn or plan_of(root, OLD)[0].interrupted, f"torn at call {at}"
        generate(root, NEW)
        assert new == everything(root)


def test_a_full_disk_while_files_are_replaced_is_undone(tmp_path: Path) -> None:
    old, _ = prepare(tmp_path)
    plan, _ = plan_of(tmp_path / "out", NEW)
    with pytest.MonkeyPatch.context() as patch:
        real = os.replace

        def full(source: Any, target: Any) -> None:
            if str(target).endswith("y.sql"):
                raise OSError(errno.ENOSPC, "full")
            real(source, target)

        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="full"):
            journal.write(plan)
    assert old == everything(tmp_path / "out")


def run_in_child(root: Path, files: dict[str, str], rounds: int) -> int:
    child = os.fork()
    if child == 0:
        try:
            for _ in range(rounds):
                generate(root, files)
        except BaseException:
            os._exit(1)
        os._exit(0)
    return child


def test_concurrent_runs_end_in_exactly_one_tree(tmp_path: Path) -> None:
    root = tmp_path / "out"
    children = [run_in_child(root, files, 15) for files in (OLD, NEW, OLD)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in children]
    assert [0, 0, 0] == codes
    assert ["out"] == os.listdir(tmp_path)
    assert plan_of(root, OLD)[0].is_clean or plan_of(root, NEW)[0].is_clean


def kill_at_random(tmp_path: Path, times: int) -> None:
    chance = random.Random(7)
    root = tmp_path / "out"
    generate(root, OLD)
    generate(tmp_path / "model" / "out", NEW)
    both = (everything(root), everything(tmp_path / "model" / "out"))
    for _ in range(times):
        child = os.fork()
        if child == 0:
            while True:
                generate(root, NEW)
                generate(root, OLD)
        time.sleep(chance.uniform(0.001, 0.03))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        torn = everything(root) not in both
        assert not torn or plan_of(root, OLD)[0].interrupted
    generate(root, OLD)
    assert both[0] == everything(root)
    assert {"out", "model"} == set(os.listdir(tmp_path))


@pytest.mark.whole
def test_kills_at_random_times(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 15)


@pytest.mark.fuzz
def test_many_kills_at_random_times(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 2000)
