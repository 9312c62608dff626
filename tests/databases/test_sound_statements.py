"""The statements that no build may refuse are sound: their databases take them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sqlschema import sound
from sqlschema.engines import Postgres, opened

pytestmark = pytest.mark.whole


@pytest.fixture
def engine(postgres_socket: str) -> Iterator[Postgres]:
    """The tables, and extensions that other tests do not see."""
    engine = Postgres(["SET search_path = shop"], postgres_socket)
    for extension in sound.EXTENSIONS:
        engine.connection.execute(f"CREATE EXTENSION {extension} SCHEMA shop")  # type: ignore[call-overload]
    engine.connection.execute(sound.SCHEMA)  # type: ignore[call-overload]
    yield engine
    engine.connection.execute("DROP SCHEMA shop CASCADE")
    engine.close()


def test_postgres_takes_every_statement_that_no_build_may_refuse(
    engine: Postgres,
) -> None:
    refused = {
        sql: why
        for statements in (*sound.NAMES.values(), *sound.FORMS.values())
        for sql in statements
        for _, _, why in [engine.prepare(sound.numbered(sql))]
        if why
    }
    assert {} == refused


@pytest.mark.parametrize("kind", sound.SCHEMAS)
def test_postgres_takes_every_schema_that_no_build_may_misread(
    kind: str, postgres_socket: str
) -> None:
    schema, statements = sound.SCHEMAS[kind]
    engine = Postgres([schema], postgres_socket)
    refused = [engine.prepare(sound.numbered(sql))[2] for sql in statements]
    engine.connection.execute("DROP SCHEMA shop CASCADE")
    engine.close()
    assert not any(refused), refused


@pytest.mark.parametrize("dialect", sound.OTHERS)
def test_each_database_takes_every_statement_that_no_build_may_refuse(
    dialect: str, request: pytest.FixtureRequest
) -> None:
    schema, statements = sound.OTHERS[dialect]
    script = [each for each in re.split(r";\n", schema) if each.strip()]
    engine = opened(dialect, script, request)
    for sql in (sql for kind in statements.values() for sql in kind):
        engine.run(sound.with_values(sql, dialect), ())
