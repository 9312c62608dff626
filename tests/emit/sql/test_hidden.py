"""A hidden argument that is absent shows nobody the rows of others."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

from brimgen.model.fields import Context, Default, Host
from brimgen.model.project import Connection, Project
from brimgen.model.types import Field
from brimgen.pipeline import build
from brimgen.settings.load import Settings
from brimgen.sqltext import DIALECTS, scan
from brimgen.sqltext.conditions.open_filters import Argument, find_open_filters
from emit.sql.corpora import items, rewritten
from emit.sql.made import errors, field, said, tool

CONTEXT = Context(("app", "tenant", "id"))
ABSENT = {"t": Argument((None,), hidden=True)}

OPEN = """
(:t IS NULL OR tenant = :t)
(tenant = :t OR :t IS NULL)
tenant = COALESCE(:t, tenant)
tenant = IFNULL(:t, tenant)
orders.tenant = COALESCE(:t, tenant)
tenant IS COALESCE(:t, tenant)
NOT (:t IS NOT NULL AND tenant <> :t)
CASE WHEN :t IS NULL THEN 1=1 ELSE tenant = :t END
1 = CASE WHEN :t IS NULL THEN 1 WHEN tenant = :t THEN 1 ELSE 0 END
tenant = CASE WHEN :t IS NULL THEN tenant ELSE :t END
IIF(:t IS NULL, TRUE, tenant = :t)
tenant LIKE COALESCE(:t, '%')
tenant GLOB IFNULL(:t, '*')
COALESCE(tenant = :t, TRUE)
(tenant = :t) IS NOT FALSE
(tenant = :t) IS NULL OR tenant = :t
COALESCE(:t, '*') IN ('*', tenant)
COALESCE(:t, '') = '' OR tenant = :t
NULLIF(:t, '') IS NULL OR tenant = :t
tenant BETWEEN COALESCE(:t, tenant) AND COALESCE(:t, tenant)
LOWER(tenant) = LOWER(COALESCE(:t, tenant))
(SELECT :t) IS NULL OR tenant = :t
CAST(:t AS text) IS NULL OR tenant = :t
tenant IN (SELECT tenant FROM orders WHERE :t IS NULL OR tenant = :t)
EXISTS (SELECT 1 FROM orders m WHERE m.id = orders.id AND (:t IS NULL OR m.tenant = :t))
NOT EXISTS (SELECT 1 FROM orders m WHERE m.tenant = :t AND m.id = orders.id - 1)
id - 1 NOT IN (SELECT id FROM orders WHERE tenant = :t)
paid AND (:t IS NULL OR tenant = :t) AND id > 0 AND id IN (1, 2, 3, 4)
tenant IS NOT NULL AND (:t IS NULL OR tenant = :t)
(:t IS NULL AND paid) OR tenant = :t
((((:t IS NULL))) OR ((tenant = :t)))
COALESCE((SELECT tenant FROM orders WHERE tenant = :t LIMIT 1), tenant) = tenant AND :t IS NULL
(tenant, 1) = (COALESCE(:t, tenant), 1)
INSTR(tenant, COALESCE(:t, '')) > 0
id IN (WITH p (t) AS (SELECT :t) SELECT id FROM orders JOIN p ON p.t IS NULL OR tenant = p.t)
id IN (WITH p (t) AS (VALUES (:t)) SELECT id FROM orders JOIN p ON p.t IS NULL OR tenant = p.t)
""".strip().splitlines()

CLOSED = """
tenant = :t
tenant = :t OR shared
tenant IS NOT DISTINCT FROM :t
(:t IS NULL AND tenant IS NULL) OR tenant = :t
tenant = COALESCE(:t, 'nobody')
tenant <> :t
tenant = :t AND (:t IS NULL OR paid)
:t IS NOT NULL AND tenant = :t
tenant LIKE :t || '%'
tenant IN (SELECT tenant FROM orders WHERE tenant = :t)
EXISTS (SELECT 1 FROM orders m WHERE m.tenant = :t AND m.tenant = orders.tenant)
CASE WHEN :t IS NULL THEN FALSE ELSE tenant = :t END
NOT (tenant = :t)
COALESCE(tenant = :t, FALSE)
tenant = NULLIF(:t, '')
shared OR (tenant = :t AND paid)
tenant = 'nobody' AND (:t IS NULL OR tenant = :t)
(tenant, 1) = (:t, 1)
INSTR(tenant, :t) > 0
id IN (WITH p (t) AS (VALUES (:t)) SELECT id FROM orders JOIN p ON tenant = p.t)
id NOT IN (SELECT id FROM orders WHERE :t IS NULL OR tenant <> :t)
""".strip().splitlines()


def _shown(condition: str, tenant: str | None) -> set[int]:
    """The rows that SQLite gives, of three tenants."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(
            "CREATE TABLE orders (id INTEGER, tenant TEXT, paid INTEGER, shared INTEGER)"
        )
        rows = [(1, "a", 1, 0), (2, "b", 1, 0), (3, "c", 1, 0), (4, "c", 1, 1)]
        connection.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
        sql = f"SELECT id FROM orders WHERE {condition}"
        return {row for (row,) in connection.execute(sql, {"t": tenant})}


@pytest.mark.parametrize("condition", OPEN)
def test_without_a_tenant_everybodys_rows_are_shown(condition: str) -> None:
    absent, present = _shown(condition, None), _shown(condition, "a")
    assert {2, 3} & absent, "the example shows nothing of others"
    assert absent != present
    for sql in (
        f"SELECT * FROM orders WHERE {condition} ORDER BY 1 LIMIT 3",
        f"DELETE FROM orders WHERE {condition}",
        f"WITH x AS (SELECT * FROM orders WHERE {condition}) SELECT * FROM x",
        f"SELECT 1 FROM u JOIN orders ON {condition}",
        f"SELECT tenant FROM orders GROUP BY tenant HAVING {condition}",
    ):
        (found,) = find_open_filters(scan(sql, DIALECTS["sqlite"]), ABSENT)
        assert found.token.text == ":t"


@pytest.mark.parametrize("condition", CLOSED)
def test_nothing_is_said_where_an_absent_tenant_sees_no_more(condition: str) -> None:
    everybodys = {2, 3} <= _shown(condition, None)
    assert not everybodys, "the example shows what belongs to others"
    sql = f"SELECT * FROM orders WHERE {condition} ORDER BY 1"
    assert () == find_open_filters(scan(sql, DIALECTS["sqlite"]), ABSENT)


# dialect, statement, whether `:t` opens it
WRITTEN = [
    ("oracle", "SELECT 1 FROM o WHERE tenant = NVL(:t, tenant)", True),
    ("oracle", "SELECT 1 FROM o WHERE NVL2(:t, :t, tenant) = tenant", True),
    ("oracle", "SELECT 1 FROM o WHERE DECODE(:t, NULL, 1, tenant, 1, 0) = 1", True),
    ("oracle", "SELECT 1 FROM o WHERE LNNVL(tenant <> :t)", True),
    ("oracle", "SELECT 1 FROM o WHERE tenant LIKE :t || '%'", True),
    ("postgres", "SELECT 1 FROM o WHERE tenant LIKE :t || '%'", False),
    ("postgres", "SELECT 1 FROM o WHERE tenant ILIKE concat('%', :t, '%')", True),
    ("mysql", "SELECT 1 FROM o WHERE tenant LIKE concat('%', :t, '%')", False),
    ("mysql", "SELECT 1 FROM o WHERE IF(:t IS NULL, TRUE, tenant = :t)", True),
    ("mysql", "SELECT 1 FROM o WHERE :t IS NULL || tenant = :t", True),
    ("mysql", "SELECT 1 FROM o WHERE !(:t IS NOT NULL && tenant <> :t)", True),
    ("mysql", "SELECT 1 FROM o WHERE tenant <=> COALESCE(:t, tenant)", True),
    ("mysql", "SELECT 1 FROM o WHERE tenant <=> :t", False),
    ("tsql", "SELECT 1 FROM o WHERE tenant = ISNULL(:t, tenant)", True),
    ("tsql", "SELECT 1 FROM o WHERE IIF(:t IS NULL, 1, 0) = 1 OR a = :t", True),
    ("postgres", "SELECT 1 FROM o WHERE :t::text IS NULL OR tenant = :t", True),
    ("postgres", "SELECT 1 FROM o WHERE GREATEST(:t, tenant) = tenant", True),
    ("postgres", "SELECT 1 FROM o WHERE num_nulls(:t) = 1 OR tenant = :t", True),
    ("postgres", "SELECT 1 FROM o WHERE tenant ~ COALESCE(:t, '.*')", True),
    (
        "postgres",
        "SELECT 1 FROM o WHERE tenant = ANY(ARRAY[COALESCE(:t, tenant)])",
        True,
    ),
    (
        "postgres",
        "SELECT 1 FROM o WHERE tenant IS NOT DISTINCT FROM COALESCE(:t, tenant)",
        True,
    ),
    (
        "postgres",
        "WITH p AS (SELECT :t AS t) SELECT 1 FROM o, p q WHERE q.t IS NULL OR a = q.t",
        True,
    ),
    (
        "postgres",
        "WITH p AS (SELECT :t AS t) SELECT 1 FROM o, p WHERE o.tenant = p.t",
        False,
    ),
    (
        "postgres",
        "SELECT 1 FROM o CROSS JOIN (SELECT :t AS t) p WHERE o.tenant = COALESCE(p.t, o.tenant)",
        True,
    ),
    ("postgres", "SELECT 1 FROM a UNION ALL SELECT 2 FROM b WHERE :t IS NULL", True),
    (
        "postgres",
        "MERGE INTO x USING y ON (:t IS NULL OR x.t = :t) WHEN MATCHED THEN DELETE",
        True,
    ),
    (
        "postgres",
        "SELECT 1 FROM o WHERE (MATCH (a) AGAINST (:q) AND b SOUNDS LIKE c) OR :t IS NULL",
        True,
    ),
    (
        "postgres",
        f"SELECT 1 FROM o WHERE {'(' * 900}:t IS NULL OR a = :t{')' * 900}",
        True,
    ),
    (
        "postgres",
        f"SELECT 1 FROM o WHERE {'NOT (' * 900}:t IS NULL OR a = :t{')' * 900}",
        True,
    ),
    (
        "postgres",
        f"SELECT 1 FROM o WHERE {' AND '.join(f'c{i} = {i}' for i in range(300))}"
        " AND (:t IS NULL OR tenant = :t)",
        True,
    ),
]


@pytest.mark.parametrize(("dialect", "sql", "opens"), WRITTEN)
def test_a_guard_is_seen_in_the_words_of_each_dialect(
    dialect: str, sql: str, opens: bool
) -> None:
    arguments = {**ABSENT, "q": Argument()}
    assert opens is bool(find_open_filters(scan(sql, DIALECTS[dialect]), arguments))


def _default(value: object, **known: bool) -> Argument:
    known = {"is_list": False, "is_bool": isinstance(value, bool), **known}
    return Argument.of((value,), hidden=True, **known)


KNOWN = Argument((), hidden=True)
ALSO = ABSENT["t"]
# condition, what is known of the arguments, those that open it
GIVEN: list[tuple[str, dict[str, Argument], str]] = [
    ("(:t = '' OR tenant = :t)", {"t": _default("")}, "t"),
    ("(:t = '' OR tenant = :t)", {"t": _default("acme")}, ""),
    ("tenant = :t", {"t": _default("")}, ""),
    ("tenant LIKE '%' || :t || '%'", {"t": _default("")}, "t"),
    ("(:t = 0 OR tenant = :t)", {"t": _default(0)}, "t"),
    ("price >= :t", {"t": _default(0)}, ""),
    ("(:all OR gone IS NULL)", {"all": _default(True)}, "all"),
    ("(:all OR gone IS NULL)", {"all": _default(False)}, ""),
    ("(:r = 'admin' OR owner = :u)", {"r": _default("admin"), "u": KNOWN}, "r"),
    ("(:r = 'admin' OR owner = :u)", {"r": _default("user"), "u": KNOWN}, ""),
    ("(:r = 'admin' OR owner = :u)", {"r": ALSO, "u": KNOWN}, ""),
    ("tenant NOT IN (:t)", {"t": _default(None, is_list=True)}, ""),
    ("cardinality(:t) = 0 OR tenant = ANY(:t)", {"t": _default([], is_list=True)}, "t"),
    ("(:a IS NULL AND :b IS NULL) OR tenant = :a", {"a": ALSO, "b": ALSO}, "a b"),
    ("(:a IS NULL AND :b IS NULL) OR tenant = :a", {"a": ALSO, "b": KNOWN}, ""),
    ("tenant = COALESCE(:a, :b, tenant)", {"a": ALSO, "b": ALSO}, "a b"),
    ("tenant = COALESCE(:a, :b, tenant)", {"a": ALSO, "b": KNOWN}, ""),
    ("(:a IS NULL OR x = :a) AND x = :b", {"a": ALSO, "b": KNOWN}, ""),
    ("(:a IS NULL OR x = :a) AND x = :b", {"a": ALSO, "b": Argument()}, "a"),
]


@pytest.mark.parametrize(("condition", "arguments", "names"), GIVEN)
def test_defaults_and_other_arguments_count(
    condition: str, arguments: Mapping[str, Argument], names: str
) -> None:
    statement = scan(f"SELECT 1 FROM t WHERE {condition}", DIALECTS["postgres"])
    assert names.split() == [
        each.token.name for each in find_open_filters(statement, arguments)
    ]


GUARDED = "SELECT id FROM orders WHERE (:t IS NULL OR tenant = :t)"


def _errors(argument: Field) -> list[str]:
    return errors(said(tool(GUARDED, {"t": argument}), "sqlite"))


def test_an_empty_context_returns_every_tenants_rows() -> None:
    error = ["context-opens-filter"]
    assert error == _errors(field("t", "string?", origin=CONTEXT))
    assert error == _errors(field("t", "string", required=False, origin=CONTEXT))
    inherited = field("t", "string?", origin=CONTEXT, declared=False)
    assert error == _errors(inherited)
    empty = Default("")
    named = field("t", "string", required=False, default=empty, origin=CONTEXT)
    assert [] == _errors(named)  # `'' IS NULL` does not hold


def test_an_argument_that_is_always_there_may_have_its_guard() -> None:
    assert [] == _errors(field("t", "string", origin=CONTEXT))


def test_a_caller_may_leave_a_filter_out_and_lint_speaks_of_the_host() -> None:
    assert [] == _errors(field("t", "string?"))
    assert [] == _errors(field("t", "string?", origin=Host()))


WAIVED = """/*
---
name: all_orders
description: The orders of a tenant, or of all of them.
x-lint-ignore: { %s }
arguments:
  inline:
    t: { type: string?, from_context: app.tenant, x-lint-ignore: { %s } }
---
*/
SELECT id FROM orders WHERE (:t IS NULL OR tenant = :t)
"""


@pytest.mark.parametrize(
    "condition",
    [
        "starts_with(tenant, COALESCE(:t, ''))",
        "position(COALESCE(:t, '') IN tenant) > 0",
        "EXISTS (SELECT 1 FROM (VALUES (:t)) AS p (t) WHERE p.t IS NULL OR tenant = p.t)",
    ],
)
def test_a_text_that_every_text_holds_opens_a_filter(condition: str) -> None:
    sql = f"SELECT id FROM orders WHERE {condition}"
    assert find_open_filters(scan(sql, DIALECTS["postgres"]), ABSENT)


def test_no_caller_chooses_the_tenant_that_the_context_lacks() -> None:
    arguments = {**ABSENT, "mine": Argument((None,))}
    for condition, is_open in (
        ("tenant = COALESCE(:t, :mine)", True),
        ("tenant = CASE WHEN :t IS NULL THEN :mine ELSE :t END", True),
        ("tenant = :t AND city = COALESCE(:mine, city)", False),
        ("tenant = :t OR owner = :mine", False),
    ):
        sql = f"SELECT id FROM orders WHERE {condition}"
        found = find_open_filters(scan(sql, DIALECTS["postgres"]), arguments)
        assert is_open == bool(found), condition


@pytest.mark.parametrize("rule", ["SQL030", "sql030", "context-opens-filter"])
def test_only_a_reason_waives_it(rule: str, tmp_path: Path) -> None:
    said = f"{rule}: support sees all tenants"
    other = "SQL018: rows are listed"
    for waived in ((said, other), (other, said)):
        assert "SQL030" not in _codes(tmp_path, WAIVED % waived)
    for waived in ((other, other), (f"{rule}: ''", other), (other, f"{rule}: ''")):
        assert "SQL030" in _codes(tmp_path, WAIVED % waived)


def _codes(folder: Path, spec: str) -> list[str]:
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / "all_orders.sql").write_text(spec)
    connections = {"default": Connection("sqlite", ("sqlite3",))}
    project = Project(connections=connections)
    made = build(Settings(specs=specs, out=folder / "out", project=project))
    return [each.rule.code for each in made.diagnostics]


def test_in_statements_of_others_no_condition_is_taken_for_a_guard() -> None:
    """Of 700 queries none has a guard, whatever of their arguments is hidden and absent."""
    count = 0
    for path in ("sqlc_queries", "other_queries"):
        for item in items(f"sql-annotated/{path}.jsonl.gz"):
            known = {"mysql": "mysql", "sqlite": "sqlite"}
            dialect = known.get(item.get("engine", ""), "postgres")
            sql, _ = rewritten(item["sql"], dialect)
            statement = scan(sql, DIALECTS[dialect])
            arguments = dict.fromkeys(statement.names, ABSENT["t"])
            assert () == find_open_filters(statement, arguments), item["id"]
            count += bool(statement.names)
    assert count > 200
