"""What statements give and take, by the schema alone."""

from __future__ import annotations

from brimgen.frozen import replace
from brimgen.sql import DIALECTS, scan
from brimgen.sql.infer import infer
from brimgen.sql.model import Inferred, Mistake
from sqlschema.shop import shop

_SCHEMAS = {
    dialect: shop(dialect) for dialect in ("sqlite", "duckdb", "postgres", "mysql")
}


def inferred(sql: str, dialect: str = "postgres") -> Inferred:
    found = infer(scan(sql, DIALECTS[dialect]), _SCHEMAS[dialect])
    assert found.unreadable is None, sql
    return found


def columns(sql: str, dialect: str = "postgres") -> dict[str, str]:
    """The columns by name: the type, then `?` if it may be NULL, `??` if that is not sure."""
    marks = {True: "?", False: "", None: "??"}
    return {
        each.name: (each.type.native if each.type else "unknown") + marks[each.nullable]
        for each in inferred(sql, dialect).columns or ()
    }


def test_an_outer_join_makes_columns_nullable_until_a_filter_undoes_it() -> None:
    join = "SELECT c.name, o.total FROM orders o LEFT JOIN customers c ON c.id = o.customer_id"
    assert columns(join)["name"].endswith("?")
    assert columns(f"{join} WHERE c.country = 'de'")["name"] == "character varying(40)"
    assert columns(f"{join} WHERE c.country IS NULL")["name"].endswith("?")
    right = join.replace("LEFT", "RIGHT")
    assert columns(right) == {
        "name": "character varying(40)",
        "total": "numeric(10,2)?",
    }
    assert columns(join.replace("LEFT", "FULL"))["total"].endswith("?")


def test_a_filter_that_lets_no_null_through_makes_a_column_not_null() -> None:
    for condition in (
        "email IS NOT NULL",
        "email = :e",
        "email LIKE 'a%' AND active",
        "NOT (email IS NULL OR vip)",
        "email IN ('a', 'b')",
        "lower(email) = :e",
        "email = ANY(:all)",
    ):
        assert columns(f"SELECT email FROM customers WHERE {condition}")["email"] == (
            "character varying(40)"
        ), condition
    for condition in (
        "email IS NOT NULL OR vip",
        "coalesce(email, 'x') = :e",
        "(:e IS NULL OR email = :e)",
        "email NOT IN (SELECT name FROM customers)",
        "email <> ALL(:all)",
        "email IS DISTINCT FROM :e",
    ):
        found = columns(f"SELECT email FROM customers WHERE {condition}")["email"]
        assert found.endswith("?"), condition


def test_an_aggregate_is_null_only_where_its_rows_may_be() -> None:
    assert columns("SELECT sum(quantity) AS s, count(*) AS n FROM items") == {
        "s": "bigint?",
        "n": "bigint",
    }
    grouped = "SELECT sum(quantity) AS s, max(note) AS m FROM items GROUP BY sku"
    assert columns(grouped) == {"s": "bigint", "m": "text?"}
    filtered = (
        "SELECT sum(quantity) FILTER (WHERE line = 1) AS s FROM items GROUP BY sku"
    )
    assert columns(filtered) == {"s": "bigint?"}
    assert columns("SELECT name, count(*) AS n FROM customers", "sqlite") == {
        "name": "TEXT?",
        "n": "INTEGER",
    }


def test_groups_that_are_named_together_or_by_all_are_groups() -> None:
    grouped = "SELECT country, sum(id) AS s FROM customers GROUP BY {}"
    for keys, dialect in (("(country, vip)", "postgres"), ("ALL", "duckdb")):
        found = inferred(grouped.format(keys), dialect)
        assert not found.findings and found.columns is not None
        assert [each.nullable for each in found.columns] == [False, False]
    for keys, dialect in (("()", "postgres"), ("()", "duckdb"), ("ALL", "duckdb")):
        one = inferred(f"SELECT sum(id) AS s FROM customers GROUP BY {keys}", dialect)
        assert one.columns is not None and one.columns[0].nullable
        assert one.at_least_one


def test_a_list_that_may_hold_null_has_no_type_of_a_spec() -> None:
    grouped = "SELECT {} AS x FROM customers GROUP BY country"
    for dialect in ("postgres", "duckdb"):
        for expression in ("array_agg(email)", "ARRAY[min(email), max(name)]"):
            found = columns(grouped.format(expression), dialect)["x"]
            assert found.startswith("unknown"), (dialect, expression, found)
        found = columns(grouped.format("array_agg(name)"), dialect)["x"]
        assert "[]" in found, (dialect, found)


def test_case_and_coalesce_know_which_branch_they_are_in() -> None:
    assert columns(
        "SELECT CASE WHEN email IS NULL THEN name ELSE email END AS a,"
        " CASE WHEN email IS NULL THEN name END AS b, coalesce(email, name) AS c,"
        " coalesce(email, notes) AS d, nullif(id, 0) AS e FROM customers"
    ) == {
        "a": "character varying(40)",
        "b": "character varying(40)?",
        "c": "character varying(40)",
        "d": "character varying?",
        "e": "integer?",
    }


def test_each_dialect_counts_and_divides_in_its_own_types() -> None:
    sql = "SELECT sum(quantity) AS s, avg(quantity) AS a, max(quantity) / 2 AS h FROM items"
    assert {dialect: list(columns(sql, dialect).values()) for dialect in _SCHEMAS} == {
        "sqlite": ["INTEGER?", "REAL?", "INTEGER?"],
        "duckdb": ["BIGINT?", "DOUBLE?", "DOUBLE?"],
        "postgres": ["bigint?", "numeric?", "integer?"],
        "mysql": ["decimal?", "decimal?", "decimal?"],
    }


def test_a_recursive_query_is_nullable_where_any_of_its_rounds_is() -> None:
    assert columns(
        "WITH RECURSIVE up(id, boss) AS (SELECT id, id FROM staff WHERE id = :id UNION ALL"
        " SELECT s.id, s.boss_id FROM staff s JOIN up ON up.boss = s.id) SELECT * FROM up"
    ) == {"id": "integer", "boss": "integer?"}


def test_a_view_is_as_nullable_as_its_query() -> None:
    assert columns("SELECT * FROM open_orders") == {
        "id": "bigint",
        "total": "numeric(10,2)",
        "customer": "character varying(40)?",
        "discount": "numeric(10,2)?",
    }


def test_a_function_that_nobody_knows_has_an_unknown_type() -> None:
    assert columns("SELECT shop_fee(total) AS fee FROM orders", "mysql") == {
        "fee": "unknown??"
    }
    assert inferred("SELECT * FROM pg_stat_activity").columns is None


def test_a_parameter_takes_the_type_of_what_it_stands_beside() -> None:
    found = inferred(
        "UPDATE orders SET total = :total, paid = coalesce(:paid, paid)"
        " WHERE id IN (:ids) AND (:status IS NULL OR status = :status)"
        " AND placed BETWEEN :since AND now() AND note(:x) = 1"
    ).parameters
    shown = {
        name: (
            each.type.native if each.type else None,
            each.is_list,
            each.nullable,
            each.stored,
        )
        for name, each in found.items()
    }
    assert shown == {
        "total": ("numeric(10,2)", False, False, True),
        "paid": ("timestamp without time zone", False, True, False),
        "ids": ("bigint", True, None, False),
        "status": ("order_status", False, True, False),
        "since": ("timestamp without time zone", False, None, False),
        "x": (None, False, None, False),
    }
    status = found["status"]
    assert status.type is not None and status.type.labels == ("open", "paid", "done")
    assert status.origin is not None and status.origin.column.name == "status"


def test_two_uses_of_a_parameter_that_differ_leave_its_type_open() -> None:
    found = inferred("SELECT 1 FROM customers WHERE name = :x OR born = :x", "duckdb")
    assert found.parameters["x"].type is None


def test_places_lead_to_the_statement_as_it_was_written() -> None:
    sql = "SELECT nmae, :n::int + 1 AS more FROM customers WHERE id = :n"
    found = inferred(sql)
    (finding,) = found.findings
    assert finding.mistake is Mistake.UNKNOWN_COLUMN
    assert finding.candidates == ("name",)
    assert sql[slice(*finding.place)] == "nmae"
    assert [sql[slice(*each)] for each in found.parameters["n"].places] == [":n", ":n"]
    more = (found.columns or ())[1]
    assert sql[slice(*more.place)].startswith(":n::int")


def test_what_is_no_query_is_not_understood_as_one() -> None:
    for sql in ("VACUUM", "CALL refresh(:x)", "SELECT FROM WHERE"):
        found = infer(scan(sql, DIALECTS["postgres"]), _SCHEMAS["postgres"])
        assert found.columns is None and found.findings == ()


def test_a_statement_that_is_nested_too_deeply_is_not_understood() -> None:
    condition = " OR ".join(["id = 1"] * 3000)
    sql = f"SELECT id FROM customers WHERE {condition}"
    found = infer(scan(sql, DIALECTS["postgres"]), _SCHEMAS["postgres"])
    assert found.findings == () and (found.columns or found.unreadable is not None)
    sql = f"SELECT {'(' * 2000}id{')' * 2000} FROM customers"
    found = infer(scan(sql, DIALECTS["postgres"]), _SCHEMAS["postgres"])
    assert found.findings == () and (found.columns or found.unreadable is not None)


def test_aliases_are_names_where_the_dialect_has_them() -> None:
    sql = "SELECT total * 2 AS twice FROM orders WHERE twice > 1"
    for dialect in ("sqlite", "duckdb"):
        assert inferred(sql, dialect).findings == ()
    for dialect in ("postgres", "mysql"):
        assert [each.subject for each in inferred(sql, dialect).findings] == ["twice"]


def test_a_dialect_whose_rules_are_not_tested_promises_little() -> None:
    schema = replace(_SCHEMAS["postgres"], dialect="clickhouse")
    sql = (
        "SELECT c.name, c.email, o.total, coalesce(c.email, '') AS e FROM customers c"
        " LEFT JOIN orders o ON o.customer_id = c.id WHERE c.id = 1"
    )
    found = infer(scan(sql, DIALECTS["clickhouse"]), schema)
    assert [each.nullable for each in found.columns or ()] == [False, True, None, None]
