"""What to do about a mistake is said once a run, under the first of its kind."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from brimgen.cli import again
from brimgen.cli import main as cli
from brimgen.diagnostics.show import Help, helps_once
from brimgen.stamp.answer import question
from brimgen.stamp.evidence import TICK
from cli.conftest import Run

Write = Callable[[str, str], Path]
TOOL = "type: python_function\nname: {}\ndescription: Finds {} by its number.\n"
SLIP = "type: python_function\nname: {}\ndescripton: Finds it by its number.\n"


def _helps(text: str) -> list[str]:
    return [line for line in text.splitlines() if " = help: " in line]


def test_two_mistakes_of_one_kind_have_one_help(write: Write, run: Run) -> None:
    write("specs/a.yaml", SLIP.format("first"))
    write("specs/b.yaml", SLIP.format("second"))
    ran = run("check")
    meant = "  = help: did you mean `description`?"
    said = "  = help: Remove the key, or correct its spelling."
    assert [meant, said, meant] == [
        each.partition(" Keys of")[0] for each in _helps(ran.err)
    ]
    assert "\n\nerror[S203]" in ran.err and ran.err.endswith("\nbrimgen: 2 errors\n")


@pytest.mark.parametrize("colour", ["", "1"])
def test_a_run_of_what_changed_says_what_a_whole_one_says(
    write: Write,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    colour: str,
) -> None:
    def told(*, whole: bool = False) -> str:
        asked = ["generate"]
        assert 0 == cli.run(asked, None if whole else question(asked))
        return capsys.readouterr().err

    rested: list[int] = []

    def spy(texts: Sequence[str], helps: Sequence[Help]) -> tuple[str, ...]:
        rested.append(len(texts))
        return helps_once(texts, helps)

    monkeypatch.setenv("FORCE_COLOR", colour)
    monkeypatch.setenv("BRIMGEN_CACHE", str(project / "cache"))
    monkeypatch.setattr(again, "helps_once", spy)
    write("brimgen.yaml", "targets: [python, json_schema]\n")
    for name in ("apple", "bread", "cheese"):
        bare = TOOL.format(name, name).replace("description", "x-description")
        write(f"specs/{name}.yaml", bare)
    time.sleep(2 * TICK / 1e9)  # what surrounds the first run is old enough for a stamp
    said = [told()]
    for name in ("apple", "cheese", "bread"):
        write(f"specs/{name}.yaml", TOOL.format(name, f"the {name}"))
        said.append(told())
        assert said[-1].splitlines()[:-1] == told(whole=True).splitlines()[:-1]
    assert [1, 1, 1, 0] == [each.count("help: ") for each in said]
    assert [2, 1, 0] == rested


def test_only_the_help_of_a_rule_is_left_out() -> None:
    texts = ("a\n = help: b\n", "a\n = help: b\n", "c\n", "d\n", "a\n = help: e\n")
    helps = (("X1", "b"), ("X1", "b"), ("X2", ""), ("X2", ""), ("X1", "e"))
    assert ("a\n = help: b\n", "a\n", "c\n", "d\n", "a\n = help: e\n") == helps_once(
        texts, helps
    )
