"""A number is sent as its caller wrote it: a service that wants digits refuses ``3.0``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.project import build

SPEC = """
type: entity
name: Box
fields:
  height: float
  boxes: { type: "Box[]", required: false }
---
type: http_function
name: put
description: d.
arguments:
  inline:
    n: float
    page: { type: float, default: 1 }
    size: { type: float, required: false }
    many: { type: "float[]", default: [1, 2.5] }
    box: Box
    open: { type: object, required: false }
allowedHosts: [a.example]
request:
  method: POST
  urlTemplate: "https://a.example/items/${n}/of-${page}"
  query: { page: "${page}", many: "${many}", list: "${many | comma}", box: "${box | deep}" }
  headers: { X-Size: "${size}", X-Page: "p${page}" }
  body:
    n: "${n}"
    size: "${size}"
    many: "${many}"
    box: "${box}"
    height: "${box.height}"
    text: "at ${n}"
    open: "${open}"
    fixed: 1.0
---
type: http_function
name: form
description: d.
arguments: { inline: { n: float, box: Box } }
allowedHosts: [a.example]
request:
  method: POST
  urlTemplate: "https://a.example/"
  headers: { Content-Type: application/x-www-form-urlencoded }
  body: { n: "${n}", height: "${box.height}", box: "${box | json}" }
"""


class Transport:
    """Answers with nothing, and keeps the requests."""

    def __init__(self, module: Any) -> None:
        self.answer = module.Answer(204, (), b"")
        self.requests: list[Any] = []

    def send(self, request: Any, budget: Any, /) -> Any:
        """Return the answer."""
        self.requests.append(request)
        return self.answer


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("numbers")
    built = build(folder, {"a.yaml": SPEC})
    assert not built.diagnostics.has_errors
    return built


def _sent(package: Any, name: str, call: str) -> Any:
    transport = Transport(package.load("http"))
    result = package.load(f"http.{name}").invoke(call, transport=transport)
    assert result.ok, result
    return transport.requests[0]


WHOLE = """{
    "n": 3, "size": 10, "many": [4, 0.5],
    "box": {"height": 7, "boxes": [{"height": 8}, {"height": 0.25}]},
    "open": {"a": 3.0, "b": 3}
}"""


def test_a_whole_number_is_sent_without_a_fraction(package: Any) -> None:
    sent = _sent(package, "put", WHOLE)
    assert "POST" == sent.method
    assert sent.url == (
        "https://a.example/items/3/of-1?page=1&many=4&many=0.5&list=4,0.5"
        "&box%5Bheight%5D=7&box%5Bboxes%5D%5B0%5D%5Bheight%5D=8"
        "&box%5Bboxes%5D%5B1%5D%5Bheight%5D=0.25"
    )
    assert {"X-Size": "10", "X-Page": "p1"}.items() <= dict(sent.headers).items()
    assert sent.body == (
        b'{"n":3,"size":10,"many":[4,0.5],'
        b'"box":{"height":7,"boxes":[{"height":8},{"height":0.25}]},'
        b'"height":7,"text":"at 3","open":{"a":3.0,"b":3},"fixed":1.0}'
    )


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("-3", "-3"),
        ("0.1", "0.1"),
        ("12345678901234567890", "12345678901234567890"),
        ("100000000000000000000000", "100000000000000000000000"),
        ("1e300", "1e+300"),
    ],
)
def test_the_digits_of_a_number_are_sent(package: Any, written: str, sent: str) -> None:
    call = f'{{"n": {written}, "box": {{"height": 1}}}}'
    body = _sent(package, "put", call).body.decode()
    assert body.startswith(f'{{"n":{sent},')
