"""What is put into a store keeps the rules of a spec: the same tool, the same code and message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.grammar.keywords import SHAPES
from brimgen_runtime.grammar.schema_parts import LISTS, MAPS, SINGLE
from brimgen_runtime.store.bodies import Limits, tool_body
from brimgen_runtime.store.errors import StoreError
from brimgen_runtime.store.store import Store
from support.project import build

BUNDLE = "0190b7c4-0000-7000-8000-00000000000a"
HOSTS = ("api.example.com", "*.example.org")
SECRETS = ("API_TOKEN",)
URL = "https://api.example.com/users/${id}"
TEXT = {"type": "string"}
JSON_TYPE = {"Content-Type": "application/json"}


def schema(**properties: Any) -> dict[str, Any]:
    """The schema of a tool with these arguments, ``id`` first; all are required."""
    every = {"id": {"type": "integer"}, **properties}
    return {"type": "object", "properties": every, "required": [*every]}


def with_request(arguments: dict[str, Any] | None = None, **request: Any) -> Any:
    """The argSchema and the request of a tool."""
    return schema(**(arguments or {})), {"urlTemplate": URL, **request}


LIST = {"type": "array", "items": TEXT}
DEEP = {"type": "array", "items": {"type": "array", "items": TEXT}}
OBJECT = {"type": "object", "properties": {"at": TEXT}, "required": ["at"]}
MAYBE = {"type": ["string", "null"]}

REQUESTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "a good one": with_request(),
    "another scheme": with_request(urlTemplate="ftp://api.example.com/${id}"),
    "no host": with_request(urlTemplate="https:///${id}"),
    "a user": with_request(urlTemplate="https://u:p@api.example.com/${id}"),
    "a bad host": with_request(urlTemplate="https://api_example/${id}"),
    "spaces": with_request(urlTemplate="https://api.example.com/a b/${id}"),
    "dots": with_request(urlTemplate="https://api.example.com/../${id}"),
    "a fragment": with_request(urlTemplate="https://api.example.com/${id}#top"),
    "a name of a pair": with_request(urlTemplate="https://api.example.com/?${id}=1"),
    "bare braces": with_request(urlTemplate="https://api.example.com/{id}"),
    "two bare braces": with_request(urlTemplate="https://api.example.com/{{ id }}"),
    "an unknown placeholder": with_request(urlTemplate=f"{URL}/${{nope}}"),
    "an open placeholder": with_request(urlTemplate=f"{URL}/${{id"),
    "an empty placeholder": with_request(urlTemplate=f"{URL}/${{}}"),
    "no member": with_request(urlTemplate="https://api.example.com/${id.value}"),
    "another host": with_request(urlTemplate="https://api.example.net/${id}"),
    "the apex": with_request(urlTemplate="https://example.org/${id}"),
    "a port": with_request(urlTemplate="https://api.example.com:8443/${id}"),
    "below": with_request(urlTemplate="https://a.example.org/${id}"),
    "a templated host": with_request(urlTemplate="https://${id}.example.org/"),
    "a list in a path": with_request({"x": LIST}, urlTemplate=f"{URL}/${{x}}"),
    "a list in a query": with_request({"x": LIST}, query={"x": "${x}"}),
    "lists in a query": with_request({"x": DEEP}, query={"x": "${x}"}),
    "an object in a query": with_request({"x": OBJECT}, query={"x": "${x}"}),
    "a deep object": with_request({"x": OBJECT}, query={"x": "${x | deep}"}),
    "a member": with_request({"x": OBJECT}, query={"x": "${x.at}"}),
    "a wrong member": with_request({"x": OBJECT}, query={"x": "${x.to}"}),
    "an item": with_request({"x": LIST}, query={"x": "${x[0]}"}),
    "an unknown style": with_request({"x": LIST}, query={"x": "${x | semi}"}),
    "no style": with_request({"x": LIST}, query={"x": "${x | }"}),
    "a list as text": with_request({"x": LIST}, headers={"X-A": "${x | comma}"}),
    "a text as list": with_request({"x": TEXT}, headers={"X-A": "${x | comma}"}),
    "null in a path": with_request({"x": MAYBE}, urlTemplate=f"{URL}/${{x}}"),
    "null in a query": with_request({"x": MAYBE}, query={"x": "${x}"}),
    "a header of the client": with_request(headers={"Host": "a"}),
    "a header with a break": with_request(headers={"X-A": "a\nb"}),
    "a header without a name": with_request(headers={"X A": "a"}),
    "a header twice": with_request(headers={"X-A": "a", "x-a": "b"}),
    "a body of GET": with_request(method="GET", body='{"id": ${id}}'),
    "a body": with_request(method="POST", body='{"id": ${id}, "text": "a ${id}"}'),
    "no JSON": with_request(method="POST", body='{"id": }'),
    "a colon": with_request(urlTemplate="https://api.example.com/:id"),
    "another language": with_request(
        urlTemplate="https://api.example.com/", query={"id": "<id>"}
    ),
    "headers in a list": with_request(headers=["Host: evil"]),
    "a list as a header": with_request(headers={"X-A": ["evil"]}),
    "a list as a query pair": with_request(query={"q": ["${nope}"]}),
    "a query as text": with_request(query="q=${nope}"),
    "numbers and booleans": with_request(query={"n": 5, "b": True, "none": None}),
    "auth as text": with_request(auth="Bearer ${API_TOKEN}"),
    "auth without a type": with_request(auth={}),
    "a time below zero": with_request(timeoutMs=-5),
    "a time as text": with_request(timeoutMs="5"),
    "half a millisecond": with_request(timeoutMs=0.5),
    "an unknown key": with_request(retries=3),
}


def told_of_spec(folder: Path, tool: dict[str, Any]) -> list[tuple[str, str]]:
    """Code and message of every error of a tool in a spec."""
    project = build(folder, {"a.yaml": json.dumps(tool)}, targets=("python", "http"))
    errors = [e for e in project.diagnostics if e.rule.severity == "error"]
    return sorted((each.rule.code, each.message) for each in errors)


def told_of_store(folder: Path, tool: dict[str, Any]) -> list[tuple[str, str]]:
    """Code and message of every fault of a tool that is put into a store."""
    store = Store(folder / "tools", allowed_hosts=HOSTS, secrets=SECRETS)
    store.put_bundle(BUNDLE, {"slug": "mine"})
    try:
        store.put_tool(BUNDLE, "get", "v1", tool)
    except StoreError as error:
        assert ("invalid", 400) == (error.code, error.status)
        assert error.faults, error
        assert not list((folder / "tools" / BUNDLE).glob("get*"))
        return sorted((each.rule, each.message) for each in error.faults)
    return []


@pytest.mark.parametrize("case", REQUESTS)
def test_a_bad_request_is_told_as_in_a_spec(tmp_path: Path, case: str) -> None:
    arguments, request = REQUESTS[case]
    spec_request = dict(request)
    if "body" in request:
        spec_request["headers"] = JSON_TYPE
        spec_request["body"] = request["body"].replace("${id},", '"${id}",')
        spec_request["body"] = spec_request["body"].replace("${id}}", '"${id}"}')
    spec = {
        "type": "http_function",
        "name": "get",
        "argSchema": arguments,
        "request": spec_request,
        "allowedHosts": [*HOSTS],
        "returns": {"type": "object"},
    }
    stored = {"type": "http", "argSchema": arguments, "httpImpl": {"request": request}}
    expected = told_of_spec(tmp_path, spec)
    assert expected == told_of_store(tmp_path, stored)
    good = {"a good one", "below", "a templated host", "a body", "an item", "a member"}
    good |= {"numbers and booleans"}
    assert (case in good) <= (not expected)


def faults_of(implementation: Any, hosts: tuple[str, ...] = HOSTS) -> dict[str, str]:
    """The messages of what is wrong with ``httpImpl``, by their places."""
    body = {"type": "http", "argSchema": schema(), "httpImpl": implementation}
    try:
        tool_body(body, "get", "v1", Limits.of(hosts, SECRETS))
    except StoreError as error:
        return {f"{each.rule} {each.at}": each.message for each in error.faults}
    return {}


@pytest.mark.parametrize(
    "host", ["${id}", "api.${id}", "${id}.example.net", "${id}.org", "x${id}:8443"]
)
def test_an_argument_cannot_be_the_end_of_a_host(tmp_path: Path, host: str) -> None:
    """The store makes no request, so nothing would hold the host against the list later."""
    told = faults_of({"request": {"urlTemplate": f"https://{host}/x"}})
    assert {"R409 httpImpl.request.urlTemplate"} == {*told}
    inner = {"urlTemplate": "https://${id}.eu.example.org/x"}
    assert not faults_of({"request": inner})
    store = Store(tmp_path, allowed_hosts=HOSTS)
    assert store.allows("https://a.eu.example.org/x?y=1")
    for url in ("https://evil.test/.eu.example.org/x", "https://a@api.example.com/"):
        assert not store.allows(url)


def test_braces_and_spaces_of_any_length_are_judged_in_one_pass() -> None:
    """Overlapping repetitions would take hours, which the time limit of the suite ends."""
    spaces = " " * 100_000
    open_quotes = '"' + '\\"' * 100_000
    for text in (f"{{{{{spaces}", f"{{{{{spaces}id{spaces}}}}}"):
        assert faults_of({"request": {"urlTemplate": f"https://a.test/{text}"}})
        assert not faults_of({"request": {"urlTemplate": URL, "query": {"q": text}}})
    unused = {"urlTemplate": "https://api.example.com/", "query": {"q": f"{{{spaces}"}}
    assert not faults_of({"request": unused})
    for text in (open_quotes, "${" * 100_000):
        request = {"urlTemplate": URL, "method": "POST", "body": text}
        assert faults_of({"request": request})


SCHEMAS: dict[str, dict[str, Any]] = {
    "another dialect": {"$schema": "http://json-schema.org/draft-03/schema#"},
    "a bound as text": {"properties": {"n": {"type": "integer", "minimum": "1"}}},
    "a type of ours": {"properties": {"n": {"type": "int"}}},
    "a type twice": {"properties": {"n": {"type": ["string", "string"]}}},
    "a null": {"properties": {"n": {"type": None}}},
    "required of a property": {
        "properties": {"n": {"type": "string", "required": True}}
    },
    "a list": {"type": "array"},
    "required and not there": {"properties": {"a": TEXT}, "required": ["b"]},
    "a pattern": {"properties": {"a": {"type": "string", "pattern": "[A-"}}},
    "a pattern of names": {"patternProperties": {"(": {}}},
    "another document": {"properties": {"a": {"$ref": "https://example.com/a.json"}}},
    "nothing there": {"properties": {"a": {"$ref": "#/$defs/A"}}},
    "a loop": {
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"$ref": "#/$defs/A"}},
    },
    "a dynamic reference": {"properties": {"a": {"$dynamicRef": "#a"}}},
    "no schema": {"properties": {"a": "string"}},
    "items": {"properties": {"a": {"type": "array", "items": [TEXT]}}},
    "no options": {"properties": {"a": {"anyOf": []}}},
    "draft-07": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"type": "array", "items": [TEXT, 5]}},
    },
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_a_bad_schema_is_told_as_in_a_spec(tmp_path: Path, case: str) -> None:
    arguments = SCHEMAS[case]
    common = {"argSchema": arguments, "goImpl": {"func": "example.org/tools.Get"}}
    spec = {"type": "go", "name": "get", **common}
    expected = told_of_spec(tmp_path, spec)
    assert expected
    assert expected == told_of_store(tmp_path, {"type": "go", **common})


@pytest.mark.parametrize(
    "slug", ["a_b", "a b", "a.b", "x" * 65, "Gro\u0308ße", "a²", "é"]
)
def test_a_bad_slug_or_version_is_told_as_in_a_spec(tmp_path: Path, slug: str) -> None:
    go = {"type": "go", "goImpl": {"func": "f"}, "argSchema": schema()}
    store = Store(tmp_path / "tools")
    store.put_bundle(BUNDLE, {"slug": "mine"})
    for key, names in (("slug", (slug, "v1")), ("version", ("a", slug))):
        spec = {**go, "name": "get", "slug": "a", key: slug}
        expected = told_of_spec(tmp_path / key, spec)
        try:
            store.put_tool(BUNDLE, *names, go)
            told = []
        except StoreError as error:
            told = [(each.rule, each.message) for each in error.faults]
        assert expected == told


def test_a_bad_id_is_told_as_in_a_spec(tmp_path: Path) -> None:
    wrong = "3fa85f64-5717-4562-b3fc-2c963f66afa6"
    go = {"type": "go", "id": wrong, "goImpl": {"func": "f"}, "argSchema": schema()}
    expected = told_of_spec(tmp_path, {**go, "name": "get"})
    assert "R423" == expected[0][0]
    assert expected == told_of_store(tmp_path, go)


def test_a_secret_that_is_an_argument_is_told_as_in_a_spec(tmp_path: Path) -> None:
    arguments, request = with_request()
    common = {"argSchema": arguments, "request": request, "secrets": ["id"]}
    spec = {"type": "http_function", "name": "get", "returns": {}, **common}
    expected = told_of_spec(tmp_path, {**spec, "allowedHosts": [*HOSTS]})
    store = Store(tmp_path / "tools", allowed_hosts=HOSTS, secrets=["id"])
    store.put_bundle(BUNDLE, {"slug": "mine"})
    tool = {"type": "http", "argSchema": arguments, "httpImpl": {"request": request}}
    with pytest.raises(StoreError) as caught:
        store.put_tool(BUNDLE, "get", "v1", tool)
    assert expected == [(each.rule, each.message) for each in caught.value.faults]


NAMES = st.sampled_from(["id", "x", "API_TOKEN", "", "a b"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(10**400)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from([*SHAPES, *SINGLE, *LISTS, *MAPS, "type", "const", "$ref"])
        | NAMES,
        inner
        | st.sampled_from(["string", "object", "array", "#", "#/properties/x", {}]),
        max_size=4,
    ),
    max_leaves=15,
)
TEXTS = st.lists(
    st.sampled_from(
        ["https://", "api.example.com", "/", "${id}", "${x", "}", "{id}", "?a=", "&"]
    )
    | st.sampled_from(["${x.a[0] | comma}", "${API_TOKEN}", "$${", ":id", "#", ".."])
    | st.text(max_size=3),
    max_size=6,
).map("".join)
MADE_REQUESTS = st.dictionaries(
    st.sampled_from(["query", "headers", "body", "auth", "method", "timeoutMs"]),
    VALUES
    | TEXTS
    | st.dictionaries(NAMES | st.sampled_from(["valueTemplate", "name", "in"]), TEXTS)
    | st.sampled_from(["POST", "GET"]),
)


@given(VALUES, VALUES, MADE_REQUESTS, TEXTS)
def test_whatever_is_put_in_is_taken_or_refused_with_reasons(
    arguments: Any, output: Any, request: Any, url: str
) -> None:
    """Nothing that a client sends breaks the judge."""
    for argument_schema in (arguments, schema(x=arguments)):
        body = {
            "type": "http",
            "argSchema": argument_schema,
            "outputSchema": output,
            "httpImpl": {"request": {**request, "urlTemplate": url}},
        }
        limits = Limits.of(HOSTS, SECRETS)
        try:
            made = tool_body(body, "get", "v1", limits)
        except StoreError as error:
            assert "invalid" == error.code
            assert str(error)
        else:
            assert url == made["httpImpl"]["request"]["urlTemplate"]
