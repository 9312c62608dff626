"""Refusals by drivers whose servers are not at hand, from what these are documented to raise."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen_runtime.sql._refusals import refusal_of

ARGUMENTS = ("email", "quantity")


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


def _oracle(code: int, message: str) -> Exception:
    return _raised("oracledb.exceptions", _OfOracle(code, message))


def _told(error: Exception) -> str | None:
    refusal = refusal_of(error)
    return refusal and refusal.told(ARGUMENTS)


@pytest.mark.parametrize(
    ("code", "message", "expected"),
    [
        (
            1,
            "ORA-00001: unique constraint (SHOP.PEOPLE_EMAIL) violated",
            "there is a row with this email already",
        ),
        (
            1400,
            'ORA-01400: cannot insert NULL into ("SHOP"."PEOPLE"."EMAIL")',
            "email must be given",
        ),
        (
            2290,
            "ORA-02290: check constraint (SHOP.QUANTITY_POSITIVE) violated",
            "the database does not allow this quantity",
        ),
        (
            2291,
            "ORA-02291: integrity constraint (SHOP.SYS_C008) violated - parent key not found",
            "it refers to something that is not there",
        ),
        (
            2292,
            "ORA-02292: integrity constraint (SHOP.SYS_C008) violated - child record found",
            "something else still refers to it",
        ),
        (
            60,
            "ORA-00060: deadlock detected while waiting for resource",
            "the database was busy; the same call may go through later",
        ),
        (942, 'ORA-00942: table or view "SHOP"."EMAIL" does not exist', None),
    ],
)
def test_what_oracle_refuses_is_told_in_words_of_the_tool(
    code: int, message: str, expected: str | None
) -> None:
    assert expected == _told(_oracle(code, message))


@pytest.mark.parametrize(
    ("state", "message", "expected"),
    [
        (
            "23000",
            (
                "Violation of UNIQUE KEY constraint 'UQ_people_email'. Cannot insert "
                "duplicate key in object 'dbo.people'. The duplicate key value is "
                "(quantity). (2627) (SQLExecDirectW)"
            ),
            "there is a row with this email already",
        ),
        (
            "23000",
            (
                "Cannot insert the value NULL into column 'email', table 'shop.dbo.people'; "
                "column does not allow nulls. INSERT fails. (515) (SQLExecDirectW)"
            ),
            "email must be given",
        ),
        (
            "23000",
            (
                'The INSERT statement conflicted with the CHECK constraint "CK_quantity". '
                'The conflict occurred in database "shop". (547) (SQLExecDirectW)'
            ),
            "the database does not allow this quantity",
        ),
        (
            "23000",
            (
                'The DELETE statement conflicted with the REFERENCE constraint "FK_1". The '
                'conflict occurred in database "shop". (547) (SQLExecDirectW)'
            ),
            "something else still refers to it",
        ),
        (
            "22001",
            (
                "String or binary data would be truncated in table 'shop.dbo.people', column "
                "'email'. Truncated value: 'x'. (2628) (SQLExecDirectW)"
            ),
            "email is too long",
        ),
        (
            "40001",
            (
                "Transaction (Process ID 52) was deadlocked on lock resources with another "
                "process (1205) (SQLExecDirectW)"
            ),
            "the database was busy; the same call may go through later",
        ),
        ("42S02", "Invalid object name 'email'. (208) (SQLExecDirectW)", None),
    ],
)
def test_what_sql_server_refuses_is_told_in_words_of_the_tool(
    state: str, message: str, expected: str | None
) -> None:
    text = f"[{state}] [Microsoft][ODBC Driver 18 for SQL Server][SQL Server]{message}"
    assert expected == _told(_raised("pyodbc", state, text))


def test_what_databricks_refuses_is_told_in_words_of_the_tool() -> None:
    text = (
        "[DELTA_NOT_NULL_CONSTRAINT_VIOLATED] NOT NULL constraint violated for column:"
        " email. SQLSTATE: 23502"
    )
    assert "a value is missing that must be given" == _told(
        _raised("databricks.sql.exc", text)
    )


def test_what_a_rule_of_the_database_says_is_not_told() -> None:
    error = _raised("psycopg.errors", "the secret of email", sqlstate="P0001")
    assert "a rule of the database forbids it" == _told(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("duplicate key"),
        OSError(1062, "no driver"),
        _raised("psycopg.errors", "no such table", sqlstate="42P01"),
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
