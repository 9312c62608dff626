"""What to do about a mistake is said once a run, under the first of its kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

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
        each.partition(" Your own")[0] for each in _helps(ran.err)
    ]
    assert "\n\nerror[S203]" in ran.err and ran.err.endswith("\nbrimgen: 2 errors\n")
