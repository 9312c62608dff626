"""The cookbook, and the pages for people who come from another tool: they work as shown."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.cli.run import run

ROOT = Path(__file__).parents[2]
FASTMCP, SQLC, TOOLBOX = "from-fastmcp", "from-sqlc", "from-toolbox"
MODELS = "from-datamodel-code-generator"
SCHEMA = """\
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  total REAL NOT NULL
);
"""
ROWS = [(1, 7, "shipped", 19.99), (2, 7, "open", 120.5), (3, 9, "open", 8.0)]


def _blocks(page: str) -> dict[str, str]:
    """The files that a page shows, and its commands under the names ``console 0``, …."""
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    found: dict[str, str] = {}
    for language, path, block in re.findall(
        r"^```(\w+)(?: (\S+))?\n(.*?)^```", text, re.M | re.S
    ):
        if path or language == "console":
            found[path or f"console {len(found)}"] = block
    return found


def _write(folder: Path, path: str, text: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, "utf-8")


def _database(folder: Path) -> None:
    (folder / "schema.sql").write_text(SCHEMA, "utf-8")
    with contextlib.closing(sqlite3.connect(folder / "shop.db")) as connection:
        connection.executescript(SCHEMA)
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", ROWS)
        connection.commit()


def _python(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "out" / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _brimgen(*arguments: str) -> None:
    """Run the command in process; it must succeed."""
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(told):
        code = run(list(arguments))
    assert code == 0, (arguments, told.getvalue())


@pytest.mark.parametrize("page", [FASTMCP, TOOLBOX, SQLC, MODELS, "cookbook"])
def test_a_newcomer_can_follow_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.chdir(tmp_path)
    _database(tmp_path)
    runs = 0
    for path, block in _blocks(page).items():
        if not path.startswith("console "):
            _write(tmp_path, path, block)
            continue
        for part in block.removeprefix("$ ").split("\n$ "):
            command, _, expected = part.strip("\n").partition("\n")
            words = shlex.split(command)
            if words[0] == "brimgen":
                _brimgen(*words[1:])
            elif words[0] == "python" and "serve" not in words:
                assert _python(tmp_path, *words[1:]).strip() == expected
                runs += 1
    assert runs


@pytest.mark.whole
@pytest.mark.parametrize("program", ["openai_sdk.py", "anthropic_sdk.py"])
def test_the_helpers_of_sdks_are_compared_by_code_that_runs(
    tmp_path: Path, program: str
) -> None:
    _database(tmp_path)
    _write(tmp_path, program, _blocks(FASTMCP)[f"theirs/{program}"])
    assert "120.5" in _python(tmp_path, program)


@pytest.mark.whole
def test_the_page_shows_what_datamodel_code_generator_writes(tmp_path: Path) -> None:
    blocks = _blocks(MODELS)
    _write(tmp_path, "order.json", blocks["order.json"])
    _python(
        tmp_path,
        *("-m", "datamodel_code_generator", "--input", "order.json"),
        *("--input-file-type", "jsonschema", "--disable-timestamp"),
        *("--output-model-type", "pydantic_v2.BaseModel", "--output", "models.py"),
    )
    made = (tmp_path / "models.py").read_text("utf-8")
    code = made[made.index("from __future__") :]
    assert code == blocks["theirs/models.py"]
    _write(tmp_path, "program.py", blocks["theirs/program.py"])
    _python(tmp_path, "program.py")


COMPARED = {
    "brimgen": (FASTMCP, ["specs/my_orders.sql", "brimgen.yaml", "program.py"]),
    "FastMCP": (FASTMCP, ["theirs/server.py"]),
    "MCP Toolbox": (TOOLBOX, ["theirs/tools.yaml", "theirs/client.py"]),
    "sqlc (Go)": (SQLC, ["queries.sql", "theirs/sqlc.yaml", "theirs/main.go"]),
    "OpenAI's SDK": (FASTMCP, ["theirs/openai_sdk.py"]),
    "Anthropic's SDK": (FASTMCP, ["theirs/anthropic_sdk.py"]),
}


@pytest.mark.parametrize("tool", COMPARED)
def test_the_lines_of_code_in_the_comparison_are_counted(tool: str) -> None:
    page, files = COMPARED[tool]
    lines = "".join(_blocks(page)[each] for each in files).splitlines()
    count = sum(bool(line.strip()) for line in lines)
    table = (ROOT / "docs" / "from-fastmcp.md").read_text("utf-8")
    assert f"\n| {tool} | {len(files)} | {count} |" in table, (len(files), count)
