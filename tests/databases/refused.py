"""What databases refuse, and the sentence that a caller may know of it, whatever the driver."""

from __future__ import annotations

import pytest

from brimgen_runtime.sql._refusals import refusal_of
from databases.shelf import Run

TABLES = (
    "CREATE TABLE people (id BIGINT PRIMARY KEY, email VARCHAR(20) UNIQUE,"
    " name VARCHAR(20) NOT NULL, age BIGINT, CHECK (age > 0))",
    "CREATE TABLE pets (id BIGINT PRIMARY KEY, owner BIGINT,"
    " FOREIGN KEY (owner) REFERENCES people (id))",
    "INSERT INTO people VALUES (1, 'a@x', 'Ann', 30)",
    "INSERT INTO pets VALUES (1, 1)",
)
ARGUMENTS = ("age", "email", "id", "name", "owner")
FOREIGN = "it refers to something that is not there, or something still refers to it"
UNIQUE = "there is a row with these values already, where they must be unique"
CASES = {
    "INSERT INTO people VALUES (2, 'a@x', 'Bob', 30)": {
        "": "there is a row with this email already"
    },
    "INSERT INTO people VALUES (1, 'b@x', 'Bob', 30)": {
        "": "there is a row with this id already",
        "mysql": UNIQUE,
    },
    "INSERT INTO people VALUES (2, 'b@x', NULL, 30)": {"": "name must be given"},
    "INSERT INTO people VALUES (2, 'b@x', 'Bob', 0)": {
        "": "the database does not allow this age",
        "mysql": "the database does not allow one of these values, or not together",
    },
    "INSERT INTO pets VALUES (2, 9)": {
        "": "there is nothing with this owner",
        "duckdb": "it refers to something that is not there",
        "sqlite": FOREIGN,
    },
    "DELETE FROM people WHERE id = 1": {
        "": "something else still refers to it",
        "sqlite": FOREIGN,
    },
    "UPDATE people SET name = 'xxxxxxxxxxxxxxxxxxxxxxxxx' WHERE id = 1": {
        "postgres": "a text is too long",
        "mysql": "name is too long",
    },
    "UPDATE people SET age = 9223372036854775807 + CAST(id AS DECIMAL(20))": {
        "postgres": "a number or date is out of range",
        "mysql": "age is out of range",
        "duckdb": "a value is not of the form that the database wants",
    },
    "SELECT nothing FROM people": {},
}


def can_be_told(run: Run, dialect: str) -> None:
    """Each refusal has its sentence; what is wrong with the statement itself has none."""
    for each in ("pets", "people"):
        run(f"DROP TABLE IF EXISTS {each}", None)
    for each in TABLES:
        run(each, None)
    expected, told = dict[str, str | None](), dict[str, str | None]()
    for statement, sentences in CASES.items():
        sentence = sentences.get(dialect, sentences.get(""))
        if sentences and not sentence:
            continue
        with pytest.raises(Exception) as caught:
            run(statement, None)
        refusal = refusal_of(caught.value)
        expected[statement] = sentence
        told[statement] = refusal and refusal.told(ARGUMENTS)
    assert expected == told
