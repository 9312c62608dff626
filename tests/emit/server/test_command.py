"""The command line of a server: what is wrong with an option is told under its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brimgen.serverruntime._package import AsyncService
from brimgen.serverruntime.command import run
from brimgen.serviceruntime.plan import Plan


class _Service(AsyncService):
    plan = Plan(package="shop", tools={}, runs={})  # type: ignore[arg-type]


def _unmade(*_: object) -> Any:
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
        run(_Service, _unmade, [option, str(file)])
    assert 2 == stopped.value.code
    assert f"error: {option} {file}: {said}" in capsys.readouterr().err
