"""The command, run as a user runs it: what it writes, where, and how it ends (issue 2, 2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.output import everything
from support.stages import TinyStages

pytestmark = pytest.mark.usefixtures("tiny")
Write = Callable[[str, str], Path]
A = "{name: a, text: one}\n"
B = "{name: b, text: two}\n"
PATCH = """\
--- a/out/python/a.py
+++ b/out/python/a.py
@@ -1 +1 @@
-tools_one
+tools_changed
--- a/out/python/b.py
+++ /dev/null
@@ -1 +0,0 @@
-tools_two
"""


@pytest.fixture
def ready(tiny: TinyStages, write: Write, run: Any) -> None:
    write("specs/a.yaml", A)
    write("specs/b.yaml", B)
    assert 0 == run("generate").code


def test_generate_writes_what_check_accepts(
    write: Write, run: Any, project: Path
) -> None:
    write("specs/a.yaml", A)
    ran = run("generate")
    assert (0, "") == (ran.code, ran.out)
    assert "brimgen: out: 2 files written, 0 removed, 0 unchanged\n" == ran.err
    assert "tools_one\n" == (project / "out/python/a.py").read_text()
    ran = run("check")
    assert (0, "") == (ran.code, ran.out)
    assert "brimgen: out: 2 files as the specs say\n" == ran.err


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("key", ["wrong", "refused"])
def test_an_error_in_any_stage_writes_nothing(
    write: Write, run: Any, project: Path, tiny: TinyStages, key: str
) -> None:
    before = everything(project / "out")
    tiny.emitted.clear()
    write("specs/a.yaml", "{name: a, text: changed}\n")
    write("specs/b.yaml", f"name: b\n{key}: here\n")
    for command in ("generate", "check", "diff"):
        ran = run(command)
        assert (1, "") == (ran.code, ran.out)
        assert "specs/b.yaml:2:1" in ran.err
        assert f"2 | {key}: here" in ran.err
        assert "brimgen: 1 error" in ran.err
    assert before == everything(project / "out")
    assert [] == tiny.emitted


@pytest.mark.usefixtures("ready")
def test_check_tells_the_kinds_of_drift_apart_and_writes_nothing(
    write: Write, run: Any, project: Path
) -> None:
    write("specs/a.yaml", "{name: a, text: changed}\n")
    write("specs/c.yaml", "{name: c, text: three}\n")
    (project / "specs/b.yaml").unlink()
    (project / "out/sql/b.sql").write_text("mine\n")
    write("out/python/mine.py", "mine\n")
    before = everything(project)
    ran = run("check", "--format", "concise")
    assert (3, "") == (ran.code, ran.out)
    assert [
        "out/python/a.py:1:1: error[O521] this generated file " "is out of date",
        "out/python/b.py:1:1: error[O521] no spec makes this generated file any more",
        "out/python/c.py:1:1: error[O521] this generated file is missing",
        "out/sql/a.sql:1:1: error[O521] this generated file " "is out of date",
        "out/sql/b.sql:1:1: error[O520] this generated file was edited by hand, and no "
        "spec makes it any more",
        "out/sql/c.sql:1:1: error[O521] this generated file is missing",
        "brimgen: 6 errors",
        "brimgen: out: the generated files are not what the specs say",
    ] == ran.err.splitlines()
    assert before == everything(project)


def test_check_of_a_project_never_generated(
    write: Write, run: Any, project: Path
) -> None:
    write("specs/a.yaml", A)
    assert 3 == run("check", "--out", "far/away").code
    assert ["specs"] == [each.name for each in project.iterdir()]


@pytest.mark.usefixtures("ready")
def test_edited_files_are_kept_with_exit_3_until_forced(
    write: Write, run: Any, project: Path
) -> None:
    write("out/python/a.py", "mine\n")
    ran = run("generate")
    assert 3 == ran.code
    assert "edited by hand; brimgen kept it" in ran.err
    assert "mine\n" == (project / "out/python/a.py").read_text()
    assert 3 == run("check").code
    assert 0 == run("generate", "--force").code
    assert "tools_one\n" == (project / "out/python/a.py").read_text()
    assert 0 == run("check").code


@pytest.mark.usefixtures("ready")
def test_a_foreign_file_in_the_way_stops_the_run(
    write: Write, run: Any, project: Path
) -> None:
    write("specs/c.yaml", "{name: c, text: three}\n")
    write("out/sql/c.sql", "mine\n")
    before = everything(project / "out")
    ran = run("generate")
    assert 1 == ran.code
    assert "--> out/sql/c.sql:1:1" in ran.err
    assert before == everything(project / "out")


@pytest.mark.usefixtures("ready")
def test_diff_prints_a_patch(write: Write, run: Any, project: Path) -> None:
    ran = run("diff")
    said = "brimgen: out: 4 files as the specs say\n"
    assert (0, "", said) == (ran.code, ran.out, ran.err)
    write("specs/a.yaml", "{name: a, text: changed}\n")
    (project / "specs/b.yaml").unlink()
    before = everything(project)
    ran = run("diff", "--target", "python")
    left_out = "brimgen: out: manifest.json changes, too; the patch leaves it out\n"
    assert (3, PATCH, left_out) == (ran.code, ran.out, ran.err)
    assert before == everything(project)


@pytest.mark.usefixtures("ready")
def test_diff_tells_of_a_manifest_alone(run: Any, project: Path) -> None:
    manifest = project / "out/manifest.json"
    manifest.write_text(manifest.read_text() + "\n")
    ran = run("diff")
    assert (3, "") == (ran.code, ran.out)
    assert "manifest.json changes" in ran.err


def test_targets_are_listed(run: Any) -> None:
    ran = run("explain", "--targets")
    assert (0, "") == (ran.code, ran.err)
    assert """\
python  Files for python
sql     Files for sql
extra   Files for extra (off by default)
""" == ran.out


def test_targets_of_the_project_are_listed_too(write: Write, run: Any) -> None:
    write("mine/all.j2", "")
    write(
        "brimgen.yaml",
        "templates: mine\n"
        "custom: [{name: clients, template: all.j2, path: clients.txt}]\n",
    )
    ran = run("explain", "--targets")
    assert 0 == ran.code
    assert "clients  a target of the project\n" in ran.out


@pytest.mark.usefixtures("ready")
def test_a_specs_folder_that_lost_its_specs_does_not_empty_the_output(
    run: Any, project: Path
) -> None:
    before = everything(project / "out")
    for spec in (project / "specs").iterdir():
        spec.unlink()
    ran = run("generate")
    assert 1 == ran.code
    assert "there are no specs in specs, and 4 generated files would be removed" in (
        ran.err
    )
    assert before == everything(project / "out")
    assert 0 == run("generate", "--force").code
    assert not (project / "out/python").exists()


@pytest.mark.usefixtures("ready")
def test_a_target_alone_leaves_the_others_as_they_are(
    write: Write, run: Any, project: Path
) -> None:
    write("specs/a.yaml", "{name: a, text: changed}\n")
    assert 0 == run("generate", "--target", "python").code
    assert "tools_changed\n" == (project / "out/python/a.py").read_text()
    assert "tools_one\n" == (project / "out/sql/a.sql").read_text()
    assert 0 == run("check", "--target", "python").code
    assert 3 == run("check").code


def test_explain_takes_codes_and_slugs_and_suggests_the_nearest(run: Any) -> None:
    ran = run("explain", "O513")
    assert 0 == ran.code
    assert ran.out.startswith("O513 file-in-the-way (error)")
    assert ran.out == run("explain", "File-In-The-Way").out
    ran = run("explain", "file-in-the-wy")
    assert (2, "") == (ran.code, ran.out)
    assert "Did you mean `file-in-the-way`" in ran.err


def test_explain_all_is_the_page_of_the_docs(run: Any) -> None:
    ran = run("explain", "--all")
    assert 0 == ran.code
    page = Path(__file__).parents[2] / "docs/diagnostics.md"
    assert ran.out == page.read_text(encoding="utf-8")
    assert 2 == run("explain", "--all", "O513").code


def test_json_is_one_document_on_stderr(write: Write, run: Any) -> None:
    write("specs/a.yaml", "{name: a, wrong: x}\n")
    ran = run("check", "--format", "json")
    assert (1, "") == (ran.code, ran.out)
    (only,) = json.loads(ran.err)["diagnostics"]
    assert ("X001", "specs/a.yaml", 1) == (only["code"], only["file"], only["line"])
    write("specs/a.yaml", A)
    assert [] == json.loads(run("generate", "--format", "json").err)["diagnostics"]


def test_github_shows_errors_beside_the_line(write: Write, run: Any) -> None:
    write("specs/a.yaml", "{name: a, wrong: x}\n")
    assert run("check", "--format", "github").err.startswith(
        "::error file=specs/a.yaml,line=1,col=11"
    )


@pytest.mark.parametrize(
    ("variables", "options", "coloured"),
    [
        ({}, (), False),
        ({"FORCE_COLOR": "1"}, (), True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False),
        ({"FORCE_COLOR": ""}, (), False),
        ({}, ("--color=always",), True),
        ({"NO_COLOR": "1"}, ("--color", "always"), True),
        ({"FORCE_COLOR": "1"}, ("--color", "never"), False),
        ({"FORCE_COLOR": "1"}, ("--color", "never", "--color", "auto"), True),
    ],
)
def test_colours_are_shown_only_where_they_are_wanted(
    write: Write,
    run: Any,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    options: tuple[str, ...],
    coloured: bool,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    write("specs/a.yaml", "{name: a, wrong: x}\n")
    write("tools.json", '{"tools": [{"name": 1}]}')
    for command in (
        ("generate",),
        ("generate", "--force"),  # not plain: read by the command line
        ("check",),
        ("check", "--config", write("brimgen.yaml", "pakage: a\n").name),
        ("import", "tools.json"),
    ):
        assert coloured == ("\x1b[" in run(*command, *options).err)


def test_paths_are_shown_as_the_user_would_write_them(
    write: Write, run: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("specs/a.yaml", "{name: a, wrong: x}\n")
    (project / "deep/er").mkdir(parents=True)
    monkeypatch.chdir(project / "deep/er")
    ran = run("generate", "--specs", "../../specs", "--format", "concise")
    assert ran.err.startswith("../../specs/a.yaml:1:11: error")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("generate", "--nonsense"),
        ("generate", "--format", "loud"),
        ("generate", "--target", "pyton"),
        ("generate", "--package", "no-name"),
        ("generate", "--package", "class"),
        ("generate", "--specs", "nowhere"),
        ("generate", "--out", "."),
        ("generate", "--out", "specs/out"),
        ("generate", "--out", "specs"),
        ("generate", "--config", "nowhere.yaml"),
        ("explain",),
        (),
    ],
)
def test_wrong_use_ends_with_2_and_writes_nothing(
    write: Write, run: Any, project: Path, arguments: tuple[str, ...]
) -> None:
    write("specs/a.yaml", A)
    before = everything(project)
    ran = run(*arguments)
    assert (2, "") == (ran.code, ran.out)
    assert ran.err
    assert before == everything(project)


def test_a_near_miss_of_a_target_gets_a_suggestion(run: Any) -> None:
    assert "Did you mean 'python'" in run("generate", "--target", "pyton").err


def test_help_and_version_go_to_stdout(run: Any) -> None:
    assert "brimgen 0.1.0\n" == run("--version").out
    ran = run("generate", "--help")
    assert (0, "") == (ran.code, ran.err)
    assert "--package" in ran.out


def test_ctrl_c_ends_with_130(
    write: Write, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    write("specs/a.yaml", A)
    monkeypatch.setattr("brimgen.api.real_stages", interrupt)
    ran = run("generate")
    assert (130, "") == (ran.code, ran.out)


def test_a_bug_says_so(write: Write, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> float:
        return 1 / 0

    write("specs/a.yaml", A)
    monkeypatch.setattr("brimgen.api.real_stages", fail)
    ran = run("generate")
    assert 70 == ran.code
    assert "ZeroDivisionError" in ran.err
    assert "this is a bug in brimgen" in ran.err


@pytest.mark.usefixtures("ready")
@pytest.mark.parametrize("command", ["generate", "check"])
def test_python_that_does_not_compile_is_never_written(
    write: Write, run: Any, project: Path, command: str
) -> None:
    before = everything(project / "out")
    write("specs/a.yaml", "{name: a, text: x if y}\n")
    ran = run(command)
    assert 70 == ran.code
    assert (
        "python/a.py, made by the target python from specs/a.yaml, is no Python"
        in ran.err
    )
    assert "this is a bug in brimgen" in ran.err
    assert before == everything(project / "out")


def test_a_failing_disk_is_told_in_one_line(
    write: Write, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write("specs/a.yaml", A)
    monkeypatch.setattr("brimgen.api.write", full)
    ran = run("generate")
    assert (74, "brimgen: [Errno 28] No space left on device\n") == (ran.code, ran.err)


def test_memory_that_runs_out_is_no_bug(
    write: Write, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> None:
        raise MemoryError

    write("specs/a.yaml", A)
    monkeypatch.setattr("brimgen.api.real_stages", fail)
    ran = run("generate")
    assert (74, "brimgen: out of memory\n") == (ran.code, ran.err)


def test_check_says_once_that_nothing_was_generated_yet(run: Any, write: Write) -> None:
    write("specs/a.yaml", "name: a\ntext: x\n")
    ran = run("check", "--format", "concise", "--out", "never")
    first, *rest = ran.err.splitlines()
    assert 3 == ran.code
    assert "never:1:1: error[O521] nothing was generated yet" == first
    assert not any("warning[" in line for line in rest)


def test_diff_leaves_the_warnings_of_specs_to_check(run: Any, write: Write) -> None:
    write("specs/a.yaml", "name: a\ntext: x\ndoubtful: yes\n")
    assert "X003" in run("check").err
    ran = run("diff")
    assert "X003" not in ran.err
    assert "+tools_x" in ran.out
