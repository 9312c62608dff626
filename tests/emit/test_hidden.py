"""Nothing that is hidden from callers is in anything that they are shown (S0.19, law 5)."""

from __future__ import annotations

import json
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import DescriptorOptions
from brimgen.model.targets import profile_names
from support.project import Built, build
from support.served import answered

SPEC = """\
type: entity
name: Actor
fields:
  login: string
  secret_override: {type: string, description: secret text 0}
---
type: python_function
name: act
description: Act.
arguments:
  entity_ref: Actor
  inline:
    secret_override: {from_context: app.user.secret_path}
    secret_id: {type: int, from_context: app.user.id, description: secret text 1}
    secret_host: {type: int, llm: false, default: 4711, examples: [4712]}
    secret_amount: {type: decimal, llm: false, precision: 20}
    reason: {type: string, examples: [because]}
returns: {entity_ref: Actor, omit: [secret_override]}
---
type: sql_function
name: read
description: Read.
connection: default
sql: SELECT login FROM users WHERE tenant = :secret_tenant AND login = :login
arguments:
  inline:
    login: {type: string, maxLength: 5}
    secret_tenant: {type: string, from_context: app.secret_tenant, enum: [secret_a]}
---
type: template_function
name: greet
description: Greet.
arguments:
  inline:
    secret_zone: {type: string, from_context: config.secret_zone}
    who: string
template: "Hello {{ args.who }} in {{ args.secret_zone }}"
---
type: resource
name: page
description: A page.
path: /pages/{number}
arguments:
  inline:
    number: int
    secret_path: {type: string, from_context: app.secret_path}
"""
DESCRIPTORS = "/descriptors/"


def made(folder: Path) -> Built:
    """A project with every way to hide, in every profile."""
    options = DescriptorOptions(profiles=profile_names())
    targets = (
        *("python", "json_schema", "openai", "mcp", "anthropic", "gemini"),
        *("sql", "service", "server", "dispatch"),
    )
    return build(folder, {"specs.yaml": SPEC}, targets=targets, descriptors=options)


def test_no_descriptor_tells_what_is_hidden(tmp_path: Path) -> None:
    built = made(tmp_path)
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    shown = {p: text for p, text in built.files.items() if DESCRIPTORS in p}
    folder = f"python/{built.package}/descriptors"
    assert {
        f"{folder}/openai/azure/responses.json",
        f"{folder}/gemini/openapi/tools.json",
    } <= set(shown)
    shown |= {p: t for p, t in built.files.items() if p.endswith(".input.json")}
    for path, text in shown.items():
        for word in ("secret", "4711", "4712"):
            assert word not in text, path


def test_no_error_tells_what_is_hidden(tmp_path: Path) -> None:
    act = made(tmp_path).tool("act")
    for call in ({}, {"login": 1, "reason": 2}, {"login": "a", "reason": "b", "x": 1}):
        with pytest.raises(ValueError) as caught:
            act.input_type.from_dict(call)
        assert "secret" not in str(caught.value)


CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("act", {}),
    ("act", {"login": 1, "reason": 2}),
    ("act", {"login": "a", "reason": "b", "x": 1}),
    ("act", {"login": "a", "reason": "b"}),
    ("read", {"login": "abc"}),
    ("read", {"login": "abcdef"}),
    ("greet", {}),
    ("nothing", {}),
)
CONTEXTS: tuple[Any, ...] = (
    None,
    {"app": {"secret_tenant": 5}},
    {"app": {"secret_tenant": "secret_a", "user": {"id": "secret"}}},
    {"app": {"secret_tenant": "secret_a", "user": {"id": 1, "secret_path": "secret"}}},
)


@pytest.mark.parametrize("context", CONTEXTS)
def test_no_answer_of_the_server_tells_what_is_hidden(
    tmp_path: Path, context: Any
) -> None:
    """Whatever is asked, and whatever goes wrong: a database without tables, a handler that fails
    with the very value in its message, arguments of the host that are not given.
    """
    server = made(tmp_path).load("mcp_server")
    connect = partial(sqlite3.connect, ":memory:", check_same_thread=False)

    def fail(bound: Any) -> None:
        raise RuntimeError(f"secret {bound}")

    given = {
        "context": context,
        "connections": {"default": connect},
        "handlers": {"act": fail, "page": fail},
        "values": {"act": {"secret_amount": 1}},
    }
    for name, arguments in CALLS:
        try:
            told = answered(server, name, arguments, **given)
        except Exception as refusal:
            told = str(refusal)
        assert "secret" not in json.dumps(told), (name, told)


@pytest.mark.parametrize("context", CONTEXTS)
def test_no_answer_of_a_dispatcher_tells_what_is_hidden(
    tmp_path: Path, context: Any
) -> None:
    built = made(tmp_path)

    def fail(bound: Any) -> None:
        raise RuntimeError(f"secret {bound}")

    service = built.load("service").Service(
        context=context, handlers={"act": fail, "page": fail}, partial=True
    )
    dispatcher = built.load("dispatch").AnthropicMessages(service)
    for name, arguments in CALLS:
        block = {"type": "tool_use", "id": "t", "name": name, "input": arguments}
        result = dispatcher.answer(block)
        assert result["is_error"]
        assert "secret" not in result["content"], result
