"""The command line of a server: what is wrong with an option is told under its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.serverruntime.command import run
from brimgen.serverruntime.service import Service
from brimgen.serverruntime.setup import Setup


def _unmade(setup: Setup) -> Service:
    raise AssertionError("what is wrong with the command line comes first")


@pytest.mark.parametrize("option", ["--context", "--values"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file or directory"),
        ("{", "this is not JSON: Expecting property name"),
        ("[1]", "expected an object"),
    ],
)
def test_a_file_that_is_no_object_is_told_with_its_option(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    option: str,
    text: str | None,
    said: str,
) -> None:
    file = tmp_path / "given.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        run("shop", _unmade, [option, str(file)])
    assert 2 == stopped.value.code
    assert f"error: {option} {file}: {said}" in capsys.readouterr().err
