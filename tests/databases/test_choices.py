"""PostgreSQL uses an index for a filter that `variants` compiles, in each driver's own text."""

from __future__ import annotations

from pathlib import Path

import pytest

from databases.connections import CONNECTIONS, running
from databases.shelf import Run, Shelf
from support.project import build, connection_to

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.whole]
SPEC = """\
type: sql_function
name: find
arguments:
  inline:
    code: int?
    sort: { type: string, enum: [up, down], default: up }
returns: int[]
choices: { sort: { up: id, down: id DESC } }
variants: VARIANTS
sql: SELECT id FROM coded WHERE (:code IS NULL OR code = :code) ORDER BY {sort} LIMIT 2
"""
DRIVERS = [each for each in CONNECTIONS if each[0] == "postgres"]


def _shelf(folder: Path, driver: str, run: Run, variants: str) -> Shelf:
    built = build(
        folder / variants,
        {"find.yaml": SPEC.replace("VARIANTS", variants)},
        targets=("python", "sql"),
        connections={"default": connection_to("postgres", driver)},
    )
    assert [] == built.errors
    return Shelf(built, driver, run)


def _fill(run: Run) -> None:
    for sql in (
        "DROP TABLE IF EXISTS coded",
        "CREATE TABLE coded AS SELECT g AS id, mod(g, 1000) AS code"
        " FROM generate_series(1, 20000) AS g",
        "CREATE INDEX by_code ON coded (code)",
        "ANALYZE coded",
    ):
        run(sql, None)


@pytest.mark.parametrize("connection", DRIVERS, ids="-".join)
def test_every_driver_runs_the_chosen_text(
    connection: tuple[str, str], postgres_socket: str, tmp_path: Path
) -> None:
    driver = connection[1].partition("-")[0]
    with running(connection, postgres_socket) as run:
        _fill(run)
        compiled = _shelf(tmp_path, driver, run, "true")
        assert [7, 1007] == compiled.call("find", code=7)
        assert [19007, 18007] == compiled.call("find", code=7, sort="down")
        assert [20000, 19999] == compiled.call("find", sort="down")


def test_a_prepared_statement_uses_the_index_of_a_compiled_filter(
    postgres_socket: str, tmp_path: Path
) -> None:
    with running(("postgres", "asyncpg"), postgres_socket) as run:
        _fill(run)
        run("SET plan_cache_mode = force_generic_plan", None)
        plans = []
        for variants in ("true", "false"):
            shelf = _shelf(tmp_path, "asyncpg", run, variants)
            render = shelf.module("sql.find").render_asyncpg
            text, (code,) = render(shelf.bound("find", code=7))
            run(f"PREPARE found_{variants} (bigint) AS {text}", None)
            rows = run(f"EXPLAIN EXECUTE found_{variants} ({code})", None)
            plans.append(" ".join(str(row[0]) for row, _ in rows))
        compiled, guarded = plans
        assert "by_code" in compiled
        assert "by_code" not in guarded
