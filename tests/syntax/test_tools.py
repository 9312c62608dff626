"""The keys of tools: common ones, those of a kind, and the hints for MCP (spec-language.md)."""

from __future__ import annotations

import pytest

from brimgen.source.nodes import ListNode, MapNode, ScalarNode
from brimgen.syntax.decls import ToolKind
from support.syntax import HEAD, Parsed, read

KINDS = {
    ToolKind.SQL: "type: sql_function\nname: probe\nsql: SELECT 1\n",
    ToolKind.PYTHON: HEAD,
    ToolKind.TEMPLATE: "type: template_function\nname: probe\ntemplate: Hi\n",
    ToolKind.RESOURCE: "type: resource\nname: probe\npath: /x\n",
}
COMMON = """\
title: Title
description: Description
when_to_use: Always
returns: string
bundle: shop
slug: probe-1
version: 1.10
id: 0190
tags: [a, 2]
enabled: false
mcp: { title: T }
profiles: [toolspec]
targets: [python]
x-owner: me
"""


def option(parsed: Parsed, key: str) -> str:
    """The source text of a scalar option."""
    node = parsed.tool.option(key)
    assert isinstance(node, ScalarNode)
    return node.text


@pytest.mark.parametrize("kind", KINDS)
def test_keys_that_all_tools_share_are_read(kind: ToolKind) -> None:
    parsed = read(KINDS[kind] + COMMON)
    assert [] == parsed.told
    tool = parsed.tool
    assert (kind, "probe", True) == (tool.kind, tool.name.value, tool.sound)
    texts = [tool.title, tool.description, tool.when_to_use]
    assert ["Title", "Description", "Always"] == [each.value for each in texts if each]
    assert ("1.10", "0190", "false") == (
        option(parsed, "version"),
        option(parsed, "id"),
        option(parsed, "enabled"),
    )
    tags = tool.option("tags")
    assert isinstance(tags, ListNode)
    assert ["a", "2"] == [
        each.text for each in tags.items if isinstance(each, ScalarNode)
    ]
    assert ["x-owner"] == [each.key.text for each in tool.extensions]


def test_synonyms_of_keys_are_read() -> None:
    parsed = read(f"{HEAD}displayName: Shown\nisEnabled: true\n")
    assert [] == parsed.told
    assert parsed.tool.title is not None
    assert ("Shown", "true") == (parsed.tool.title.value, option(parsed, "enabled"))


OWN = [
    (ToolKind.SQL, "connection: warehouse\n", "connection"),
    (ToolKind.PYTHON, "handler: shop.orders:place\n", "handler"),
    (ToolKind.RESOURCE, "handler: shop.docs:page\n", "handler"),
]


@pytest.mark.parametrize(("kind", "line", "key"), OWN)
def test_keys_of_a_kind(kind: ToolKind, line: str, key: str) -> None:
    parsed = read(KINDS[kind] + line)
    assert [] == parsed.told
    assert line.split(": ")[1].strip() == option(parsed, key)


FOREIGN = [
    (ToolKind.PYTHON, "sql: SELECT 1", "sql"),
    (ToolKind.PYTHON, "connection: x", "connection"),
    (ToolKind.PYTHON, "path: /x", "path"),
    (ToolKind.TEMPLATE, "handler: a:b", "handler"),
    (ToolKind.RESOURCE, "template: Hi", "template"),
    (ToolKind.SQL, "messages: []", "messages"),
    (ToolKind.SQL, "fields: {}", "fields"),
]


@pytest.mark.parametrize(("kind", "line", "key"), FOREIGN)
def test_keys_of_another_kind(kind: ToolKind, line: str, key: str) -> None:
    parsed = read(f"{KINDS[kind]}{line}\n")
    assert [("unknown-key", key)] == parsed.told
    assert f"unknown key `{key}` in {kind.value} `probe`" == parsed.only.message


@pytest.mark.parametrize(
    ("line", "under"),
    [
        ("description: [a]", "[a]"),
        ("description: 5", "5"),
        ("title: {}", "{}"),
        ("when_to_use: true", "true"),
        ("tags: shop", "shop"),
        ("tags: [[a]]", "[a]"),
        ("enabled: yes", "yes"),
        ("mcp: tool", "tool"),
        ("version: [1]", "[1]"),
        ("targets: { python: true }", "{ python: true }"),
        ("handler: 5", "5"),
    ],
)
def test_a_key_of_a_wrong_shape_is_told(line: str, under: str) -> None:
    parsed = read(f"{HEAD}{line}\n")
    assert [("wrong-kind", under)] == parsed.told
    assert not parsed.tool.sound
    assert parsed.tool.option(line.split(":")[0]) is None


def test_every_wrong_tag_is_told() -> None:
    parsed = read(f"{HEAD}tags: [[a], b, {{}}, ~]\n")
    assert ["[a]", "{}", "~"] == [under for _, under in parsed.told]


def test_keys_without_a_value_are_absent() -> None:
    parsed = read(f"{HEAD}description:\ntags: ~\nenabled: null\nmcp:\n")
    assert [] == parsed.told
    assert (None, ()) == (parsed.tool.description, parsed.tool.options)


def test_a_resource_has_a_path() -> None:
    parsed = read("type: resource\nname: docs\n")
    assert [("missing-key", "docs")] == parsed.told
    assert "resource `docs` has no `path`" == parsed.only.message


def test_the_path_of_a_resource_is_read() -> None:
    parsed = read("type: resource\nname: docs\npath: /docs/{a}/{rest*}\n")
    assert parsed.tool.path is not None
    assert "/docs/{a}/{rest*}" == parsed.tool.path.value
    assert "/docs/{a}/{rest*}" == parsed.under(parsed.tool.path.span)


HINTS = [
    ("read_only: true", "read_only"),
    ("readOnlyHint: true", "read_only"),
    ("destructive_hint: false", "destructive"),
    ("idempotentHint: true", "idempotent"),
    ("openWorldHint: true", "open_world"),
    ("mimeType: text/plain", "mime_type"),
    ("uriScheme: docs", "uri_scheme"),
    ("_meta: { a: 1 }", "meta"),
    ("description: For models", "description"),
]


@pytest.mark.parametrize(("line", "key"), HINTS)
def test_hints_for_clients_are_read(line: str, key: str) -> None:
    parsed = read(f"{HEAD}mcp: {{ {line} }}\n")
    assert [] == parsed.told
    node = parsed.tool.option("mcp")
    assert isinstance(node, MapNode)
    assert [key] == [each.key.text for each in node.entries]
    assert line.split(":")[0] == parsed.under(node.entries[0].key.span)


@pytest.mark.parametrize(
    ("line", "slug", "under"),
    [
        ("readonly: true", "unknown-key", "readonly"),
        ("read_only: yes", "wrong-kind", "yes"),
        ("meta: [a]", "wrong-kind", "[a]"),
        ("type: resource", "unknown-choice", "resource"),
        ("readOnlyHint: true, read_only: true", "synonym-twice", "read_only"),
    ],
)
def test_a_wrong_hint_for_clients_is_told(line: str, slug: str, under: str) -> None:
    parsed = read(f"{HEAD}mcp: {{ {line} }}\n")
    assert [(slug, under)] == parsed.told


@pytest.mark.parametrize("kind", KINDS)
def test_a_tool_may_say_that_it_is_a_tool(kind: ToolKind) -> None:
    parsed = read(f"{KINDS[kind]}mcp: {{ type: tool }}\n")
    assert [] == parsed.told


def test_an_unknown_template_engine_is_refused() -> None:
    text = KINDS[ToolKind.TEMPLATE]
    assert [] == read(f"{text}template_engine: jinja2\n").told
    assert [("unknown-choice", "mako")] == read(f"{text}template_engine: mako\n").told
