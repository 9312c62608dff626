"""HTTP tools in MCP: hints by their method, a text of their own (descriptors.md)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from brimgen.emit.mcp import EMITTER
from support.linked import link

READS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True}


def tool(method: str, more: str = "") -> Any:
    """The descriptor of a tool that makes a request."""
    linked = link(
        "type: http_function\nname: probe\ndescription: Ask a service.\n"
        f"request: {{ method: {method}, urlTemplate: 'https://api.example.com/' }}\n"
        f"allowedHosts: [api.example.com]\n{more}"
    )
    assert [] == linked.slugs
    [text] = [
        each.text
        for each in EMITTER.emit(linked.catalog)
        if each.path.endswith("/tools.json")
    ]
    [only] = json.loads(text)["tools"]
    return only


@pytest.mark.parametrize(
    ("method", "hints"),
    [
        ("GET", READS),
        ("HEAD", READS),
        ("OPTIONS", READS),
        ("POST", {"readOnlyHint": False}),
        ("PATCH", {"readOnlyHint": False}),
        ("PUT", {"readOnlyHint": False, "idempotentHint": True}),
        (
            "DELETE",
            {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True},
        ),
    ],
)
def test_clients_are_told_which_requests_only_read(
    method: str, hints: dict[str, bool]
) -> None:
    assert {**hints, "openWorldHint": True} == tool(method)["annotations"]


def test_the_author_has_the_last_word() -> None:
    said = tool(
        "POST", "mcp: { read_only: true, open_world: false, description: Search. }\n"
    )
    assert {
        "readOnlyHint": True,
        "destructiveHint": False,
        "openWorldHint": False,
    } == said["annotations"]
    assert "Search." == said["description"]
