"""Nothing that is hidden from callers is in anything that they are shown (S0.19, law 5)."""

from __future__ import annotations

import json
import sqlite3
from functools import partial
from typing import Any

import pytest

from support.project import EVERY_PROFILE, Built, build
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A project with every way to hide, in every profile."""
    targets = (
        *("python", "json_schema", "openai", "mcp", "anthropic", "gemini", "models"),
        *("sql", "service", "server", "dispatch"),
    )
    folder, files = tmp_path_factory.mktemp("hidden"), {"specs.yaml": SPEC}
    made = build(folder, files, targets=targets, profiles=EVERY_PROFILE)
    assert [] == made.errors
    return made


def test_no_descriptor_tells_what_is_hidden(built: Built) -> None:
    folder = f"python/{built.package}/"
    shown = {p: t for p, t in built.files.items() if "/descriptors/" in p}
    assert {
        f"{folder}descriptors/openai/azure/responses.json",
        f"{folder}descriptors/gemini/openapi/tools.json",
    } <= set(shown)
    shown |= {p: t for p, t in built.files.items() if p.endswith(".input.json")}
    models = built.files[f"{folder}models/pydantic.py"]
    # What a tool runs with is not for callers.
    shown["models"] = models.split("class ActInput")[1].split("\nclass ")[0]
    for path, text in shown.items():
        for word in ("secret", "4711", "4712"):
            assert word not in text, path


def test_no_error_tells_what_is_hidden(built: Built) -> None:
    for call in ({}, {"login": 1, "reason": 2}, {"login": "a", "reason": "b", "x": 1}):
        with pytest.raises(ValueError) as caught:
            built.tool("act").input_type.from_dict(call)
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


def fail(bound: Any) -> None:
    raise RuntimeError(f"secret {bound}")


@pytest.mark.parametrize("context", CONTEXTS)
def test_no_answer_tells_what_is_hidden(built: Built, context: Any) -> None:
    """Whatever is asked, and whatever goes wrong: a database without tables, a handler that fails
    with the very value in its message, arguments of the host that are not given.
    """
    connect = partial(sqlite3.connect, ":memory:", check_same_thread=False)
    given = {"context": context, "handlers": {"act": fail, "page": fail}}
    more = {
        "connections": {"default": connect},
        "values": {"act": {"secret_amount": 1}},
    }
    server = built.load("mcp_server")
    service = built.load("service").Service(partial=True, **given)
    dispatcher = built.load("dispatch").AnthropicMessages(service)
    for name, arguments in CALLS:
        try:
            told = answered(server, name, arguments, **given, **more)
        except Exception as refusal:
            told = str(refusal)
        assert "secret" not in json.dumps(told), (name, told)
        block = {"type": "tool_use", "id": "t", "name": name, "input": arguments}
        result = dispatcher.answer(block)
        assert result["is_error"]
        assert "secret" not in result["content"], result
