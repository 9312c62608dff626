"""Lines of a client over stdio: every one that asks is answered, and no digit is lost."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, sound
from support.sessions import Session, sessions

SPECS = """\
type: python_function
name: exact
description: Say a number.
arguments: {inline: {number: decimal?, whole: int?}}
returns: string
handler: stdio_handlers:exact
---
type: python_function
name: left
description: Say what is left of the time.
arguments: {inline: {}}
returns: number?
handler: stdio_handlers:left
---
type: python_function
name: half
description: Say half a character.
arguments: {inline: {}}
handler: stdio_handlers:half
---
type: python_function
name: long
description: Say much.
arguments: {inline: {}}
returns: string
handler: stdio_handlers:long
---
type: python_function
name: wait
description: Wait.
arguments: {inline: {}}
handler: stdio_handlers:wait
"""
HANDLERS = """
import asyncio

from {package}.handlers import current_call


def exact(call):
    return str(call.number if call.whole is None else call.whole)


def left(call):
    return current_call().remaining


async def wait(call):
    await asyncio.sleep(600)


def long(call):
    return "x" * 20_000


def half(call):
    current_call().attach("x", "text/plain", uri="half:\\ud800")
"""
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

AFTER = json.dumps(
    {"jsonrpc": "2.0", "id": "after", "method": "nowhere", "params": {"_meta": META}}
)


class Server:
    """A server that runs, and its two pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self.process = process
        self.input, self.output = process.stdin, process.stdout

    def write(self, line: str | bytes) -> None:
        data = line.encode() if isinstance(line, str) else line
        self.input.write(data + b"\n")
        self.input.flush()

    def read(self) -> Any:
        return json.loads(self.output.readline())

    def answer(self, line: str | bytes) -> Any:
        """The one answer to a line; a second request shows that the server goes on."""
        self.write(line)
        self.write(AFTER)
        answers = [self.read(), self.read()]
        (after,) = (each for each in answers if each.get("id") == "after")
        assert -32601 == after["error"]["code"]
        answers.remove(after)
        return answers[0]


@contextmanager
def serving(built: Built, *options: str) -> Iterator[Server]:
    """A server of the package; it ends well when its input does."""
    root = built.out / "python"
    (root / "stdio_handlers.py").write_text(
        HANDLERS.replace("{package}", built.package), "utf-8"
    )
    with subprocess.Popen(
        [sys.executable, "-m", f"{built.package}.mcp_server", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as process:
        server = Server(process)
        try:
            yield server
            server.input.close()
            assert 0 == process.wait()
        finally:
            process.kill()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return sound(tmp_path_factory.mktemp("stdio"), SPECS)


@pytest.fixture(scope="module")
def server(built: Built) -> Iterator[Server]:
    """One server for all lines: none of them ends it."""
    with serving(built) as made:
        yield made


def call(name: str = "exact", arguments: str = "{}", request_id: str = "7") -> str:
    params = f'{{"name":"{name}","arguments":{arguments},"_meta":{json.dumps(META)}}}'
    return (
        f'{{"jsonrpc":"2.0","id":{request_id},"method":"tools/call","params":{params}}}'
    )


@pytest.mark.parametrize("session", sessions(Path(__file__).with_name("stdio.cases")))
def test_every_line_is_answered(server: Server, session: Session) -> None:
    def send(line: str | bytes) -> None:
        answer = server.answer(line)
        error, result = answer.get("error", {}), answer.get("result", {})
        told = error.get("code", result.get("structuredContent")), error.get("message")
        print(answer["id"], *filter(None, told), sep=" | ")

    def exact(argument: str, value: str) -> None:
        send(call(arguments=f'{{"{argument}":{value}}}'))

    session.run({"send": send, "call": call, "exact": exact, "META": json.dumps(META)})


def test_an_answer_that_cannot_be_written_becomes_an_error(server: Server) -> None:
    answer = server.answer(call("half"))
    assert 7 == answer["id"]
    assert -32603 == answer["error"]["code"]


def test_a_client_that_reads_nothing_does_not_fill_the_memory(built: Built) -> None:
    line, most = call("long").encode() + b"\n", 5000
    with serving(built) as server:
        pipe, asked = server.input.fileno(), 0
        os.set_blocking(pipe, False)
        while asked < most and select.select([], [pipe], [], 3)[1]:
            asked += os.write(pipe, line) == len(line)
        os.set_blocking(pipe, True)
        assert asked < most
        for _ in range(asked):
            answer = server.read()
            assert 20_000 == len(answer["result"]["structuredContent"]["result"])


def test_a_client_with_too_many_open_calls_is_told_so(built: Built) -> None:
    with serving(built) as server:
        server.write("\n".join([call("wait")] * 1001))
        answer = server.read()
    assert 7 == answer["id"]
    assert "Too many of your calls run. Try again later." == answer["error"]["message"]


@pytest.mark.parametrize(("options", "most"), [((), 60), (("--timeout", "90"), 90)])
def test_a_call_does_not_keep_its_place_for_ever(
    built: Built, options: tuple[str, ...], most: int
) -> None:
    with serving(built, *options) as server:
        answer = server.answer(call("left"))
    left = answer["result"]["structuredContent"]["result"]
    assert most - 30 < left <= most
