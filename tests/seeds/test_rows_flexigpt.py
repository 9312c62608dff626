"""Seed 002: rows of its table, by the words of their checks; F9 is in tests/emit/store."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brimgen_runtime.store.store import Store
from support.loopback import answer, loopback
from support.made import corpus
from support.project import build

BUNDLE = "type: bundle\nname: files\n"
TOOL = "type: python_function\nname: {name}\nbundle: files\nslug: {slug}\n"


def slugs_of(folder: Path, **files: str) -> list[str]:
    """The errors of a project, by slug."""
    diagnostics = build(
        folder, {f"{name}.yaml": text for name, text in files.items()}
    ).diagnostics
    return [each.rule.reason for each in diagnostics if each.rule.severity == "error"]


def tool(name: str, slug: str, **more: str) -> str:
    rest = "".join(f"{key}: {value}\n" for key, value in more.items())
    return TOOL.format(name=name, slug=slug) + rest


@pytest.mark.parametrize(
    "slug",
    ["readfile", "Größe-2", "读取", "x" * 64],
)
def test_F1_slugs(slug: str, tmp_path: Path) -> None:
    assert [] == slugs_of(tmp_path, b=BUNDLE, t=tool("t", slug, version="v1.0.0"))


@pytest.mark.parametrize(
    "slug",
    ["a_b", "a b", "a/b", "a.b", "a²", '"a\\tb"', "😀", "x" * 65, '""'],
)
def test_F1_what_is_no_slug(slug: str, tmp_path: Path) -> None:
    assert ["bad-slug"] == slugs_of(tmp_path, b=BUNDLE, t=tool("t", slug))


def test_F1_a_version_of_dots_and_slugs_that_differ_in_case(tmp_path: Path) -> None:
    text = tool("t", "a", version='".."')
    assert ["bad-slug"] == slugs_of(tmp_path / "a", b=BUNDLE, t=text)
    two = {"x": tool("one", "ReadFile"), "y": tool("two", "readfile")}
    assert [] == slugs_of(tmp_path / "b", b=BUNDLE, **two)


def test_F2_a_pair_stands_once_in_a_bundle(tmp_path: Path) -> None:
    files = {"b.yaml": BUNDLE, "x.yaml": tool("one", "a"), "y.yaml": tool("two", "a")}
    [error] = [
        each
        for each in build(tmp_path / "a", files).diagnostics
        if each.rule.severity == "error"
    ]
    assert ("slug-twice", "specs/y.yaml") == (error.rule.reason, error.span.file)
    assert ["specs/x.yaml"] == [each.span.file for each in error.notes]
    other = tool("two", "a").replace("bundle: files", "bundle: more")
    files |= {"y.yaml": other, "m.yaml": "type: bundle\nname: more\n"}
    assert not build(tmp_path / "b", files).diagnostics.has_errors


def test_F3_an_id_of_another_version_is_refused(tmp_path: Path) -> None:
    uuid4 = "id: 3fa85f64-5717-4562-b3fc-2c963f66afa6\n"
    assert ["bad-id"] == slugs_of(tmp_path, b=BUNDLE + uuid4)
    uuid7 = "id: 0190b7c4-0000-7000-8000-000000000001\n"
    assert [] == slugs_of(tmp_path / "b", b=BUNDLE + uuid7)


def http(url: str, hosts: str = "[a.example.com]", **more: str) -> str:
    return (
        "type: http_function\nname: probe\ndescription: Asks.\n"
        "arguments: { inline: { id: string } }\n"
        f"allowedHosts: {hosts}\nrequest:\n  urlTemplate: '{url}'\n"
        + "".join(f"  {key}: {value}\n" for key, value in more.items())
    )


@pytest.mark.parametrize(
    ("url", "hosts", "slugs"),
    [
        ("https://a.example.com/${id}", "[a.example.com]", []),
        ("https://a.example.com/${id}", "['*.example.com']", []),
        ("ftp://a.example.com/${id}", "[a.example.com]", ["bad-url"]),
        ("a.example.com/${id}", "[a.example.com]", ["bad-url"]),
        ("https://a.example.com/${nope}", "[a.example.com]", ["undeclared-variable"]),
        ("https://b.example.com/${id}", "[a.example.com]", ["host-not-allowed"]),
        (
            "https://example.com.evil.org/${id}",
            "['*.example.com']",
            ["host-not-allowed"],
        ),
        ("https://${id}.example.com/", "['*.example.com']", []),
    ],
)
def test_F4_urls_at_build_time(
    url: str, hosts: str, slugs: list[str], tmp_path: Path
) -> None:
    assert slugs == slugs_of(tmp_path, t=http(url, hosts))


LOCAL = """\
type: entity
name: User
fields: { items: "Item[]" }
---
type: entity
name: Item
fields: { id: string }
---
type: http_function
name: probe
arguments: {{ inline: {{ id: string, host: string, user: User }} }}
secrets: [TOKEN]
allowedHosts: ["127.0.0.1:{port}", "*.example.com"]
request:
  urlTemplate: http://${{host}}/v1/${{id}}/x
  headers: {{ X-Id: "${{user.items[0].id}}", X-Token: "${{TOKEN}}" }}
returns: {{ type: string }}
"""


def test_F4_F5_hosts_values_and_secrets_at_run_time(tmp_path: Path) -> None:
    with loopback() as here:
        spec = LOCAL.replace("{ items", "{{ items").replace('[]" }', '[]" }}')
        spec = spec.replace("{ id: string }\n---", "{{ id: string }}\n---")
        spec = spec.format(port=here.port)
        built = build(tmp_path, {"t.yaml": spec}, targets=("python", "http"))
        assert not built.diagnostics.has_errors
        assert all("s3cret" not in text for text in built.files.values())
        probe = built.load("http.probe")
        home = f"127.0.0.1:{here.port}"

        def said(id: str, item: str = "i", host: str = home) -> Any:
            here.says(answer(200, '"fine"'))
            user = {"items": [{"id": item}]}
            call = {"id": id, "host": host, "user": user}
            return probe.invoke(call, secrets={"TOKEN": "s3cret"})

        assert {"ok": True, "value": "fine"} == said("a/b?c=d&e #", "7").to_dict()
        assert "/v1/a%2Fb%3Fc%3Dd%26e%20%23/x" == here.only.target
        assert ("7", "s3cret") == (
            here.only.header("x-id"),
            here.only.header("x-token"),
        )
        for result in (said("1", "a\r\nX-Evil: 1"), said("1", host="evil.example")):
            assert not result.ok
            assert [] == here.heard
            assert "s3cret" not in f"{result!r} {result.to_dict()}"
        assert said("1", host="example.com.evil.org").to_dict()["ok"] is False


def test_F8_what_is_switched_off_leaves_the_sets_unless_asked(tmp_path: Path) -> None:
    text = (
        "type: bundle\nname: files\nisEnabled: false\n---\n"
        f"{tool('one', 'a', description='One.')}---\n"
        "type: python_function\nname: two\ndescription: Two.\nenabled: false\n---\n"
        "type: python_function\nname: three\ndescription: Three.\n"
    )
    usual = build(tmp_path / "a", {"t.yaml": text})
    asked = build(tmp_path / "b", {"t.yaml": text}, include_disabled=True)
    for made, names in ((usual, ["three"]), (asked, ["one", "three", "two"])):
        mcp = made.sent("mcp/tools.json")["tools"]
        openai = made.sent("openai/responses.json")
        assert names == [each["name"] for each in mcp]
        assert names == [each["name"] for each in openai]
        [bundle] = made.json(f"python/{made.package}/bundles.json")["bundles"]
        assert (False, ["one"]) == (
            bundle["isEnabled"],
            [each["name"] for each in bundle["tools"]],
        )


def test_F10_the_routes_of_the_seed_are_eleven() -> None:
    from emit.openapi.test_openapi import ROUTES

    assert 11 == len(ROUTES.splitlines())


def test_F12_real_files_lie_in_the_store_under_their_names(tmp_path: Path) -> None:
    bundle = "018fe0f4-b8cd-7e55-82d5-9df0bd70e400"
    store = Store(tmp_path)
    store.put_bundle(bundle, {"slug": "fs", "displayName": "File system"})
    seen = set()
    for item in corpus("flexigpt"):
        raw, name = item["raw"], Path(item["path"]).name
        if raw["type"] != "go" or name in seen:
            continue
        seen.add(name)
        put = store.put_tool(bundle, raw["slug"], raw["version"], raw)
        assert (raw["id"], raw["argSchema"]) == (put["id"], put["argSchema"])
        file = json.loads((tmp_path / bundle / name).read_bytes())
        moved = {"createdAt", "modifiedAt", "isBuiltIn"}
        assert {key: value for key, value in raw.items() if key not in moved} == {
            key: value for key, value in file.items() if key not in moved
        }
    assert seen
