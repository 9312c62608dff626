"""The command line of a server: what is wrong with an option is told under its name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import black
import pytest

from brimgen_runtime.server.command import run
from brimgen_runtime.service.async_service import AsyncService
from brimgen_runtime.service.plan import Plan
from support.project import build


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


def test_a_client_is_told_what_the_settings_say_that_the_server_is(
    tmp_path: Path,
) -> None:
    spec = "{type: python_function, name: act, description: Act., handler: 'os:getcwd'}"
    long = (
        "Find the customer first; orders are listed by the number of the customer. " * 2
    )
    said = {"title": "The shop", "instructions": long}
    built = build(tmp_path, {"a.yaml": spec}, server=said)
    server = built.load("mcp_server")
    service = server.AsyncService(partial=True)
    told = server.make_offer(service).identity
    assert ("The shop", None, long) == (told.title, told.version, told.instructions)
    mine = server.Options(version="2", title="Another shop")
    told = server.make_offer(service, mine).identity
    assert ("Another shop", "2", long) == (told.title, told.version, told.instructions)
    text = built.files[f"python/{built.package}/mcp_server.py"]
    assert text == black.format_str(text, mode=black.Mode())
