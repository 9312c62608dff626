"""``service.call`` of a prompt and of a resource: what a program gets without knowing the kind."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest

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
