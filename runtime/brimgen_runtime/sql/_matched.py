"""Count the rows that an UPDATE of MySQL matched, and not only those that it changed."""

from __future__ import annotations

import re
from typing import Any, Final

MYSQL: Final = (
    *("pymysql", "mysqlclient", "aiomysql", "asyncmy"),
    *("mysql_connector", "mariadb"),
)
"""The drivers of MySQL."""
FOUND_ROWS: Final = 2
"""The flag of a connection (`CLIENTFOUND_ROWS`) that makes MySQL count the rows that an UPDATE
matched, and not only those whose values it changed."""
_UPDATE: Final = re.compile(r"\bkey\s+update\b|\b(update)\b", re.IGNORECASE)
"""The word UPDATE, but for that of ON DUPLICATE KEY UPDATE, which matches no rows."""
_MATCHED: Final = re.compile(r"Rows matched: (\d+)")


def counts_matched(driver: str, cursor: Any, statement: str) -> bool:
    """Return whether ``rowcount`` has the rows that a statement matched."""
    if driver not in MYSQL or not any(
        found[1] for found in _UPDATE.finditer(statement)
    ):
        return True
    connection = getattr(cursor, "connection", None) or cursor._connection
    match driver:
        case "pymysql" | "aiomysql":
            flags = connection.client_flag
        case "mysql_connector":
            return bool(connection.isset_client_flag(FOUND_ROWS))
        case "mariadb":
            flags = connection.client_capabilities
        case _:
            flags = 0
    return bool(flags & FOUND_ROWS)


def matched(driver: str, cursor: Any) -> int:
    """Return how many rows an UPDATE has matched, as the server says it; -1 where it does not."""
    told = _MATCHED.search(_info(driver, cursor))
    return -1 if told is None else int(told[1])


def _info(driver: str, cursor: Any) -> str:
    """Return what the server says of a statement: `Rows matched: 2  Changed: 1  Warnings: 0`."""
    if driver == "mysqlclient":
        return str(cursor.connection.info())
    return str(getattr(getattr(cursor, "_result", None), "message", ""))
