"""Generated modules: black-stable, typed, importable, and the manifest beside them."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import black
import pytest
import sqlglot

from brimgen.model.project import Connection
from support.checkers import MYPY, RUFF, assert_clean
from support.project import Built, build

LONG = "a_name_" + "x" * 110
CONNECTIONS = {
    "default": Connection("sqlite", ("sqlite3", "aiosqlite", "apsw", "sqlalchemy")),
    "pg": Connection("postgres", ("psycopg", "psycopg2", "asyncpg", "sqlalchemy")),
    "duck": Connection("duckdb", ()),
    "my": Connection("mysql", ("pymysql", "mysqlclient", "mysql.connector", "mariadb")),
    "ora": Connection("oracle", ("oracledb",)),
    "ms": Connection("tsql", ("pyodbc",)),
}
ENTITIES = f"""\
type: entity
name: Level
enum: [1, 2, 3]
---
type: entity
name: Node
fields:
  name: string
  {LONG}: decimal?
  level: Level
  kind: {{ type: string, enum: [{", ".join("kind" + str(n) for n in range(20))}] }}
  tags: {{ type: "string[]", default: [x] }}
  {LONG}2: {{ type: int, default: 1 }}
  kids: "Node[]?"
  at: datetime?
  from: {{ type: date, required: false }}
---
type: entity
name: Deep
fields:
  name: string
  pos: {{ fields: {{ x: int, y: decimal }} }}
  kids: "Node[]?"
"""
ARGUMENTS = f"""\
arguments:
  inline:
    from: int
    ids: int[]
    names: "string[]?"
    level: Level
    price: decimal?
    flag: {{ type: bool, default: true }}
    at: datetime?
    actor: {{ type: string, from_context: app.user.id }}
    {LONG}: string?
"""
SQL = f"""\
  SELECT * FROM t
  WHERE a = :from AND b IN (:ids) AND (:names IS NULL OR c NOT IN :names)
    AND d = :level AND (:price IS NULL OR e >= :price) AND :flag = f AND g < :at
    AND h = :actor AND i LIKE '5%' AND '12:30' = :{LONG}
"""


def _specs() -> str:
    documents = [ENTITIES]
    returns = (
        "Node[]",
        "Deep",
        "int",
        "Level[]",
        "object",
        "{ inline: { a: int, b: date? } }",
    )
    for name, shape in zip(CONNECTIONS, returns, strict=True):
        shown = shape if shape.startswith("{") else f"'{shape}'"
        documents.append(
            f"type: sql_function\nname: search_{name}\nconnection: {name}\n"
            f"{ARGUMENTS}returns: {shown}\nsql: |\n{SQL}"
        )
        documents.append(
            f"type: sql_function\nname: purge_{name}\nconnection: {name}\n"
            "sql: DELETE FROM t WHERE a LIKE '5%'\n"
        )
        documents.append(
            f"type: sql_function\nname: get_{name}\nconnection: {name}\n"
            "arguments: { inline: { id: int } }\nreturns: 'string?'\n"
            "sql: SELECT a FROM t WHERE id = :id\n"
        )
    documents.append(
        "type: sql_function\nname: call_ms\nconnection: ms\n"
        "returns: Node[]\nsql: EXEC dbo.report\n"
    )
    return "---\n".join(documents)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("modules"),
        {"all.yaml": _specs()},
        targets=("python", "sql"),
        connections=CONNECTIONS,
    )
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    made.load()
    return made


def test_modules_of_statements_are_laid_out_as_black_does(built: Built) -> None:
    mode = black.Mode(target_versions={black.TargetVersion.PY311})
    for path, text in built.files.items():
        if path.endswith(".py") and "/sql/" in path:
            assert text == black.format_str(text, mode=mode), path


@pytest.mark.whole
def test_mypy_and_ruff_find_nothing(built: Built) -> None:
    root = built.folder / "out" / "python"
    assert_clean(root, built.package, by=[MYPY])
    assert_clean(root, f"{built.package}/sql", by=[RUFF])


def test_only_the_standard_library_and_the_runtime_are_imported(built: Built) -> None:
    for path, text in built.files.items():
        if not (path.endswith(".py") and "/sql/" in path):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                assert all(each.name in sys.stdlib_module_names for each in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                top = (node.module or "").partition(".")[0]
                assert top in {*sys.stdlib_module_names, "brimgen_runtime"}


def test_every_module_imports_and_offers_its_drivers(built: Built) -> None:
    for name, connection in CONNECTIONS.items():
        for driver in connection.drivers or ("duckdb",):
            suffix = driver.replace(".", "_")
            module = built.load(f"sql.search_{name}")
            offered = {*dir(module)}
            assert f"SQL_{suffix.upper()}" in offered
            assert {f"bind_{suffix}", f"render_{suffix}"} & offered
            assert f"decode_{suffix}" in offered
            assert "read" == module.KIND


def _bound(built: Built, tool: str, **values: Any) -> Any:
    return built.tool(tool).bound_type(**values)


def _values(built: Built) -> dict[str, Any]:
    level = built.load("entities").Level(2)
    return {"from_": 1, "level": level, "actor": "me", LONG: None}


def test_lists_expand_when_they_are_known(built: Built) -> None:
    values = _values(built)
    module = built.load("sql.search_my")
    text, arguments = module.render_pymysql(
        _bound(built, "search_my", ids=[7, 8], names=["a"], **values)
    )
    assert "b IN (%(ids__0)s, %(ids__1)s)" in text
    assert "(%(names__given)s IS NULL OR c NOT IN (%(names__0)s))" in text
    assert "LIKE '5%%'" in text
    assert (7, 8, "a", 1) == tuple(
        arguments[key] for key in ("ids__0", "ids__1", "names__0", "names__given")
    )
    assert 2 == arguments["level"]
    empty = _bound(built, "search_my", ids=[], names=None, **values)
    text, arguments = module.render_mysql_connector(empty)
    assert "b IN (SELECT NULL FROM (SELECT 1) AS e WHERE 1 = 0)" in text
    assert text.count("%s") == len(arguments)
    assert (1, None, 2, None, None, True) == arguments[:6]
    text, arguments = module.render_mariadb(empty)
    assert text.count("?") == len(arguments)
    text, arguments = built.load("sql.search_ora").render_oracledb(
        _bound(built, "search_ora", ids=[3], names=[], **values)
    )
    assert ":b0_from" in text
    assert 1 == arguments["b0_from"]
    assert "c NOT IN (SELECT NULL FROM DUAL WHERE 1 = 0)" in text


def test_a_list_that_oracle_would_refuse_becomes_a_query(built: Built) -> None:
    """ORA-01795: at most 1000 items on the right of IN; a list of 3,000 works (sql.md)."""
    module = built.load("sql.search_ora")
    for count in (1000, 1001, 3000):
        text, arguments = module.render_oracledb(
            _bound(built, "search_ora", ids=list(range(count)), **_values(built))
        )
        last = count - 1
        if count == 1000:
            assert f":ids__998, :ids__{last})" in text
        else:
            assert "b IN (SELECT :ids__0 FROM DUAL UNION ALL SELECT :ids__1" in text
            assert f"UNION ALL SELECT :ids__{last} FROM DUAL)" in text
        assert list(range(count)) == [arguments[f"ids__{at}"] for at in range(count)]
        sqlglot.parse_one(text, read="oracle")


def test_drivers_that_equal_share_one_function(built: Built) -> None:
    module = built.load("sql.search_default")
    assert module.bind_aiosqlite is module.bind_sqlite3 is module.bind_apsw
    assert module.decode_apsw is module.decode


def test_rows_become_what_is_declared(built: Built) -> None:
    entities = built.load("entities")
    row = {"name": "a", "level": 2, "kind": "kind3", "TAGS": '["y"]', "at": None}
    node = built.load("sql.search_default").decode(
        {**row, "from": "2024-01-02", "kids": None}
    )
    assert ("a", entities.Level(2), "kind3", ["y"]) == (
        node.name,
        node.level,
        node.kind,
        node.tags,
    )
    assert 1 == getattr(node, f"{LONG}2")
    assert "2024-01-02" == node.from_.isoformat()
    deep = built.load("sql.search_pg").decode({"name": "a", "pos": {"x": 1, "y": 2}})
    assert 1 == deep.pos.x
    assert 5 == built.load("sql.search_duck").decode((5,), ["n"])
    assert entities.Level(3) == built.load("sql.search_my").decode((3,), ["n"])
    assert {"n": 1} == built.load("sql.search_ora").decode((1,), ["n"])
    inline = built.load("sql.search_ms").decode((1, None), ["a", "b"])
    assert {"a": 1, "b": None} == inline
    assert None is built.load("sql.get_pg").decode((None,), ["a"])
    with pytest.raises(ValueError, match="one of"):
        built.load("sql.search_my").decode((9,), ["n"])
    with pytest.raises(ValueError, match="two columns have one name"):
        built.load("sql.search_my").decode((9, 9), ["n", "n"])


def test_rows_of_a_call_become_what_is_declared(built: Built) -> None:
    """What a procedure gives, its call does not tell: `returns` is believed."""
    module = built.load("sql.call_ms")
    row = {"name": "a", "level": 1, "kind": "kind1", "from": "2024-01-02"}
    node = module.decode({**row, **dict.fromkeys((LONG, "kids", "at"))})
    assert ("other", "a", 1) == (module.KIND, node.name, node.level.value)
    assert not hasattr(built.load("sql.purge_ms"), "decode")


def test_a_file_tells_kind_dialect_and_parameters_of_a_statement(built: Built) -> None:
    paths = [path for path in built.files if path.startswith("sql/")]
    found = [built.json(path) for path in paths if path.endswith(".json")]
    statements = {each["name"]: each for each in found}
    search = statements["search_pg"]
    assert 2 == search["format"]
    assert ("read", "postgres", "pg") == tuple(
        search[key] for key in ("kind", "dialect", "connection")
    )
    origins = {name: each["origin"] for name, each in search["params"].items()}
    assert "context:app.user.id" == origins["actor"]
    assert {"psycopg", "psycopg2", "asyncpg", "sqlalchemy"} == set(search["targets"])
    for each in statements.values():
        for driver, target in each["targets"].items():
            path = f"sql/{target['file']}"
            assert f"sql/{each['name']}.{driver}.sql" == path
            if "sql" in target:
                assert ["ids", "names"] == target["expand"]
                assert isinstance(target["sql"], list)
            assert built.files[path].startswith("-- Code generated by brimgen")


def test_nothing_is_emitted_without_statements(tmp_path: Path) -> None:
    made = build(
        tmp_path,
        {"a.yaml": "type: python_function\nname: f\nhandler: a.b:c\n"},
        targets=("sql",),
    )
    assert {} == made.files


NUMBERED = """\
type: entity
name: Kind10
enum: [a]
---
type: entity
name: Kind2
enum: [b]
---
type: sql_function
name: find
returns:
  inline: { x: Kind10, y: Kind2 }
sql: SELECT 'a' AS x, 'b' AS y
"""


def test_names_are_imported_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    made = build(tmp_path, {"a.yaml": NUMBERED}, targets=("python", "sql"))
    text = made.files[f"python/{made.package}/sql/find.py"]
    assert "from ..entities import Kind2, Kind10\n" in text
