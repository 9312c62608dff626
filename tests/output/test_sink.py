"""Files are taken one by one: what a sink keeps, and what is left of a run that ends badly."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.output.compare import Comparison
from brimgen.output.plan import Output, Scope, State
from brimgen.output.sink import Sink
from brimgen.output.stage import Stage, staging
from brimgen.output.write import writing
from support.output import everything, generate, outputs, plan_of, tree

FILES = {"python/a.py": "a\n", "python/b.py": "b\n", "json/c.json": "{}\n"}
NEXT = {"python/a.py": "A\n", "python/b.py": "b\n", "sql/d.sql": "d\n"}


def sink_of(root: Path, stage: Stage | None = None, force: bool = False) -> Sink:
    scope = Scope(version="1.2.3", force=force)
    return Sink(Comparison(root, scope=scope, diagnostics=Diagnostics()), stage=stage)


def take(sink: Sink, files: dict[str, str]) -> None:
    for each in outputs(files):
        sink(each)


def test_only_what_the_disk_lacks_reaches_the_stage(tmp_path: Path) -> None:
    root = tmp_path / "out"
    generate(root, FILES)
    with staging(root) as stage:
        sink = sink_of(root, stage)
        take(sink, NEXT)
        assert {"python/a.py": "A\n", "sql/d.sql": "d\n"} == everything(stage.folder)
        states = {each.path: each.state for each in sink.files}
    assert {
        "python/a.py": State.CHANGED,
        "python/b.py": State.SAME,
        "sql/d.sql": State.NEW,
    } == states
    assert FILES == tree(root)
    assert ["out"] == os.listdir(tmp_path)


def test_what_a_sink_keeps_of_a_file_tells_it_from_any_other(tmp_path: Path) -> None:
    root = tmp_path / "out"
    with staging(root) as stage:
        sink = sink_of(root, stage)
        take(sink, {"python/a.py": "text\n"})
        (file,) = sink.files
    assert (
        *("python/a.py", "python", ("specs/a.yaml",)),
        *(5, sha256(b"text\n").hexdigest(), State.NEW, None, True),
    ) == file
    assert [] == sink.outputs


def test_a_run_with_nothing_to_write_makes_no_stage(tmp_path: Path) -> None:
    root = tmp_path / "out"
    generate(root, FILES)
    before = tmp_path.stat().st_mtime_ns
    assert generate(root, FILES).is_clean
    assert before == tmp_path.stat().st_mtime_ns


@pytest.mark.parametrize("there", [{}, FILES])
def test_a_run_that_ends_while_files_are_made_leaves_what_was_there(
    tmp_path: Path, there: dict[str, str]
) -> None:
    root = tmp_path / "out"
    if there:
        generate(root, there)
    before = everything(tmp_path)
    with pytest.raises(ZeroDivisionError), writing(root), staging(root) as stage:
        sink = sink_of(root, stage)
        take(sink, NEXT)
        assert stage.folder.exists()
        sink(Output("x/y", bytes(1 // 0), "python"))
    assert before == everything(tmp_path)


@pytest.mark.parametrize(
    "paths",
    [
        ("a", "a/b"),
        ("a/b", "a"),
        ("a/b", "a/b"),
        ("a/b", "A/b"),
        ("../outside", "a"),
        ("/outside", "a"),
        ("a\0b", "a"),
        ("a/" + "x" * 300, "a/b"),
        ("manifest.json", "a"),
    ],
)
def test_paths_that_cannot_be_are_told_when_all_files_are_made(
    tmp_path: Path, paths: tuple[str, ...]
) -> None:
    root, found = tmp_path / "here" / "out", Diagnostics()
    generate(root, FILES)
    before = everything(tmp_path)
    with writing(root), staging(root) as stage:
        sink = Sink(
            Comparison(root, scope=Scope(version="1"), diagnostics=found), stage=stage
        )
        for path in paths:
            sink(Output(path, b"x", "python"))
        sink.plan()
    expected = Diagnostics()
    sink = Sink(Comparison(root, scope=Scope(version="1"), diagnostics=expected))
    for path in paths:
        sink(Output(path, b"x", "python"))
    sink.plan()
    assert found.has_errors
    assert [*expected] == [*found]
    assert before == everything(tmp_path)


def test_a_file_that_is_staged_and_then_lost_is_an_error(tmp_path: Path) -> None:
    root = tmp_path / "out"
    with staging(root) as stage:
        sink = sink_of(root, stage)
        take(sink, FILES)
        sink.files[0] = sink.files[0]._replace(is_written=False)
        with pytest.raises(OSError, match="it was not staged"):
            sink.plan()


@pytest.mark.parametrize("there", [{}, FILES])
def test_a_journal_that_cannot_be_prepared_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: dict[str, str]
) -> None:
    root = tmp_path / "out"
    if there:
        generate(root, there)
    before = everything(tmp_path)

    def full(source: Any, target: Any) -> None:
        raise OSError(28, "full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        with pytest.raises(OSError, match="full"):
            generate(root, NEXT)
    assert before == everything(tmp_path)
    assert root.exists() == bool(there)


def test_a_stage_in_the_journal_of_a_run_that_died_is_forgotten(
    tmp_path: Path,
) -> None:
    root = tmp_path / "out"
    generate(root, FILES)
    child = os.fork()
    if child == 0:
        with writing(root), staging(root) as stage:
            take(sink_of(root, stage), NEXT)
            os._exit(9)
    assert 9 == os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert plan_of(root, FILES)[0].interrupted
    generate(root, FILES)
    assert FILES == tree(root)
    assert plan_of(root, FILES)[0].is_clean
