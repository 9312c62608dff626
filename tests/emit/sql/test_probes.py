"""Mistakes that only the schema of the database shows: 35 probes, each found at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.model.project import Connection
from support.project import build
from support.schemas import schema_of

SCHEMA = """\
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TABLE customers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE,
  name text,
  mood mood NOT NULL DEFAULT 'ok',
  credit numeric(10, 2) NOT NULL DEFAULT 0,
  born date
);
CREATE TABLE orders (
  id bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  status text NOT NULL CHECK (status IN ('new', 'paid', 'sent')),
  total numeric NOT NULL,
  note text,
  placed_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (customer_id, placed_at)
);
CREATE FUNCTION brew(text) RETURNS text LANGUAGE sql AS $$ SELECT 'tea' $$;
"""
FINDINGS = "SQL032"
"""What the database would refuse."""

# what is probed: the statement, its arguments, what it returns, the codes
PROBES: dict[str, tuple[str, str, str, list[str]]] = {
    "a nullable column": (
        "SELECT name FROM customers", "", "[{name: string}]", ["SQL033"]),
    "a nullable column of a list of values": (
        "SELECT name FROM customers", "", "string[]", ["SQL033"]),
    "the right side of a LEFT JOIN": (
        "SELECT o.id, c.email FROM orders o LEFT JOIN customers c ON c.id = o.customer_id",
        "", "[{id: int, email: string}]", ["SQL033"]),
    "the left side of a RIGHT JOIN": (
        "SELECT o.total FROM orders o RIGHT JOIN customers c ON c.id = o.customer_id",
        "", "[{total: decimal}]", ["SQL033"]),
    "both sides of a FULL JOIN": (
        "SELECT o.id, c.email FROM orders o FULL JOIN customers c ON c.id = o.customer_id",
        "", "[{id: int, email: string}]", ["SQL033", "SQL033"]),
    "max() of no rows": (
        "SELECT max(total) AS top FROM orders", "", "{top: decimal}", ["SQL033"]),
    "sum() of no rows": (
        "SELECT sum(total) AS all_of FROM orders WHERE id = 1",
        "", "{all_of: decimal}", ["SQL033"]),
    "a scalar subquery that finds nothing": (
        "SELECT id, (SELECT email FROM customers c WHERE c.id = o.customer_id) AS email"
        " FROM orders o", "", "[{id: int, email: string}]", ["SQL033"]),
    "CASE without ELSE": (
        "SELECT CASE WHEN total > 1 THEN 'big' END AS size FROM orders",
        "", "[{size: string}]", ["SQL033"]),
    "NULLIF": (
        "SELECT NULLIF(status, 'new') AS s FROM orders", "", "[{s: string}]", ["SQL033"]),
    "one side of a UNION": (
        "SELECT email AS word FROM customers UNION ALL SELECT note FROM orders",
        "", "[{word: string}]", ["SQL033"]),
    "a nullable column behind a CTE": (
        "WITH n AS (SELECT id, note FROM orders) SELECT note FROM n",
        "", "[{note: string}]", ["SQL033"]),
    "a nullable column that RETURNING gives": (
        "UPDATE orders SET total = 1 WHERE id = 1 RETURNING note",
        "", "{note: string}", ["SQL033"]),
    "a text where the column is a number": (
        "SELECT id FROM orders", "", "[{id: string}]", ["SQL035"]),
    "a number where the column is a text": (
        "SELECT email FROM customers", "", "[{email: int}]", ["SQL035"]),
    "a float where digits count": (
        "SELECT credit FROM customers", "", "[{credit: bool}]", ["SQL035"]),
    "a date for a column of instants": (
        "SELECT placed_at FROM orders", "", "[{placed_at: bool}]", ["SQL035"]),
    "an optional field that is never selected": (
        "SELECT email FROM customers", "", "[{email: string, nick: 'string?'}]", ["SQL117"]),
    "a column of * that no field has": (
        "SELECT * FROM customers WHERE id = 1", "", "{id: int, nick: string}", ["SQL017"]),
    "a text argument beside a number": (
        "SELECT email FROM customers WHERE id = :id", "id: string", "[{email: string}]",
        ["SQL035"]),
    "a number argument beside a text": (
        "SELECT id FROM customers WHERE email = :email", "email: int", "[{id: int}]",
        ["SQL035"]),
    "a list of texts beside a number": (
        "SELECT email FROM customers WHERE id IN :ids", "ids: 'string[]'", "[{email: string}]",
        ["SQL035"]),
    "a bool stored in a number": (
        "UPDATE orders SET total = :total WHERE id = 1", "total: bool", "", ["SQL035"]),
    "an INSERT without a column that takes no NULL": (
        "INSERT INTO orders (id, customer_id, status) VALUES (1, 2, 'new')", "", "",
        [FINDINGS]),
    "an INSERT into a column that the database fills": (
        "INSERT INTO customers (id, email) VALUES (1, 'a')", "", "", [FINDINGS]),
    "an argument that may be absent, for a column that takes no NULL": (
        "INSERT INTO customers (email) VALUES (:email)", "email: 'string?'", "", ["SQL033"]),
    "an argument that may be absent, for a column that UPDATE sets": (
        "UPDATE customers SET email = :email WHERE id = 1", "email: 'string?'", "", ["SQL215"]),
    "a label that the enum lacks": (
        "SELECT id FROM customers WHERE mood = 'glad'", "", "[{id: int}]", [FINDINGS]),
    "an argument with a label that the enum lacks": (
        "SELECT id FROM customers WHERE mood = :mood", "mood: {type: string, enum: [ok, glad]}",
        "[{id: int}]", ["SQL035"]),
    "an argument with a value that the CHECK refuses": (
        "UPDATE orders SET status = :s WHERE id = 1", "s: {type: string, enum: [new, gone]}",
        "", ["SQL035"]),
    "an enum of the result that lacks a label": (
        "SELECT mood FROM customers", "", "[{mood: {type: string, enum: [sad, ok]}}]",
        ["SQL035"]),
    "a column that is misspelt": (
        "SELECT emial FROM customers", "", "[{emial: string}]", [FINDINGS]),
    "a table that is misspelt": (
        "SELECT id FROM custmers", "", "[{id: int}]", [FINDINGS]),
}  # fmt: skip


def _spec(statement: str, arguments: str, returns: str) -> str:
    lines = ["type: sql_function", "name: probe", "connection: shop"]
    if arguments:
        lines.append(f"arguments: {{inline: {{{arguments}}}}}")
    if returns.startswith("[{"):
        lines.append(f"returns: {{type: 'object[]', fields: {returns[1:-1]}}}")
    elif returns.startswith("{"):
        lines.append(f"returns: {{type: object, fields: {returns}}}")
    elif returns:
        lines.append(f"returns: '{returns}'")
    return "\n".join(
        [*lines, f"sql: {statement!r}" if ":" not in statement else ""]
    ) + (f"sql: |\n  {statement}\n" if ":" in statement else "\n")


def _codes(folder: Path, statement: str, arguments: str, returns: str) -> list[str]:
    schema = schema_of("db/schema.sql", SCHEMA)
    built = build(
        folder,
        {"probe.yaml": _spec(statement, arguments, returns)},
        targets=("sql",),
        connections={"shop": Connection("postgres", ("psycopg",), schema)},
    )
    return built.codes


@pytest.mark.parametrize("probe", PROBES)
def test_a_mistake_that_the_schema_shows_is_found(probe: str, tmp_path: Path) -> None:
    statement, arguments, returns, codes = PROBES[probe]
    assert codes == _codes(tmp_path, statement, arguments, returns)


# the same without the mistake
SOUND: dict[str, tuple[str, str, str]] = {
    "nullable columns": (
        "SELECT name, born FROM customers", "", "[{name: 'string?', born: 'date?'}]"),
    "an inner join": (
        "SELECT o.id, c.email FROM orders o JOIN customers c ON c.id = o.customer_id",
        "", "[{id: int, email: string}]"),
    "COALESCE": (
        "SELECT COALESCE(max(total), 0) AS top FROM orders", "", "{top: decimal}"),
    "a filter for NULL": (
        "SELECT note FROM orders WHERE note IS NOT NULL", "", "[{note: string}]"),
    "count(*)": ("SELECT count(*) AS n FROM orders", "", "{n: int}"),
    "a key": ("SELECT email FROM customers WHERE id = :id", "id: int", "{email: string}"),
    "a unique column": (
        "SELECT id FROM customers WHERE email = :email", "email: string", "{id: int}"),
    "LIMIT 1": ("SELECT id FROM orders ORDER BY placed_at LIMIT 1", "", "{id: int}"),
    "all columns that are needed": (
        "INSERT INTO orders (id, customer_id, status, total) VALUES (:i, :c, 'new', :t)",
        "i: int, c: int, t: decimal", ""),
    "labels of the enum": (
        "SELECT id FROM customers WHERE mood = :mood", "mood: {type: string, enum: [ok, sad]}",
        "[{id: int}]"),
    "an optional filter": (
        "SELECT id FROM orders WHERE (:s IS NULL OR status = :s)", "s: 'string?'",
        "[{id: int}]"),
    "a cast of the author": (
        "SELECT id FROM customers WHERE id = :id::bigint", "id: string", "[{id: int}]"),
    "a function of the schema": (
        "SELECT brew(email) AS tea FROM customers", "", "[{tea: string}]"),
}  # fmt: skip


@pytest.mark.parametrize("sound", SOUND)
def test_what_is_right_or_unknown_is_left_alone(sound: str, tmp_path: Path) -> None:
    statement, arguments, returns = SOUND[sound]
    assert [] == _codes(tmp_path, statement, arguments, returns)
