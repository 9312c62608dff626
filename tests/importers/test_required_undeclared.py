"""A body may require what it does not declare (JSON Schema takes any value): a tool can send it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from importers.documents import built, imported


def _document(media: str, **schema: Any) -> dict[str, Any]:
    """A document with one operation, whose body requires `y` and declares `x`."""
    body = {
        "type": "object",
        "required": ["x", "y"],
        "properties": {"x": {"type": "integer"}},
        **schema,
    }
    operation = {
        "operationId": "post",
        "requestBody": {"required": True, "content": {media: {"schema": body}}},
        "responses": {"204": {"description": "none"}},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "t", "version": "1"},
        "servers": [{"url": "https://a.example"}],
        "paths": {"/b": {"post": operation}},
    }


class Transport:
    """Answers with nothing, and keeps the bodies."""

    def __init__(self, module: Any) -> None:
        self.answer = module.Answer(204, (), b"")
        self.bodies: list[bytes] = []

    def send(self, request: Any, budget: Any, /) -> Any:
        """Return the answer."""
        self.bodies.append(request.body)
        return self.answer


@pytest.mark.parametrize(
    ("media", "value", "sent"),
    [
        ("application/json", [1, {"a": None}], b'{"x":1,"y":[1,{"a":null}]}'),
        ("application/json", None, b'{"x":1,"y":null}'),
        ("application/x-www-form-urlencoded", "a b", b"x=1&y=a+b"),
    ],
)
def test_a_required_property_that_nobody_declared_is_sent(
    tmp_path: Path, media: str, value: Any, sent: bytes
) -> None:
    package = built(tmp_path, "api.json", _document(media))
    transport = Transport(package.load("http"))
    post = package.load("http.post")
    assert post.invoke({"x": 1, "y": value}, transport=transport).ok
    refused = post.invoke({"x": 1}, transport=transport)
    assert ["/y"] == [each.pointer for each in refused.error.violations]
    assert [sent] == transport.bodies


def test_a_required_property_that_the_body_does_not_admit_is_told() -> None:
    document = _document("application/json", additionalProperties=False)
    documents, told = imported("api.json", document)
    assert () == documents
    assert ["its body requires `y`, which it does not admit"] == [
        each.partition(": ")[2] for each in told
    ]
