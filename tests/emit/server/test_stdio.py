"""Lines of a client: every one that asks for something is answered, and no digit is lost."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from brimgen.serverruntime.stdio import _line_of, _message


def read(line: bytes | str) -> Any:
    """The message that is made of a line."""
    message, is_answer = _message(line.encode() if isinstance(line, str) else line)
    return message.message, is_answer


def call(argument: str) -> str:
    params = f'{{"name":"x","arguments":{{"a":{argument}}}}}'
    return f'{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}'


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        ("{", -32700, None),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700, None),
        (b"\xff\xfe", -32700, None),
        ('{"a":' * 200_000, -32700, None),
        ("5", -32600, None),
        ("[]", -32600, None),
        ('{"jsonrpc":"2.0","id":"a","method":5}', -32600, "a"),
        ('{"jsonrpc":"1.0","id":3,"method":"ping"}', -32600, 3),
        ('{"jsonrpc":"2.0","id":true,"method":5}', -32600, None),
        ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, None),
    ],
)
def test_a_line_that_is_no_request_is_answered(
    line: bytes | str, code: int, request_id: Any
) -> None:
    answer, is_answer = read(line)
    assert is_answer
    assert (code, request_id) == (answer.error.code, answer.id)
    assert json.loads(_line_of(answer))["id"] == request_id


@pytest.mark.parametrize("digits", ["1" * 5000, "-" + "9" * 100_000])
def test_a_number_of_thousands_of_digits_reaches_the_tool(digits: str) -> None:
    request, is_answer = read(call(digits))
    assert not is_answer
    assert Decimal(digits) == request.params["arguments"]["a"]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0.1", 0.1),
        ("1e3", 1000.0),
        ("12345678901234567.89", Decimal("12345678901234567.89")),
        ("1e400", Decimal("1e400")),
        ("18446744073709551616", 18446744073709551616),
    ],
)
def test_numbers_keep_their_digits(written: str, value: Any) -> None:
    request, _ = read(call(written))
    found = request.params["arguments"]["a"]
    assert (type(value), value) == (type(found), found)


def test_an_answer_that_cannot_be_written_becomes_an_error() -> None:
    from mcp_types import JSONRPCResponse

    answer = JSONRPCResponse(jsonrpc="2.0", id=4, result={"text": "\ud800"})
    written = json.loads(_line_of(answer))
    assert (4, -32603) == (written["id"], written["error"]["code"])
