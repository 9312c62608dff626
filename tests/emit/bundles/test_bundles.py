"""``bundles.json``: what the seed lists of bundles and tools (S2.2-4, S2.11; row F8)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from brimgen.emit.bundles import EMITTER
from brimgen.model.catalog import Catalog, Identity
from support.linked import link

SPEC = """\
type: bundle
name: shop
displayName: Shop
---
type: bundle
name: attic
isEnabled: false
---
type: python_function
name: echo
title: Echo
description: Say it again.
bundle: shop
tags: [a, b]
arguments: { inline: { text: string, who: { type: string, from_context: app.user } } }
returns: string
---
type: sql_function
name: one
bundle: shop
enabled: false
returns: int
sql: SELECT 1
---
type: go
name: stat
bundle: shop
func: fs.Stat
argSchema: { type: object, properties: { path: { type: string } } }
---
type: http_function
name: get
bundle: shop
request: { urlTemplate: "https://api.example.com/" }
allowedHosts: [api.example.com]
---
type: template_function
name: ask
bundle: shop
template: Hello
---
type: resource
name: page
bundle: attic
path: /page
---
type: python_function
name: loose
"""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    linked = link(SPEC)
    assert [] == linked.slugs
    return linked.catalog


@pytest.fixture(scope="module")
def listed(catalog: Catalog) -> dict[str, Any]:
    """The bundles of the one file, by slug."""
    [artifact] = EMITTER.emit(catalog)
    assert ("bundles.json", ()) == (str(artifact.path), artifact.sources)
    return {each["slug"]: each for each in json.loads(artifact.text)["bundles"]}


def tools(bundle: Any) -> dict[str, Any]:
    """The tools of a bundle by name."""
    return {each["name"]: each for each in bundle["tools"]}


def test_every_bundle_is_listed_with_all_its_tools(listed: dict[str, Any]) -> None:
    assert {
        "shop": ["ask", "echo", "get", "one", "stat"],
        "attic": ["page"],
    } == {slug: [*tools(each)] for slug, each in listed.items()}
    assert [False, True] == [listed[slug]["isEnabled"] for slug in ("attic", "shop")]


def test_what_is_said_of_a_tool(catalog: Catalog, listed: dict[str, Any]) -> None:
    tool = tools(listed["shop"])["echo"]
    [own] = [each for each in catalog.tools if each.name == "echo"]
    assert {
        "id": None,
        "slug": "echo",
        "version": "v1",
        "name": "echo",
        "displayName": "Echo",
        "description": "Say it again.",
        "tags": ["a", "b"],
        "type": "python",
        "isEnabled": True,
        "argSchema": own.input_schema,
        "outputSchema": {"type": "string"},
        "createdAt": None,
        "modifiedAt": None,
    } == tool
    assert "who" not in json.dumps(tool)


def test_a_switch_of_its_own_is_told(listed: dict[str, Any]) -> None:
    assert False is tools(listed["shop"])["one"]["isEnabled"]
    assert True is tools(listed["attic"])["page"]["isEnabled"]


def test_what_runs_a_tool(listed: dict[str, Any]) -> None:
    kinds = {name: each["type"] for name, each in tools(listed["shop"]).items()}
    kinds |= {name: each["type"] for name, each in tools(listed["attic"]).items()}
    assert {
        "echo": "python",
        "one": "sql",
        "stat": "go",
        "get": "http",
        "ask": "template",
        "page": "resource",
    } == kinds


def test_identities_are_told(catalog: Catalog) -> None:
    identity = Identity(id="i", created_at="c", modified_at="m")
    known = replace(
        catalog, bundles=tuple(replace(x, identity=identity) for x in catalog.bundles)
    )
    [artifact] = EMITTER.emit(known)
    for each in json.loads(artifact.text)["bundles"]:
        assert ("i", "c", "m") == (each["id"], each["createdAt"], each["modifiedAt"])


def test_without_bundles_there_is_no_file() -> None:
    assert () == EMITTER.emit(link("type: python_function\nname: loose\n").catalog)
