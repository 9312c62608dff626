"""The files of a tool store: tools and bundles (F12)."""

from __future__ import annotations

import json
from pathlib import Path

from brimgen.emit.implementation import http_implementation
from brimgen.model.http import HttpBody
from importers.documents import imported
from support.imports import import_store
from support.made import corpus
from support.project import build

TOOL = {
    "schemaVersion": "2025-07-01",
    "id": "018fe0f4-b8cd-7e55-82d5-9df0bd70e4bd",
    "slug": "read-file",
    "version": "v1.0.0",
    "displayName": "Read",
    "description": "Read a file.",
    "tags": ["fs"],
    "userCallable": True,
    "argSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
    "type": "go",
    "goImpl": {"func": "example.org/tools.Read"},
    "isEnabled": True,
    "createdAt": "2025-07-02T12:00:00Z",
    "modifiedAt": "2025-07-02T12:00:00Z",
}


def test_the_file_of_a_tool_and_of_a_bundle(tmp_path: Path) -> None:
    bundle = {key: TOOL[key] for key in ("displayName", "isEnabled")}
    text = "---\n".join(
        (
            *imported("t.json", TOOL)[0],
            *imported("b.json", {**bundle, "slug": "files"})[0],
        )
    )
    project = build(tmp_path, {"a.yaml": f"{text}"})
    assert [] == [each.message for each in project.diagnostics]
    assert "type: bundle\nname: files\n" in text
    assert "x-tool: { schemaVersion: 2025-07-01, userCallable: true }" in text.replace(
        '"2025-07-01"', "2025-07-01"
    )


HTTP_TOOL = {
    **{key: value for key, value in TOOL.items() if key != "goImpl"},
    "slug": "weather",
    "type": "http",
    "argSchema": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
    "httpImpl": {
        "request": {
            "method": "post",
            "urlTemplate": "https://api.weather.example/v1/${city}",
            "query": {"units": "si"},
            "body": '{"days": ${days}, "title": "in ${city}"}',
            "auth": {
                "type": "apiKey",
                "in": "header",
                "name": "X-Key",
                "valueTemplate": "${SECRET}",
            },
            "timeoutMs": 10000,
        },
        "response": {"successCodes": [200], "encoding": "json", "errorMode": "fail"},
    },
}
"""A tool as the seed's project writes it: no key is ours."""


def test_an_http_tool_of_a_store_makes_its_request(tmp_path: Path) -> None:
    documents, told = imported("t.json", HTTP_TOOL, hosts=("api.weather.example",))
    assert [] == told
    (tool,) = build(tmp_path, {"a.yaml": documents[0]}).catalog.tools
    assert isinstance(tool.body, HttpBody)
    assert "POST" == tool.body.method
    assert ("SECRET",) == tool.body.secrets
    implementation = http_implementation(tool)
    assert implementation is not None
    expected = HTTP_TOOL["httpImpl"]["request"]
    assert {**expected, "method": "POST"} == implementation["request"]


def test_a_host_that_nobody_allowed_is_told_with_what_to_write() -> None:
    documents, told = imported("t.json", HTTP_TOOL)
    assert 1 == len(documents) == len(told)
    assert "allowedHosts" not in documents[0]
    assert "I729 `weather` calls `api.weather.example`" in told[0]


def test_what_a_spec_cannot_say_of_a_request_is_refused() -> None:
    refused = {
        "selector": {"response": {"selector": "data.items"}},
        "user:password": {"auth": {"type": "basic", "valueTemplate": "${SECRET}"}},
        "digest": {"auth": {"type": "digest", "valueTemplate": "${SECRET}"}},
        "retries": {"retries": 3},
    }
    for word, change in refused.items():
        implementation = HTTP_TOOL["httpImpl"]
        request = {**implementation["request"], **change}
        request.pop("response", None)
        response = change.get("response", implementation["response"])
        http = {"request": request, "response": response}
        documents, told = imported("t.json", {**HTTP_TOOL, "httpImpl": http})
        assert () == documents
        assert 1 == len(told) and word in told[0], told


def test_auth_and_bodies_of_a_store_keep_their_meaning() -> None:
    cases = {
        "auth: { type: bearer, token": {
            "auth": {"type": "bearer", "valueTemplate": "${SECRET}"}
        },
        'username: "${city}"': {
            "auth": {"type": "basic", "valueTemplate": "${city}:${SECRET}"}
        },
        'body: "in ${city}"': {
            "headers": {"Content-Type": "text/plain"},
            "body": "in ${city}",
        },
    }
    for expected, change in cases.items():
        request = {**HTTP_TOOL["httpImpl"]["request"], **change}
        tool = {**HTTP_TOOL, "httpImpl": {"request": request}}
        documents, told = imported("t.json", tool, hosts=("api.weather.example",))
        assert [] == told
        assert expected in documents[0], documents[0]


def test_bundles_by_id_and_the_folders_of_a_store(tmp_path: Path) -> None:
    number = "018fe0f4-b8cd-7e55-82d5-9df0bd70e400"
    bundle = {
        "schemaVersion": "2025-07-01",
        "id": number,
        "slug": "fs",
        "displayName": "Files",
        "isEnabled": True,
        "isBuiltIn": True,
    }
    files = {
        "tools.bundles.json": {"bundles": {number: bundle}},
        f"{number}_fs/read-file_v1.0.0.json": TOOL,
    }
    texts = {path: json.dumps(content) for path, content in files.items()}
    documents, diagnostics = import_store("store", texts)
    assert [] == [each.message for each in diagnostics]
    project = build(tmp_path, {"a.yaml": "---\n".join(documents)})
    assert ["fs"] == [bundle.slug for bundle in project.catalog.bundles]
    assert ["fs"] == [tool.bundle for tool in project.catalog.tools]


def test_the_listing_of_bundles_comes_in_again_without_a_loss(tmp_path: Path) -> None:
    specs = {"a.yaml": """type: bundle
name: shop
---
type: http_function
name: track
bundle: shop
allowedHosts: [api.example.com]
arguments:
  inline:
    parcel: string
    tenant: string
request:
  urlTemplate: https://api.example.com/${tenant}/${parcel}
  retry: {maxAttempts: 5}
returns: string
---
type: python_function
name: rate
bundle: shop
handler: shop.rating:rate
arguments: {inline: {score: "int?"}}
---
type: sql_function
name: orders
bundle: shop
arguments: {inline: {customer: int}}
returns: {inline: {total: int}}
sql: SELECT total FROM orders WHERE customer = :customer
---
type: resource
name: page
bundle: shop
path: /pages/{page*}
arguments: {inline: {page: string}}
returns: string
---
type: template_function
name: greet
bundle: shop
arguments: {inline: {name: string}}
template: Hello {{ args.name }}
"""}
    project = build(tmp_path / "first", specs, targets=("bundles",))
    assert [] == [each.message for each in project.diagnostics]
    first = project.files["bundles.json"]
    assert 5 == len(json.loads(first)["bundles"][0]["tools"])
    documents, told = imported("bundles.json", first)
    assert [] == told
    again = {"a.yaml": "---\n".join(documents)}
    second = build(tmp_path / "second", again, targets=("bundles",))
    assert first == second.files["bundles.json"]


def test_a_listing_that_is_not_whole_is_not_imported(tmp_path: Path) -> None:
    spec = """type: bundle
name: shop
---
type: python_function
name: rate
bundle: shop
arguments: {inline: {tenant: {type: string, from_context: app.tenant}}}
"""
    alone = build(tmp_path / "alone", {"a.yaml": spec}, targets=("bundles",))
    packed = build(tmp_path / "packed", {"a.yaml": spec})
    for listed in (
        alone.files["bundles.json"],
        packed.files[f"python/{packed.package}/bundles.json"],
    ):
        assert "tenant" not in listed
        documents, told = imported("bundles.json", listed)
        assert 1 == len(documents) == len(told)
        assert "I707 `rate` cannot be imported from a listing" in told[0]


def test_what_a_provider_runs_is_refused() -> None:
    told = imported("t.json", {**TOOL, "type": "sdk"})[1]
    assert 1 == len(told)
    assert "I707 `read-file` is of type `sdk`" in told[0]


def test_every_tool_of_a_real_store_comes_in_with_its_schema(tmp_path: Path) -> None:
    for number, item in enumerate(corpus("flexigpt")):
        documents, told = imported("tool.json", item["raw"])
        if item["raw"]["type"] == "sdk":
            assert 1 == len(told)
            continue
        assert [] == told, item["id"]
        project = build(tmp_path / str(number), {"a.yaml": "---\n".join(documents)})
        (tool,) = project.catalog.tools
        assert item["raw"]["argSchema"] == json.loads(json.dumps(tool.input_schema))
