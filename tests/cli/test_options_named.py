"""What is wrong with an option is told under its name, with what was meant (exit code 2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

Write = Callable[[str, str], Path]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("import", "--as", "opnapi"), "for '--as': there is no format 'opnapi'. "),
        (("import", "--server", "api"), "for '--server': 'api' is no URL of a server"),
        (("check", "--package", "my-shop"), "for '--package': 'my-shop' is not a "),
        (("check", "--package", "my-shop"), " Did you mean 'my_shop'?"),
        (
            ("check", "--target", "pyton"),
            "for '--target': there is no target 'pyton'. ",
        ),
        (("check", "--verify-db", "secret@host"), "for '--verify-db': it is no URL"),
        (("show", "prbe"), "for 'TOOL': there is no tool 'prbe'. "),
        (("show", "prbe"), "'prbe'. Did you mean 'probe'?"),
        (("breaking", "--against", "x"), "for '--against': 'x' is no folder, and git "),
    ],
)
def test_an_option_is_named(
    run: Run, write: Write, given: tuple[str, ...], said: str
) -> None:
    write("specs/a.yaml", "type: python_function\nname: probe\n")
    file = write("tools.json", "{}")
    ran = run(*given, *([str(file)] if given[0] == "import" else []))
    told = " ".join(ran.err.split())
    assert (2, True, False) == (ran.code, said in told, "secret" in told)
