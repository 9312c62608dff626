"""A store runs the HTTP tools of its users: seed 002's invocation flow, and hostile tools."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.loopback import Loopback, answer, loopback, redirect
from support.project import Built, build

BUNDLE = "0190b7c4-0000-7000-8000-00000000000a"
SPEC = """\
type: bundle
name: files
---
type: python_function
name: read_file
bundle: files
arguments: { inline: { path: string } }
"""
SECRETS = {"TOKEN": "s3cret-t0ken", "USER": "ann", "PASSWORD": "p:w"}
PET = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "legs": {"type": "integer"}},
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("http_tools"),
        {"a.yaml": SPEC},
        targets=("python", "bundles", "store", "http"),
        package="with_http_tools",
    )
    made.load()
    return made


@pytest.fixture
def here() -> Iterator[Loopback]:
    with loopback() as server:
        server.says(answer(200, '{"name": "Rex"}'))
        yield server


@pytest.fixture
def there() -> Iterator[Loopback]:
    with loopback() as server:
        server.says(answer(200, '{"name": "Evil"}'))
        yield server


class Users:
    """A store that may call ``here`` only, and the tools that are put into it."""

    def __init__(self, module: Any, folder: Path, here: Loopback, **given: Any) -> None:
        self.module = module
        self.here = here
        self.pauses: list[float] = []
        clock = module.Clock(sleep=self.pauses.append, random=lambda: 1.0)
        usual = {
            "allowed_hosts": [f"127.0.0.1:{here.port}"],
            "secrets": SECRETS,
            "options": module.Options(clock=clock),
        }
        self.store = module.open_store(folder, **{**usual, **given})
        self.store.put_bundle(BUNDLE, {"slug": "mine"})

    def put(
        self,
        arguments: dict[str, Any],
        url: str = "http://HERE/pets/${name}",
        *,
        response: Any = None,
        output: Any = None,
        **request: Any,
    ) -> None:
        """Put in the tool ``get@v1``, or another one in its place."""
        address = f"127.0.0.1:{self.here.port}"
        request["urlTemplate"] = url.replace("HERE", address)
        tool: dict[str, Any] = {"type": "http", "httpImpl": {"request": request}}
        tool["argSchema"] = {
            "type": "object",
            "properties": arguments,
            "required": [key for key in arguments if "default" not in arguments[key]],
        }
        if response is not None:
            tool["httpImpl"]["response"] = response
        if output is not None:
            tool["outputSchema"] = output
        for each in self.store.tools(include_disabled=True).items:
            if each["bundleID"] == BUNDLE:
                self.store.delete_tool(BUNDLE, "get", "v1")
        self.store.put_tool(BUNDLE, "get", "v1", tool)

    def call(self, **arguments: Any) -> Any:
        """Invoke the tool."""
        return self.store.invoke(BUNDLE, "get", "v1", arguments)

    def code(self, **arguments: Any) -> str:
        """Invoke the tool, which fails."""
        answered = self.call(**arguments)
        assert not answered["ok"], answered
        code: str = answered["error"]["code"]
        return code


@pytest.fixture
def users(built: Built, here: Loopback, tmp_path: Path) -> Users:
    return Users(built.load("store"), tmp_path / "tools", here)


def refusal(call: Callable[[], object]) -> tuple[str, int]:
    """Code and status of what a call raises."""
    with pytest.raises(Exception) as caught:
        call()
    error = caught.value.to_dict()["error"]  # type: ignore[attr-defined]
    return error["code"], error["status"]


TEXT = {"type": "string"}
NAME = {"name": {"type": "string", "minLength": 2}}


def test_F6_a_users_tool_is_invoked(users: Users) -> None:
    """Bad arguments, a good call, and an answer that its outputSchema refuses."""
    users.put({**NAME, "legs": {"type": "integer", "maximum": 8}}, output=PET)
    refused = users.call(name="x", legs=9, more=1)
    assert not refused["ok"]
    error = refused["error"]
    assert ("invalid_arguments", 400) == (error["code"], error["status"])
    assert {"/name", "/legs", "/more"} == {
        each["pointer"] for each in error["violations"]
    }
    assert not users.here.heard
    answered = users.call(name="Rex", legs=4)
    assert {"ok": True, "value": {"name": "Rex"}} == answered
    assert "/pets/Rex" == users.here.only.target
    users.store.flush()
    assert 1 == users.store.tool(BUNDLE, "get", "v1")["callCount"]
    for wrong in (
        '{"name": 5}',
        '{"name": "Rex", "more": 1}',
        '{"name": "Rex", "legs": null}',
    ):
        users.here.says(answer(200, wrong))
        assert "invalid_output" == users.code(name="Rex", legs=4)
    users.here.says(answer(200, "<html>"))
    assert "invalid_response" == users.code(name="Rex", legs=4)
    for text in ('{"name": "Rex", "legs": 4}', b'{"name": "Rex", "legs": 4}'):
        users.here.says(answer(200, '{"name": "Rex"}'))
        assert users.store.invoke(BUNDLE, "get", "v1", text)["ok"]
    for wrong_args in ("no JSON", [], 5, '{"name": "Rex", "name": "Rex"}'):
        again = users.store.invoke(BUNDLE, "get", "v1", wrong_args)
        assert "invalid_arguments" == again["error"]["code"]


def test_a_call_is_made_again_after_a_pause_where_the_method_allows_it(
    users: Users,
) -> None:
    users.put(NAME)
    again = [answer(503), answer(503), answer(200, "{}")]
    users.here.says(*again)
    assert users.call(name="Rex")["ok"]
    assert (3, [0.2, 0.4]) == (len(users.here.heard), users.pauses)
    users.put(NAME, method="POST")
    users.here.says(*again)
    assert "status" == users.code(name="Rex")
    assert 1 == len(users.here.heard)


def test_every_part_of_a_request_is_made_of_its_template(users: Users) -> None:
    arguments: dict[str, Any] = {
        "user": {
            "type": "object",
            "properties": {"items": {"type": "array", "items": TEXT}},
            "required": ["items"],
        },
        "size": {"type": "number"},
        "lang": {"type": "string", "default": "de"},
        "tags": {"type": "array", "items": TEXT, "default": []},
        "note": {"type": "string"},
    }
    users.put(
        arguments,
        "http://HERE/u/${user.items[0]}/f-${size}.json?a=b%20c&lang=${lang}",
        method="post",
        query={
            "tags": "${tags | comma}",
            "a key": "v ${size}",
            "on": True,
            "off": None,
        },
        headers={"X-Lang": "${lang}", "X-Mixed": "v${size};"},
        body='{"all": ${user}, "note": "<${note}>", "fixed": [1, null, "x"]}',
        auth={"type": "bearer", "valueTemplate": "${TOKEN}"},
    )
    call = {"user": {"items": ["a/b?c=d&e #"]}, "size": 3.0, "note": 'say "hi"\n'}
    assert users.call(**call, tags=["x y", "z"])["ok"]
    heard = users.here.only
    assert "POST" == heard.method
    expected = "/u/a%2Fb%3Fc%3Dd%26e%20%23/f-3.json?a=b%20c&lang=de"
    assert f"{expected}&tags=x%20y,z&a%20key=v%203&on=true" == heard.target
    assert ("de", "v3;") == (heard.header("x-lang"), heard.header("x-mixed"))
    assert "Bearer s3cret-t0ken" == heard.header("authorization")
    assert "application/json" == heard.header("content-type")
    assert {
        "all": call["user"],
        "note": '<say "hi"\n>',
        "fixed": [1, None, "x"],
    } == json.loads(heard.body)


@pytest.mark.parametrize(
    ("auth", "header", "target"),
    [
        (
            {"type": "basic", "valueTemplate": "${USER}:${PASSWORD}"},
            ("authorization", "Basic YW5uOnA6dw=="),
            "/",
        ),
        (
            {"type": "apiKey", "name": "X-Key", "valueTemplate": "k ${TOKEN}"},
            ("x-key", "k s3cret-t0ken"),
            "/",
        ),
        (
            {
                "type": "apiKey",
                "in": "query",
                "name": "a k",
                "valueTemplate": "${TOKEN}",
            },
            ("x-key", None),
            "/?a%20k=s3cret-t0ken",
        ),
    ],
)
def test_credentials_stand_where_auth_says(
    users: Users, auth: Any, header: tuple[str, str | None], target: str
) -> None:
    users.put({}, "http://HERE/", auth=auth)
    assert users.call()["ok"]
    heard = users.here.only
    assert (header[1], target) == (heard.header(header[0]), heard.target)


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("body", "headers", "sent"),
    [
        ("a=b+c%21&name=${name}", FORM, b"a=b+c%21&name=x%26admin%3D1"),
        (
            '{"a b": "c&d", "name": "${name}", "n": 5}',
            FORM,
            b"a+b=c%26d&name=x%26admin%3D1&n=5",
        ),
        ("${name}", {}, b'"x&admin=1"'),
        ("<${name}>", {"Content-Type": "text/plain"}, b"<x&admin=1>"),
        ("${name}", {"Content-Type": "application/json"}, b'"x&admin=1"'),
    ],
)
def test_a_value_stays_in_its_place_of_a_body(
    users: Users, body: str, headers: dict[str, str], sent: bytes
) -> None:
    users.put({"name": TEXT}, "http://HERE/", method="PUT", body=body, headers=headers)
    assert users.call(name="x&admin=1")["ok"]
    assert sent == users.here.only.body


def test_what_an_answer_is_read_as(users: Users) -> None:
    for response, value in (
        ({"encoding": "text"}, "caf\u00e9"),
        ({"bodyOutputMode": "text"}, "caf\u00e9"),
        ({"bodyOutputMode": "image"}, "Y2Fmw6k="),
        ({"encoding": "base64"}, "Y2Fmw6k="),
    ):
        users.put({}, "http://HERE/", response=response)
        users.here.says(answer(200, "caf\u00e9"))
        assert {"ok": True, "value": value} == users.call()
    users.put({}, "http://HERE/", response={"successCodes": [201]})
    users.here.says(answer(200, "{}"))
    assert "status" == users.code()
    users.here.says(answer(201, "[1, 2.50]"))
    assert [1, 2.5] == users.call()["value"]
    users.put({}, "http://HERE/", response={"errorMode": "empty"})
    users.here.says(answer(404, "{}"))
    assert {"ok": True, "value": None} == users.call()


def test_an_answer_may_be_neither_too_large_nor_too_late(
    built: Built, here: Loopback, tmp_path: Path
) -> None:
    module = built.load("store")
    limits = module.Options(limits=module.Limits(max_bytes=100))
    users = Users(module, tmp_path / "tools", here, options=limits)
    users.put({}, "http://HERE/", timeoutMs=300)
    here.says(answer(200, json.dumps("x" * 200)))
    assert "response_too_large" == users.code()

    def wait(connection: socket.socket) -> None:
        connection.settimeout(5)
        connection.recv(1)

    here.says(wait)
    assert "timeout" == users.code()


def test_a_tool_is_called_in_an_event_loop(users: Users) -> None:
    users.put(NAME, output=PET)
    invoked = users.store.invoke_async(BUNDLE, "get", "v1", {"name": "Rex"})
    assert {"ok": True, "value": {"name": "Rex"}} == asyncio.run(invoked)
    users.here.says(answer(200, "[]"))
    invoked = users.store.invoke_async(BUNDLE, "get", "v1", {"name": "Rex"})
    assert "invalid_output" == asyncio.run(invoked)["error"]["code"]


def test_a_secret_is_told_to_nobody(users: Users) -> None:
    users.put({}, "http://HERE/", auth={"type": "bearer", "valueTemplate": "${TOKEN}"})
    users.here.says(answer(400, "you sent s3cret-t0ken"))
    assert "s3cret" not in json.dumps(users.call())
    assert "s3cret" not in json.dumps(users.store.tool(BUNDLE, "get", "v1"))
    assert "s3cret" not in repr(users.store)


def test_a_secret_without_a_value_is_no_empty_one(
    built: Built, here: Loopback, tmp_path: Path
) -> None:
    for secrets in (["TOKEN"], {"TOKEN": ""}):
        users = Users(built.load("store"), tmp_path / "tools", here, secrets=secrets)
        auth = {"type": "bearer", "valueTemplate": "${TOKEN}"}
        users.put({}, "http://HERE/", auth=auth)
        assert "not_configured" == users.code()
        assert not here.heard


HOSTILE = [
    "../admin",
    "..",
    "%2e%2e",
    "a/../../b",
    "x\r\nX-Evil: 1",
    "x\nX-Evil: 1",
    "x\0",
    "${TOKEN}",
    "$${TOKEN}",
    "{{ TOKEN }}",
    "@evil.example",
    "?x=1#y",
    "\u2028",
    '"}, {"x": "',
]


@pytest.mark.parametrize("value", HOSTILE)
def test_an_argument_never_leaves_its_place(users: Users, value: str) -> None:
    users.put(
        {"v": TEXT},
        "http://HERE/a/${v}/b?q=${v}",
        method="POST",
        body='{"v": "${v}", "w": "<${v}>"}',
    )
    answered = users.call(v=value)
    assert "s3cret" not in json.dumps(answered)
    if not answered["ok"]:
        assert "invalid_arguments" == answered["error"]["code"]
        assert not users.here.heard
    else:
        heard = users.here.only
        assert b"s3cret" not in heard.raw
        path, _, query = heard.target.partition("?")
        assert (4, 1) == (path.count("/") + 1, query.count("="))
        assert None is heard.header("x-evil")
        assert {"v": value, "w": f"<{value}>"} == json.loads(heard.body)
    users.put({"v": TEXT}, "http://HERE/", headers={"X-V": "${v}"})
    users.here.says(answer(200, "{}"))
    if users.call(v=value)["ok"]:
        assert value == users.here.only.header("x-v")
        assert {
            "host",
            "x-v",
            "accept",
            "accept-encoding",
            "user-agent",
            "connection",
        } == {name for name, _ in users.here.only.headers}


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:ffff:7f00:1]",
        "169.254.169.254",
        "metadata.google.internal",
        "user@HERE",
        "HERE@evil.example",
        "HERE.evil.example",
        "evil.example#HERE",
        "evil.example\\@HERE",
        "\uff11\uff12\uff17.0.0.1",
    ],
)
def test_a_tool_for_another_host_is_not_put_in(users: Users, host: str) -> None:
    url = f"http://{host}:{users.here.port}/x"
    assert ("invalid", 400) == refusal(lambda: users.put({}, url))
    assert not users.here.heard


def test_without_a_list_of_hosts_nothing_is_called(
    built: Built, here: Loopback, tmp_path: Path
) -> None:
    users = Users(built.load("store"), tmp_path / "tools", here, allowed_hosts=[])
    assert ("invalid", 400) == refusal(lambda: users.put({}, "http://HERE/"))
    before = Users(built.load("store"), tmp_path / "tools", here)
    before.put({}, "http://HERE/")
    assert ("unavailable", 501) == refusal(lambda: users.call())
    assert not here.heard


@pytest.mark.parametrize(
    "name",
    ["127.0.0.1", "evil.example/", "x@evil", "a.evil.example:80", "", "a..b", "x/"],
)
def test_an_argument_does_not_choose_another_host(
    built: Built, here: Loopback, tmp_path: Path, name: str
) -> None:
    hosts = [f"*.example.com:{here.port}", f"127.0.0.1:{here.port}"]
    users = Users(built.load("store"), tmp_path / "tools", here, allowed_hosts=hosts)
    users.put({"name": TEXT}, f"http://${{name}}.example.com:{here.port}/x")
    assert users.code(name=name) in ("invalid_arguments", "connection_failed")
    assert not here.heard


@pytest.fixture
def private(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that leads every name to this machine."""
    usual = socket.getaddrinfo

    def look(host: str, *rest: Any, **given: Any) -> Any:
        return usual("127.0.0.1", *rest, **given)

    monkeypatch.setattr(socket, "getaddrinfo", look)


@pytest.mark.parametrize("host", ["api.example.com", "2130706433", "0x7f.1", "127.1"])
def test_a_name_does_not_lead_to_a_private_address(
    built: Built, here: Loopback, tmp_path: Path, private: None, host: str
) -> None:
    module, place = built.load("store"), f"{host}:{here.port}"
    users = Users(module, tmp_path / "tools", here, allowed_hosts=[place])
    users.put({}, f"http://{place}/x")
    assert "host_not_allowed" == users.code()
    assert not here.heard
    open_to_all = Users(
        module,
        tmp_path / "tools",
        here,
        allowed_hosts=[place],
        transport=module.StdlibTransport(allow_private=True),
    )
    assert open_to_all.call()["ok"]
    assert 1 == len(here.heard)


@pytest.mark.parametrize(
    "location",
    [
        "http://THERE/",
        "//THERE/",
        "http://localhost:PORT/",
        "http://u@HERE/",
        "\\\\THERE/",
    ],
)
def test_a_redirect_does_not_leave_the_allowed_hosts(
    users: Users, there: Loopback, location: str
) -> None:
    users.put(NAME, auth={"type": "bearer", "valueTemplate": "${TOKEN}"})
    target = location.replace("THERE", f"127.0.0.1:{there.port}")
    target = target.replace("HERE", f"127.0.0.1:{users.here.port}")
    users.here.says(redirect(target.replace("PORT", str(there.port))))
    assert "redirect_refused" == users.code(name="Rex")
    assert not there.heard
    users.here.says(redirect("/pets/Max"), answer(200, "{}"))
    assert users.call(name="Rex")["ok"]
    assert ["/pets/Rex", "/pets/Max"] == [each.target for each in users.here.heard]


def test_a_file_that_was_changed_by_hand_is_judged_again(
    users: Users, there: Loopback, tmp_path: Path
) -> None:
    users.put(NAME)
    (file,) = (tmp_path / "tools" / BUNDLE).glob("get*")
    sound = json.loads(file.read_bytes())
    request: Any = sound["httpImpl"]["request"]
    for change in (
        {"httpImpl": {"request": {"urlTemplate": f"http://127.0.0.1:{there.port}/"}}},
        {"httpImpl": {"request": {**request, "headers": {"Host": "evil.example"}}}},
        {"httpImpl": {"request": {**request, "query": {"q": "${PATH}"}}}},
        {"httpImpl": {"request": request, "response": {"encoding": "pickle"}}},
        {"httpImpl": {"request": request, "response": {"selector": "$.a"}}},
        {"httpImpl": {"request": "x"}},
        {"httpImpl": None},
        {"argSchema": {"type": "object", "properties": {"name": {"pattern": "("}}}},
        {"argSchema": []},
        {"type": "sdk"},
    ):
        file.write_text(json.dumps({**sound, **change}))
        assert ("unavailable", 501) == refusal(lambda: users.call(name="Rex")), change
    assert not there.heard
    assert not users.here.heard
    file.write_text(json.dumps(sound))
    assert users.call(name="Rex")["ok"]
