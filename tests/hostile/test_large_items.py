"""Items of lists that no database can hold: the caller is told which one, however it calls."""

from __future__ import annotations

import json
import sqlite3
from functools import partial

import pytest

from support.project import Built, build
from support.served import answered

SPEC = """\
type: sql_function
name: find
description: Find items by their numbers.
arguments: { inline: { ids: "int[]" } }
returns: object[]
sql: SELECT 1 AS x WHERE 1 IN (:ids)
"""
TARGETS = ("python", "sql", "dispatch", "service", "server")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("large")
    made = build(folder, {"a.yaml": SPEC}, targets=TARGETS)
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    return made


CALL = {
    "id": "1",
    "type": "function",
    "function": {"name": "find", "arguments": json.dumps({"ids": [1, 2**63]})},
}


def test_a_dispatcher_names_the_argument_and_the_index(built: Built) -> None:
    connect = partial(sqlite3.connect, ":memory:")
    service = built.load("service").Service(connections={"default": connect})
    message = built.load("dispatch").OpenAIChat(service).answer(CALL)
    assert "ids/1: " in message["content"]
    assert "does not fit into 64 bits" in message["content"]


def test_a_server_names_the_argument_and_the_index(built: Built) -> None:
    given = {"connections": {"default": lambda: sqlite3.connect(":memory:")}}
    arguments = {"ids": [1, 2**63]}
    result = answered(built.load("mcp_server"), "find", arguments, **given)
    said = result["content"][0]["text"]
    assert result["isError"]
    assert "ids/1: " in said
    assert "does not fit into 64 bits" in said
