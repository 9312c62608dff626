"""A process that dies, wherever it does, costs time and nothing else; none is left behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from pickle import PickleBuffer
from typing import Any

import pytest

from brimgen.output.stage import Stage
from brimgen.parallel import choice, workers
from brimgen.parallel.channel import Channel, Closed, channels
from brimgen.parallel.share import Share
from parallel.conftest import Project
from parallel.test_builds import small
from support.builds import tree

LEADER = os.getpid()
Deed = Callable[[], None]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail() -> None:
    raise LookupError("a bug of one process")


def fill_up() -> None:
    raise OSError(errno.ENOSPC, "the disk is full")


def be_interrupted() -> None:
    raise KeyboardInterrupt


DEEDS = [die, fail, fill_up, be_interrupted]


FORKED: list[int] = []
"""The processes that a test has made by `os.fork`; other tests have children of their own."""


@pytest.fixture(autouse=True)
def _forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Know the children of each test by their numbers."""
    FORKED.clear()
    fork = os.fork

    def noted() -> int:
        process = fork()
        if process:
            FORKED.append(process)
        return process

    monkeypatch.setattr(os, "fork", noted)


def no_child_is_left() -> bool:
    """Whether each of them has ended, and was waited for."""
    for each in FORKED:
        try:
            os.waitpid(each, os.WNOHANG)
        except ChildProcessError:
            continue
        return False
    return True


def in_crew(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str, number: int, deed: Deed
) -> None:
    """Have every process but the one that leads do ``deed`` in a call of a method."""
    method, calls = getattr(owner, name), [0]

    def called(*arguments: object, **options: object) -> object:
        if os.getpid() != LEADER:
            if calls[0] == number:
                deed()
            calls[0] += 1
        return method(*arguments, **options)

    monkeypatch.setattr(owner, name, called)


POINTS = [
    (Share, "judge", 0),
    (Channel, "send", 0),
    (Channel, "receive", 0),
    (Channel, "send", 1),
    (Channel, "receive", 1),
    (Share, "emit", 0),
    (Stage, "put", 0),
    (Stage, "put", 7),
    (Channel, "send", 2),
    (Channel, "receive", 2),
    (Channel, "send", 3),
]


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("owner, name, number", POINTS)
def test_a_process_that_ends_early(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    number: int,
    deed: Deed,
) -> None:
    project.write(small(3))
    in_crew(monkeypatch, owner, name, number, deed)
    assert 1 == project.hold(3)
    assert no_child_is_left()


def test_a_crew_that_is_whole(project: Project) -> None:
    """What the others rest on: without a deed, all of them make the build."""
    project.write(small(3))
    assert 3 == project.hold(3)
    assert 2 == len(FORKED)
    assert no_child_is_left()


def test_a_child_that_is_left_is_seen() -> None:
    here, there = os.pipe()
    process = os.fork()
    if process == 0:
        os.read(here, 1)
        os._exit(0)
    assert [process] == FORKED and not no_child_is_left()
    os.write(there, b".")
    os.waitpid(process, 0)
    assert no_child_is_left()
    os.close(here)
    os.close(there)


@pytest.mark.parametrize("owner, name, number", POINTS)
def test_the_process_that_leads_is_interrupted(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    number: int,
) -> None:
    project.write(small(3))
    method, calls = getattr(owner, name), [0]

    def called(*arguments: object, **options: object) -> object:
        if os.getpid() == LEADER:
            if calls[0] == number:
                raise KeyboardInterrupt
            calls[0] += 1
        return method(*arguments, **options)

    monkeypatch.setattr(owner, name, called)
    with pytest.raises(KeyboardInterrupt):
        project.generate(3)
    assert no_child_is_left()
    project.clear()
    assert not project.out.exists()


def test_a_disk_that_is_full_for_all(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(small(3))

    def put(*_: object) -> None:
        fill_up()

    monkeypatch.setattr(Stage, "put", put)
    with pytest.raises(OSError, match="the disk is full"):
        project.generate(2)
    assert no_child_is_left()
    project.clear()
    assert not project.out.exists()


def test_no_more_processes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write(small(3))
    fork, left = os.fork, [1]

    def forked() -> int:
        if not left[0]:
            raise BlockingIOError(errno.EAGAIN, "no more processes")
        left[0] -= 1
        return fork()

    monkeypatch.setattr(os, "fork", forked)
    assert 1 == project.hold(3)
    assert no_child_is_left()


def test_other_threads_are_not_cut_off(project: Project) -> None:
    project.write(small(3))
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert 1 == project.hold(2)
    finally:
        end.set()
        thread.join()
    assert 2 == project.hold(2)


def test_processors_are_those_that_are_free(monkeypatch: pytest.MonkeyPatch) -> None:
    free = choice.processors()
    assert 1 <= free <= (os.cpu_count() or 1)

    def one(_: int) -> set[int]:
        return {0}

    monkeypatch.setattr(os, "sched_getaffinity", one, raising=False)
    assert 1 == choice.processors()


def test_as_many_processes_as_there_is_work_for(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(small(3))
    monkeypatch.setattr(choice, "processors", lambda: 8)
    with choice.prepared(project.settings) as (made, _):
        assert made.faces is None
    monkeypatch.setattr(choice, "LEAST", 4)
    with choice.prepared(project.settings) as (made, _):
        assert made.faces is not None
    assert no_child_is_left()


def test_a_channel_hands_over_what_is_large() -> None:
    here, there = channels()
    value = [b"x" * 3_000_000, "y"]
    sender = threading.Thread(target=here.send, args=(value,))
    sender.start()
    received = there.receive()
    sender.join()
    assert value == received
    here.close()
    with pytest.raises(Closed):
        there.receive()
    with pytest.raises(Closed):
        there.send(value)
    there.close()


@pytest.mark.parametrize("is_there", [True, False])
def test_bytes_are_handed_over_beside_the_pipe(
    monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    """Where the system has memory for that; none has to take them from the pipe then."""

    def refuse(name: str) -> int:
        raise OSError(errno.EMFILE, "too many", name)

    if not is_there:
        monkeypatch.setattr(os, "memfd_create", refuse)
    here, there = channels()
    handles = len(os.listdir("/proc/self/fd"))
    for value in (b"first" * 500_000, b"", b"second" * 500_000):
        sender = threading.Thread(target=here.send, args=((PickleBuffer(value), 1),))
        sender.start()
        if is_there:
            sender.join()
        received = there.receive()
        sender.join()
        assert (value, 1) == received
    here.close()
    there.close()
    assert (8 if is_there else 4) == handles - len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("given", range(4))
def test_memory_that_is_not_enough_is_given_back(
    monkeypatch: pytest.MonkeyPatch, given: int
) -> None:
    calls = iter(range(4))

    def limited(real: Callable[..., int]) -> Callable[..., int]:
        def ask(what: Any) -> int:
            if next(calls) == given:
                raise OSError(errno.EMFILE, "too many")
            return real(what)

        return ask

    monkeypatch.setattr(os, "memfd_create", limited(os.memfd_create))
    monkeypatch.setattr(os, "dup", limited(os.dup))
    before = len(os.listdir("/proc/self/fd"))
    here, there = channels()
    here.send((PickleBuffer(b"sent"), 1))
    assert (b"sent", 1) == there.receive()
    here.close()
    there.close()
    assert before == len(os.listdir("/proc/self/fd"))


COMMAND = (sys.executable, "-m", "brimgen", "generate", "--jobs", "2")


def begun(project: Project) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        COMMAND,
        cwd=project.folder,
        env={**os.environ, "BRIMGEN_CACHE": ""},
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def ends(group: int) -> bool:
    """Whether every process of a group ends by itself."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("seconds", [0.2, 0.35, 0.5, 0.7])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended(project: Project, seconds: float, number: int) -> None:
    """By Ctrl-C, which all processes get, or by a kill of the one that leads."""
    project.write(small(40))
    run = begun(project)
    time.sleep(seconds)
    if number == signal.SIGINT:
        os.killpg(run.pid, number)
    else:
        run.kill()
    said = run.communicate()[1]
    assert ends(run.pid)
    assert b"Traceback" not in said
    whole = tree(project.out) if project.out.exists() else None
    project.generate(2)
    assert whole in (None, tree(project.out))
    project.clear()


def test_the_command_does_not_wait_for_what_it_has_stopped(tmp_path: Path) -> None:
    with workers.working([lambda _: time.sleep(3600)]) as ends_of_channels:
        assert 1 == len(ends_of_channels)
        begin = time.monotonic()
    assert time.monotonic() - begin < 30
    assert no_child_is_left()
