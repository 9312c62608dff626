"""Calls on loopback: what is refused before it is sent, what is sent, what comes of it (F6)."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any

from support.loopback import answer

ITEM = '{"id": 7, "name": "Lamp", "price": 12.50}'
TOKEN = {"TOKEN": "t0ken"}


def test_a_call_is_answered_with_the_typed_value(world: Any) -> None:
    world.here.says(answer(200, ITEM))
    result = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN)
    item = world.built.load("entities").Item(7, "Lamp", price=Decimal("12.50"))
    assert item == result.value
    expected = {"ok": True, "value": {"id": 7, "name": "Lamp", "price": 12.5}}
    assert expected == result.to_dict()
    heard = world.here.only
    assert "GET /items/7 HTTP/1.1" == heard.line
    assert "Bearer t0ken" == heard.header("authorization")
    assert "application/json" == heard.header("accept")
    assert "identity" == heard.header("accept-encoding")
    assert f"127.0.0.1:{world.here.port}" == heard.header("host")


def test_invalid_arguments_are_refused_as_400_and_nothing_is_sent(world: Any) -> None:
    result = world.tool("get_item").invoke({"id": 7, "x": 1}, secrets=TOKEN)
    assert {
        "ok": False,
        "error": {
            "code": "invalid_arguments",
            "message": "get_item was called with invalid arguments: "
            "id: expected text, got 7; "
            "x: unknown argument, expected one of id, lang, tags",
            "status": 400,
            "violations": [
                {
                    "pointer": "/id",
                    "rule": "type",
                    "message": "id: expected text, got 7",
                },
                {
                    "pointer": "/x",
                    "rule": "unknown",
                    "message": "x: unknown argument, expected one of id, lang, tags",
                },
            ],
        },
    } == _worded(result.to_dict())
    assert [] == world.here.heard


def _worded(found: dict[str, Any]) -> dict[str, Any]:
    """The words of the decoder are its own: they are tested with it."""
    error = found["error"]
    first, second = error["violations"]
    assert (
        first["message"] in error["message"] and second["message"] in error["message"]
    )
    first["message"] = "id: expected text, got 7"
    second["message"] = "x: unknown argument, expected one of id, lang, tags"
    error["message"] = (
        "get_item was called with invalid arguments: "
        f"{first['message']}; {second['message']}"
    )
    return found


def test_a_missing_secret_is_the_matter_of_the_host_program(world: Any) -> None:
    result = world.tool("get_item").invoke({"id": "7"}, secrets={"TOKEN": ""})
    assert {
        "code": "not_configured",
        "message": "get_item: the host program does not give what the tool needs",
    } == result.error.to_dict()
    assert "the secret TOKEN is missing" == result.error.detail
    assert [] == world.here.heard


def test_absent_and_null_in_a_body(world: Any) -> None:
    tool = world.tool("add_item")
    for call, body in (
        ({"id": 1, "name": "x"}, {"id": 1, "label": "item x"}),
        (
            {"id": 1, "name": "x", "note": None},
            {"id": 1, "label": "item x", "note": None},
        ),
        (
            {"id": 1, "name": 'é"\n', "note": "n"},
            {"id": 1, "label": 'item é"\n', "note": "n"},
        ),
    ):
        world.here.says(answer(201, ITEM))
        assert tool.invoke(call, secrets=TOKEN).ok
        heard = world.here.only
        assert body == json.loads(heard.body)
        assert "application/json" == heard.header("content-type")
        assert "t0ken" == heard.header("x-key")


def test_types_in_a_query(world: Any) -> None:
    world.here.says(answer(200, f"[{ITEM}]"))
    call = {
        "at": "2026-02-03T04:05:06+02:00",
        "ids": ["12345678-1234-5678-1234-567812345678"],
        "amount": Decimal("1.50"),
        "ok": True,
    }
    assert world.tool("keyed").invoke(call, secrets={"KEY": "k&y"}).ok
    target = (
        "/keyed?at=2026-02-03T04%3A05%3A06%2B02%3A00"
        "&id=12345678-1234-5678-1234-567812345678&amount=1.50&ok=true&api%20key=k%26y"
    )
    assert target == world.here.only.target


def test_basic_authorization_and_an_empty_value(world: Any) -> None:
    world.here.says(answer(404, "no"))
    secrets = {"USER": "ann", "PASSWORD": "p:ß"}
    result = world.tool("maybe_item").invoke({"id": 1}, secrets=secrets)
    assert {"ok": True, "value": None} == result.to_dict()
    assert "Basic YW5uOnA6w58=" == world.here.only.header("authorization")


def test_build_makes_the_request_that_is_sent(world: Any) -> None:
    tool = world.tool("add_item")
    bound = world.built.load("tools.add_item").AddItemBound(1, "x")
    request = tool.build(bound, TOKEN)
    base = f"http://127.0.0.1:{world.here.port}/items"
    assert ("POST", base) == (request.method, request.url)
    assert b'{"id":1,"label":"item x"}' == request.body
    assert ("X-Key", "t0ken") in request.headers
    assert f"<Request POST {base}>" == repr(request)


def test_context_is_walked_before_anything_is_sent(tmp_path: Any) -> None:
    from support.project import build

    spec = """\
type: http_function
name: mine
arguments:
  inline:
    user: { type: string, from_context: app.user.id }
    day: { type: date, llm: false }
    mode: { type: string, enum: [a, b], llm: false, default: b }
    secrets: { type: int, llm: false, default: 3 }
allowedHosts: [api.example.com]
request:
  urlTemplate: https://api.example.com/users/${user}
  query: { day: "${day}", mode: "${mode}", s: "${secrets}" }
"""
    built = build(tmp_path, {"a.yaml": spec}, targets=("python", "http"))
    tool = built.load("http.mine")
    sent: list[Any] = []

    class Transport:
        def send(self, request: Any, budget: Any) -> Any:
            sent.append(request)
            return built.load("http").Answer(204)

    day = dt.date(2026, 2, 3)
    context = {"app": {"user": {"id": "u/7"}}}
    result = tool.invoke({}, context, day=day, transport=Transport())
    assert {"ok": True, "value": None} == result.to_dict()
    url = "https://api.example.com/users/u%2F7?day=2026-02-03&mode=b&s=3"
    assert url == sent.pop().url
    result = tool.invoke(
        {}, context, day=day, mode="a", secrets_=4, transport=Transport()
    )
    assert result.ok and sent.pop().url.endswith("&mode=a&s=4")
    for user in ({}, {"id": "../ann"}, {"id": 7, "name": "ann"}):
        broken = {"app": {"user": user}}
        error = tool.invoke({}, broken, day=day, transport=Transport()).error
        assert "not_configured" == error.code
        assert "app.user" not in str(error.to_dict())
        assert "app.user.id" in error.detail and "ann" not in repr(error)
    assert [] == sent
