"""Numbers without end, and secrets in the names of a pointer: a call ends in words all the same."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.project import build

SPEC = """
type: http_function
name: ask
description: d.
arguments:
  inline: { n: int, d: { type: decimal, required: false } }
secrets: [TOKEN]
allowedHosts: [a.example]
request:
  method: GET
  urlTemplate: "https://a.example/${n}"
  query: { d: "${d}" }
  auth: { type: bearer, token: "${TOKEN}" }
returns: { inline: { a: int } }
"""
SECRET = "s3cr/et~x"


class Transport:
    """Answers with one body, and keeps the URL."""

    def __init__(self, module: Any, body: bytes) -> None:
        self.answer = module.Answer(200, (), body)
        self.urls: list[str] = []

    def send(self, request: Any, budget: Any, /) -> Any:
        """Return the answer."""
        self.urls.append(request.url)
        return self.answer


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("numbers")
    built = build(folder, {"a.yaml": SPEC})
    assert not built.diagnostics.has_errors
    return built


def _asked(package: Any, call: Any, body: bytes = b'{"a": 1}') -> tuple[Any, list[str]]:
    transport = Transport(package.load("http"), body)
    secrets = {"TOKEN": SECRET}
    module = package.load("http.ask")
    return module.invoke(call, secrets=secrets, transport=transport), transport.urls


@pytest.mark.parametrize(
    "call",
    [
        {"n": 10**4300},
        {"n": -(10**5000)},
        {"n": 1, "d": Decimal("1E+400000000")},
        {"n": 1, "d": Decimal("1E-400000000")},
        {"n": 1, "d": Decimal("sNaN")},
    ],
    ids=["long", "negative", "large", "small", "signaling"],
)
def test_numbers_without_end_are_refused(package: Any, call: Any) -> None:
    result, urls = _asked(package, call)
    assert ("invalid_arguments", []) == (result.error.code, urls)


def test_the_longest_number_is_sent(package: Any) -> None:
    result, urls = _asked(package, {"n": 10**4300 - 1, "d": Decimal("1E+20")})
    assert [f"https://a.example/{'9' * 4300}?d=1{'0' * 20}"] == urls
    assert result.ok


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ({"n": 1, SECRET: 2}, b"{}"),
        ({"n": 1}, b'{"s3cr/et~x": 2}'),
    ],
    ids=["arguments", "answer"],
)
def test_a_secret_in_a_pointer_is_not_told(
    package: Any, call: Any, body: bytes
) -> None:
    result, _ = _asked(package, call, body)
    told = f"{result!r} {result.to_dict()}"
    assert "***" in told
    assert "s3cr" not in told
