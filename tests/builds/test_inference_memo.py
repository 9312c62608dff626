"""What a schema says of a statement is inferred once, and again when either of them changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.build.cache import read_entry, write_entry
from brimgen.cli import run as cli
from brimgen.sql import Statement, known_schema
from brimgen.sql import infer as inference

SPEC = "type: sql_function\nname: {0}\nreturns: rows\nsql: SELECT {1} FROM books\n"


class Library:
    """A project with a schema; ``inferred`` are the statements that a run read anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inferred: list[str] = []

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self) -> list[str]:
        self.inferred.clear()
        known_schema.forget()  # as a new process begins
        assert 0 == cli.run(["generate"])
        return sorted(self.inferred)


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library(tmp_path)
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRIMGEN_CACHE", str(cache))
    infer = inference.infer

    def noted(statement: Statement, schema: inference.Schema) -> inference.Inferred:
        made.inferred.append(statement.text)
        return infer(statement, schema)

    monkeypatch.setattr(inference, "infer", noted)
    made.write(
        "brimgen.yaml", "connections: {default: {dialect: postgres, schema: db}}\n"
    )
    made.write("db/1.sql", "CREATE TABLE books (id bigint PRIMARY KEY, title text);\n")
    made.write("specs/a.yaml", SPEC.format("ids", "id"))
    made.write("specs/b.yaml", SPEC.format("titles", "title"))
    return made


def test_only_new_statements_are_inferred(library: Library) -> None:
    both = ["SELECT id FROM books", "SELECT title FROM books"]
    assert both == library.run()
    assert [] == library.run()
    library.write("specs/b.yaml", SPEC.format("titles", "id, title"))
    assert ["SELECT id, title FROM books"] == library.run()


def test_all_statements_are_inferred_again_with_another_schema(
    library: Library,
) -> None:
    library.run()
    library.write("db/2.sql", "ALTER TABLE books ALTER title SET NOT NULL;\n")
    assert 2 == len(library.run())
    assert (
        "title: NotRequired"
        not in (library.folder / "out/python/tools/sql/titles.py").read_text()
    )


def test_a_damaged_memo_is_as_good_as_none(library: Library) -> None:
    library.run()
    for each in (library.folder / "cache").glob("*.inferences"):
        data = each.read_bytes()
        each.write_bytes(data[: len(data) // 2])
    assert 2 == len(library.run())


STRANGE: dict[str, Callable[[Any], Any]] = {
    "null": lambda inferred: None,
    "a class of no schema": lambda inferred: ["Path", "/"],
    "a text for an inference": lambda inferred: [
        *inferred[:-1],
        ["dict", inferred[-1][1], "a text"],
    ],
    "a part is missing": lambda inferred: inferred[:-1],
    "a list in itself": lambda inferred: inferred.append(inferred) or inferred,
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_memo_is_as_good_as_none(library: Library, name: str) -> None:
    library.run()
    [path] = (library.folder / "cache").glob("*.inferences")
    entry = read_entry(str(path))
    write_entry(str(path), {**entry, "inferred": STRANGE[name](entry["inferred"])})
    assert 2 == len(library.run())
    assert [] == library.run()
