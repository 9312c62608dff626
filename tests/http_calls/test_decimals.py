"""Decimals of an answer keep their digits, as those of a Python handler do; floats are floats."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from brimgen_runtime.server.answers import call_result
from brimgen_runtime.service.outcome import Outcome
from support.project import build

TOOL = """
---
type: http_function
name: {name}
description: d.
allowedHosts: [a.example]
request: {{ urlTemplate: "https://a.example/" }}
returns: {returns}
"""
SPEC = """
type: entity
name: Quote
fields: { price: decimal, day: date, weight: { type: float, required: false } }
---
type: entity
name: Node
fields: { cost: decimal, below: { type: "Node[]", required: false } }
""" + "".join(
    TOOL.format(name=name, returns=returns)
    for name, returns in {
        "as_record": "{ inline: { price: decimal, day: date, w: float, all: 'decimal[]?' } }",
        "as_entity": "Quote",
        "as_list": "'Quote[]'",
        "as_node": "Node",
        "as_number": "{ type: decimal }",
        "as_float": "{ inline: { w: float } }",
    }.items()
)
LONG = "1234567890123456.123"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("decimals")
    built = build(folder, {"a.yaml": SPEC})
    assert not built.diagnostics.has_errors
    return built


class Transport:
    """Answers with one body."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def send(self, _request: Any, _budget: Any, /) -> Any:
        """Return the answer."""
        return self._answer


def _asked(package: Any, name: str, body: str) -> Any:
    transport = Transport(package.load("http").Answer(200, (), body.encode()))
    result = package.load(f"http.{name}").invoke({}, transport=transport)
    assert result.ok, result
    return result


QUOTE = f'{{"price": {LONG}, "day": "2026-01-01"}}'
KEPT: list[tuple[str, str]] = [
    ("as_record", f'{{"price": {LONG}, "day": "2026-01-01", "w": 0.5}}'),
    ("as_record", f'{{"price": 1, "day": "2026-01-01", "w": 2.5, "all": [{LONG}]}}'),
    ("as_entity", QUOTE),
    ("as_list", f"[{QUOTE}, {QUOTE}]"),
    ("as_node", f'{{"cost": {LONG}, "below": [{{"cost": {LONG}, "below": []}}]}}'),
    (
        "as_node",
        f'{{"cost": 1, "below": [{{"cost": 1, "below": [{{"cost": {LONG}}}]}}]}}',
    ),
    ("as_number", LONG),
]


@pytest.mark.parametrize(("name", "body"), KEPT)
def test_the_text_of_an_answer_has_every_digit(
    package: Any, name: str, body: str
) -> None:
    result = _asked(package, name, body)
    sent = json.loads(body, parse_float=Decimal)
    assert {"ok": True, "value": sent} == result.to_dict()
    outcome = Outcome.of(name, result.json)
    assert body == call_result(outcome, wraps=False)["content"][0]["text"]
