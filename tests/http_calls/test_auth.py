"""Who sends a request: access tokens that are kept and renewed, and signatures."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

import pytest

from support.loopback import Heard, Loopback, answer, loopback
from support.project import Built, build

SPEC = """\
type: http_function
name: read
secrets: [ID, SECRET]
allowedHosts: [HERE]
request:
  urlTemplate: http://HERE/read
  auth:
    type: oauth2
    tokenUrl: http://HERE/token
    clientId: ${ID}
    clientSecret: ${SECRET}
    scope: read write
returns: string
---
type: http_function
name: refresh
secrets: [ID, SECRET, REFRESH]
allowedHosts: [HERE]
request:
  urlTemplate: http://HERE/refresh
  auth:
    type: oauth2
    tokenUrl: http://HERE/token
    clientId: ${ID}
    clientSecret: ${SECRET}
    clientAuth: body
    refreshToken: ${REFRESH}
returns: string
---
type: http_function
name: sign
arguments: {inline: {text: string}}
secrets: [KEY, KEY_ID]
allowedHosts: [HERE]
request:
  method: POST
  urlTemplate: http://HERE/sign?a=1
  body: {text: "${text}"}
  auth:
    type: hmac
    name: X-Signature
    key: ${KEY}
    message: "{method}|{host}|{path}|{query}|{timestamp}|{body_sha256}|{body}"
    value: "id=${KEY_ID} sha512={signature}"
    algorithm: sha512
    encoding: base64
    timestamp: X-Signed-At
returns: string
"""
SECRETS = {
    "ID": "me:1",
    "SECRET": "s3cret-words",
    "REFRESH": "refresh-1",
    "KEY": "signing-key",
    "KEY_ID": "7",
}
SAID = answer(200, '"hello"')


def _token(token: str, **more: Any) -> bytes:
    return answer(
        200, json.dumps({"access_token": token, "token_type": "Bearer"} | more)
    )


@pytest.fixture(scope="module")
def here() -> Iterator[Loopback]:
    with loopback() as found:
        yield found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, here: Loopback) -> Built:
    spec = SPEC.replace("HERE", f"127.0.0.1:{here.port}")
    made = build(
        tmp_path_factory.mktemp("auth"), {"a.yaml": spec}, targets=("python", "http")
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


class Client:
    """Calls a tool with tokens of its own, at a time that a test says."""

    def __init__(self, built: Built, tool: str) -> None:
        http = built.load("http")
        tokens = type(http.Options().tokens)()
        self.now = 0.0
        self._tool = http.HTTP_TOOLS[tool]
        self._given = {
            "secrets": SECRETS,
            "options": http.Options(
                tokens=tokens, clock=http.Clock(now=lambda: self.now)
            ),
        }
        self._sync = http.StdlibTransport(allow_private=True)
        self._async = http.ThreadedTransport(self._sync)

    def call(self, arguments: Any = None) -> Any:
        return self._tool.invoke(arguments or {}, transport=self._sync, **self._given)

    async def call_async(self) -> Any:
        return await self._tool.invoke_async({}, transport=self._async, **self._given)


def _sent(heard: list[Heard]) -> list[str]:
    return [f"{each.target} {each.header('authorization')}" for each in heard]


def test_a_token_is_got_once_and_renewed_before_it_ends(
    built: Built, here: Loopback
) -> None:
    client = Client(built, "read")
    here.says(_token("t1", expires_in=100), SAID, SAID, _token("t2"), SAID)
    assert "hello" == client.call().value
    client.now = 69
    assert "hello" == client.call().value
    client.now = 71
    assert "hello" == client.call().value
    basic = "Basic " + b64encode(b"me%3A1:s3cret-words").decode()
    assert [
        f"/token {basic}",
        "/read Bearer t1",
        "/read Bearer t1",
        f"/token {basic}",
        "/read Bearer t2",
    ] == _sent(here.heard)
    form = parse_qs(here.heard[0].body.decode())
    assert {"grant_type": ["client_credentials"], "scope": ["read write"]} == form


def test_a_new_refresh_token_takes_the_place_of_the_old_one(
    built: Built, here: Loopback
) -> None:
    client = Client(built, "refresh")
    here.says(
        *(_token("t1", expires_in=60, refresh_token="refresh-2"), SAID),
        *(_token("t2", expires_in=60), SAID),
    )
    assert client.call().ok
    client.now = 100
    assert client.call().ok
    first, _, second, _ = (parse_qs(each.body.decode()) for each in here.heard)
    assert ["refresh-1"] == first["refresh_token"]
    assert ["refresh-2"] == second["refresh_token"]
    assert (["me:1"], ["s3cret-words"]) == (first["client_id"], first["client_secret"])
    assert here.heard[0].header("authorization") is None


def test_a_token_that_is_refused_is_renewed_once(built: Built, here: Loopback) -> None:
    client = Client(built, "read")
    here.says(_token("t1"), answer(401), _token("t2"), SAID)
    assert "hello" == client.call().value
    here.says(answer(401), _token("t3"), answer(401))
    result = client.call()
    assert ("status", 401) == (result.error.code, result.error.status)
    assert 3 == len(here.heard)


@pytest.mark.parametrize("kind", ["threads", "tasks"])
def test_calls_at_once_ask_for_one_token(
    built: Built, here: Loopback, kind: str
) -> None:
    client = Client(built, "read")

    def slowly(connection: Any) -> None:
        time.sleep(0.3)
        connection.sendall(_token("t1"))

    here.says(slowly, SAID)

    async def tasks() -> list[Any]:
        return await asyncio.gather(*(client.call_async() for _ in range(8)))

    if kind == "threads":
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: client.call(), range(8)))
    else:
        results = asyncio.run(tasks())
    assert ["hello"] * 8 == [each.value for each in results]
    assert 1 == [each.target for each in here.heard].count("/token")


def test_the_calls_that_wait_go_on_when_the_one_that_asked_is_cancelled(
    built: Built, here: Loopback
) -> None:
    client = Client(built, "read")

    def slowly(connection: Any) -> None:
        time.sleep(0.5)
        connection.sendall(_token("t1"))

    here.says(slowly, _token("t2"), SAID)

    async def see() -> Any:
        first = asyncio.create_task(client.call_async())
        await asyncio.sleep(0.1)
        second = asyncio.create_task(client.call_async())
        await asyncio.sleep(0.1)
        first.cancel()
        return await second

    assert "hello" == asyncio.run(see()).value


def test_a_token_that_is_not_given_stops_the_call_and_tells_no_secret(
    built: Built, here: Loopback, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = Client(built, "read")
    for reply, why in (
        (
            answer(400, '{"error": "invalid_client", "x": "s3cret-words"}'),
            "400 (invalid",
        ),
        (answer(200, "no JSON"), "answered with 200"),
        (answer(200, '{"access_token": "a\\nb"}'), "answered with 200"),
        (answer(302, location="http://evil.example/"), "answered with 302"),
    ):
        here.says(reply)
        error = client.call().error
        assert ("not_configured", "read: there is no access token") == (
            error.code,
            error.message,
        )
        assert why in error.detail
        assert 1 == len(here.heard)
        assert "s3cret" not in repr(error) + caplog.text


def test_an_answer_that_echoes_the_token_does_not_bring_it_into_an_error(
    built: Built, here: Loopback
) -> None:
    client = Client(built, "read")
    here.says(_token("t0ken-of-mine"), answer(404, "Bearer t0ken-of-mine"))
    result = client.call()
    assert "Bearer ***" == result.error.body.text


def test_a_request_is_signed_with_its_parts_and_its_time(
    built: Built, here: Loopback
) -> None:
    here.says(SAID)
    before = int(time.time())
    assert Client(built, "sign").call({"text": "{path} é"}).ok
    heard = here.only
    at = heard.header("x-signed-at") or ""
    assert before <= int(at) <= time.time()
    body = heard.body
    digest = hashlib.sha256(body).hexdigest()
    head = f"POST|127.0.0.1:{here.port}|/sign|a=1|{at}|{digest}|"
    made = hmac.new(b"signing-key", head.encode() + body, "sha512").digest()
    key, _, value = (heard.header("x-signature") or "").partition(" sha512=")
    assert ("id=7", made) == (key, b64decode(value))


@pytest.mark.parametrize(
    ("auth", "reason"),
    [
        ('type: hmac, name: X, key: "k", message: "{paht}"', "unknown-part"),
        ('type: hmac, name: X, key: "k", message: "{signature}"', "unknown-part"),
        ('type: hmac, name: Host, key: "k", message: "a"', "bad-header"),
        ('type: hmac, name: X, key: "k"', "missing-key"),
        (
            "type: oauth2, tokenUrl: https://b.example/t, clientId: a, clientSecret: b",
            "host-not-allowed",
        ),
        (
            'type: oauth2, tokenUrl: "https://a.example/${x}", clientId: a, '
            "clientSecret: b",
            "undeclared-variable",
        ),
    ],
)
def test_what_cannot_be_signed_or_reached_is_refused(
    tmp_path: Any, auth: str, reason: str
) -> None:
    spec = f"""\
type: http_function
name: look
allowedHosts: [a.example]
request: {{urlTemplate: "https://a.example/", auth: {{{auth}}}}}
returns: string
"""
    assert reason in build(tmp_path, {"a.yaml": spec}).slugs
