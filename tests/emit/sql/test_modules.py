"""Generated modules: black-stable, typed, importable, and the manifest beside them."""

from __future__ import annotations

import ast
import sys
from typing import Any

import black
import pytest
import sqlglot

from support.checkers import MYPY, RUFF, assert_clean
from support.project import Built, build, connection_to

LONG = "a_name_" + "x" * 110
CONNECTIONS = {
    "default": connection_to("sqlite", "sqlite3", "aiosqlite", "apsw", "sqlalchemy"),
    "pg": connection_to("postgres", "psycopg", "psycopg2", "asyncpg", "sqlalchemy"),
    "duck": connection_to("duckdb"),
    "my": connection_to(
        "mysql", "pymysql", "mysqlclient", "mysql.connector", "mariadb"
    ),
    "ora": connection_to("oracle", "oracledb"),
    "ms": connection_to("tsql", "pyodbc"),
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
        for driver in connection.get("drivers", ("duckdb",)):
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
