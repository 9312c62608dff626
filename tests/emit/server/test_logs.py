"""What ``call`` and ``serve`` tell on the error stream: one line for each failure, no values."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from support.project import Built, build

SPEC = """\
type: sql_function
name: loans
description: All loans.
returns: {type: "object[]", fields: {id: int, due: date}}
sql: SELECT id, due FROM loans ORDER BY id
---
type: sql_function
name: loan
description: One loan.
arguments: {inline: {id: int}}
returns: {inline: {id: int, due: date, parts: {type: "object", fields: {n: int}}}}
sql: SELECT id, due, parts FROM loans WHERE id = :id
---
type: python_function
name: fail
description: Fail.
returns: string
handler: "failing:fail"
"""
FAILING = """\
def fail(_call):
    raise RuntimeError("s3cret")

def verify(token):
    raise ValueError(f"unknown token {token}")
"""
TOLD = {
    "loans": "loans: failed in # ms (RowError: row 3, column 'due': expected date)",
    "loan": "loan: failed in # ms (RowError: row 1, column 'parts/n': expected int)",
    "fail": "fail: failed in # ms (RuntimeError at failing.py:2 in fail)",
}
"""The line of each failure, without how long it took."""
VALUES = ("s3cret", "not a date", "no number")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("logs"),
        {"a.yaml": SPEC},
        targets=("python", "sql", "service", "mcp", "server"),
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    (made.folder / "failing.py").write_text(FAILING, "utf-8")
    with closing(sqlite3.connect(made.folder / "library.db")) as connection:
        connection.executescript("""CREATE TABLE loans (id, due, parts);
            INSERT INTO loans VALUES (1, '2026-01-01', '{"n": 1}'),
            (2, '2026-01-02', '{"n": "no number"}'), (3, 'not a date', '{}')""")
        connection.commit()
    return made


def _command(built: Built, *words: str, options: tuple[str, ...] = ()) -> list[str]:
    named = ("--connection", "default=library.db")
    return [sys.executable, *options, "-m", built.package, *words, *named]


def _environment(built: Built) -> dict[str, str]:
    paths = os.pathsep.join([str(built.out / "python"), str(built.folder)])
    return {**os.environ, "PYTHONPATH": paths}


def _called(built: Built, name: str, *options: str) -> str:
    """What ``call`` writes to the error stream."""
    words = ["id=2"] if name == "loan" else []
    done = subprocess.run(
        _command(
            built, "call", name, *(f"--{word}" for word in words), options=options
        ),
        cwd=built.folder,
        env=_environment(built),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (1, "") == (done.returncode, done.stdout)
    return done.stderr


def _served(built: Built, names: list[str], log: Path) -> str:
    """What ``serve`` writes to the error stream for a call of each tool."""
    command, *arguments = _command(built, "serve")
    parameters = StdioServerParameters(
        command=command, args=arguments, env=_environment(built), cwd=built.folder
    )

    async def call_all() -> None:
        with log.open("w") as file:
            async with Client(stdio_client(parameters, errlog=file)) as client:
                for name in names:
                    given = {"id": 2} if name == "loan" else {}
                    result = await client.call_tool(name, given)
                    assert result.is_error

    asyncio.run(call_all())
    return log.read_text()


def _lines(log: str) -> list[str]:
    """The lines of a log, # for each number of milliseconds."""
    assert not any(value in log for value in VALUES), log
    return re.sub(r"in [\d.]+ ms", "in # ms", log).splitlines()


@pytest.mark.parametrize("name", TOLD)
def test_a_failed_call_is_told_in_one_line_that_quotes_no_value(
    built: Built, name: str
) -> None:
    """The tool, the row, the column and what was wanted; then what shows the rest."""
    first, second = _lines(_called(built, name))
    assert TOLD[name] == first
    assert second.startswith(f"{name} failed. The reason is in the log.")
    assert f"python -X dev -m {built.package} call" in second


def test_the_development_mode_of_python_shows_the_exception(built: Built) -> None:
    told = _called(built, "loans", "-X", "dev")
    assert TOLD["loans"] in re.sub(r"in [\d.]+ ms", "in # ms", told)
    assert "RowError: column 'due': expected date, got str 'not a date'" in told
    assert "Traceback" in told and "-X dev" not in told


def test_a_server_tells_each_failed_call_in_one_line_that_quotes_no_value(
    built: Built, tmp_path: Path
) -> None:
    assert [*TOLD.values()] == _lines(_served(built, [*TOLD], tmp_path / "log"))


def test_a_verifier_that_fails_puts_no_token_into_the_log(built: Built) -> None:
    process = subprocess.Popen(
        _command(
            built, *("serve", "--http", "127.0.0.1:0", "--verifier", "failing:verify")
        ),
        cwd=built.folder,
        env=_environment(built),
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        (url,) = re.findall("http://.*", process.stderr.readline())
        headers = {"authorization": "Bearer s3cret"}
        assert 401 == httpx.post(url, json={}, headers=headers).status_code
    finally:
        process.terminate()
        _, log = process.communicate(timeout=20)
    told = "a token could not be verified (ValueError at failing.py:5 in verify)"
    assert told in _lines(log)
    assert "Traceback" not in log
