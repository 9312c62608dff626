"""The server in clients: their configuration, the Inspector, starting again, and ending calmly."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from support.project import Built, build

SPEC = """\
type: sql_function
name: count_orders
description: Count the orders.
returns: int
sql: SELECT count(*) FROM orders
---
type: python_function
name: wait
description: Wait until a file is there.
returns: string
handler: "waiting:wait"
"""
WAITING = """\
import os, time

def wait(_call):
    open(os.environ["BEGUN"], "w").close()
    while not os.path.exists(os.environ["GO_ON"]):
        time.sleep(0.01)
    return "done"
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("connect"),
        {"a.yaml": SPEC},
        targets=("python", "sql", "service", "mcp", "server"),
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    assert made.out.exists()
    return made


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a database and a handler, where the commands run."""
    folder = tmp_path / "my project"
    folder.mkdir()
    connection = sqlite3.connect(folder / "shop.db")
    connection.executescript("CREATE TABLE orders (id); INSERT INTO orders VALUES (1);")
    connection.close()
    (folder / "waiting.py").write_text(WAITING, "utf-8")
    return folder


def _environment(built: Built, folder: Path) -> dict[str, str]:
    paths = {"HOME": str(folder), "APPDATA": str(folder), "XDG_CONFIG_HOME": ""}
    given = {**os.environ, **paths, "PYTHONPATH": str(built.out / "python")}
    return {name: value for name, value in given.items() if value}


def _run(built: Built, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", built.package, *words],
        cwd=folder,
        env=_environment(built, folder),
        capture_output=True,
        text=True,
        check=False,
    )


def _counted(server: dict[str, Any], folder: Path) -> Any:
    """What a client gets that starts the server from another folder."""

    async def see() -> Any:
        given = {name: server[name] for name in ("command", "args", "env")}
        parameters = StdioServerParameters(**given, cwd=str(folder))
        async with Client(parameters) as client:
            result = await client.call_tool("count_orders", {})
            return result.structured_content

    return asyncio.run(see())


@pytest.mark.parametrize(
    ("client", "key", "type"),
    [
        ("claude-desktop", "mcpServers", None),
        ("claude-code", "mcpServers", "stdio"),
        ("cursor", "mcpServers", None),
        ("vscode", "servers", "stdio"),
    ],
)
def test_what_connect_prints_starts_the_server_from_any_folder(
    built: Built, project: Path, tmp_path: Path, client: str, key: str, type: str | None
) -> None:
    done = _run(built, project, "connect", client, "--connection", "default=shop.db")
    assert 0 == done.returncode, done.stderr
    assert "json" in done.stderr
    server = json.loads(done.stdout)[key][built.package]
    assert type == server.pop("type", None)
    assert {"result": 1} == _counted(server, tmp_path)


@pytest.mark.parametrize(
    ("client", "file"),
    [
        ("claude-code", ".mcp.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".vscode/mcp.json"),
        ("claude-desktop", None),
    ],
)
def test_connect_writes_the_file_of_a_client_and_keeps_what_is_there(
    built: Built, project: Path, client: str, file: str | None
) -> None:
    first = _run(built, project, "connect", client, "--write")
    assert 0 == first.returncode, first.stderr
    written = re.findall("wrote (.*); start", first.stderr)
    path = Path(written[0]) if file is None else project / file
    assert path == Path(written[0])
    said = json.loads(path.read_text("utf-8"))
    (key,) = said
    said[key]["other"] = {"command": "x"}
    path.write_text(json.dumps({"theme": "dark", **said}), "utf-8")
    words = ("connect", client, "--write", "--read-only")
    assert 0 == _run(built, project, *words).returncode
    again = json.loads(path.read_text("utf-8"))
    assert ("dark", {"command": "x"}) == (again["theme"], again[key]["other"])
    assert "--read-only" in again[key][built.package]["args"]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("--read-onyl", "unrecognized arguments: --read-onyl"),
        ("--timeout=soon", "argument --timeout: invalid float value: 'soon'"),
        ("--tools=count_order", "there is no tool count_order"),
        ("--drain=2", "--drain needs --http"),
        ("--http=127.0.0.1:80", "leave out --http"),
        ("shop.db", "unrecognized arguments: shop.db"),
    ],
)
def test_connect_writes_no_command_that_serve_would_refuse(
    built: Built, project: Path, word: str, told: str
) -> None:
    done = _run(built, project, "connect", "cursor", "--write", word)
    assert (2, "") == (done.returncode, done.stdout)
    assert told in done.stderr
    assert not (project / ".cursor").exists()


ASKS = """\
type: http_function
name: get_pets
description: List the pets.
secrets: [API_BASE_URL, API_TOKEN]
request:
  method: GET
  urlTemplate: "${API_BASE_URL}/pets"
  headers: { Authorization: "Bearer ${API_TOKEN}" }
"""


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Built:
    targets = ("python", "http", "service", "mcp", "server")
    return build(tmp_path_factory.mktemp("asks"), {"a.yaml": ASKS}, targets=targets)


def test_connect_names_the_variables_of_tools_and_writes_no_secret(
    asking: Built, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written(url: str) -> dict[str, str]:
        monkeypatch.setenv("API_BASE_URL", url)
        monkeypatch.setenv("API_TOKEN", "hunter2")
        done = _run(asking, project, "connect", "claude-desktop", "--write")
        assert (0, False) == (done.returncode, "hunter2" in done.stderr)
        assert "API_TOKEN" in done.stderr
        path = Path(re.findall("wrote (.*); start", done.stderr)[0])
        text = path.read_text("utf-8")
        path.write_text(text.replace('"API_TOKEN": ""', '"API_TOKEN": "filled in"'))
        env: dict[str, str] = json.loads(text)["mcpServers"][asking.package]["env"]
        return {name: env[name] for name in env if name != "PYTHONPATH"}

    url = "https://api.example.com"
    assert {"API_BASE_URL": url, "API_TOKEN": ""} == written(url)
    assert {"API_BASE_URL": url, "API_TOKEN": "filled in"} == written("")
    secret = "https://me:hunter2@api.example.com"
    assert {"API_BASE_URL": url, "API_TOKEN": "filled in"} == written(secret)
    done = _run(asking, project, "connect", "claude-code", "--connection", "a=env:DSN")
    [server] = json.loads(done.stdout)["mcpServers"].values()
    assert "${API_TOKEN:-}" == server["env"]["API_TOKEN"]
    assert "${DSN:-}" == server["env"]["DSN"]


def test_a_missing_base_url_is_named_to_the_model_and_a_missing_secret_is_not(
    asking: Built, project: Path
) -> None:
    async def told(**env: str) -> str:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", asking.package, "serve"],
            env={**_environment(asking, project), **env},
            cwd=str(project),
        )
        async with Client(parameters) as client:
            result = await client.call_tool("get_pets", {})
            return str(result.content[0].text)

    missing = "get_pets is not available: there is no base URL: set API_BASE_URL."
    assert missing == asyncio.run(told())
    url = "https://api.example.com"
    assert "get_pets is not available." == asyncio.run(told(API_BASE_URL=url))


@pytest.mark.parametrize("text", ["// a comment\n{}", "[]", '{"mcpServers": []}'])
def test_a_file_that_connect_cannot_read_is_left_as_it_is(
    built: Built, project: Path, text: str
) -> None:
    path = project / ".mcp.json"
    path.write_text(text, "utf-8")
    done = _run(built, project, "connect", "claude-code", "--write")
    assert 2 == done.returncode
    assert "nothing is written" in done.stderr
    assert text == path.read_text("utf-8")


def test_serve_prints_the_command_of_the_inspector(built: Built, project: Path) -> None:
    given = ("--connection", "default=my shop.db")
    done = _run(built, project, "serve", "--inspect", *given)
    words = shlex.split(done.stdout)
    assert ["npx", "@modelcontextprotocol/inspector", "-e"] == words[:3]
    folders = words[3].removeprefix("PYTHONPATH=").split(os.pathsep)
    assert [str(built.out / "python"), str(project)] == folders
    assert [sys.executable, "-m", built.package, "serve", *given] == words[4:]


@pytest.mark.parametrize("command", [["connect", "cursor"], ["completion", "bash"]])
def test_a_reader_that_has_gone_is_no_traceback(
    built: Built, project: Path, command: list[str]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", built.package, *command],
        cwd=project,
        env=_environment(built, project),
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    assert (1, False) == (done.returncode, "Traceback" in done.stderr)


@contextmanager
def _served(
    built: Built, folder: Path, *options: str, **more: str
) -> Iterator[subprocess.Popen[str]]:
    """A server over HTTP, which is ended at the latest after a minute."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", built.package, "serve"),
            *("--http", "127.0.0.1:0", "--connection", "default=shop.db", *options),
        ],
        cwd=folder,
        env={**_environment(built, folder), **more},
        stderr=subprocess.PIPE,
        text=True,
    )
    ending = Timer(60, process.kill)
    ending.start()
    try:
        yield process
    finally:
        ending.cancel()
        process.kill()
        process.wait()


def _said(process: subprocess.Popen[str], pattern: str) -> str:
    """The first line that matches."""
    assert process.stderr is not None
    for line in process.stderr:
        found = re.search(pattern, line)
        if found is not None:
            return found[0]
    raise AssertionError(f"the server ended without {pattern}")


@pytest.mark.whole
def test_a_server_starts_again_when_a_file_has_changed(
    built: Built, project: Path
) -> None:
    with _served(built, project, "--reload") as process:
        first = _said(process, "http://.*")
        (project / "waiting.py").write_text(f"{WAITING}\n# changed\n", "utf-8")
        _said(process, "changed: starting again")
        second = _said(process, "http://.*")
        assert first and second
        process.send_signal(signal.SIGTERM)
        process.wait(20)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_calls_that_run_may_end_after_a_signal(
    built: Built, project: Path, tmp_path: Path, mode: Any
) -> None:
    begun, go_on = tmp_path / "begun", tmp_path / "go on"
    files = {"BEGUN": str(begun), "GO_ON": str(go_on)}
    with _served(built, project, "--drain", "50", **files) as process:
        url = _said(process, "http://.*")

        async def see() -> Any:
            async with Client(url, mode=mode) as client:
                await client.list_tools()  # else it would be asked after the call
                call = asyncio.create_task(client.call_tool("wait", {}))
                while not begun.exists():
                    await asyncio.sleep(0.01)
                process.send_signal(signal.SIGTERM)
                await asyncio.sleep(0.2)
                go_on.touch()
                return (await call).structured_content

        assert {"result": "done"} == asyncio.run(see())
        assert 0 == process.wait(20)


@pytest.mark.parametrize("option", ["--reload", "--drain=2"])
def test_options_of_http_need_it(built: Built, project: Path, option: str) -> None:
    done = _run(built, project, "serve", option)
    assert 2 == done.returncode
    assert "needs --http" in done.stderr
