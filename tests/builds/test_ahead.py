"""Two processes make what one makes: the same files and words, whatever becomes of the second."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from brimgen import ahead, emitting
from brimgen.cli import main as cli

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
TOOL = """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
handler: backend.tools:find_{word}
arguments:
  inline:
    title: {{ type: string, maxLength: 80, description: A title }}
returns: string[]
"""


class _Started:
    """Lets a run begin ahead however small it is, and counts how often it did."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self._patched = patched
        self.times = 0

    def __call__(self, jobs: object) -> object:
        self.times += 1
        return _BEGUN(jobs)  # type: ignore[arg-type]

    def switch(self, *, on: bool) -> None:
        self._patched.setattr(emitting, "MANY_TOOLS", 1)
        self._patched.setattr(ahead, "possible", lambda: on)
        self._patched.setattr(ahead, "begun", self)


_BEGUN = ahead.begun


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> _Started:
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    monkeypatch.delenv(ahead.VARIABLE, raising=False)
    return _Started(monkeypatch)


@pytest.fixture(autouse=True)
def _no_child_is_left() -> Iterator[None]:
    yield
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def shop(folder: Path) -> None:
    """The project with bundles, whose identities are known only behind the gate."""
    shutil.copytree(ROOT / "specs", folder / "specs")
    shutil.copy(ROOT / "brimgen.lock.json", folder)
    shutil.copy(ROOT / "pyproject.toml", folder)


def plain(folder: Path) -> None:
    """A project of tools alone, which begins before the checks."""
    (folder / "specs").mkdir()
    for word in ("order", "parcel", "refund"):
        (folder / "specs" / f"{word}.yaml").write_text(TOOL.format(word=word))
    (folder / "pyproject.toml").write_text("[tool.brimgen]\n")


@pytest.mark.parametrize("project", [shop, plain])
def test_the_same_files_and_words(
    tmp_path: Path,
    started: _Started,
    capsys: pytest.CaptureFixture[str],
    project: Callable[[Path], None],
) -> None:
    project(tmp_path)
    alone = _run(tmp_path, started, capsys, on=False)
    assert 0 == started.times
    together = _run(tmp_path, started, capsys, on=True)
    assert (0, 1) == (alone[0], started.times)
    assert len(alone[2]) > 20
    assert alone == together


def test_errors_are_the_same_and_nothing_is_written(
    tmp_path: Path, started: _Started, capsys: pytest.CaptureFixture[str]
) -> None:
    plain(tmp_path)
    # Only the check of a target tells: the second process is at work by then.
    twin = TOOL.format(word="Order").replace("find_Order", "find__order", 1)
    (tmp_path / "specs" / "twin.yaml").write_text(twin)
    alone = _run(tmp_path, started, capsys, on=False)
    together = _run(tmp_path, started, capsys, on=True)
    assert (1, {}) == (alone[0], alone[2])
    assert "error[" in alone[1]
    assert (alone, 1) == (together, started.times)


def test_a_process_that_dies_is_not_missed() -> None:
    mother = os.getpid()

    def deadly() -> int:
        if os.getpid() != mother:
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    with ahead.begun([deadly] * 5) as begun:
        assert [mother] * 5 == begun.results()


def test_what_a_job_raises_is_raised_here() -> None:
    def wrong() -> int:
        raise LookupError("a bug of ours")

    with ahead.begun([lambda: 1, wrong]) as begun, pytest.raises(LookupError):
        begun.results()


def test_results_are_in_order_and_each_job_is_done_once(tmp_path: Path) -> None:
    def job(number: int) -> Callable[[], int]:
        def work() -> int:
            with (tmp_path / str(number)).open("x"):
                return number

        return work

    with ahead.begun([job(number) for number in range(40)]) as begun:
        assert [*range(40)] == begun.results()


def test_much_is_handed_over() -> None:
    size = 3_000_000
    with ahead.begun([lambda: b"x" * size, lambda: "y" * size]) as begun:
        assert [size, size] == [len(each) for each in begun.results()]


def test_nobody_waits_for_what_nobody_wants(tmp_path: Path) -> None:
    def endless() -> None:
        signal.pause()

    with ahead.begun([endless]):
        pass


def test_too_many_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 255 jobs"):
        ahead.begun([int] * 256).__enter__()


def test_one_process_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ahead.VARIABLE, "1")
    assert not ahead.possible()


def test_one_process_where_others_are_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ahead.VARIABLE, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("threading.active_count", lambda: 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    answers = []
    for running in (1, 2, 9):
        monkeypatch.setattr(ahead, "_running", lambda running=running: running)
        answers.append(ahead.possible())
    assert [True, False, False] == answers


def _run(
    folder: Path,
    started: _Started,
    capsys: pytest.CaptureFixture[str],
    *,
    on: bool,
) -> tuple[int, str, dict[str, bytes]]:
    """The exit code, the words, and the files of one cold build."""
    started.switch(on=on)
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    code = cli.run(
        [
            *("generate", "--config", str(folder / "pyproject.toml")),
            *("--specs", str(folder / "specs"), "--out", str(out)),
        ]
    )
    files = {
        each.relative_to(out).as_posix(): each.read_bytes()
        for each in sorted(out.rglob("*"))
        if each.is_file()
    }
    return code, capsys.readouterr().err, files
