"""People see first what stops the build, and at the end which files to open."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from brimgen import api
from cli.conftest import Run

Write = Callable[[str, str], Path]
WRONG = (
    "type: python_function\nname: {}\ndescription: Do.\n"
    "arguments: {{ inline: {{ a: {{ type: itn, description: What }} }} }}\n"
)
DOUBTFUL = (
    "type: python_function\nname: {}\narguments: {{ inline: {{ a: int, b: int }} }}\n"
)


@pytest.mark.parametrize("format", ["full", "concise"])
def test_errors_are_listed_before_warnings(write: Write, run: Run, format: str) -> None:
    write("specs/a.yaml", DOUBTFUL.format("first"))
    write("specs/b.yaml", WRONG.format("second"))
    said = run("lint", "--format", format).err
    assert said.index("error[R311]") < said.index("warning[")
    assert said.rindex("error[") < said.index("warning[")


def test_programs_read_findings_in_the_order_of_places(write: Write, run: Run) -> None:
    write("specs/a.yaml", DOUBTFUL.format("first"))
    write("specs/b.yaml", WRONG.format("second"))
    found = json.loads(run("lint", "--format", "json").err)["diagnostics"]
    files = [each["file"] for each in found]
    assert sorted(files) == files
    assert "error" == found[-1]["severity"]


def test_many_findings_are_counted_for_each_file_with_errors_first(
    write: Write, run: Run
) -> None:
    for number in range(25):
        write(f"specs/a{number:02}.yaml", DOUBTFUL.format(f"find_{number}"))
    write("specs/z.yaml", WRONG.format("last"))
    lines = run("check").err.split("\n\n")[-1].splitlines()
    assert "specs/z.yaml: 1 error" == lines[0]
    assert lines[1].startswith("specs/a00.yaml: ") and lines[1].endswith(" warnings")
    assert "and 6 more files" == lines[-2]
    assert lines[-1].startswith("brimgen: 1 error, ")


def test_few_findings_are_not_counted_for_each_file(write: Write, run: Run) -> None:
    write("specs/a.yaml", WRONG.format("first"))
    write("specs/b.yaml", WRONG.format("second"))
    assert run("check").err.endswith("\n\nbrimgen: 2 errors\n")


def test_many_warnings_of_a_rule_do_not_fill_the_screen_with_quotes(
    write: Write, run: Run
) -> None:
    for name in "abcde":
        write(f"specs/{name}.yaml", f"type: python_function\nname: find_{name}\n")
    said = run("lint").err
    told = [line for line in said.splitlines() if "[L601]" in line]
    assert ["warning[L601]"] * 3 == [line.split(":")[0] for line in told[:3]]
    assert ["specs/d.yaml", "specs/e.yaml"] == [line.split(":")[0] for line in told[3:]]
    assert "\n\n" + "\n".join(told[3:]) + "\n\n" in said
    assert 3 == said.count(" ^^^^^^\n") and 1 == said.count(" = help: ")


def test_every_error_is_quoted(write: Write, run: Run) -> None:
    for name in "abcde":
        write(f"specs/{name}.yaml", WRONG.format(name))
    assert 5 == run("check").err.count("--> specs/")


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_mistake_is_told_before_any_file_is_made_or_compared(
    write: Write, run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def make(*_: object, **__: object) -> None:
        raise AssertionError("a build with a mistake needs no files")

    monkeypatch.setattr(api, "emit", make)
    monkeypatch.setattr(api, "_plan", make)
    write("specs/a.yaml", WRONG.format("wrong"))
    assert 1 == run(command).code
