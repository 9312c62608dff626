"""ClickHouse, Spark for Databricks, and what stands in for Snowflake: every type, there and back.

Behind `make fuzz`, because the engines are hundreds of megabytes; see `elsewhere`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from databases import laws
from databases.elsewhere import running
from databases.shelf import Run, Shelf, generated

pytestmark = pytest.mark.fuzz
TABLES = {
    "clickhouse_connect": "id Int64, whole Nullable(Int64), ratio Nullable(Float64),"
    " amount Nullable(Decimal(76, 20)), flag Nullable(Bool), name Nullable(String),"
    " day Nullable(Date32), moment Nullable(DateTime64(6, 'UTC')),"
    " clock Nullable(String), span Nullable(Decimal(20, 6)), large Nullable(UInt64),"
    " data Nullable(String), names Nullable(String)",
    "databricks": "id BIGINT, whole BIGINT, ratio DOUBLE, amount DECIMAL(38, 9),"
    " flag BOOLEAN, name STRING, day DATE, moment TIMESTAMP_NTZ, clock STRING,"
    " span DECIMAL(20, 6), large DECIMAL(20, 0), data STRING, names STRING",
    "snowflake": "id NUMBER(38, 0), whole NUMBER(38, 0), ratio FLOAT,"
    " amount NUMBER(38, 9), flag BOOLEAN, name VARCHAR, day DATE,"
    " moment TIMESTAMP_NTZ, clock TIME, span NUMBER(20, 6), large NUMBER(20, 0),"
    " packed BINARY, data VARCHAR, names VARCHAR",
}
AFTER = {"clickhouse_connect": " ENGINE = Memory", "databricks": " USING parquet"}
DIALECTS = {"clickhouse_connect": "clickhouse"}


@pytest.fixture(scope="module", params=[*TABLES])
def driver(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def built(driver: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return generated(
        tmp_path_factory.mktemp(driver), DIALECTS.get(driver, driver), (driver,)
    )


@pytest.fixture(scope="module")
def run(driver: str) -> Iterator[Run]:
    with running(driver) as run:
        yield run


@pytest.fixture
def shelf(driver: str, built: Any, run: Run) -> Shelf:
    run("DROP TABLE IF EXISTS things", None)
    run(f"CREATE TABLE things ({TABLES[driver]}){AFTER.get(driver, '')}", None)
    return Shelf(built, driver, run)


class TestLaws(laws.Laws):
    """The laws of every driver."""
