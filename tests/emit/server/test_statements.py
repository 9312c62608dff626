"""Statements that the server runs: all of one, or nothing."""

from __future__ import annotations

import sqlite3

import pytest

from brimgen.serverruntime.statements import _transaction


def test_a_failed_change_leaves_no_transaction_open() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    connection.execute("INSERT INTO t VALUES (1)")
    connection.commit()
    for reads in (False, True):
        cursor = connection.cursor()
        with (
            pytest.raises(sqlite3.Error),
            _transaction("sqlite3", "write", connection, cursor, reads=reads),
        ):
            cursor.execute("INSERT INTO t VALUES (2)")
            cursor.execute("INSERT INTO t VALUES (1)")
        assert not connection.in_transaction
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (1,)
