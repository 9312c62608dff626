"""Access tokens of calls at the same time, and what cannot be signed or reached."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.loopback import answer
from support.project import build

SECRETS = {"ID": "me:1", "SECRET": "s3cret-words"}


def _slowly(connection: Any) -> None:
    time.sleep(0.5)
    connection.sendall(answer(200, '{"access_token": "t1", "token_type": "Bearer"}'))


@pytest.fixture
def given(world: Any) -> dict[str, Any]:
    """What calls are given that share tokens of their own; the server of tokens is slow."""
    world.here.says(_slowly, answer(200, '"hello"'))
    tokens = type(world.http.Options().tokens)()
    return {"secrets": SECRETS, "options": world.http.Options(tokens=tokens)}


@pytest.mark.parametrize("kind", ["threads", "tasks"])
def test_calls_at_once_ask_for_one_token(
    world: Any, given: dict[str, Any], kind: str
) -> None:
    tool = world.tool("read")

    async def tasks() -> list[Any]:
        return await asyncio.gather(*(tool.invoke_async({}, **given) for _ in range(8)))

    if kind == "threads":
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(lambda _: tool.invoke({}, **given), range(8)))
    else:
        results = asyncio.run(tasks())
    assert ["hello"] * 8 == [each.value for each in results]
    assert 1 == [each.target for each in world.here.heard].count("/token")


def test_the_calls_that_wait_go_on_when_the_one_that_asked_is_cancelled(
    world: Any, given: dict[str, Any]
) -> None:
    token = answer(200, '{"access_token": "t2", "token_type": "Bearer"}')
    world.here.says(_slowly, token, answer(200, '"hello"'))

    async def see() -> Any:
        calls: list[asyncio.Task[Any]] = []
        for _ in range(2):
            call = world.tool("read").invoke_async({}, **given)
            calls.append(asyncio.create_task(call))
            await asyncio.sleep(0.1)
        calls[0].cancel()
        return await calls[1]

    assert "hello" == asyncio.run(see()).value


OAUTH = "type: oauth2, clientId: a, clientSecret: b, tokenUrl"


@pytest.mark.parametrize(
    ("auth", "reason"),
    [
        ('type: hmac, name: X, key: k, message: "{signature}"', "unknown-part"),
        ("type: hmac, name: Host, key: k, message: a", "bad-header"),
        ("type: hmac, name: X, key: k", "missing-key"),
        (f"{OAUTH}: https://b.example/t", "host-not-allowed"),
        (f'{OAUTH}: "https://a.example/${{x}}"', "undeclared-variable"),
    ],
)
def test_what_cannot_be_signed_or_reached_is_refused(
    tmp_path: Path, auth: str, reason: str
) -> None:
    request = f'{{urlTemplate: "https://a.example/", auth: {{{auth}}}}}'
    spec = f"type: http_function\nname: look\nallowedHosts: [a.example]\nrequest: {request}\n"
    assert reason in build(tmp_path, {"a.yaml": spec}).slugs
