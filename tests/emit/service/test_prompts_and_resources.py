"""``service.call`` of a prompt and of a resource: what a program gets without knowing the kind."""

from __future__ import annotations

import asyncio
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from support.checkers import BLACK, assert_clean
from support.project import Built, build

SPEC = """\
type: template_function
name: greet
description: Greet somebody.
arguments: {inline: {name: string}}
template: Hello {{ args.name }}
---
type: resource
name: page
description: A page.
path: /pages/{page}
arguments: {inline: {page: string}}
returns: string
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("parts"), {"a.yaml": SPEC})


def page(call: Any) -> Any:
    """Hold a text, bytes or JSON, by the name of the page."""
    return {"text": "a page", "bytes": b"\x00\x01", "data": {"a": 1}}[call.page]


MESSAGES = [{"role": "user", "content": {"type": "text", "text": "Hello Ada"}}]


def test_a_prompt_and_a_resource_are_called_like_any_tool(built: Built) -> None:
    module: Any = built.load("service")
    with module.Service(handlers={"page": page}) as service:
        assert MESSAGES == service.call("greet", {"name": "Ada"})
        assert "a page" == service.call("page", '{"page": "text"}')
        assert "AAE=" == service.call("page", {"page": "bytes"})
        assert {"a": 1} == service.call("page", {"page": "data"})
        for name in ("greet", "page"):
            with pytest.raises(module.InputError):
                service.call(name, {"other": 1})
        with pytest.raises(module.ToolError):
            service.call("page", {"page": "lost"})
        assert "unknown_tool" == service.outcome("greet", {"name": "Ada"}).code


def test_so_does_an_event_loop(built: Built) -> None:
    module: Any = built.load("service")

    async def calls() -> tuple[Any, Any]:
        async with module.AsyncService(handlers={"page": page}) as service:
            return (
                await service.call("greet", {"name": "Ada"}),
                await service.call("page", {"page": "data"}),
            )

    assert (MESSAGES, {"a": 1}) == asyncio.run(calls())


def test_a_shell_prints_the_messages_of_a_prompt(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    module: Any = built.load("service")
    main: Any = import_module("brimgen_runtime.service.command").main
    arguments = ["call", "greet", '{"name": "Ada"}']
    assert 0 == main(module.Service, module.PLAN, arguments)
    assert MESSAGES == json.loads(capsys.readouterr().out)
    assert 1 == main(module.Service, module.PLAN, ["call", "greet", "{}"])
    assert "name" in capsys.readouterr().err


@pytest.mark.parametrize("kept", [0, 1], ids=["prompts", "resources"])
def test_a_package_of_prompts_or_resources_alone_is_in_style(
    tmp_path: Path, kept: int
) -> None:
    """`make lint` of the user's project stays green although no tool of it runs."""
    made = build(tmp_path, {"a.yaml": SPEC.split("---\n")[kept]})
    made.load("service")
    assert_clean(made.out / "python", made.package, by=[BLACK])
