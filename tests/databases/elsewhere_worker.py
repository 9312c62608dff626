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


def main() -> None:
    # Libraries that print would break the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    run: Run = {"clickhouse_connect": clickhouse_connect, "snowflake": snowflake}[
        sys.argv[1]
    ]()
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
