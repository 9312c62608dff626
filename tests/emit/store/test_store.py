"""The tool store: a scripted session, its refusals, its files, and races for one pair (row F9)."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from support.checkers import BLACK, MYPY, RUFF, assert_clean
from support.project import Built, build

SPEC = """\
type: bundle
name: files
id: 0190b7c4-0000-7000-8000-000000000001
createdAt: 2026-01-01T00:00:00Z
modifiedAt: 2026-01-01T00:00:00Z
displayName: Files
---
type: python_function
name: read_file
id: 0190b7c4-0000-7000-8000-000000000002
createdAt: 2026-01-01T00:00:00Z
modifiedAt: 2026-01-01T00:00:00Z
description: Read a file.
bundle: files
tags: [disk]
arguments: { inline: { path: string } }
returns: string
"""
BUILT_IN = "0190b7c4-0000-7000-8000-000000000001"
MINE = "0190b7c4-0000-7000-8000-00000000000a"
OTHER = "0190b7c4-0000-7000-8000-00000000000b"
TOOL = {
    "displayName": "Count",
    "description": "Count lines.",
    "tags": ["text"],
    "type": "go",
    "goImpl": {"func": "example.org/tools.Count"},
    "argSchema": {"type": "object", "properties": {"path": {"type": "string"}}},
    "llmCallable": True,
}
BUNDLE = {"slug": "mine", "displayName": "Mine"}


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 18, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_by(self, **span: float) -> None:
        self.time += timedelta(**span)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("store"),
        {"a.yaml": SPEC},
        targets=("python", "bundles", "store", "openapi", "service"),
        package="stored",
    )
    assert not made.diagnostics.has_errors
    made.load()
    return made


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(built: Built, tmp_path: Path, clock: Clock) -> Any:
    return built.load("store").open_store(tmp_path / "tools", now=clock)


def refusal(call: Callable[[], object]) -> tuple[str, int]:
    """Code and status of what a call raises."""
    with pytest.raises(Exception) as caught:
        call()
    assert "StoreError" == type(caught.value).__name__, caught.value
    error = caught.value.to_dict()["error"]  # type: ignore[attr-defined]
    return error["code"], error["status"]


def slugs(page: Any) -> list[str]:
    return [each["slug"] for each in page.items]


def on_disk(folder: Path) -> dict[str, bytes]:
    """The files of a store, but for the lock."""
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file() and each.name != ".lock"
    }


def test_F9_a_session(store: Any, tmp_path: Path, clock: Clock) -> None:
    """What row F9 lists, in its order."""
    folder = tmp_path / "tools"
    made = store.put_bundle(MINE, BUNDLE)
    time = "2026-01-18T05:00:00.000Z"
    assert {
        "id": MINE,
        "slug": "mine",
        "displayName": "Mine",
        "isEnabled": True,
        "createdAt": time,
        "modifiedAt": time,
    } == made
    put = store.put_tool(MINE, "count", "v1.0", TOOL)
    assert put == store.tool(MINE, "count", "v1.0")
    assert {**TOOL, "bundleID": MINE, "slug": "count", "version": "v1.0"} == {
        key: value
        for key, value in put.items()
        if key not in ("id", "isEnabled", "createdAt", "modifiedAt")
    }
    clock.pass_by(hours=1)
    assert not store.patch_tool(MINE, "count", "v1.0", {"isEnabled": False})[
        "isEnabled"
    ]
    switched = store.patch_tool(MINE, "count", "v1.0", {"isEnabled": True})
    assert put == switched

    before = on_disk(folder)
    assert {f"{MINE}/bundle.json", f"{MINE}/count_v1.0.json"} == set(before)
    other = {**TOOL, "description": "Another."}
    assert ("conflict", 409) == refusal(
        lambda: store.put_tool(MINE, "count", "v1.0", other)
    )
    assert before == on_disk(folder)
    store.put_bundle(OTHER, {"slug": "other"})
    store.put_tool(OTHER, "count", "v1.0", other)

    built_in = store.tool(BUILT_IN, "read-file", "v1")
    assert built_in["isBuiltIn"] and "path" in built_in["argSchema"]["properties"]
    for call in (
        lambda: store.put_bundle(BUILT_IN, BUNDLE),
        lambda: store.delete_bundle(BUILT_IN),
        lambda: store.patch_bundle(BUILT_IN, {"slug": "x"}),
        lambda: store.put_tool(BUILT_IN, "more", "v1", TOOL),
        lambda: store.patch_tool(BUILT_IN, "read-file", "v1", {"tags": []}),
        lambda: store.delete_tool(BUILT_IN, "read-file", "v1"),
    ):
        assert ("built_in", 403) == refusal(call)
    assert not store.patch_tool(BUILT_IN, "read-file", "v1", {"isEnabled": False})[
        "isEnabled"
    ]
    assert ["count", "count"] == slugs(store.tools())
    store.patch_bundle(BUILT_IN, {"isEnabled": False})
    assert ["mine", "other"] == slugs(store.bundles())
    assert ("disabled", 403) == refusal(
        lambda: store.patch_tool(BUILT_IN, "read-file", "v1", {"isEnabled": True})
    )

    store.patch_bundle(MINE, {"isEnabled": False})
    for call in (
        lambda: store.put_tool(MINE, "count", "v2", TOOL),
        lambda: store.patch_tool(MINE, "count", "v1.0", {"isEnabled": False}),
    ):
        assert ("disabled", 403) == refusal(call)
    store.patch_bundle(MINE, {"isEnabled": True})

    store.delete_bundle(MINE)
    deleted = json.loads((folder / MINE / "bundle.json").read_bytes())
    assert "2026-01-18T06:00:00.000Z" == deleted["softDeletedAt"]
    assert ["files", "other"] == slugs(store.bundles(include_disabled=True))
    clock.pass_by(hours=72)
    assert () == store.reap()
    store.delete_tool(MINE, "count", "v1.0")
    assert (MINE,) == store.reap()
    assert not (folder / MINE).exists()
    assert ("not_found", 404) == refusal(lambda: store.tool(MINE, "count", "v1.0"))


def test_F9_the_overlay_outlives_the_program(
    store: Any, built: Built, tmp_path: Path
) -> None:
    store.patch_bundle(BUILT_IN, {"isEnabled": False})
    again = built.load("store").open_store(tmp_path / "tools")
    [row] = again.bundles(include_disabled=True).items
    assert (False, True) == (row["isEnabled"], row["isBuiltIn"])
    again.patch_bundle(BUILT_IN, {"isEnabled": True})
    assert ["files"] == slugs(store.bundles())
    assert ["built-in.json"] == list(on_disk(tmp_path / "tools"))


def test_F9_an_empty_bundle_is_reaped_after_two_days(store: Any, clock: Clock) -> None:
    store.put_bundle(MINE, BUNDLE)
    store.delete_bundle(MINE)
    assert ("not_found", 404) == refusal(lambda: store.delete_bundle(MINE))
    clock.pass_by(hours=48, seconds=-1)
    assert () == store.reap()
    clock.pass_by(seconds=1)
    assert (MINE,) == store.reap()
    assert () == store.reap()


def test_times_of_a_bundle_move_with_its_structure(store: Any, clock: Clock) -> None:
    """S2.27-28: replaced, switched, renamed."""
    first = store.put_bundle(MINE, BUNDLE)
    clock.pass_by(minutes=1)
    switched = store.put_bundle(MINE, {**BUNDLE, "isEnabled": False})
    assert {**first, "isEnabled": False} == switched
    renamed = store.put_bundle(MINE, {**BUNDLE, "displayName": "Ours"})
    assert first["createdAt"] == renamed["createdAt"]
    assert "2026-01-18T05:01:00.000Z" == renamed["modifiedAt"]


INVALID_TOOLS: dict[str, dict[str, Any]] = {
    "no schema": {"argSchema": None},
    "another type": {"type": "sql"},
    "no back-end": {"goImpl": None},
    "a slug of its own": {"slug": "other"},
    "tags": {"tags": "text"},
    "an id": {"id": "7"},
    "a switch": {"isEnabled": "yes"},
    "a description": {"description": 3},
    "an output": {"outputSchema": []},
    "no JSON": {"extra": {1, 2}},
    "no number of JSON": {"extra": float("nan")},
    "no request": {"type": "http", "httpImpl": {}},
    "another scheme": {
        "type": "http",
        "httpImpl": {"request": {"urlTemplate": "ftp://a"}},
    },
}


@pytest.mark.parametrize("case", INVALID_TOOLS)
def test_what_is_no_tool_is_refused(store: Any, tmp_path: Path, case: str) -> None:
    store.put_bundle(MINE, BUNDLE)
    before = on_disk(tmp_path / "tools")
    body = {**TOOL, **INVALID_TOOLS[case]}
    assert ("invalid", 400) == refusal(lambda: store.put_tool(MINE, "a", "v1", body))
    assert before == on_disk(tmp_path / "tools")


FLEXIGPT: dict[str, Any] = {
    "userCallable": True,
    "llmCallable": False,
    "llmToolType": "function",
    "outputKind": "text",
    "type": "http",
    "argSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
    "httpImpl": {
        "request": {"urlTemplate": "https://a.example/x", "timeoutMS": 1000},
        "response": {"bodyOutputMode": "text"},
    },
}


def test_a_tool_of_flexigpt_is_kept_as_it_is(built: Built, tmp_path: Path) -> None:
    hosts = ("a.example",)
    store = built.load("store").open_store(tmp_path, allowed_hosts=hosts)
    store.put_bundle(MINE, BUNDLE)
    put = store.put_tool(MINE, "weather", "v1", FLEXIGPT)
    file = json.loads((tmp_path / MINE / "weather_v1.json").read_bytes())
    for kept in (put, file, store.tool(MINE, "weather", "v1")):
        assert FLEXIGPT == {key: kept[key] for key in FLEXIGPT}
    request = FLEXIGPT["httpImpl"]["request"]
    wrong = {"request": request, "response": {"bodyOutputMode": "jpeg"}}
    told = "`bodyOutputMode` must be `auto` or `text` or `file` or `image`"
    refused = built.load("store").StoreError
    with pytest.raises(refused, match=told):
        store.put_tool(MINE, "wrong", "v1", {**FLEXIGPT, "httpImpl": wrong})
    with pytest.raises(refused, match="a provider runs tools of the type 'sdk'"):
        store.put_tool(MINE, "search", "v1", {**FLEXIGPT, "type": "sdk"})


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "", "a_b", "a.b", "..", ".", "a\0", "x" * 65, "a²", None]
)
def test_no_name_leads_out_of_the_folder(store: Any, tmp_path: Path, name: Any) -> None:
    store.put_bundle(MINE, BUNDLE)
    before = on_disk(tmp_path)
    for call in (
        lambda: store.put_tool(MINE, name, "v1", TOOL),
        lambda: store.tool(MINE, name, "v1"),
        lambda: store.delete_tool(MINE, name, "v1"),
        lambda: store.put_bundle(name, BUNDLE),
        lambda: store.put_bundle(OTHER, {"slug": name}),
    ):
        assert ("invalid", 400) == refusal(call)
    assert before == on_disk(tmp_path)


def test_a_uuid_of_another_version_is_no_id(store: Any) -> None:
    for wrong in ("7b7c4000-0000-4000-8000-000000000001", MINE[:-1], f"{MINE}0", "x"):
        assert ("invalid", 400) == refusal(
            lambda wrong=wrong: store.put_bundle(wrong, BUNDLE)
        )
    assert MINE == store.put_bundle(MINE.upper(), BUNDLE)["id"]


def test_tools_are_listed_and_searched_over_built_ins_and_the_users_own(
    store: Any, clock: Clock
) -> None:
    """S2.33, S2.39-46: over built-ins and the user's own."""
    store.put_bundle(MINE, BUNDLE)
    for slug in ("reader", "rehead", "open-read", "read-old", "read-new"):
        clock.pass_by(minutes=1)
        store.put_tool(MINE, slug, "v1", {**TOOL, "displayName": slug})
    found = ["read-new", "read-old", "reader", "read-file", "open-read"]
    assert found == slugs(store.search("read"))
    first = store.search("read", page_size=4)
    assert (found[:4], "4") == (slugs(first), first.next_page_token)
    assert found[4:] == slugs(store.search("read", page_size=4, page_token="4"))
    assert ["read-file"] == slugs(store.tools(tags=["disk"]))
    assert 5 == len(store.tools(bundle_ids=[MINE]).items)
    store.patch_bundle(MINE, {"isEnabled": False})
    assert ["read-file"] == slugs(store.search("read"))
    assert set(found) == set(slugs(store.search("read", include_disabled=True)))
    assert [BUILT_IN] == [each["id"] for each in store.bundles().items]
    page = store.bundles(include_disabled=True, page_size=1)
    assert (["files"], "1") == (slugs(page), page.next_page_token)
    assert store.bundles(include_disabled=True, page_size=2).next_page_token is None
    for wrong in ("x", "-1", ""):
        for ask in (store.bundles, store.tools):
            assert ("invalid", 400) == refusal(
                lambda ask=ask, wrong=wrong: ask(page_token=wrong)
            )


def test_answers_are_what_the_document_of_the_routes_says(
    store: Any, built: Built
) -> None:
    document = built.json("openapi/openapi.json")
    registry = Registry().with_resource(
        "openapi", Resource.from_contents(document, default_specification=DRAFT202012)
    )

    def check(name: str, value: Any) -> None:
        schema = {"$ref": f"openapi#/components/schemas/{name}"}
        Draft202012Validator(schema, registry=registry).validate(value)

    body = {key: value for key, value in TOOL.items() if key != "llmCallable"}
    check("BundlePut", {**BUNDLE, "isEnabled": True})
    check("Bundle", store.put_bundle(MINE, BUNDLE))
    check("ToolPut", body)
    check("Tool", store.put_tool(MINE, "count", "v1", body))
    store.called(MINE, "count", "v1")
    store.flush()
    for names in ((MINE, "count", "v1"), (BUILT_IN, "read-file", "v1")):
        check("EnabledPatch", {"isEnabled": False})
        check("Tool", store.patch_tool(*names, {"isEnabled": False}))
        check("Tool", store.tool(*names))
        check("Bundle", store.patch_bundle(names[0], {"isEnabled": True}))
    for page in (
        store.tools(include_disabled=True),
        store.search("co", include_disabled=True),
        store.tools(include_disabled=True, recommended_page_size=1),
    ):
        assert page.items
        check("ToolPage", page.to_dict())
    check("BundlePage", store.bundles(page_size=1).to_dict())
    with pytest.raises(ValidationError):
        check("Tool", {**body, "extra": 1})
    for call, operation in (
        (lambda: store.put_tool(MINE, "count", "v1", body), "put"),
        (lambda: store.delete_tool(BUILT_IN, "read-file", "v1"), "delete"),
        (lambda: store.tool(MINE, "nothing", "v1"), "get"),
        (lambda: store.patch_tool(MINE, "count", "v1", {}), "patch"),
    ):
        _, status = refusal(call)
        path = "/bundles/{bundleID}/tools/{toolSlug}/version/{version}"
        assert str(status) in document["paths"][path][operation]["responses"]


def test_a_tool_of_the_package_is_invoked_through_the_service(
    built: Built, tmp_path: Path
) -> None:
    """S2.38, S2.50-57; what is switched off, or nobody runs, is refused."""

    def read_file(call: Any) -> str:
        if call.path == "nothing":
            raise built.load("service").ToolError("there is no such file")
        return f"the text of {call.path}"

    service = built.load("service").Service(handlers={"read_file": read_file})
    store = built.load("store").open_store(tmp_path / "tools", service=service)
    tool = (BUILT_IN, "read-file", "v1")
    answer = store.invoke(*tool, {"path": "a.txt"})
    assert {"ok": True, "value": "the text of a.txt"} == answer
    refused = store.invoke(*tool, {"path": 5})
    assert not refused["ok"] and 400 == refused["error"]["status"]
    assert "invalid_arguments" == refused["error"]["code"]
    failed = store.invoke(*tool, {"path": "nothing"})
    assert ("refused", 422) == (failed["error"]["code"], failed["error"]["status"])
    assert "read_file: there is no such file" == failed["error"]["message"]
    store.flush()
    assert 2 == store.tool(*tool)["callCount"]

    store.patch_tool(*tool, {"isEnabled": False})
    assert ("disabled", 403) == refusal(lambda: store.invoke(*tool, {"path": "a"}))
    store.patch_tool(*tool, {"isEnabled": True})
    store.patch_bundle(BUILT_IN, {"isEnabled": False})
    assert ("disabled", 403) == refusal(lambda: store.invoke(*tool, {"path": "a"}))
    store.patch_bundle(BUILT_IN, {"isEnabled": True})
    unknown = (BUILT_IN, "read-file", "v2")
    assert ("not_found", 404) == refusal(lambda: store.invoke(*unknown, {}))
    store.put_bundle(MINE, BUNDLE)
    store.put_tool(MINE, "count", "v1", TOOL)
    assert ("unavailable", 501) == refusal(lambda: store.invoke(MINE, "count", "v1"))
    alone = built.load("store").open_store(tmp_path / "tools")
    assert ("unavailable", 501) == refusal(lambda: alone.invoke(*tool, {"path": "a"}))


def test_the_count_of_calls_has_no_call_that_never_ran(
    built: Built, tmp_path: Path
) -> None:
    def read_file(call: Any) -> str:
        raise built.load("service").ToolError("it ran")

    tool = (BUILT_IN, "read-file", "v1")
    handlers: Any = {"read_file": read_file}

    def opened(service: Any) -> Any:
        return built.load("store").open_store(tmp_path / "tools", service=service)

    async def wait() -> None:
        async with built.load("service").AsyncService(handlers=handlers) as service:
            waiting = opened(service)
            await waiting.invoke_async(*tool, {"path": 5})
            await waiting.invoke_async(*tool, {"path": "a"})
            waiting.flush()

    service = built.load("service").Service(handlers=handlers)
    store = opened(service)
    for arguments in ({"path": 5}, {}, {"path": "a"}, "no JSON"):
        store.invoke(*tool, arguments)
    service.close()
    assert "unavailable" == store.invoke(*tool, {"path": "a"})["error"]["code"]
    store.flush()
    assert 1 == store.tool(*tool)["callCount"]
    asyncio.run(wait())
    assert 2 == store.tool(*tool)["callCount"]


HIDDEN = """
    tenant: { type: string, from_context: app.tenant, pattern: '^[a-z]+$' }
"""


def test_callers_of_a_store_learn_nothing_of_hidden_arguments(tmp_path: Path) -> None:
    hidden = SPEC.replace("{ inline: { path: string } }", f"\n  inline:{HIDDEN}")
    made = build(
        tmp_path / "made",
        {"a.yaml": hidden.replace("name: read_file", "name: read_hidden")},
        targets=("python", "bundles", "store", "service"),
        package="stored_hidden",
    )
    made.load()
    for context in (None, {"app": {"tenant": "secret Ltd."}}):
        service = made.load("service").Service(
            handlers={"read_hidden": lambda call: call.tenant}, context=context
        )
        store = made.load("store").open_store(tmp_path / "tools", service=service)
        answer = store.invoke(BUILT_IN, "read-hidden", "v1", {})
        assert "context" == answer["error"]["code"]
        assert answer == service.outcome("read_hidden", {}).to_dict()
        for word in ("tenant", "secret"):
            assert word not in json.dumps(answer)


def test_hosts_and_secrets_of_the_host_program_are_those_of_stored_tools(
    built: Built, tmp_path: Path
) -> None:
    request = {
        "urlTemplate": "https://api.example.com/files?path=${path}",
        "auth": {"type": "bearer", "valueTemplate": "${API_TOKEN}"},
    }
    tool = {**TOOL, "type": "http", "httpImpl": {"request": request}}
    module = built.load("store")
    assert () == module.ALLOWED_HOSTS
    refused = module.open_store(tmp_path / "tools")
    refused.put_bundle(MINE, BUNDLE)
    with pytest.raises(module.StoreError) as caught:
        refused.put_tool(MINE, "get", "v1", tool)
    assert ["R383", "R409"] == sorted(e.rule for e in caught.value.faults)
    told = caught.value.to_dict()["error"]["faults"]
    at = {each["rule"]: each["at"] for each in told}
    assert "httpImpl.request.auth.valueTemplate" == at["R383"]
    store = module.open_store(
        tmp_path / "tools", allowed_hosts=["*.example.com"], secrets=["API_TOKEN"]
    )
    store.put_tool(MINE, "get", "v1", tool)
    with pytest.raises(ValueError, match="is not a host"):
        module.open_store(tmp_path / "tools", allowed_hosts=["https://a.example"])


def test_a_count_that_is_not_written_is_told_when_one_waits(
    store: Any, tmp_path: Path
) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "usage.json").write_text("{")
    store.called(MINE, "count", "v1")
    assert ("unreadable", 500) == refusal(store.flush)
    (tmp_path / "tools" / "usage.json").unlink()
    store.called(MINE, "count", "v1")
    store.flush()


DAMAGED = {
    "half an object": "{",
    "no object": "[]",
    "an empty file": "",
    "no keys": "{}",
    "some keys": '{"slug": "count", "version": "v1"}',
    "deep brackets": "[" * 200_000,
    "deep objects": '{"a":' * 200_000,
    "a long number": '{"a": ' + "1" * 5000 + "}",
    "no UTF-8": "\udcff",
}
WRONG_KINDS: dict[str, object] = {
    "slug": 5,
    "version": None,
    "tags": 5,
    "isEnabled": "yes",
    "displayName": [],
    "description": {},
    "createdAt": 1e999,
    "argSchema": float("nan"),
    "name": "\ud800",
}


def _damaged_files(sound: dict[str, Any]) -> list[str]:
    kinds = [json.dumps({**sound, key: value}) for key, value in WRONG_KINDS.items()]
    return [*DAMAGED.values(), *kinds]


def test_one_damaged_file_costs_no_other_tool_and_is_repaired_through_the_store(
    store: Any, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    store.put_tool(MINE, "other", "v1", TOOL)
    sound = store.put_tool(MINE, "count", "v1", TOOL)
    path = tmp_path / "tools" / MINE / "count_v1.json"
    for text in _damaged_files(sound):
        path.write_text(text, errors="surrogateescape")
        assert ("unreadable", 500) == refusal(lambda: store.tool(MINE, "count", "v1"))
        for page in (store.tools(), store.search("Count read"), store.bundles()):
            assert (f"{MINE}/count_v1.json",) == page.damaged
            assert [f"{MINE}/count_v1.json"] == page.to_dict()["damaged"]
        assert ["read-file", "other"] == slugs(store.tools())
        store.put_tool(MINE, "count", "v1", TOOL)
        assert "Count" == store.tool(MINE, "count", "v1")["displayName"]
        path.write_text(text, errors="surrogateescape")
        store.delete_tool(MINE, "count", "v1")
        assert ("not_found", 404) == refusal(lambda: store.tool(MINE, "count", "v1"))
        assert () == store.tools().damaged


def test_a_folder_link_or_pipe_in_the_place_of_a_tool_is_replaced_through_the_store(
    store: Any, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    path = tmp_path / "tools" / MINE / "count_v1.json"
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "notes.json").write_text("my notes")
    for make in (
        path.mkdir,
        lambda: os.mkfifo(path),  # to read it would wait for ever
        lambda: path.symlink_to(outside),
        lambda: path.symlink_to(outside / "notes.json"),
        lambda: path.symlink_to(outside / "nowhere"),
    ):
        make()
        assert ("unreadable", 500) == refusal(lambda: store.tool(MINE, "count", "v1"))
        assert (f"{MINE}/count_v1.json",) == store.tools().damaged
        store.put_tool(MINE, "count", "v1", TOOL)
        store.delete_tool(MINE, "count", "v1")
        make()
        store.delete_tool(MINE, "count", "v1")
        assert {"notes.json": b"my notes"} == on_disk(outside)


def test_a_folder_with_files_in_the_place_of_a_tool_is_never_removed(
    store: Any, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    folder = tmp_path / "tools" / MINE / "count_v1.json"
    folder.mkdir()
    (folder / "notes.json").write_text("my notes")
    for change in (
        lambda: store.put_tool(MINE, "count", "v1", TOOL),
        lambda: store.delete_tool(MINE, "count", "v1"),
    ):
        assert ("unreadable", 500) == refusal(change)
        assert {"notes.json": b"my notes"} == on_disk(folder)


def test_a_damaged_bundle_hides_its_own_tools_alone_and_is_put_again(
    store: Any, tmp_path: Path
) -> None:
    for bundle in (MINE, OTHER):
        store.put_bundle(bundle, {**BUNDLE, "slug": f"s{bundle[-1]}"})
        store.put_tool(bundle, "count", "v1", TOOL)
    path = tmp_path / "tools" / MINE / "bundle.json"
    wrong_time = {**store.put_bundle(MINE, BUNDLE), "softDeletedAt": "yesterday"}
    for text in (*_damaged_files(wrong_time), json.dumps(wrong_time)):
        path.write_text(text, errors="surrogateescape")
        page = store.tools()
        assert ["read-file", "count"] == slugs(page)
        assert (f"{MINE}/bundle.json",) == page.damaged
        assert () == store.reap()
        assert ("unreadable", 500) == refusal(lambda: store.tool(MINE, "count", "v1"))
    store.put_bundle(MINE, BUNDLE)
    assert 3 == len(store.tools().items)


def test_damaged_switches_are_told_and_leave_the_built_ins_readable(
    store: Any, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    for text in (*DAMAGED.values(), json.dumps({BUILT_IN: "off"})):
        if text == "{}":
            continue
        (tmp_path / "tools" / "built-in.json").write_text(
            text, errors="surrogateescape"
        )
        page = store.tools()
        assert (["read-file"], ("built-in.json",)) == (slugs(page), page.damaged)
        store.patch_bundle(BUILT_IN, {"isEnabled": False})
        assert (0, ()) == (len(store.tools().items), store.tools().damaged)


def test_the_store_writes_nothing_through_a_link(store: Any, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / ".new").symlink_to(outside / "new")
    (folder / MINE).symlink_to(outside)
    assert ("unreadable", 500) == refusal(lambda: store.put_bundle(MINE, BUNDLE))
    store.put_bundle(OTHER, BUNDLE)
    assert (f"{MINE}/bundle.json",) == store.bundles().damaged
    (folder / ".search.sqlite3").symlink_to(outside / "index")
    assert ("unreadable", 500) == refusal(lambda: store.search("count"))
    (folder / ".lock").unlink()
    (folder / ".lock").symlink_to(outside / "lock")
    assert ("unreadable", 500) == refusal(lambda: store.put_bundle(OTHER, BUNDLE))
    assert {} == on_disk(outside)


def test_a_file_in_the_place_of_the_search_index_is_told_and_kept(
    store: Any, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    path = tmp_path / "tools" / ".search.sqlite3"
    path.write_text("my notes" * 99)
    assert ("unreadable", 500) == refusal(lambda: store.search("count"))
    assert "my notes" * 99 == path.read_text()


RACE = """\
import sys, time
from pathlib import Path
from stored.store import StoreError, open_store
folder, start, number = sys.argv[1:]
store = open_store(folder)
Path(start + number).touch()
while not Path(start).exists():
    time.sleep(0.001)
try:
    store.put_tool({mine!r}, "count", "v1", {{**{tool!r}, "description": number}})
except StoreError as error:
    print(error.code)
else:
    print("won")
"""


def test_F9_of_processes_that_race_for_one_pair_one_wins(
    store: Any, built: Built, tmp_path: Path
) -> None:
    store.put_bundle(MINE, BUNDLE)
    start = tmp_path / "start"
    program = RACE.format(mine=MINE, tool=TOOL)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, tmp_path / "tools", start, str(number)],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(built.folder / "out" / "python")},
        )
        for number in range(2)
    ]
    while not all(Path(f"{start}{number}").exists() for number in range(2)):
        assert all(each.poll() is None for each in running)
    start.touch()
    said = [each.communicate(timeout=60)[0].strip() for each in running]
    assert ["conflict", "won"] == sorted(said)
    assert str(said.index("won")) == store.tool(MINE, "count", "v1")["description"]


@pytest.mark.whole
def test_the_modules_are_clean(built: Built) -> None:
    root = built.folder / "out" / "python"
    assert_clean(root, "stored/store.py", by=[BLACK, RUFF, MYPY])


@pytest.mark.parametrize("name", [None, 5, ["count"], {}, True])
def test_a_name_that_is_no_string_is_refused_and_never_breaks_search(
    store: Any, tmp_path: Path, name: Any
) -> None:
    store.put_bundle(MINE, BUNDLE)
    named = {**TOOL, "name": name}
    assert "invalid" == refusal(lambda: store.put_tool(MINE, "count", "v1", named))[0]
    store.put_tool(MINE, "count", "v1", {**TOOL, "name": "lines"})
    [file] = [each for each in tmp_path.rglob("*.json") if each.stem == "count_v1"]
    file.write_text(json.dumps({**json.loads(file.read_bytes()), "name": name}))
    assert ["count"] == [each["slug"] for each in store.search("count").items]
    assert ["count"] == [each["slug"] for each in store.tools(tags=["text"]).items]


@pytest.mark.parametrize(
    "body",
    [
        {**TOOL, "displayName": "Co\u200bunt"},
        {**TOOL, "description": "a\u202eb"},
        {**TOOL, "tags": ["\U000e0072"]},
        {**TOOL, "x-note": {"deep": [{"er\u2066": 1}]}},
    ],
    ids=["zero width", "direction", "tag", "key"],
)
def test_a_body_hides_no_characters(store: Any, body: Any) -> None:
    store.put_bundle(MINE, BUNDLE)
    with pytest.raises(Exception, match=r"must not hold .* \(U\+[0-9A-F]{4,5}\)"):
        store.put_tool(MINE, "count", "v1", body)
    assert not store.search("count").items


BODIES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.text(max_size=3)
        | st.integers()
        | st.sampled_from([*TOOL, "name", "id", "slug", "isEnabled", "outputSchema"]),
        inner,
        max_size=5,
    ),
    max_leaves=12,
)


@given(BODIES, BODIES, st.booleans())
def test_whatever_is_sent_is_taken_or_refused_and_listing_goes_on(
    store: Any, body: Any, other: Any, is_tool: bool
) -> None:
    sent = {**TOOL, **body} if is_tool and isinstance(body, dict) else body
    for call in (
        lambda: store.put_bundle(MINE, other),
        lambda: store.put_bundle(MINE, BUNDLE),
        lambda: store.put_tool(MINE, "count", "v1", sent),
        lambda: store.patch_tool(MINE, "count", "v1", other),
        lambda: store.search(other, page_token=body),
        lambda: store.tools(tags=other),
    ):
        try:
            call()
        except Exception as problem:
            assert "StoreError" == type(problem).__name__, problem
    assert store.bundles(include_disabled=True).items
    store.search("count", include_disabled=True)
