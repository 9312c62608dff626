"""A generated MCP server whose handlers and whose client misbehave (issue 6)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from support.project import Built, build
from support.served import answered

SPECS = """
type: leaf
name: ip
schema: { type: string, format: ipv4 }
python: { type: "ipaddress:IPv4Address", parse: "ipaddress:IPv4Address", dump: str }
---
type: python_function
name: say
description: d.
arguments: { inline: { text: string } }
returns: string
handler: hostile_handlers:say
---
type: python_function
name: number
description: d.
arguments: { inline: { text: string } }
returns: float
handler: hostile_handlers:number
---
type: python_function
name: typed
description: d.
arguments: { inline: { text: string } }
returns: { inline: { a: { type: decimal, wire: string }, at: ip, id: uuid } }
handler: hostile_handlers:typed
---
type: python_function
name: exact
description: d.
arguments: { inline: { amount: decimal } }
returns: string
handler: hostile_handlers:exact
---
type: resource
name: page
path: /pages/{text}
arguments: { inline: { text: string } }
returns: string
handler: hostile_handlers:say
"""

HANDLERS = """
import ipaddress, os, subprocess, sys, time, uuid
from decimal import Decimal


def say(call):
    match call.text:
        case "print":
            print("noise")
            os.write(1, b"more noise")
            subprocess.run([sys.executable, "-c", "print('yet more')"])
        case "half":
            return "\\ud800"
        case "refuse":
            from {package}.handlers import ToolError
            raise ToolError("\\ud800 no")
        case "exit":
            sys.exit(3)
        case "stop":
            raise StopIteration
        case "hang":
            time.sleep(600)
    return call.text


def exact(call):
    return str(call.amount)


def number(call):
    return Decimal(call.text)


def typed(call):
    return {{
        "a": Decimal("1.50"), "at": ipaddress.IPv4Address("1.2.3.4"), "id": uuid.UUID(int=5)
    }}
"""

NOISE = (
    *(b"", b"  ", b"{", b"[]", b"5", b"null", b"\xff\xfe", b"\x00"),
    b'{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    b'{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    b'{"jsonrpc":"2.0","id":"r","result":{}}',
    b'[{"jsonrpc":"2.0","id":2,"method":"tools/list"}]',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}',
    b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"say","arguments":'
    + b'{"a":' * 5000
    + b"1"
    + b"}" * 5000
    + b"}}",
    b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"say","arguments":'
    b'{"text":"\\ud800"}}}',
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("server"), {"s.yaml": SPECS})
    assert not made.diagnostics.has_errors
    made.load()
    code = HANDLERS.format(package=made.package)
    root = made.folder / "out/python"
    (root / "hostile_handlers.py").write_text(code, encoding="utf-8")
    return made


class Client:
    """Speaks JSON-RPC to the server of a package, a line a message."""

    def __init__(self, built: Built) -> None:
        root = built.folder / "out/python"
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"{built.package}.mcp_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(root)},
        )
        info = {"name": "client", "version": "1"}
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": info,
        }
        self.ask(0, "initialize", hello)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, number: int, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.write(json.dumps(message).encode())

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, number: int, method: str, params: Any) -> Any:
        self.send(number, method, params)
        answer = self.read()
        while answer.get("id") != number:
            answer = self.read()
        return answer

    def say(self, number: int, text: str, tool: str = "say") -> Any:
        params = {"name": tool, "arguments": {"text": text}}
        return self.ask(number, "tools/call", params)["result"]

    def hang_up(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            return self.process.wait(20)
        finally:
            self.process.kill()


FAILED = "say failed. The reason is in the log."


def test_a_server_outlives_its_handlers_and_the_nonsense_of_its_client(
    built: Built,
) -> None:
    client = Client(built)
    said = {
        text: client.say(number, text)["content"][0]["text"]
        for number, text in enumerate(["print", "half", "refuse", "exit", "stop"], 10)
    }
    assert {
        "print": '{"result": "print"}',
        "half": FAILED,
        "refuse": "say: ? no",
        "exit": FAILED,
        "stop": FAILED,
    } == said
    for line in NOISE:
        client.write(line)
    assert {"result": "x"} == client.say(20, "x")["structuredContent"]
    params = b'{"name":"say","arguments":{"text":' + b"7" * 5000 + b"}}"
    client.write(
        b'{"jsonrpc":"2.0","id":22,"method":"tools/call","params":' + params + b"}"
    )
    answer = client.read()
    while answer.get("id") != 22:
        answer = client.read()
    assert answer["error"]["message"].endswith("a number is out of range")
    params = b'{"name":"exact","arguments":{"amount":12345678901234567.89}}'
    client.write(
        b'{"jsonrpc":"2.0","id":23,"method":"tools/call","params":' + params + b"}"
    )
    exact = client.read()["result"]["structuredContent"]
    assert {"result": "12345678901234567.89"} == exact
    read = client.ask(21, "resources/read", {"uri": _uri(built, "half")})
    assert -32603 == read["error"]["code"]
    for number in range(30, 45):
        client.send(
            number, "tools/call", {"name": "say", "arguments": {"text": "hang"}}
        )
    assert {"result": "y"} == client.say(90, "y")["structuredContent"]
    assert 0 == client.hang_up()


@pytest.mark.whole
@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_a_server_ends_when_it_is_told_to_while_a_handler_hangs(
    built: Built, told: signal.Signals
) -> None:
    client = Client(built)
    assert {"result": "x"} == client.say(1, "x")["structuredContent"]
    client.send(2, "tools/call", {"name": "say", "arguments": {"text": "hang"}})
    client.process.send_signal(told)
    try:
        assert 0 == client.process.wait(10)
    finally:
        client.process.kill()


def _uri(built: Built, text: str) -> str:
    (template,) = built.sent("mcp/resource_templates.json")["resourceTemplates"]
    return str(template["uriTemplate"]).replace("{text}", text)


def _called(built: Built, tool: str, text: str) -> Any:
    return answered(built.load("mcp_server"), tool, {"text": text})


def test_values_of_leaves_go_out_as_they_are_written(built: Built) -> None:
    expected = {
        "a": "1.50",
        "at": "1.2.3.4",
        "id": "00000000-0000-0000-0000-000000000005",
    }
    result = _called(built, "typed", "x")
    assert expected == result["structuredContent"]
    assert expected == json.loads(result["content"][0]["text"])
