"""The command with `--jobs`: what it leaves for the next run is what one process leaves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from brimgen import pipeline
from brimgen.cli import main as cli
from brimgen.stamp import evidence
from brimgen.stamp.answer import answer, question, read_beside
from parallel.conftest import Project
from parallel.test_builds import ALONE, small
from support.builds import tree

Run = Callable[..., tuple[int, str]]

OTHERS = ("p.md", "r.yaml")


@pytest.fixture
def run(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """The command in a project that has a cache, the clock of its files being fine enough."""
    monkeypatch.chdir(project.folder)
    monkeypatch.setenv("BRIMGEN_CACHE", str(project.folder / "made/cache"))
    monkeypatch.setattr(evidence, "TICK", 0)
    monkeypatch.setattr(evidence, "COARSE", 0)
    project.configure(
        "targets: [python, json_schema, sql, http, openai, mcp, anthropic, docs, handlers]\n"
    )

    def command(*arguments: str) -> tuple[int, str]:
        project.processes = 1
        capsys.readouterr()
        code = cli.run([*arguments], asked=question([*arguments]))
        return code, capsys.readouterr().err

    return command


def without_lists_of_others() -> dict[str, str]:
    """Tools alone: lists of prompts and resources are there, and hold nothing."""
    return {path: text for path, text in small().items() if path not in OTHERS}


SPECS = pytest.mark.parametrize("specs", [small, without_lists_of_others])


@SPECS
def test_what_is_said_and_left(
    project: Project, run: Run, specs: Callable[[], dict[str, str]]
) -> None:
    project.write(specs())
    left: dict[str, object] = {}
    said: dict[str, tuple[int, str]] = {}
    made: dict[str, dict[str, bytes]] = {}
    for jobs in ("1", "2", "3"):
        command = ["generate", "--jobs", jobs]
        said[jobs] = run(*command)
        assert int(jobs) == project.processes
        asked = question(["generate"])
        assert asked is not None
        stamp = asked.stamp
        baseline = read_beside(asked, "baseline", stamp[11])
        assert baseline is not None
        left[jobs] = stamp[3:4], stamp[9:11], baseline
        made[jobs] = tree(project.out)
        assert answer(asked, "generate")
        assert said[jobs][1].count("warning") > 3
        shutil.rmtree(project.folder / "made/cache")
        project.clear()
    assert said["1"] == said["2"] == said["3"]
    assert left["1"] == left["2"] == left["3"]
    assert made["1"] == made["2"] == made["3"]
    assert 0 == said["1"][0]


@SPECS
def test_the_next_run_builds_what_changed(
    project: Project,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    specs: Callable[[], dict[str, str]],
) -> None:
    project.write(specs())
    command = ("generate", "--jobs", "2")
    assert 0 == run(*command)[0]
    assert 2 == project.processes
    file = project.folder / "specs/tools/find_3.yaml"
    file.write_text(file.read_text().replace("A title", "The title"))
    whole: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "generate", partial(whole.append, 1))
        code, said = run(*command)
    assert (0, []) == (code, whole)
    kept = tree(project.out)
    project.clear()
    expected = run("generate", "--jobs=1")[1]
    assert kept == tree(project.out)
    assert expected.partition("brimgen: out")[0] == said.partition("brimgen: out")[0]


def test_nothing_changed_and_files_that_are_gone(project: Project, run: Run) -> None:
    project.write(small())
    run("generate", "--jobs", "1")
    expected = tree(project.out)
    (project.out / "openai/chat.json").unlink()
    (project.out / "json_schema/tools/find_0.input.json").write_text("{}")
    (project.out / "foreign.txt").write_text("kept")
    said = run("generate", "--jobs", "3", "--force")
    assert (0, 3) == (said[0], project.processes)
    assert "2 files written" in said[1]
    assert {**expected, "foreign.txt": b"kept"} == tree(project.out)
    times = {each: each.stat().st_mtime_ns for each in project.out.rglob("*")}
    assert "0 files written" in run("generate", "--jobs", "2")[1]
    assert times == {each: each.stat().st_mtime_ns for each in times}
    assert 2 == project.processes


def test_files_edited_by_hand(project: Project, run: Run) -> None:
    project.write(small())
    run("generate", "--jobs", "1")
    for name in ("openai/chat.json", "docs/tools/find_0.md"):
        with (project.out / name).open("a") as stream:
            stream.write("mine\n")
    alone = run("generate", "--jobs", "1")
    together = run("generate", "--jobs", "2")
    assert (3, 2) == (together[0], project.processes)
    assert alone == together


def test_check(project: Project, run: Run) -> None:
    project.write(small())
    missing = run("check", "--jobs", "2")
    assert missing == run("check", "--jobs", "1")
    assert 3 == missing[0]
    run("generate", "--jobs", "1")
    for jobs in (1, 2, 3):
        assert 0 == run("check", "--jobs", str(jobs))[0]
        assert jobs == project.processes
    (project.out / "docs/tools/find_0.md").unlink()
    alone, together = run("check", "--jobs", "1"), run("check", "--jobs", "2")
    assert alone == together
    assert 3 == together[0]
    assert not [*project.folder.glob(".*stage*")]


@pytest.mark.parametrize("specs", ALONE.values(), ids=ALONE)
def test_mistakes_are_told_as_ever(
    project: Project, run: Run, specs: dict[str, str]
) -> None:
    project.write({**small(), **specs})
    assert run("check", "--jobs", "1") == run("check", "--jobs", "2")
    assert 1 == project.processes


def test_a_folder_that_nobody_may_write_to(project: Project, run: Run) -> None:
    """Where nothing is to be written, nothing else is asked of it."""
    project.write(small())
    run("generate", "--jobs", "1")
    folders: list[Path] = [project.folder, project.out]
    for each in folders:
        each.chmod(0o555)
    try:
        code, said = run("generate", "--jobs", "2")
    finally:
        for each in folders:
            each.chmod(0o755)
    assert (0, True) == (code, "0 files written" in said)


@pytest.mark.parametrize("jobs", ["0", "-1", "many"])
def test_a_number_that_is_none(project: Project, run: Run, jobs: str) -> None:
    project.write(small())
    assert 0 == run("generate")[0]
    assert 2 == run("generate", "--jobs", jobs)[0]
    assert 2 == run("generate", f"--jobs={jobs}")[0]


@pytest.mark.parametrize("jobs", [["--jobs", "3"], ["--jobs=12"], []])
def test_how_many_processes_built_is_not_asked_again(
    project: Project, run: Run, jobs: list[str]
) -> None:
    project.write(small())
    run("generate", "--jobs", "2", "--out", "out")
    for command in ("generate", "check"):
        asked = question([command, *jobs, "--out", "out", *jobs])
        assert asked is not None
        assert answer(asked, command)
    other = question(["generate", *jobs])
    assert other is not None
    assert not answer(other, "generate")
