"""Files that a run has linked are known without another look; whatever changes them is seen."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.cli import run as cli
from brimgen.cli.report import DISK, SOUND
from brimgen.increment import leave
from brimgen.output import exchange, spare
from brimgen.output import write as write_module
from brimgen.stamp import record
from brimgen.stamp.answer import answer, question
from brimgen.stamp.evidence import (
    LINKED,
    NO_LINKS,
    TICK,
    packed,
    states_in,
    unpacked,
)
from support.output import refuse

TOOL = """\
type: python_function
name: {name}
description: {text}
handler: backend.tools:{name}
arguments: {{ inline: {{ title: string }} }}
"""
ENTITY = "type: entity\nname: Page\nfields: { offset: int }\n"
BY_WORK, BY_STAMP = "by work", "by stamp"
LINKED_FILE = "json_schema/tools/keep.input.json"


class Project:
    """A project of two tools, and the command as the process of a user runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "out" / LINKED_FILE
        (folder / "specs").mkdir(parents=True)
        (folder / "specs/page.yaml").write_text(ENTITY)
        self.say("keep", "Keep it all.")

    def say(self, name: str, text: str) -> None:
        spec = self.folder / f"specs/{name}.yaml"
        spec.write_text(TOOL.format(name=name, text=text))

    def run(self, *arguments: str) -> tuple[str, int]:
        """How the command came to its end, and its exit code."""
        asked = question(list(arguments))
        if asked is not None and answer(asked, arguments[0]):
            return BY_STAMP, 0
        return BY_WORK, cli.run(list(arguments), asked=asked)

    @property
    def stamp(self) -> Any:
        (path,) = (self.folder / "cache").glob("*.stamp")
        return unpacked(path.read_bytes())

    def forge(self, stamp: Any) -> None:
        (path,) = (self.folder / "cache").glob("*.stamp")
        path.write_bytes(packed(stamp))


def one(project: Project) -> None:
    """One tool changes, and is built alone."""
    project.say("change", "Change it a little.")


def whole(project: Project) -> None:
    """An entity changes, and everything is built."""
    (project.folder / "specs/page.yaml").write_text(ENTITY.replace("offset", "limit"))


@pytest.fixture(params=[one, whole])
def project(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Project:
    """A project in which something has changed since it was generated."""
    made = Project(tmp_path / "project")
    made.say("change", "Change it.")
    monkeypatch.chdir(made.folder)
    monkeypatch.setenv("BRIMGEN_CACHE", str(made.folder / "cache"))
    assert (BY_WORK, 0) == made.run("generate")
    # Past the tick of the first run: what is young is known by its digest, which sees it all.
    time.sleep(2 * TICK / 1e9)
    request.param(made)
    return made


def other_bytes(file: Path) -> bytes:
    return file.read_bytes().replace(b"title", b"tilte")


def in_place(file: Path) -> None:
    """Other bytes of the same size, with a time of their own."""
    with file.open("r+b") as stream:
        stream.write(other_bytes(file))


def in_place_and_set_back(file: Path) -> None:
    found = file.stat()
    in_place(file)
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


def replaced_and_set_back(file: Path) -> None:
    found, beside = file.stat(), file.with_name("beside")
    beside.write_bytes(other_bytes(file))
    os.utime(beside, ns=(found.st_atime_ns, found.st_mtime_ns))
    beside.replace(file)


def gone(file: Path) -> None:
    file.unlink()


CHANGES = [in_place, in_place_and_set_back, replaced_and_set_back, gone]
Change = Callable[[Path], None]


def test_what_was_linked_is_known_without_another_look(project: Project) -> None:
    before = project.file.stat()
    assert (BY_WORK, 0) == project.run("generate")
    first, last = project.stamp[12]
    now = project.file.stat()
    assert before.st_ino == now.st_ino
    assert first <= now.st_ctime_ns <= last
    folder, _, name = LINKED_FILE.rpartition("/")
    expected = (now.st_ino, now.st_size, now.st_mtime_ns, LINKED)
    assert expected == project.stamp[7][folder][name]
    assert (BY_STAMP, 0) == project.run("generate")
    assert (BY_STAMP, 0) == project.run("check")


def test_runs_that_follow_each_other_know_what_was_linked(project: Project) -> None:
    for number in range(3):
        assert (BY_WORK, 0) == project.run("generate")
        assert (BY_STAMP, 0) == project.run("check")
        project.say("change", f"Change it {number} times.")


@pytest.fixture
def spared(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of which there is a spare; something has changed since."""
    monkeypatch.setattr(spare, "MANY", 0)
    for number in range(2):
        assert (BY_WORK, 0) == project.run("generate")
        project.say("change", f"Change it {number} times.")
    time.sleep(2 * TICK / 1e9)
    return project


def test_with_a_spare_files_are_known_by_what_they_are(spared: Project) -> None:
    for number in range(2, 6):
        before = spared.file.stat()
        assert (BY_WORK, 0) == spared.run("generate")
        assert before == spared.file.stat()
        assert (BY_STAMP, 0) == spared.run("generate")
        assert (BY_STAMP, 0) == spared.run("check")
        spared.say("change", f"Change it {number} times.")


@pytest.mark.parametrize("number", ["", "-2", "-3"])
def test_what_an_earlier_run_has_left_is_removed_by_a_plain_run(
    spared: Project, number: str
) -> None:
    assert (BY_WORK, 0) == spared.run("generate")
    left = spared.folder / f".out.brimgen-stage{number}"
    (left / "python").mkdir(parents=True)
    assert (BY_WORK, 0) == spared.run("generate")
    assert not left.exists()
    assert (BY_STAMP, 0) == spared.run("generate")


def test_a_spec_that_says_the_same_links_nothing(project: Project) -> None:
    assert (BY_WORK, 0) == project.run("generate")
    links = project.stamp[12]
    spec = project.folder / "specs/change.yaml"
    spec.write_text(f"{spec.read_text()}# no more than that\n")
    assert (BY_WORK, 0) == project.run("generate")
    assert links == project.stamp[12] or project.stamp[12] == NO_LINKS
    assert (BY_STAMP, 0) == project.run("generate")


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_after_the_run_is_seen(project: Project, change: Change) -> None:
    """At once: the tick of the last link has passed when the run ends."""
    assert (BY_WORK, 0) == project.run("generate")
    change(project.file)
    assert (BY_WORK, 3) == project.run("check")


@pytest.mark.parametrize("change", CHANGES)
def test_with_a_spare_a_change_after_the_run_is_seen(
    spared: Project, change: Change
) -> None:
    assert (BY_WORK, 0) == spared.run("generate")
    change(spared.file)
    assert (BY_WORK, 3) == spared.run("check")


@pytest.mark.parametrize("change", [in_place, replaced_and_set_back])
@pytest.mark.parametrize("place", ["carry", "_swap", "_seen"])
def test_a_change_while_links_are_made_is_seen_by_the_next_run(
    project: Project, monkeypatch: pytest.MonkeyPatch, change: Change, place: str
) -> None:
    """Before the first link, before the exchange, and after the last one."""
    real = getattr(exchange, place)

    def changing(*given: Any) -> Any:
        change(project.file)
        return real(*given)

    old = other_bytes(project.file), project.file.read_bytes()
    monkeypatch.setattr(exchange, place, changing)
    assert (BY_WORK, 0) == project.run("generate")
    monkeypatch.undo()
    monkeypatch.setenv("BRIMGEN_CACHE", str(project.folder / "cache"))
    monkeypatch.chdir(project.folder)
    assert project.file.read_bytes() in old
    lost = project.file.read_bytes() == old[1]
    assert (BY_WORK, 0 if lost else 3) == project.run("check")


@pytest.mark.parametrize("change", [in_place, replaced_and_set_back])
@pytest.mark.parametrize("place", ["carry", "_swap", "_times"])
def test_a_change_while_a_spare_is_made_the_tree_is_seen_by_the_next_run(
    spared: Project, monkeypatch: pytest.MonkeyPatch, change: Change, place: str
) -> None:
    real = getattr(exchange, place)

    def changing(*given: Any) -> Any:
        change(spared.file)
        return real(*given)

    old = other_bytes(spared.file), spared.file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(exchange, place, changing)
        assert (BY_WORK, 0) == spared.run("generate")
    assert spared.file.read_bytes() in old
    lost = spared.file.read_bytes() == old[1]
    assert (BY_WORK, 0 if lost else 3) == spared.run("check")


@pytest.mark.parametrize(
    ("change", "code"), [(in_place, SOUND), (replaced_and_set_back, DISK)]
)
def test_a_change_to_a_new_file_in_what_was_a_spare_is_seen_by_the_next_run(
    spared: Project, monkeypatch: pytest.MonkeyPatch, change: Change, code: int
) -> None:
    """By somebody who stood in the output folder before it was the spare. Where it is another file
    then, the run itself sees it, and leaves the output folder as it was.
    """
    real = exchange._times

    def changing(tree: Path, *given: Any) -> Any:
        change(tree / LINKED_FILE.replace("keep", "change"))
        # By the time that the tree is in its place the change is an old one.
        time.sleep(2 * TICK / 1e9)
        return real(tree, *given)

    with monkeypatch.context() as patch:
        patch.setattr(exchange, "_times", changing)
        spec = spared.folder / "specs/change.yaml"
        spec.write_text(spec.read_text().replace("title", "title: string, note"))
        assert (BY_WORK, code) == spared.run("generate")
    assert (BY_WORK, 3) == spared.run("check")


def test_no_run_ends_before_the_tick_of_the_last_link_has_passed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked: list[int] = []
    real = exchange._seen

    def seen(*given: Any) -> Any:
        found = real(*given)
        linked.append(found.linked_at)
        return found

    monkeypatch.setattr(exchange, "_seen", seen)
    assert (BY_WORK, 0) == project.run("generate")
    assert linked[0] + TICK <= time.monotonic_ns()


def test_the_rest_of_a_tick_is_waited_for() -> None:
    now = time.monotonic_ns()
    record._let_the_tick_pass(now)
    assert now + TICK <= time.monotonic_ns()


@pytest.mark.parametrize("change", CHANGES)
def test_a_clock_that_ticks_seldom_is_not_waited_for(
    project: Project, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    monkeypatch.setattr(exchange, "_COARSE", 1)
    assert (BY_WORK, 0) == project.run("generate")
    assert NO_LINKS == project.stamp[12]
    assert (BY_STAMP, 0) == project.run("check")
    time.sleep(2 * TICK / 1e9)
    change(project.file)
    assert (BY_WORK, 3) == project.run("check")


@pytest.mark.parametrize("change", CHANGES)
def test_where_nothing_is_exchanged_nothing_is_linked(
    project: Project, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    monkeypatch.setattr(write_module, "exchange_tree", refuse)
    assert (BY_WORK, 0) == project.run("generate")
    assert NO_LINKS == project.stamp[12]
    assert (BY_STAMP, 0) == project.run("check")
    time.sleep(2 * TICK / 1e9)
    change(project.file)
    assert (BY_WORK, 3) == project.run("check")


def test_where_entries_of_folders_have_no_identity_all_are_looked_at(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Path] = []
    real = leave.states_now

    def looking(root: Path, *given: Any) -> Any:
        seen.append(root)
        return real(root, *given)

    monkeypatch.setattr(leave, "states_now", looking)
    monkeypatch.setattr(leave, "BY_HANDLE", False)
    assert (BY_WORK, 0) == project.run("generate")
    assert [project.folder / "out"] == seen
    assert (BY_STAMP, 0) == project.run("check")


def test_a_time_that_no_link_has_given_is_another_state(project: Project) -> None:
    assert (BY_WORK, 0) == project.run("generate")
    stamp = project.stamp
    first, last = stamp[12]
    changed = project.file.stat().st_ctime_ns
    for links in ((first, changed - 1), (changed + 1, last), NO_LINKS):
        project.forge((*stamp[:12], links))
        assert (BY_WORK, 0) == project.run("check")


def test_a_linked_file_is_known_by_all_but_the_time_of_its_inode(
    tmp_path: Path,
) -> None:
    (tmp_path / "a").write_text("a")
    found = (tmp_path / "a").stat()
    known, at = (found.st_ino, 1, found.st_mtime_ns), found.st_ctime_ns
    for links, expected in (
        ((at, at), LINKED),
        ((at - 5, at + 5), LINKED),
        ((at + 1, at + 5), at),
        ((at - 5, at - 1), at),
        (NO_LINKS, at),
    ):
        assert {"a": (*known, expected)} == states_in(str(tmp_path), {"a": 0}, links)
