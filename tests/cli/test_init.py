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

from brimgen.output.paths import JOURNAL_NAME
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


def test_init_makes_the_folder(empty: Path, run: Any) -> None:
    assert 0 == run("init", "new/project").code
    assert (empty / "new/project/specs/orders.yaml").is_file()


def test_what_is_there_is_kept_and_told(empty: Path, run: Any) -> None:
    mine = {
        "README.md": "mine\n",
        ".gitignore": "*.pyc\n  __pycache__/\n",
        ".gitattributes": "*.png binary\n",
    }
    for name, text in mine.items():
        (empty / name).write_text(text)
    ran = run("init")
    assert 0 == ran.code
    assert [
        "kept .gitattributes; you may want to add to it: "
        "out/** text eol=lf linguist-generated=true",
        "kept .gitignore; you may want to add to it: .brimgen-journal/, shop.db",
        "kept README.md",
        "wrote app/__init__.py",
        "wrote app/delivery.py",
        "wrote brimgen.schema.json",
        "wrote brimgen.yaml",
        "wrote make_database.py",
        "wrote schema.sql",
        "wrote specs/get_orders.sql",
        "wrote specs/order_reply.md",
        "wrote specs/orders.yaml",
    ] == sorted(ran.err.partition("Next:\n")[0].splitlines())
    assert mine == {name: (empty / name).read_text() for name in mine}
    assert 0 == run("generate").code


def test_among_specs_of_others_no_examples_are_written(empty: Path, run: Any) -> None:
    (empty / "specs").mkdir()
    (empty / "specs/mine.yaml").write_text("type: entity\nname: A\nfields: {a: int}\n")
    ran = run("init")
    *_, told, begun, last, _ = ran.err.splitlines()
    assert 0 == ran.code
    assert "kept specs, which is not empty: no examples of specs were written" == told
    assert ["Next:", "    brimgen generate"] == [begun, last]
    assert ["mine.yaml"] == [each.name for each in (empty / "specs").iterdir()]
    assert not (empty / "schema.sql").exists()
    assert 0 == run("generate").code


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("brimgen.yaml", "package: shop\n", "brimgen.yaml configures"),
        ("pyproject.toml", "[tool.brimgen]\n", "[tool.brimgen] in pyproject.toml"),
        ("specs", "a file\n", "specs is no folder"),
    ],
)
def test_where_there_is_a_project_nothing_is_written(
    empty: Path, run: Any, name: str, text: str, told: str
) -> None:
    (empty / name).write_text(text)
    before = everything(empty)
    ran = run("init")
    assert 2 == ran.code
    assert told in ran.err
    assert "nothing was written." in ran.err
    assert before == everything(empty)


def test_a_new_project_writes_through_no_linked_folder(empty: Path, run: Any) -> None:
    outside = empty / "outside"
    outside.mkdir()
    (empty / "app").symlink_to(outside)
    ran = run("init")
    assert 2 == ran.code
    assert "app is a link; nothing was written." in ran.err
    assert [] == list(outside.iterdir())
    assert not (empty / "brimgen.yaml").exists()


def test_a_project_of_others_is_no_hindrance(empty: Path, run: Any) -> None:
    (empty / "pyproject.toml").write_text("[tool.black]\nline-length = 88\n")
    assert 0 == run("init").code
    assert 0 == run("generate").code


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


@pytest.mark.parametrize("name", ["class", "json", "brimgen", "a-b", ""])
def test_a_name_that_no_package_can_have_starts_no_project(
    empty: Path, run: Any, name: str
) -> None:
    for more in ((), ("--from", "a.db")):
        assert 2 == run("init", "--package", name, *more).code
    assert [] == list(empty.iterdir())


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


_UNTOLD = "specs/list_t.sql declares {} as any: the schema tells no type"


@pytest.mark.parametrize(
    ("tables", "tools", "told"),
    [
        (
            "CREATE TABLE t (id INTEGER PRIMARY KEY, a JSON NOT NULL, b STRING)",
            "t",
            [_UNTOLD.format("`a`, `b`")],
        ),
        ("CREATE TABLE t AS SELECT 1 AS a", "t", [_UNTOLD.format("`a`")]),
        ("CREATE TABLE t (a ANY) STRICT", "t", [_UNTOLD.format("`a`")]),
        (
            f"CREATE TABLE t ({', '.join(f'c{number}' for number in range(200))})",
            "t",
            [_UNTOLD.format("`c0`, `c1`, `c2`, `c3`, `c4` and 195 more")],
        ),
        (
            'CREATE TABLE t ("a""b", "a", "*/", "größe", ":p", "x y")',
            "t",
            [_UNTOLD.format('`a"b`, `a`, `*/`, `größe`, `:p` and 1 more')],
        ),
        (
            "CREATE TABLE t (id INT); CREATE VIEW v AS SELECT abs(id) AS a, max(id) FROM t",
            "t v",
            ["specs/list_v.sql declares `max(id)` as any: the schema tells no type"],
        ),
        (
            "CREATE VIRTUAL TABLE t USING fts5(a, b)",
            "t",
            [_UNTOLD.format("`a`, `b`")],
        ),
        (
            "CREATE VIRTUAL TABLE t USING rtree(id, low, high)",
            "t",
            [_UNTOLD.format("`id`, `low`, `high`")],
        ),
        (
            "CREATE TABLE u (a INT); CREATE VIEW v AS SELECT a FROM u; CREATE TABLE t (a INT);"
            "DROP TABLE u",
            "t",
            ["left out the view 'v': no such table: main.u"],
        ),
        (
            "CREATE TABLE t (a INT); PRAGMA writable_schema = 1; INSERT INTO sqlite_master "
            "VALUES ('table', 'g', 'g', 0, 'CREATE VIRTUAL TABLE g USING absent(a)')",
            "t",
            ["left out the table 'g': no such module: absent"],
        ),
        (
            "CREATE TABLE t (a INT); CREATE TABLE u (a TEXT COLLATE own);"
            "CREATE INDEX i ON u (a)",
            "t",
            [
                "left out the table 'u': SQLite refuses the schema: "
                "no such collation sequence: own"
            ],
        ),
        (
            'CREATE TABLE t (a INT); CREATE TABLE u ("${a}" INT)',
            "t",
            [
                "left out a tool for 'u': `${a}` is template syntax, but statements are "
                "not templates"
            ],
        ),
        ('CREATE TABLE "n\nl" (a INT); CREATE TABLE "表" (a INT)', "n_l table", []),
        (f"CREATE TABLE {'t' * 300} (a INT)", "t" * 40, []),
        (
            "CREATE TABLE t (a INT -- the key\n); CREATE VIEW v AS SELECT a FROM t -- x",
            "t v",
            [],
        ),
    ],
)
def test_what_a_database_makes_is_built(
    empty: Path, run: Any, tables: str, tools: str, told: list[str]
) -> None:
    """What a build would refuse is made less or left out, and told."""
    with closing(sqlite3.connect(empty / "my.db")) as made:
        made.create_collation("own", lambda one, other: (one > other) - (one < other))
        made.executescript(tables)
    ran = run("init", "--from", "my.db")
    lines = ran.err.partition("Next:")[0]
    assert 0 == ran.code, ran.err
    assert all(f"{notice}\n" in lines for notice in told), lines
    assert len(told) == lines.count("left out") + lines.count("as any"), lines
    built = run("generate")
    assert (0, True) == (built.code, "SQL033" not in built.err), built.err
    names = [f"list_{tool}" for tool in tools.split()]
    listed = run("list", "--format", "json").out
    assert names == sorted(each["name"] for each in json.loads(listed))


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


def test_a_project_starts_from_nothing_that_is_not_there(empty: Path, run: Any) -> None:
    (empty / "text.db").write_text("no database")
    for source, told in (
        ("nothing.yaml", "There is no file 'nothing.yaml'."),
        ("sqlite:///nothing.db", "There is no database 'nothing.db' in '/"),
        ("sqlite:///text.db", "text.db cannot be read: file is not a database."),
    ):
        ran = run("init", "new", "--from", source)
        assert (2, True) == (ran.code, told in ran.err)
    assert not (empty / "new").exists()


def test_bytecode_of_the_package_is_not_checked_in(empty: Path, run: Any) -> None:
    """Git would change line ends in it, as it is told of everything below ``out``."""
    assert 0 == run("init").code
    assert "__pycache__/" in (empty / ".gitignore").read_text("utf-8").splitlines()


def test_what_a_killed_run_leaves_is_not_checked_in(empty: Path, run: Any) -> None:
    assert 0 == run("init").code
    ignored = (empty / ".gitignore").read_text("utf-8").splitlines()
    assert f"{JOURNAL_NAME}/" in ignored


def test_editors_find_the_schema(empty: Path, run: Any) -> None:
    assert 0 == run("init").code
    for path in (empty / "specs").rglob("*.yaml"):
        first = path.read_text("utf-8").partition("\n")[0]
        mark, _, target = first.partition("$schema=")
        assert "# yaml-language-server: " == mark
        found = (path.parent / target).resolve()
        assert empty / "brimgen.schema.json" == found
    text = (empty / "brimgen.schema.json").read_text("utf-8")
    assert run("explain", "--schema", "specs").out == text
