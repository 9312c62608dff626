"""What is told of a folder that is not what the specs say: many files, and a lost manifest."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.output import everything

pytestmark = pytest.mark.usefixtures("tiny")
Write = Callable[[str, str], Path]
MANY = 9
BLOCK = """\
error: 19 generated files are not what the specs say
 --> out/sql/t4.sql (edited by hand)
 --> out/sql/t3.sql (edited by hand, without a spec)
 --> out/python/t5.py (missing)
 --> out/python/z.py (missing)
 --> out/sql/z.sql (missing)
 --> out/python/t3.py (without a spec)
 --> out/python/t0.py (outdated)
 --> out/python/t1.py (outdated)
 --> out/python/t2.py (outdated)
 --> out/python/t4.py (outdated)
 --> and 9 more; `--format concise` lists them all
  = 1 edited by hand (O520): Move the change into the spec, then run `brimgen generate --force` \
to replace the file.
  = 1 edited by hand, without a spec (O520): brimgen kept it. Save what you need under another \
name and remove the file, or let `brimgen generate --force` remove it. If its spec is gone by \
mistake, restore the spec.
  = 3 missing (O521), 13 outdated (O521): Run `brimgen generate` and commit the result.
  = 1 without a spec (O521): Run `brimgen generate`, which removes it, and commit the result.

brimgen: 1 error
brimgen: out: the generated files are not what the specs say
"""
LOST = (
    "out/manifest.json:1:1: error[O514] the manifest is missing, and {} from what the "
    "specs say, so brimgen cannot know who wrote them"
)


@pytest.fixture
def drifted(tiny: object, write: Write, run: Any, project: Path) -> Path:
    """The output of many tools, after which all of them were changed, and two came and went."""
    for number in range(MANY):
        write(f"specs/t{number}.yaml", f"{{name: t{number}, text: one}}\n")
    assert 0 == run("generate").code
    for number in range(MANY):
        write(f"specs/t{number}.yaml", f"{{name: t{number}, text: two}}\n")
    (project / "specs/t3.yaml").unlink()
    write("out/sql/t3.sql", "mine\n")
    write("out/sql/t4.sql", "mine\n")
    (project / "out/python/t5.py").unlink()
    write("specs/new.yaml", "{name: z, text: new}\n")
    (project / "out/sql/t0.sql").unlink()
    write("out/sql/t0.sql", "tools_two\n")
    return project


@pytest.fixture
def unlisted(tiny: object, write: Write, run: Any, project: Path) -> Path:
    """The output of two tools without its manifest."""
    write("specs/a.yaml", "{name: a, text: one}\n")
    write("specs/b.yaml", "{name: b, text: two}\n")
    assert 0 == run("generate").code
    (project / "out/manifest.json").unlink()
    return project


@pytest.mark.usefixtures("drifted")
def test_many_files_are_told_in_one_block(run: Any) -> None:
    """Those that matter most stand first; each kind is counted, with what to do about it."""
    ran = run("check")
    assert 3 == ran.code
    assert BLOCK == ran.err


@pytest.mark.usefixtures("drifted")
def test_programs_and_concise_have_a_finding_for_each_file(run: Any) -> None:
    lines = run("check", "--format", "concise").err.splitlines()
    assert 19 == sum("error[O52" in each for each in lines)
    document = json.loads(run("check", "--format", "json").err)
    assert 19 == len({each["file"] for each in document["diagnostics"]})


@pytest.mark.usefixtures("drifted")
def test_what_a_run_keeps_is_told_in_one_block(run: Any) -> None:
    ran = run("generate")
    assert 3 == ran.code
    assert ran.err.startswith("warning: 2 generated files are not what the specs say\n")
    assert "more;" not in ran.err


def test_a_lone_file_is_told_in_full(run: Any, write: Write, project: Path) -> None:
    write("specs/a.yaml", "{name: a, text: one}\n")
    assert 0 == run("generate").code
    (project / "out/sql/a.sql").unlink()
    assert run("check").err.startswith(
        "error[O521]: this generated file is missing\n --> out/sql/a.sql:1:1\n"
    )


def test_a_manifest_that_alone_is_missing_is_made_anew(
    run: Any, unlisted: Path
) -> None:
    ran = run("check", "--format", "concise")
    told, *_ = ran.err.splitlines()
    assert 3 == ran.code
    said = "out/manifest.json:1:1: error[O521] this generated file is missing"
    assert said == told
    assert 0 == run("generate").code
    assert (unlisted / "out/manifest.json").exists()


@pytest.mark.usefixtures("unlisted")
def test_a_missing_manifest_is_told_beside_other_drift(write: Write, run: Any) -> None:
    write("specs/c.yaml", "{name: c, text: three}\n")
    lines = run("check", "--format", "concise").err.splitlines()
    told = [each.partition(":")[0] for each in lines if "[O521]" in each]
    assert ["out/manifest.json", "out/python/c.py", "out/sql/c.sql"] == told


@pytest.mark.parametrize("command", ["generate", "check", "diff"])
def test_without_a_manifest_files_that_differ_are_one_error(
    write: Write, run: Any, unlisted: Path, command: str
) -> None:
    """Nobody knows who wrote them; that they are strange is not said of each."""
    write("specs/a.yaml", "{name: a, text: changed}\n")
    before = everything(unlisted)
    ran = run(command, "--format", "concise")
    first, *rest = ran.err.splitlines()
    assert (1, LOST.format("2 files differ")) == (ran.code, first)
    assert ["brimgen: 1 error"] == rest
    assert before == everything(unlisted)


def test_force_takes_the_folder_for_its_own(
    write: Write, run: Any, unlisted: Path
) -> None:
    """What no spec makes is then of another owner, and stays (docs/builds.md)."""
    write("specs/a.yaml", "{name: a, text: changed}\n")
    (unlisted / "specs/b.yaml").unlink()
    (unlisted / "out/sql/a.sql").write_text("tools_changed\n")
    assert LOST.format("1 file differs") in run("generate", "--format", "concise").err
    assert 0 == run("generate", "--force").code
    assert "tools_changed\n" == (unlisted / "out/python/a.py").read_text()
    assert "tools_two\n" == (unlisted / "out/python/b.py").read_text()
    assert 0 == run("check").code


def test_files_of_another_owner_are_not_taken_for_a_lost_manifest(
    write: Write, run: Any
) -> None:
    write("specs/a.yaml", "{name: a, text: one}\n")
    write("out/python/a.py", "mine\n")
    write("out/sql/a.sql", "mine\n")
    assert 1 == run("generate", "--format", "concise").err.count("error[O530]")
    adopting = ("generate", "--adopt", "--format", "concise")
    assert 2 == run(*adopting).err.count("error[O513]")


def test_a_patch_says_which_edited_files_it_leaves_out(
    run: Any, write: Write, project: Path
) -> None:
    write("specs/a.yaml", "{name: a, text: one}\n")
    assert 0 == run("generate").code
    write("out/sql/a.sql", "-- edited\n")
    kept = run("diff", "--format", "concise")
    assert (3, "") == (kept.code, kept.out)
    assert kept.err.startswith("out/sql/a.sql:1:1: warning[O520]")
    forced = run("diff", "--force", "--format", "concise")
    assert "-- edited" in forced.out and "O520" not in forced.err


@pytest.mark.parametrize(
    ("command", "meaningless"),
    [
        ("fmt", "--out --package --target --strict-loss"),
        ("list", "--out --package --strict-loss"),
        ("lint", "--out --package"),
        ("verify", "--out"),
    ],
)
def test_options_that_mean_nothing_to_a_command_are_not_offered(
    run: Any, command: str, meaningless: str
) -> None:
    offered = run(command, "--help").out
    assert "--specs" in offered
    for option in meaningless.split():
        assert f"{option} " not in offered
        assert "No such option" in run(command, option, "x").err


@pytest.mark.usefixtures("drifted")
@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "/etc/passwd", "a/./b", "a\0b", "manifest.json", "con"],
)
def test_a_manifest_that_lists_what_no_run_wrote_is_refused(
    write: Write, run: Any, project: Path, path: str
) -> None:
    files = {path: {"sha256": "1", "target": "t", "sources": []}}
    hostile = json.dumps({"brimgen": "1", "format": 1, "files": files})
    for text in (hostile, "<<<<<<< HEAD\n", "[" * 100_000, '{"format": 2}'):
        write("out/manifest.json", text)
        before = everything(project)
        ran = run("generate", "--format", "concise")
        assert 1 == ran.code
        assert "error[O514]" in ran.err
        assert before == everything(project)


@pytest.mark.parametrize("options", [(), ("--force",)])
def test_what_is_no_file_of_ours_stays_where_it_stands_in_the_way(
    run: Any, write: Write, project: Path, options: tuple[str, ...]
) -> None:
    write("specs/a.yaml", "{name: a, text: one}\n")
    assert 0 == run("generate").code
    for name in "bcd":
        write(f"specs/{name}.yaml", f"{{name: {name}, text: one}}\n")
    (project / "out/python/b.py").mkdir()
    (project / "out/python/c.py").symlink_to(project / "elsewhere")
    os.mkfifo(project / "out/python/d.py")
    ran = run("generate", "--format", "concise", *options)
    assert 1 == ran.code
    assert 3 == ran.err.count("error[O513]")
    assert not (project / "elsewhere").exists()
    assert not (project / "out/sql/b.sql").exists()


def test_a_folder_takes_the_place_of_a_file_and_a_mended_file_is_no_edit(
    run: Any, write: Write, project: Path
) -> None:
    write("specs/a.yaml", "{name: a, text: one}\n")
    write("specs/b.yaml", "{name: b, text: one}\n")
    assert 0 == run("generate").code
    write("specs/a.yaml", "{name: a, text: two}\n")
    write("out/python/a.py", "tools_two\n")
    write("specs/b.yaml", "{name: b.py/c, text: one}\n")
    assert 0 == run("generate").code
    assert (project / "out/python/b.py/c.py").is_file()
    assert 0 == run("check").code
