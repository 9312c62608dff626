"""Run by `elsewhere`, in an environment with the driver it is told: pickled pairs of a statement
and its arguments in, pickled pairs of rows and what went wrong out. Imports nothing of ours.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from typing import Any

Run = Callable[[str, Any], list[tuple[Any, list[str]]]]


def clickhouse_connect() -> Run:
    import clickhouse_connect

    client: Any = clickhouse_connect.get_client(interface="chdb")

    def run(sql: str, arguments: Any) -> list[tuple[Any, list[str]]]:
        if not sql.lstrip().upper().startswith("SELECT"):
            client.command(sql, parameters=arguments)
            return []
        found = client.query(sql, parameters=arguments)
        return [(row, list(found.column_names)) for row in found.result_rows]

    return run


def snowflake() -> Run:
    import fakesnow
    import snowflake.connector

    emulation = contextlib.ExitStack()
    emulation.enter_context(fakesnow.patch())
    connection: Any = snowflake.connector.connect(
        database="shelf", schema="things", paramstyle="qmark"
    )
    # Its database ends with the last reference to it.
    atexit.register(emulation.close)

    def run(sql: str, arguments: Any) -> list[tuple[Any, list[str]]]:
        cursor = connection.cursor()
        cursor.execute(sql, arguments or None)
        if not cursor.description:
            return []
        # Snowflake tells unquoted names in capitals.
        names = [each.name.lower() for each in cursor.description]
        return [(row, names) for row in cursor.fetchall()]

    return run


def databricks() -> Run:
    """Spark, whose statements and named parameters are those of Databricks."""
    import tempfile

    os.environ["TZ"] = (
        "UTC"  # the driver says the zone of its session, which is to be UTC
    )
    from datetime import date, datetime

    from pyspark.sql import SparkSession
    from pyspark.sql.functions import expr

    folder = tempfile.mkdtemp()
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.sources.parallelPartitionDiscovery.threshold": "10000",
        "spark.sql.warehouse.dir": folder,
        "spark.sql.catalogImplementation": "in-memory",
    }
    builder: Any = SparkSession.builder.master("local[1]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session: Any = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    atexit.register(session.stop)

    def sent(value: Any) -> Any:
        """A value as the driver sends it: that of a day or an instant as text, with its type."""
        if not isinstance(value, date):
            return value
        kind = "TIMESTAMP" if isinstance(value, datetime) else "DATE"
        return expr(f"{kind}'{value}'")

    def run(sql: str, arguments: Any) -> list[tuple[Any, list[str]]]:
        args = {name: sent(value) for name, value in (arguments or {}).items()}
        found = session.sql(sql, args=args or None)
        return [(tuple(row), found.columns) for row in found.collect()]

    return run


def main() -> None:
    # Libraries that print would break the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    workers = (clickhouse_connect, databricks, snowflake)
    run: Run = {each.__name__: each for each in workers}[sys.argv[1]]()
    while True:
        try:
            sql, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = run(sql, arguments), None
        except Exception:
            answer = [], traceback.format_exc()
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
