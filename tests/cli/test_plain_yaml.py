"""YAML that is shown or written is YAML for every reader: editors and linters read it, too.

PyYAML without libyaml, and so yamllint, ends a text at a bare question mark in brackets:
``{ type: int? }`` is a syntax error there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
_FENCED = re.compile(r"^```(yaml|sql|markdown).*?\n(.*?)^```", re.M | re.S)
_AT_TOP = re.compile(r"(?:\s|--[^\n]*\n)*(?:/\*+\s*)?---\n(.*?)\n[ \t]*---", re.S)
_PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
_FOLDERS = [ROOT / "specs", *(ROOT / "tests" / "golden").glob("*/specs")]


def metadata(text: str) -> str:
    """The YAML at the top of a ``.sql`` or ``.md`` file; "" where there is none."""
    found = _AT_TOP.match(text)
    return found[1] if found else ""


def written(folder: Path) -> Iterator[tuple[str, str]]:
    """The YAML in the files of a folder."""
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".yaml", ".yml"}:
            yield str(file), file.read_text("utf-8")
        elif file.suffix in {".sql", ".md"}:
            yield str(file), metadata(file.read_text("utf-8"))


def shown(page: Path) -> Iterator[tuple[str, str]]:
    """The YAML of the examples on a page."""
    for language, text in _FENCED.findall(page.read_text("utf-8")):
        yield page.name, text if language == "yaml" else metadata(text)


def assert_plain(texts: Iterator[tuple[str, str]]) -> int:
    """Whatever libyaml reads, PyYAML's own reader reads as well, and as the same.

    Returns how many documents hold a type with a question mark.
    """
    refused, nullable = list[str](), 0
    for name, text in texts:
        try:
            meant = list(map(str, yaml.parse(text, yaml.CSafeLoader)))
        except yaml.YAMLError:  # an example of a syntax error
            continue
        try:
            if meant != list(map(str, yaml.parse(text, yaml.SafeLoader))):
                refused.append(f"{name}: is read as something else")
        except yaml.YAMLError as problem:
            refused.append(f"{name}: {problem}")
        nullable += "int?" in text
    assert [] == refused
    return nullable


def test_every_reader_of_yaml_reads_what_the_pages_show() -> None:
    assert assert_plain(each for page in _PAGES for each in shown(page)) > 3


def test_every_reader_of_yaml_reads_the_specs_of_this_project() -> None:
    assert assert_plain(each for folder in _FOLDERS for each in written(folder))


def test_every_reader_of_yaml_reads_what_init_writes(project: Path, run: Any) -> None:
    (project / "specs").rmdir()
    assert 0 == run("init").code
    assert assert_plain(written(project))


def test_every_reader_of_yaml_reads_what_import_writes(project: Path, run: Any) -> None:
    (project / "schema.sql").write_text("CREATE TABLE t (id int, note text);\n")
    (project / "q.sql").write_text(
        "-- name: Find :many\n-- Which? {a?}\n"
        "SELECT id, note FROM t WHERE :id IS NULL OR id = :id;\n"
    )
    options = ("--schema", "schema.sql", "--dialect", "sqlite", "--into", "specs")
    assert 0 == run("import", "q.sql", *options).code
    assert assert_plain(written(project / "specs"))


BARE = """\
type: entity
name: Note
fields: { a: { type: int?, description: Why? "So"\\? }, b: int?, 'c?': { type: int } }
kept: int?
"""
PLAIN = """\
type: entity
name: Note
fields: { a: { type: "int?", description: 'Why? "So"\\?' }, b: "int?", "c?": { type: int } }
kept: int?
"""


@pytest.mark.parametrize("text", [BARE, PLAIN])
def test_every_reader_of_yaml_reads_what_fmt_writes(
    project: Path, run: Any, text: str
) -> None:
    file = project / "specs" / "note.yaml"
    file.write_text(text)
    assert 0 == run("fmt", "specs").code
    assert PLAIN == file.read_text()
    assert assert_plain(written(project))
