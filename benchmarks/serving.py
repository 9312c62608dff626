"""Time calls of MCP servers, ours and FastMCP's, over stdio and over HTTP.

Both serve the same two tools: a function that returns at once, and one that is async. A client
without a library sends one call after the other to each server in turn, so that both see the same
load of the machine. FastMCP lives in `benchmarks/.peers/fastmcp`, an environment of its own.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

from figures import show, verdict

PEER = Path(__file__).resolve().parent / ".peers/fastmcp"
PEER_PACKAGE = "fastmcp>=4.1"
NAMES = ("find_sync", "find_async")
ARGUMENTS = {"query": "copper kettle", "limit": 3, "tags": ["kitchen", "metal"]}

SPEC = """\
type: python_function
name: {name}
description: Find products.
arguments:
  inline:
    query: string
    limit: {{ type: int, default: 10, minimum: 1, maximum: 100 }}
    tags: {{ type: "string[]", required: false }}
returns: "Product[]"
handler: functions:{name}
"""
ENTITY = """\
type: entity
name: Product
fields: { id: int, name: string, price: float }
"""
FUNCTIONS = """\
def find_sync(call):
    return [
        {"id": number, "name": call.query, "price": 9.5}
        for number in range(call.limit)
    ]


async def find_async(call):
    return find_sync(call)
"""
PEER_SERVER = '''\
from typing import Annotated

from fastmcp import FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("peer")


class Product(BaseModel):
    id: int
    name: str
    price: float


Limit = Annotated[int, Field(ge=1, le=100)]


@mcp.tool
def find_sync(query: str, limit: Limit = 10, tags: list[str] | None = None) -> list[Product]:
    """Find products."""
    return [Product(id=number, name=query, price=9.5) for number in range(limit)]


@mcp.tool
async def find_async(query: str, limit: Limit = 10, tags: list[str] | None = None) -> list[Product]:
    """Find products."""
    return [Product(id=number, name=query, price=9.5) for number in range(limit)]


if __name__ == "__main__":
    import sys

    if sys.argv[1:]:
        mcp.run(
            "http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False, log_level="ERROR"
        )
    else:
        mcp.run(show_banner=False, log_level="ERROR")
'''
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Stdio:
    """A client over the pipes of a server."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._number = 0
        self.ask("initialize", HELLO)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _write(self, message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of a request."""
        assert self._process.stdout is not None
        self._number += 1
        identity = self._number
        request = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        self._write(request)
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == identity:
                return answer["result"]

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()


class Http:
    """A client over one connection that stays open."""

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], url: str
    ) -> None:
        self._process = subprocess.Popen(
            command,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        parts = urlsplit(url)
        self._path = parts.path
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        self._number = 0
        for _ in range(200):
            try:
                self._connection.connect()
                break
            except OSError:
                time.sleep(0.1)
        self.ask("initialize", HELLO)
        self._headers["mcp-protocol-version"] = "2025-11-25"
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _post(self, message: Any) -> tuple[str, str]:
        body = json.dumps(message)
        try:
            self._connection.request("POST", self._path, body, self._headers)
        except BrokenPipeError:  # it was closed while the other server started
            self._connection.close()
            self._connection.request("POST", self._path, body, self._headers)
        response = self._connection.getresponse()
        session = response.headers.get("mcp-session-id")
        if session:
            self._headers["mcp-session-id"] = session
        return response.headers.get("content-type", ""), response.read().decode()

    def ask(self, method: str, params: Any) -> Any:
        """Return the result of a request."""
        self._number += 1
        request = {
            "jsonrpc": "2.0",
            "id": self._number,
            "method": method,
            "params": params,
        }
        kind, text = self._post(request)
        if kind.startswith("text/event-stream"):
            text = re.findall(r"^data: (\{.*)$", text, re.MULTILINE)[-1]
        return json.loads(text)["result"]

    def close(self) -> None:
        """End the server."""
        self._connection.close()
        self._process.kill()
        self._process.wait()


def install() -> None:
    """Make the environment of the peer where it is missing."""
    if not (PEER / "bin/fastmcp").exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER)], check=True)
        pip = [str(PEER / "bin/python"), "-m", "pip", "install", "-q", PEER_PACKAGE]
        subprocess.run(pip, check=True)


def make(folder: Path) -> None:
    """Write a project of ours, built, and the module of the peer."""
    specs = folder / "specs"
    specs.mkdir()
    for name in NAMES:
        (specs / f"{name}.yaml").write_text(SPEC.format(name=name))
    (specs / "product.yaml").write_text(ENTITY)
    (folder / "brimgen.yaml").write_text(
        "package: served\ntargets: [default, server]\n"
    )
    command = [sys.executable, "-m", "brimgen", "generate"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (folder / "functions.py").write_text(FUNCTIONS)
    (folder / "peer.py").write_text(PEER_SERVER)


def contest(transport: str, clients: dict[str, Any], calls: int) -> list[list[str]]:
    """The rows of a transport: p50 and p95 of a call, as multiples of FastMCP's."""
    rows: list[list[str]] = []
    for name in NAMES:
        params = {"name": name, "arguments": ARGUMENTS}
        for client in clients.values():
            result = client.ask("tools/call", params)
            assert len(result["structuredContent"]["result"]) == 3, result
        times: dict[str, list[float]] = {each: [] for each in clients}
        for number in range(calls + 100):
            for each, client in clients.items():
                begun = time.perf_counter()
                client.ask("tools/call", params)
                if number >= 100:
                    times[each].append(time.perf_counter() - begun)
        ours, peer = (quantiles(times[each], n=20) for each in ("brimgen", "FastMCP"))
        ratios = [ours[at] / peer[at] for at in (9, 18)]
        said = verdict(max(ratios), 1.0 if transport == "stdio" else None)
        rows.append([f"{transport}, `{name}`", *(f"{it:.2f}" for it in ratios), said])
    return rows


def main() -> None:
    """Show a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2000)
    options = parser.parse_args()
    install()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make(folder)
        ours = [sys.executable, "-m", "served.mcp_server"]
        peer = [str(PEER / "bin/python"), str(folder / "peer.py")]
        path = {"PYTHONPATH": f"{folder / 'out/python'}:{folder}"}
        ports = (18931, 18932)
        starts: dict[str, Callable[[], dict[str, Any]]] = {
            "stdio": lambda: {"brimgen": Stdio(ours, path), "FastMCP": Stdio(peer, {})},
            "HTTP": lambda: {
                "brimgen": Http(
                    [*ours, "--http", f"127.0.0.1:{ports[0]}"],
                    path,
                    f"http://127.0.0.1:{ports[0]}/mcp",
                ),
                "FastMCP": Http(
                    [*peer, str(ports[1])], {}, f"http://127.0.0.1:{ports[1]}/mcp"
                ),
            },
        }
        rows: list[list[str]] = []
        for transport, start in starts.items():
            clients = start()
            try:
                rows += contest(transport, clients, options.calls)
            finally:
                for client in clients.values():
                    client.close()
    head = ["time of a call, of FastMCP's", "median", "95th percentile", "promise"]
    show("serving", head, rows)


if __name__ == "__main__":
    main()
