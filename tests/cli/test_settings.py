"""What of settings no transcript shows: who owns a file, and in which order migrations apply."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

Write = Callable[[str, str], Path]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
@pytest.mark.parametrize("what", ["file", "folder"])
@pytest.mark.parametrize("name", ["brimgen.yaml", "pyproject.toml"])
def test_the_configuration_of_another_user_further_up_is_not_obeyed(
    project: Path,
    write: Write,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    what: str,
) -> None:
    text = "out: evil\n" if name == "brimgen.yaml" else "[tool.brimgen]\nout = 'evil'\n"
    file = write(name, text)
    write(".git/HEAD", "")
    monkeypatch.chdir(write("below/specs/a.yaml", "").parents[1])
    os.chown(file if what == "file" else project, 1234, -1)
    ran = run("generate", "--specs", "specs", "--format", "concise")
    assert (2, False) == (ran.code, (project / "evil").exists())
    assert "another user" in ran.err
    assert 0 == run("generate", "--specs", "specs", "--config", str(file)).code
    assert (project / "evil").exists()


def test_who_owns_files_is_asked_above_the_working_directory_only(
    project: Path, write: Write, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("brimgen.yaml", "out: ours\n")
    write(".git/HEAD", "")
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    assert 0 == run("generate").code
    assert (project / "ours").exists()


FOLDERS = {
    "golang-migrate": (
        "000002_b.up.sql 000010_c.up.sql 000001_a.up.sql 000001_a.down.sql",
        "000001_a.up.sql 000002_b.up.sql 000010_c.up.sql",
    ),
    "Flyway": (
        "V1.10__c.sql V1__a.sql V1_9__b.sql U1__a.sql R__views.sql notes.txt",
        "V1__a.sql V1_9__b.sql V1.10__c.sql R__views.sql",
    ),
    "Flyway from a baseline": (
        "V1__a.sql B2__all.sql V3__c.sql",
        "B2__all.sql V3__c.sql",
    ),
    "dbmate": (
        "20240102030405_b.sql 20231231000000_a.sql",
        "20231231000000_a.sql 20240102030405_b.sql",
    ),
    "Prisma": (
        "20240102_b/migration.sql 20230101_a/migration.sql",
        "20230101_a/migration.sql 20240102_b/migration.sql",
    ),
    "Diesel": (
        "2_b/up.sql 2_b/down.sql 1_a/up.sql 1_a/down.sql",
        "1_a/up.sql 2_b/up.sql",
    ),
    "numbers": ("10.sql 9.sql 1.sql", "1.sql 9.sql 10.sql"),
}


@pytest.mark.parametrize(("files", "expected"), FOLDERS.values(), ids=FOLDERS)
def test_migrations_are_applied_in_the_order_of_their_tool(
    files: str, expected: str, write: Write, run: Run
) -> None:
    """Each but the first needs the table that the one before it made."""
    tables = ["t", *expected.split()]
    for name in files.split():
        sql = "DROP TABLE gone;\n"
        if name in expected.split():
            before = tables[tables.index(name) - 1]
            sql = f'ALTER TABLE "{before}" RENAME TO "{name}";\n'
            if before == "t":
                sql = f"CREATE TABLE t (title TEXT NOT NULL);\n{sql}"
        write(f"db/{name}", sql)
    write("brimgen.yaml", "connections: {default: {dialect: sqlite, schema: db}}\n")
    write(
        "specs/titles.yaml",
        "type: sql_function\nname: titles\nreturns: string[]\n"
        f'sql: SELECT title FROM "{expected.split()[-1]}"\n',
    )
    ran = run("generate", "--format", "concise")
    assert (0, False) == (ran.code, "SQL" in ran.err), ran.err
