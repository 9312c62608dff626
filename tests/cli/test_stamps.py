"""A stamp saves the work where nothing changed; where anything did it is as if there were none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.cli import main as cli
from brimgen.source.files import MISNAMED
from brimgen.source.files import SUFFIXES as SPEC_SUFFIXES
from brimgen.stamp import evidence
from brimgen.stamp.answer import (
    answer,
    beside,
    question,
    read_beside,
)
from brimgen.stamp.digest import digest, digest_of_text
from brimgen.stamp.evidence import (
    COARSE,
    SUFFIXES,
    TICK,
    State,
    packed,
    sum_of,
    unpacked,
    unsettled,
)

ROOT = Path(__file__).resolve().parents[2]
ENTITY = """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, minimum: 0 }
"""
TOOL = """\
type: python_function
name: find_orders
description: Find every order that fits.
handler: backend.tools:find_orders
arguments:
  entity_ref: Page
  inline:
    title: string
returns: string[]
"""
BY_WORK, BY_STAMP = "by work", "by stamp"


class Project:
    """A project folder, and the command as the process of a user runs it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self._capsys = capsys
        self.said = ""

    def run(self, *arguments: str) -> tuple[str, int]:
        """How the command came to its end, and its exit code."""
        self._capsys.readouterr()
        asked = question(list(arguments))
        if asked is not None and answer(asked, arguments[0]):
            outcome = BY_STAMP, 0
        else:
            outcome = BY_WORK, cli.run(list(arguments), asked=asked)
        self.said = self._capsys.readouterr().err
        return outcome

    def stamps(self) -> list[Path]:
        return sorted(self.cache.glob("*.stamp"))


@pytest.fixture
def project(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Project:
    """A small project that was generated a while ago."""
    folder = tmp_path / "project"
    (folder / "specs" / "tools").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (folder / "specs" / "page.yaml").write_text(ENTITY)
    (folder / "specs" / "tools" / "find_orders.yaml").write_text(TOOL)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BRIMGEN_CACHE", str(folder / "cache"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    made = Project(folder, capsys)
    assert (BY_WORK, 0) == made.run("generate")
    return made


def test_a_second_run_has_nothing_to_do(project: Project) -> None:
    assert (BY_STAMP, 0) == project.run("generate")
    assert (BY_STAMP, 0) == project.run("check")


@pytest.mark.parametrize("command", ["generate", "check"])
def test_the_stamp_says_what_the_work_would_say(project: Project, command: str) -> None:
    tool = project.folder / "specs/tools/find_orders.yaml"
    tool.write_text(TOOL.replace("description: Find every order that fits.\n", ""))
    project.run("generate")
    assert (BY_STAMP, 0) == project.run(command)
    by_stamp = project.said
    shutil.rmtree(project.cache)
    assert (BY_WORK, 0) == project.run(command)
    assert project.said == by_stamp
    assert "warning[" in by_stamp


def test_the_stamp_does_not_count_what_the_run_removed(project: Project) -> None:
    (project.folder / "specs/tools/more.yaml").write_text(
        TOOL.replace("find_orders", "find_more")
    )
    project.run("generate")
    (project.folder / "specs/tools/more.yaml").unlink()
    assert (BY_WORK, 0) == project.run("generate")
    assert " removed, " in project.said and ", 0 removed" not in project.said
    said: dict[str, list[str]] = {"generate": [], "check": []}
    for by in (BY_STAMP, BY_WORK):
        for command, each in said.items():
            assert (by, 0) == project.run(command)
            each.append(project.said)
            if by == BY_WORK:
                shutil.rmtree(project.cache)
        shutil.rmtree(project.cache, ignore_errors=True)
    assert said["generate"][0] == said["generate"][1]
    assert said["check"][0] == said["check"][1]


def test_check_on_a_fresh_clone_leaves_a_stamp_too(project: Project) -> None:
    shutil.rmtree(project.cache)
    assert (BY_WORK, 0) == project.run("check")
    assert (BY_STAMP, 0) == project.run("check")
    assert (BY_STAMP, 0) == project.run("generate")


def test_a_spec_that_was_only_touched(project: Project) -> None:
    os.utime(project.folder / "specs/page.yaml")
    assert (BY_WORK, 0) == project.run("check")
    assert (BY_STAMP, 0) == project.run("check")


def let_the_clock_tick() -> None:
    """Until now what was written before can be told from what is written later."""
    time.sleep(0.03)


def edit(path: Path, old: str, new: str) -> None:
    """Change a file to one of the same size and the same time of modification."""
    assert len(old) == len(new)
    text = path.read_text()
    assert old in text
    before = path.stat()
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_spec(folder: Path) -> None:
    edit(folder / "specs/tools/find_orders.yaml", "every", "never")


def delete_spec(folder: Path) -> None:
    (folder / "specs/tools/find_orders.yaml").unlink()


def rename_spec(folder: Path) -> None:
    tools = folder / "specs/tools"
    (tools / "find_orders.yaml").rename(tools / "orders.yaml")


def add_spec(folder: Path) -> None:
    text = TOOL.replace("find_orders", "list_orders")
    (folder / "specs/list_orders.yml").write_text(text)


def swap_specs(folder: Path) -> None:
    (folder / "specs").rename(folder / "specs2")
    shutil.copytree(folder / "specs2", folder / "specs")
    edit_spec(folder)


def add_configuration(folder: Path) -> None:
    (folder / "brimgen.yaml").write_text("package: other\n")


def add_configuration_above(folder: Path) -> None:
    (folder.parent / "pyproject.toml").write_text(
        "[tool.brimgen]\nspecs = 'project/specs'\nout = 'project/out'\npackage = 'b'\n"
    )


def test_a_repository_begins_elsewhere(project: Project) -> None:
    (project.folder / ".git").mkdir()
    assert (BY_WORK, 0) == project.run("check")
    assert (BY_STAMP, 0) == project.run("check")
    (project.folder / ".git" / "index").write_text("changes with every commit")
    assert (BY_STAMP, 0) == project.run("check")


@pytest.mark.parametrize(
    "change",
    [
        edit_spec,
        delete_spec,
        rename_spec,
        add_spec,
        swap_specs,
        add_configuration,
        add_configuration_above,
    ],
)
def test_what_goes_in_has_changed(
    project: Project, change: Callable[[Path], None]
) -> None:
    assert (BY_STAMP, 0) == project.run("check")
    change(project.folder)
    assert (BY_WORK, 3) == project.run("check")
    assert (BY_WORK, 3) == project.run("check")
    assert (BY_WORK, 0) == project.run("generate")
    assert (BY_STAMP, 0) == project.run("check")


MODULE = "out/python/tools/tools/find_orders.py"


def edit_output(folder: Path) -> None:
    edit(folder / MODULE, "every", "never")


def delete_output(folder: Path) -> None:
    (folder / MODULE).unlink()


def delete_all(folder: Path) -> None:
    shutil.rmtree(folder / "out")


def edit_manifest(folder: Path) -> None:
    edit(folder / "out/manifest.json", '"python"', '"pythin"')


def link_output(folder: Path) -> None:
    module = folder / MODULE
    module.rename(folder / "elsewhere.py")
    module.symlink_to(folder / "elsewhere.py")


def link_folder(folder: Path) -> None:
    (folder / "out/python").rename(folder / "elsewhere")
    (folder / "out/python").symlink_to(folder / "elsewhere")


def link_all(folder: Path) -> None:
    (folder / "out").rename(folder / "elsewhere")
    (folder / "out").symlink_to(folder / "elsewhere")
    (folder / MODULE).write_text("")


def leave_journal(folder: Path) -> None:
    (folder / "out/.brimgen-journal").mkdir()


@pytest.mark.parametrize(
    "change",
    [
        edit_output,
        delete_output,
        delete_all,
        edit_manifest,
        link_output,
        link_folder,
        link_all,
        leave_journal,
    ],
)
def test_what_came_out_has_changed(
    project: Project, change: Callable[[Path], None]
) -> None:
    assert (BY_STAMP, 0) == project.run("check")
    change(project.folder)
    how, code = project.run("check")
    assert BY_WORK == how
    assert 0 != code


def test_a_foreign_file_is_none_of_our_business(project: Project) -> None:
    (project.folder / "out/notes.txt").write_text("mine")
    assert (BY_STAMP, 0) == project.run("check")


def test_what_was_edited_by_hand_leaves_no_stamp(project: Project) -> None:
    edit_output(project.folder)
    assert (BY_WORK, 3) == project.run("generate")
    assert (BY_WORK, 3) == project.run("generate")
    assert (BY_WORK, 0) == project.run("generate", "--force")
    assert (BY_WORK, 0) == project.run("generate", "--force")


def test_specs_with_errors_leave_no_stamp(project: Project) -> None:
    (project.folder / "specs/page.yaml").write_text("type: entity\n")
    assert (BY_WORK, 1) == project.run("check")
    assert (BY_WORK, 1) == project.run("check")


def test_other_options_are_another_question(project: Project) -> None:
    assert (BY_WORK, 0) == project.run("generate", "--target", "json_schema")
    assert (BY_STAMP, 0) == project.run("generate", "--target", "json_schema")
    assert (BY_WORK, 3) == project.run("check", "--package", "other")
    assert (BY_STAMP, 0) == project.run("check")


def test_a_configuration_that_is_named(project: Project) -> None:
    named = project.folder / "other.yaml"
    named.write_text("package: one\n")
    let_the_clock_tick()
    for options in (("--config", "other.yaml"), ("--config=other.yaml",)):
        assert (BY_WORK, 0) == project.run("generate", *options)
        assert (BY_STAMP, 0) == project.run("check", *options)
        edit(named, "one", "two")
        assert (BY_WORK, 3) == project.run("check", *options)
        edit(named, "two", "one")
        let_the_clock_tick()


def test_colours_are_another_question(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert (BY_WORK, 0) == project.run("check")
    assert (BY_STAMP, 0) == project.run("check")
    monkeypatch.setenv("NO_COLOR", "1")
    assert (BY_STAMP, 0) == project.run("check")
    assert "\x1b" not in project.said


def test_so_are_those_that_an_option_asks_for(project: Project) -> None:
    tool = project.folder / "specs/tools/find_orders.yaml"
    tool.write_text(TOOL.replace("description: Find every order that fits.\n", ""))
    for by in (BY_WORK, BY_STAMP):
        for when in ("always", "never"):
            assert (by, 0) == project.run("generate", "--color", when)
            assert (when == "always") == ("\x1b[" in project.said)


@pytest.mark.parametrize("format", ["json", "github"])
def test_what_programs_read_is_always_worked_out(project: Project, format: str) -> None:
    for _ in range(2):
        assert (BY_WORK, 0) == project.run("check", "--format", format)


def test_without_its_stamp_a_run_does_its_work(project: Project) -> None:
    shutil.rmtree(project.cache)
    assert (BY_WORK, 0) == project.run("check")
    (stamp,) = project.stamps()
    stamp.unlink()
    assert (BY_WORK, 0) == project.run("check")


def test_a_damaged_stamp_is_none(project: Project) -> None:
    (stamp,) = project.stamps()
    whole = stamp.read_bytes()
    damaged = [whole[:end] for end in (0, 7, 16, 20, len(whole) // 2, len(whole) - 1)]
    damaged += [
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        for place in (3, 17, 21, len(whole) // 2, len(whole) - 1)
    ]
    for data in damaged:
        assert unpacked(data) is None
    stamp.write_bytes(damaged[-1])
    assert (BY_WORK, 0) == project.run("check")
    assert (BY_STAMP, 0) == project.run("check")


def test_a_stamp_of_another_shape_is_none(project: Project) -> None:
    (stamp,) = project.stamps()
    content: Any = unpacked(stamp.read_bytes())
    for other in (content[:-1], (*content, 1), ((), *content[1:]), (), 1, True):
        stamp.write_bytes(packed(other))
        assert (BY_WORK, 0) == project.run("check")


@pytest.mark.parametrize("part", range(13))
def test_of_a_stamp_of_another_version_nothing_is_read(
    project: Project, part: int
) -> None:
    project.run("generate")
    (stamp,) = project.stamps()
    content: Any = unpacked(stamp.read_bytes())
    program, state = next(iter(content[1].items()))
    around = {**content[1], program: None if state else (0, 0, 0, 0)}
    other = [content[0], around, *content[2:]]
    other[part] = 0
    stamp.write_bytes(packed(tuple(other)))
    assert (BY_WORK, 0) == project.run("generate")
    assert (BY_STAMP, 0) == project.run("generate")


def test_an_empty_variable_switches_stamps_off(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    for _ in range(2):
        assert (BY_WORK, 0) == project.run("check")


def test_a_cache_that_cannot_be_written_is_no_misfortune(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.folder / "a_file").write_text("")
    monkeypatch.setenv("BRIMGEN_CACHE", str(project.folder / "a_file"))
    for _ in range(2):
        assert (BY_WORK, 0) == project.run("check")


def test_nothing_is_left_in_the_project(project: Project) -> None:
    assert {"cache", "out", "specs"} == {*os.listdir(project.folder)}


def test_old_stamps_make_room(project: Project) -> None:
    for number in range(120):
        (project.cache / f"{number}.stamp").write_text("")
    os.utime(project.folder / "specs/page.yaml")
    project.run("check")
    assert 90 < len(project.stamps()) <= 96
    assert (BY_STAMP, 0) == project.run("check")


def test_links_among_the_specs_are_always_followed_anew(project: Project) -> None:
    page = project.folder / "specs/page.yaml"
    page.rename(project.folder / "specs/linked.txt")
    page.symlink_to("linked.txt")
    for _ in range(2):
        assert (BY_WORK, 0) == project.run("generate")


def test_an_output_behind_a_link_is_always_looked_for(project: Project) -> None:
    (project.folder / "link").symlink_to(project.folder / "elsewhere")
    (project.folder / "elsewhere").mkdir()
    for _ in range(2):
        assert (BY_WORK, 0) == project.run("generate", "--out", "link/out")


def test_a_schema_is_always_read_anew(project: Project) -> None:
    """What is said rests on it, and it lies neither among the specs nor in the configuration."""
    (project.folder / "brimgen.yaml").write_text(
        "connections: { default: { dialect: sqlite, schema: schema.sql } }\n"
    )
    (project.folder / "schema.sql").write_text("CREATE TABLE orders (id INTEGER);\n")
    (project.folder / "specs/tools/count_orders.yaml").write_text(
        "type: sql_function\nname: count_orders\nreturns: int\n"
        "sql: SELECT count(id) FROM orders\n"
    )
    for _ in range(2):
        assert (BY_WORK, 0) == project.run("generate")
    (project.folder / "schema.sql").write_text("CREATE TABLE orders (no INTEGER);\n")
    assert (BY_WORK, 1) == project.run("generate")
    assert "no such column: id" in project.said


def forge(stamp: Path, place: int, path: str, digest: str) -> None:
    """Make a stamp say that a file was too young to be known by its state."""
    content: Any = unpacked(stamp.read_bytes())
    young = {**content[place], path: digest}
    stamp.write_bytes(packed((*content[:place], young, *content[place + 1 :])))


def test_what_was_too_young_is_read(project: Project) -> None:
    (stamp,) = project.stamps()
    whole = stamp.read_bytes()
    forge(stamp, 5, str(project.folder / "specs/page.yaml"), "the digest of another")
    assert (BY_WORK, 0) == project.run("check")
    stamp.write_bytes(whole)
    forge(stamp, 8, "manifest.json", "the digest of another")
    assert (BY_WORK, 0) == project.run("check")


def test_what_was_too_young_is_known_once_it_is_old_enough(project: Project) -> None:
    (stamp,) = project.stamps()
    page, manifest = (
        project.folder / "specs/page.yaml",
        project.folder / "out/manifest.json",
    )
    forge(stamp, 5, str(page), digest_of_text(str(page)))
    forge(stamp, 8, "manifest.json", digest(str(manifest)))
    let_the_clock_tick()
    assert (BY_STAMP, 0) == project.run("check")
    content: Any = unpacked(stamp.read_bytes())
    assert ({}, {}) == (content[5], content[8])


def test_many_new_files_are_old_enough_when_they_are_seen(project: Project) -> None:
    """A clock that ticks ten times a second or so would tell another story: it is left out."""
    for number in range(120):
        text = TOOL.replace("find_orders", f"find_{number}")
        (project.folder / f"specs/tools/find_{number}.yaml").write_text(text)
    assert (BY_WORK, 0) == project.run("generate")
    (stamp,) = project.stamps()
    content: Any = unpacked(stamp.read_bytes())
    coarse = {
        f"{folder}/{name}" if folder else name
        for folder, named in content[7].items()
        for name, each in named.items()
        if each[2] % 10_000_000 == 0
    }
    assert set() == content[8].keys() - coarse


def test_a_clock_ticks() -> None:
    def at(nanoseconds: int) -> State:
        return (0, 0, nanoseconds, nanoseconds)

    assert unsettled(at(1_000_000_001), 1_000_000_001)
    assert unsettled(at(1_000_000_001), 1_000_000_001 + TICK)
    assert not unsettled(at(1_000_000_001), 1_000_000_002 + TICK)
    assert unsettled(at(2_000_000_000), 2_000_000_000 + COARSE)
    assert not unsettled(at(2_000_000_000), 2_000_000_001 + COARSE)
    assert unsettled((0, 0, 1, 9 * COARSE), COARSE)
    assert not unsettled((0, 0, 1, 9 * COARSE), COARSE, whole=False)


def test_stamps_know_every_kind_of_spec() -> None:
    assert (*SPEC_SUFFIXES, *MISNAMED) == SUFFIXES


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/brimgen"),
        ("linux", {"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/brimgen"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Caches/brimgen"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/brimgen"),
        ("win32", {"LOCALAPPDATA": ""}, None),
        ("linux", {"BRIMGEN_CACHE": "/c"}, "/c"),
        ("linux", {"BRIMGEN_CACHE": ""}, None),
    ],
)
def test_where_stamps_lie(
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    variables: dict[str, str],
    expected: str | None,
) -> None:
    monkeypatch.delenv("BRIMGEN_CACHE", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(evidence.sys, "platform", platform)
    assert expected == evidence.cache_folder()


def test_another_program_does_not_trust_the_stamp(project: Project) -> None:
    copy = project.folder / "program"
    for name in ("generator", "templates"):
        # With times of their own: those of an export are whole seconds, which settle late.
        shutil.copytree(ROOT / name, copy / name, copy_function=shutil.copyfile)

    def heavy() -> tuple[int, bool]:
        script = "import sys, atexit\nfrom brimgen.__main__ import main\n"
        script += "atexit.register(lambda: print('click' in sys.modules))\nmain()\n"
        ran = subprocess.run(
            [sys.executable, "-c", script, "check"],
            cwd=project.folder,
            env={**os.environ, "PYTHONPATH": str(copy / "generator")},
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stdout == "True\n"

    assert (0, True) == heavy()
    assert (0, False) == heavy()
    template = copy / "templates/python/module.py.j2"
    template.write_text(f"{template.read_text()}# more\n")
    assert (3, True) == heavy()
    assert (3, True) == heavy()


def test_a_baseline_of_another_user_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIMGEN_CACHE", str(tmp_path))
    asked = question(["generate"])
    assert asked is not None
    data = packed(("mine",))
    Path(beside(asked, "baseline")).write_bytes(data)
    assert ("mine",) == read_beside(asked, "baseline", sum_of(data))
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert read_beside(asked, "baseline", sum_of(data)) is None
