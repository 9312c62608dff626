"""``brimgen init``: a project that works at once, in a folder where nothing is overwritten."""

from __future__ import annotations

import json
import os
import runpy
import shlex
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from support.output import everything


@pytest.fixture
def empty(project: Path) -> Path:
    (project / "specs").rmdir()
    return project


def test_the_starter_generates_checks_and_answers(
    empty: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = run("init")
    assert (0, "") == (ran.code, ran.out)
    assert {
        ".gitattributes",
        ".gitignore",
        "README.md",
        "app",
        "brimgen.schema.json",
        "brimgen.yaml",
        "make_database.py",
        "schema.sql",
        "specs",
    } == {each.name for each in empty.iterdir()}
    ran = run("generate")
    assert 0 == ran.code, ran.err
    assert "warning" not in ran.err
    assert 0 == run("check").code
    commands = _commands(empty / "README.md")
    assert 3 == sum("-m agent_tools" in command for command in commands)
    answers = [
        subprocess.run(
            [sys.executable, *shlex.split(command)[1:]],
            cwd=empty,
            env={**os.environ, "PYTHONPATH": "out/python"},
            capture_output=True,
            text=True,
        ).stdout
        for command in commands
        if command.startswith("python ") and not command.endswith("serve")
    ]
    made, listed, called = answers
    assert "wrote shop.db: 3 orders\n" == made
    assert "cannot run" not in listed
    assert [2, 1] == [order["order_id"] for order in json.loads(called)]


def test_the_service_of_the_starter_s_readme_answers(
    empty: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 == run("init").code == run("generate").code
    monkeypatch.syspath_prepend(empty / "out/python")
    monkeypatch.syspath_prepend(empty)
    runpy.run_path(str(empty / "make_database.py"), run_name="__main__")
    told = (empty / "README.md").read_text().splitlines()
    begin = next(at for at, line in enumerate(told) if "import Service" in line)
    names: dict[str, Any] = {}
    exec("\n".join(each.strip() for each in told[begin : begin + 4]), names)
    assert [2, 1] == [order.order_id for order in names["orders"]]
    assert 1 == len({each.index("#") for each in told if "    # " in each})


def _commands(readme: Path) -> list[str]:
    """Return the commands of a page, which stand on indented lines."""
    lines = readme.read_text().splitlines()
    return [
        line.strip() for line in lines if line.startswith(("    python", "    brimgen"))
    ]


def answered(folder: Path, told: str) -> str:
    """What the last of the commands prints that are told to come next, in a shell as printed."""
    commands = textwrap.dedent(told.partition("\nNext:\n")[2])
    ran = subprocess.run(
        ["sh", "-e"],
        input=commands,
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
        capture_output=True,
        text=True,
    )
    assert 0 == ran.returncode, ran.stderr
    return ran.stdout


def test_the_next_commands_run_as_printed(empty: Path, run: Any) -> None:
    for folder in ("other", "with space"):
        assert "get_orders" in answered(empty, run("init", folder).err)
    readme = (empty / "other/README.md").read_text("utf-8")
    assert "Next:\n\n    brimgen generate\n" in readme


def test_a_package_has_its_name_everywhere(empty: Path, run: Any) -> None:
    told = run("init", "--package", "desk", "--yes").err
    assert "agent_tools" not in told + "".join(everything(empty).values())
    assert "get_orders" in answered(empty, told)


DOCUMENT = """
openapi: 3.1.0
info: { title: Pets, version: "1" }
servers: [{ url: "https://pets.example.com" }]
paths:
  /pets:
    get: { operationId: getPets, summary: Pets., responses: { "200": { description: d } } }
"""


@pytest.mark.parametrize("folder", ["", "new/pets"])
def test_a_document_becomes_a_project(empty: Path, run: Any, folder: str) -> None:
    (empty / "json.yaml").write_text(DOCUMENT)
    told = run("init", *([folder] if folder else []), "--from", "json.yaml").err
    assert "getPets" in answered(empty, told)
    settings = (empty / folder / "brimgen.yaml").read_text()
    assert "package: tools_json\n" in settings
    assert (empty / folder / ".gitignore").is_file()


@pytest.mark.parametrize(
    ("module", "begin"),
    [
        ("app.py", ("init", "--from")),
        ("app.py", ("init", "new/desk", "--from")),
        ("it's mine/app.py", ("init", "new", "--from")),
        ("src/desk/app.py", ("import", "--into", "specs")),
    ],
)
def test_functions_answer_a_first_call(
    empty: Path, run: Any, module: str, begin: tuple[str, ...]
) -> None:
    (empty / module).parent.mkdir(parents=True, exist_ok=True)
    (empty / module).write_text(
        'def twice(n: int) -> int:\n    "Double."\n    return 2 * n'
    )
    told = run(*begin, module).err
    call = told.replace(" list\n", " call twice --n 4\n")
    assert "8\n" == answered(empty, call)


def test_the_next_commands_are_quoted_for_powershell(
    empty: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brimgen.cli.specs.new_files._IS_POWERSHELL", True)
    assert (
        "    cd 'it''s new'\n"
        "    brimgen generate\n"
        "    $env:PYTHONPATH = 'out/python'; python -m agent_tools list\n"
    ) == run("init", "it's new").err.partition("Next:\n")[2]


@pytest.mark.parametrize("source", ["sqlite:///my.db", "my.db"])
def test_the_tables_of_a_database_answer_a_first_call(
    empty: Path, run: Any, source: str
) -> None:
    with closing(sqlite3.connect(empty / "my.db")) as made:
        made.executescript(
            """CREATE TABLE "order" (id INTEGER PRIMARY KEY, "from" TEXT);
            CREATE TABLE "Big rooms" (a TEXT, b INTEGER, PRIMARY KEY (b, a));
            CREATE TABLE "big-rooms" (a TEXT); CREATE TABLE "*/ x" (a TEXT);
            CREATE VIEW all_orders AS SELECT * FROM "order";
            INSERT INTO "order" VALUES (2, 'b'), (1, 'a');"""
        )
    before = (empty / "my.db").read_bytes()
    told = run("init", "shop", "--from", source, "--package", "desk").err
    rows = [{"id": 1, "from": "a"}, {"id": 2, "from": "b"}]
    assert rows == sorted(json.loads(answered(empty, told)), key=lambda row: row["id"])
    assert [
        *("list_all_orders", "list_big_rooms", "list_big_rooms_2", "list_order"),
        "list_x",
    ] == sorted(each.stem for each in (empty / "shop/specs").iterdir())
    assert before == (empty / "my.db").read_bytes()


def test_generated_columns_and_virtual_tables_are_listed(empty: Path, run: Any) -> None:
    with closing(sqlite3.connect(empty / "my.db")) as made:
        made.executescript(
            """CREATE TABLE t (a INT, b INT AS (a * 2) STORED, c TEXT AS (a || 'x'),
            d JSON NOT NULL DEFAULT 3, "a""e" JSON);
            CREATE VIRTUAL TABLE n USING fts5(title);
            INSERT INTO t (a) VALUES (1); INSERT INTO n VALUES ('x');"""
        )
    assert 0 == run("init", "--from", "my.db").code
    assert 0 == run("generate").code
    assert '{ "d": any, "a\\"e": any? }' in Path("specs/list_t.sql").read_text("utf-8")
    for tool, row in (
        ("list_t", {"a": 1, "b": 2, "c": "1x", "d": 3, 'a"e': None}),
        ("list_n", {"title": "x"}),
    ):
        called = subprocess.run(
            [sys.executable, "-m", "my", "call", tool],
            env={**os.environ, "PYTHONPATH": "out/python"},
            cwd=empty,
            capture_output=True,
            check=True,
        )
        assert [row] == json.loads(called.stdout)


@pytest.mark.parametrize(
    ("source", "ignored"),
    [("data/my[1].db", "/data/my\\[1].db"), ("../my.db", None)],
)
def test_the_own_database_is_not_checked_in(
    empty: Path, run: Any, source: str, ignored: str | None
) -> None:
    (empty / "shop/data").mkdir(parents=True)
    with closing(sqlite3.connect(empty / "shop" / source)) as made:
        made.execute("CREATE TABLE t (a INT)")
    assert 0 == run("init", "shop", "--from", f"shop/{source}").code
    lines = (empty / "shop/.gitignore").read_text("utf-8").splitlines()
    assert [ignored] * (ignored is not None) == [
        line for line in lines if line.endswith(".db") and line != "shop.db"
    ]
