"""What docs/mcp-server.md and docs/http.md show is run; the demo is as clean as generated code."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from end_to_end.served import DEMO, ROOT
from running.packages import imported
from support.pages import DOCS, assert_programs, blocks

PACKAGES = str(ROOT / "out" / "python")


@pytest.mark.parametrize(("page", "count"), [("mcp-server.md", 3), ("http.md", 5)])
def test_the_programs_of_the_page_run(tmp_path: Path, page: str, count: int) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as connection:
        connection.executescript((DEMO / "shop.sql").read_text("utf-8"))
    programs = blocks(DOCS / page, "python")
    assert count == len(programs)
    assert_programs(tmp_path, programs, Path(PACKAGES))


@pytest.mark.whole
def test_the_programs_of_the_page_are_typed(tmp_path: Path) -> None:
    files: list[str] = []
    for number, program in enumerate(blocks(DOCS / "mcp-server.md", "python")):
        files.append(str(tmp_path / f"program_{number}.py"))
        Path(files[-1]).write_text(program, encoding="utf-8")
    mypy = str(Path(sys.executable).with_name("mypy"))
    env = {"MYPYPATH": PACKAGES, "PATH": ""}
    subprocess.run([mypy, "--strict", "--config-file=", *files], env=env, check=True)


def test_the_deployed_application_asks_for_a_token() -> None:
    names: dict[str, Any] = {}
    with imported(Path(PACKAGES), "shop"):
        exec(blocks(DOCS / "mcp-server.md", "python")[2], names)
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    statuses = []
    with TestClient(names["app"], base_url="https://tools.example.com") as client:
        for token in ("nope", "a-secret-token"):
            headers = {
                "authorization": f"Bearer {token}",
                "accept": "application/json, text/event-stream",
            }
            statuses.append(client.post("/mcp", json=body, headers=headers).status_code)
    assert [401, 400] == statuses  # with a token it wants the handshake first


def test_every_option_is_told() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "shop.mcp_server", "--help"],
        env={"PYTHONPATH": PACKAGES},
        capture_output=True,
        text=True,
        check=True,
    )
    offered = set(re.findall(r"^  (--[a-z-]+)", run.stdout, re.M))
    page = (ROOT / "docs" / "mcp-server.md").read_text("utf-8")
    rows = re.findall(r"^\| (`--.*?) \|", page, re.M)
    told = {option for row in rows for option in re.findall(r"`(--[a-z-]+)", row)}
    assert offered == told


def test_the_settings_of_a_client_name_what_is_there() -> None:
    page = ROOT / "docs" / "mcp-server.md"
    found = [json.loads(each) for each in blocks(page, "json") if "mcpServers" in each]
    [server] = [each["mcpServers"]["shop"] for each in found]
    script = server["args"][0].partition("checkout/")[2]
    assert (ROOT / script).is_file()


@pytest.mark.whole
def test_the_demo_is_typed_and_clean() -> None:
    tools = Path(sys.executable).parent
    files = sorted(map(str, DEMO.rglob("*.py")))
    assert files
    env = {"MYPYPATH": f"{PACKAGES}:{DEMO}", "PATH": ""}
    for command in (
        ["ruff", "check", *files],
        ["black", "--quiet", "--check", *files],
        ["mypy", "--strict", "--config-file=", "--explicit-package-bases", *files],
    ):
        subprocess.run([str(tools / command[0]), *command[1:]], env=env, check=True)


def test_the_sdk_is_asked_for_where_it_is_missing(tmp_path: Path) -> None:
    """Everything but the transport works without it."""
    program = (
        "import sys; sys.modules['mcp'] = None\n"
        "import shop.mcp_server as server\n"
        "offer = server.make_offer(server.AsyncService(partial=True))\n"
        "assert offer.lists.tools\n"
        "server.main([])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": PACKAGES},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 2 == run.returncode
    assert "needs the official MCP SDK: pip install 'mcp>=2.3'" in run.stderr
