"""``python -m <package>``: tools are listed and called from a shell."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Connection
from support.project import Built, build

SPEC = """\
type: sql_function
name: count_items
description: |
  Count the items.
  All of them.
arguments: {inline: {least: {type: int, default: 0}}}
returns: int
sql: SELECT count(*) FROM items WHERE price >= :least
---
type: sql_function
name: mine
arguments: {inline: {who: {type: string, from_context: app.user.id}}}
returns: int
sql: SELECT count(*) FROM items WHERE :who = 'ada'
---
type: python_function
name: nowhere
handler: nowhere_at_all:run
returns: int
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A package whose settings say what its command line opens."""
    connections = {"default": Connection("sqlite", ("sqlite3",), target="items.db")}
    made = build(
        tmp_path_factory.mktemp("command"), {"a.yaml": SPEC}, connections=connections
    )
    made.load()
    return made


@pytest.fixture
def run(
    built: Built,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Any:
    """Run the command in a folder with databases of two and of three items."""
    monkeypatch.chdir(tmp_path)
    for name, count in (("items.db", 2), ("other.db", 3)):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.execute("CREATE TABLE items (price INTEGER)")
            rows = [(number,) for number in range(count)]
            connection.executemany("INSERT INTO items VALUES (?)", rows)
            connection.commit()

    def run(*arguments: str) -> tuple[int, str, str]:
        service = built.load("service")
        command = import_module("brimgen_runtime.service.command")
        code = command.main(service.Service, service.PLAN, arguments)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


def test_a_tool_is_called_with_the_target_of_the_settings(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (0, "2\n") == run("call", "count_items")[:2]
    assert (0, "1\n") == run("call", "count_items", '{"least": 1}')[:2]
    monkeypatch.setattr("sys.stdin", io.StringIO('{"least": 2}'))
    assert (0, "0\n") == run("call", "count_items", "-")[:2]


def test_an_option_comes_before_the_environment_and_that_before_the_settings(
    run: Any, built: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{built.package.upper()}_DEFAULT", "other.db")
    assert (0, "3\n") == run("call", "count_items")[:2]
    shown = run("call", "count_items", "--connection", "default=items.db")
    assert (0, "2\n") == shown[:2]
    monkeypatch.setenv("WHERE", "other.db")
    shown = run("call", "count_items", "--connection", "default=env:WHERE")
    assert (0, "3\n") == shown[:2]


def test_tools_are_listed_with_what_they_lack(run: Any) -> None:
    code, out, _ = run("list")
    assert 0 == code
    first, _, second = out.splitlines()
    assert "count_items  Count the items." == first
    assert second.startswith("nowhere      ")
    assert (
        "[cannot run: nowhere_at_all:run: No module named 'nowhere_at_all']" in second
    )


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("gone.db", "there is no file gone.db in /"),
        ("env:GONE", "the variable GONE is not set"),
    ],
)
def test_a_database_of_the_settings_that_is_not_there_stops_its_own_tools_only(
    run: Any,
    built: Built,
    target: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(built.load("service").PLAN.targets, "default", target)
    code, out, _ = run("list")
    assert 0 == code
    assert (
        f"count_items  Count the items. [cannot run: connection default: {reason}"
        in out
    )
    (tmp_path / "handlers_of_a.py").write_text(
        "HANDLERS = {'nowhere': lambda call: 7}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    shown = run("call", "nowhere", "--handlers", "handlers_of_a")
    assert (0, "7\n") == shown[:2]
    told = f"count_items cannot run: connection default: {reason}"
    code, out, err = run("call", "count_items")
    assert (1, "", True) == (code, out, err.startswith(told)), err


def test_what_goes_wrong_is_told_on_the_error_stream(run: Any) -> None:
    code, out, err = run("call", "count_items", '{"least": "x"}')
    assert (1, "") == (code, out)
    assert "- least: expected integer" in err
    code, out, err = run("call", "nowhere")
    assert (1, "") == (code, out)
    assert "nowhere cannot run: nowhere_at_all:run: No module" in err
    for arguments, told in [
        (("--connection", "default"), "expected NAME=TARGET"),
        (("--connection", "x=y"), "the connections are default"),
        (("--connection", "default=gone.db"), "there is no file gone.db in /"),
        (("--connection", "default=env:GONE"), "the variable GONE is not set"),
        (("--context", "gone.json"), "gone.json: No such file"),
        (("--handlers", "gone_module"), "No module named 'gone_module'"),
    ]:
        code, out, err = run("call", "count_items", *arguments)
        assert (2, "") == (code, out), arguments
        assert told in err, arguments
    assert 2 == run()[0]


def test_a_context_that_is_missing_is_told_in_one_line_with_its_option(
    run: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The path that is missing, the option that gives it, and no trace."""
    code, out, err = run("call", "mine")
    assert (1, "") == (code, out)
    assert (
        "mine: context app.user.id: there is no app. "
        "Give it with --context FILE.json.\n" == err
    )
    assert "" == caplog.text
    (tmp_path / "context.json").write_text('{"app": {"user": {"id": "ada"}}}')
    assert (0, "2\n") == run("call", "mine", "--context", "context.json")[:2]
