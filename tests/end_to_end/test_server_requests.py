"""HTTP tools behind the generated server: their generated requests, over a stub of the wire."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from end_to_end.served import ROOT
from running.packages import imported
from support.served import answered

EVENT = {
    "event_id": "0190b0c2-7e2a-7b1e-8c3d-0123456789ab",
    "happened_at": "2026-01-18T05:00:00Z",
    "text": "collected",
}
ARGUMENTS = {"parcel_id": "AB1234567890"}
SECRETS = {"CARRIER_TOKEN": "hunter2hunter2"}


class Wire:
    """Answers every request with one body."""

    def __init__(self, status: int, body: Any) -> None:
        self.sent: list[Any] = []
        self._status = status
        self._body = json.dumps(body).encode()

    def send(self, request: Any, _budget: Any) -> Any:
        self.sent.append(request)
        transport = importlib.import_module("brimgen_runtime.http._transport")
        headers = [("content-type", "application/json")]
        return transport.Answer(self._status, headers, self._body)


@pytest.fixture
def server() -> Iterator[Any]:
    """The checked-in server."""
    with imported(ROOT / "out" / "python", "shop"):
        yield importlib.import_module("shop.mcp_server")


def called(server: Any, **http: Any) -> Any:
    given = importlib.import_module("shop.service").Http(**http)
    return answered(server, "track_parcel", ARGUMENTS, http=given)


def test_an_answer_is_a_result(server: Any) -> None:
    wire = Wire(200, [EVENT])
    result = called(server, secrets=SECRETS, transport=wire)
    assert (False, {"result": [EVENT]}) == (
        result["isError"],
        result["structuredContent"],
    )
    assert ["/v2/parcels/AB1234567890/events" in each.url for each in wire.sent] == [
        True
    ]


@pytest.mark.parametrize(("status", "body"), [(404, {}), (200, [{"text": 1}])])
def test_what_goes_wrong_is_told_without_secrets(
    server: Any, status: int, body: Any
) -> None:
    result = called(server, secrets=SECRETS, transport=Wire(status, body))
    [content] = result["content"]
    assert result["isError"]
    assert content["text"].startswith("track_parcel: ")
    assert "hunter2" not in content["text"]


def test_a_missing_secret_is_the_operators_affair(server: Any) -> None:
    result = called(server, transport=Wire(200, [EVENT]))
    assert "track_parcel is not available." == (result["content"][0]["text"])
