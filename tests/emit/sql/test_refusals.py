"""Refusals by drivers whose servers are not at hand, from what these are documented to raise.

``refusals.txt`` has a line each: the driver and its code, the message, and what is told of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brimgen_runtime.sql._refusals import refusal_of

ARGUMENTS = ("email", "quantity")
ROWS = Path(__file__).with_name("refusals.txt").read_text("utf-8").splitlines()


class _OfOracle:
    """What oracledb raises has as its argument."""

    def __init__(self, code: int, message: str) -> None:
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


def _raised(home: str, *args: object, **attributes: object) -> Exception:
    """An exception of a class of the module ``home``."""
    kind: Any = type("DatabaseError", (Exception,), {"__module__": home, **attributes})
    made: Exception = kind(*args)
    return made


def _error(driver: str, code: str, message: str) -> Exception:
    """What a driver raises for a message of its server."""
    match driver:
        case "oracle":
            return _raised("oracledb.exceptions", _OfOracle(int(code), message))
        case "tsql":
            server = "[Microsoft][ODBC Driver 18 for SQL Server][SQL Server]"
            return _raised("pyodbc", code, f"[{code}] {server}{message}")
        case "databricks":
            return _raised("databricks.sql.exc", message)
        case _:
            return _raised("psycopg.errors", message, sqlstate=code)


@pytest.mark.parametrize("line", ROWS)
def test_what_a_database_refuses_is_told_in_words_of_the_tool(line: str) -> None:
    raised, _, expected = line.partition(" ==> ")
    origin, _, message = raised.partition(": ")
    driver, code = origin.split()
    refusal = refusal_of(_error(driver, code, message))
    assert expected == str(refusal and refusal.told(ARGUMENTS))


@pytest.mark.parametrize(
    "error",
    [
        ValueError("duplicate key"),
        OSError(1062, "no driver"),
        _raised("psycopg", "the connection was closed"),
    ],
)
def test_of_what_is_no_fault_of_the_call_nothing_is_told(error: Exception) -> None:
    assert None is refusal_of(error)


def test_what_callers_do_not_send_is_not_named() -> None:
    key = _raised(
        "psycopg.errors", "...", sqlstate="23505", constraint_name="t_tenant_name_key"
    )
    found = refusal_of(key)
    assert found is not None
    assert "there is a row with this name already" == found.told(["name"], ["tenant"])
    rest = "; other arguments would not change that"
    alone = f"there is a row with these values already, where they must be unique{rest}"
    assert alone == found.told(["day"], ["tenant"])
    null = refusal_of(
        _raised("psycopg.errors", "...", sqlstate="23502", column_name="tenant")
    )
    assert null is not None
    alone = f"a value is missing that must be given{rest}"
    assert alone == null.told(["name"], ["tenant"])
    assert "a value is missing that must be given" == null.told(["name"])
