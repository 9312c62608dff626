"""Snowflake, Databricks, BigQuery, ClickHouse: what is bound; `tests/statements` has the texts."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.project import build, connection_to

SPEC = """\
type: sql_function
name: probe
arguments:
  inline:
    n: int
    s: string?
    ids: "int[]"
    names: "string[]?"
    d: decimal
    t: datetime
    day: date
    yes: bool
returns: object[]
sql: |
  SELECT a FROM t WHERE a = :n AND (:s IS NULL OR b LIKE :s)
    AND c NOT IN (:ids) AND (:names IS NULL OR d IN :names)
    AND e > :d AND f >= :t AND g = :day AND h = :yes
"""
VALUES: dict[str, Any] = {
    "n": 2**63 - 1,
    "s": None,
    "ids": [1, 2],
    "names": ["it's"],
    "d": Decimal("1E-9"),
    "t": datetime(2024, 5, 6, 7, 8, 9, 1, tzinfo=timezone(timedelta(hours=9))),
    "day": date(2024, 2, 29),
    "yes": True,
}
UTC_TIME, AMOUNT = datetime(2024, 5, 5, 22, 8, 9, 1), Decimal("0.000000001")
PLAIN = {"n": VALUES["n"], "s": None, "t": UTC_TIME, "d": AMOUNT, "yes": True}
EXPECTED: dict[str, Any] = {
    "bigquery": {**VALUES, **PLAIN, "names__given": 1},
    "clickhouse": {
        **VALUES,
        "t": "2024-05-05 22:08:09.000001",
        "day": "2024-02-29",
        "names__given": 1,
    },
    "databricks": {
        **PLAIN,
        "day": VALUES["day"],
        "names__given": 1,
        "ids__0": 1,
        "ids__1": 2,
        "names__0": "it's",
    },
    "snowflake": (
        *(VALUES["n"], None, None, 1, 2, 1, "it's"),
        *(AMOUNT, UTC_TIME, VALUES["day"], True),
    ),
}
FUNCTIONS = {
    "bigquery": "bind_bigquery",
    "clickhouse": "bind_clickhouse_connect",
    "databricks": "render_databricks",
    "snowflake": "render_snowflake",
}


@pytest.mark.parametrize("dialect", EXPECTED)
def test_a_driver_is_given_values_of_its_own_types(
    tmp_path: Path, dialect: str
) -> None:
    connections = {"default": connection_to(dialect)}
    built = build(
        tmp_path, {"a.yaml": SPEC}, targets=("python", "sql"), connections=connections
    )
    assert not built.codes
    kind = built.tool("probe").bound_type
    function = getattr(built.load("sql.probe"), FUNCTIONS[dialect])

    def given(**values: Any) -> Any:
        made = function(kind(**{**VALUES, **values}))
        return made[1] if "render" in FUNCTIONS[dialect] else made

    assert EXPECTED[dialect] == given()
    if dialect == "bigquery":
        absent = given(names=None, ids=[])
        assert (None, [], []) == (
            absent["names__given"],
            absent["names"],
            absent["ids"],
        )
    if dialect == "databricks":
        for decimal in ("1E+38", "NaN"):
            with pytest.raises(ValueError, match="parameter 'd'"):
                given(d=Decimal(decimal))
