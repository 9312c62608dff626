"""Spec files in one style: every comment stays, and every file means the same as before."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from brimgen.api import Diagnostics
from brimgen.cli.run import run as run_command
from brimgen.formatting.format_spec import format_spec
from brimgen.formatting.tree import CannotFormat
from brimgen.source.document import SourceFile

ROOT = Path(__file__).resolve().parents[2]
Write = Callable[[str, str], Path]

BEFORE = """\
# yaml-language-server: $schema=x
type:   entity   #an entity
name: 'Order'
fields:
    id: {type: int,minimum: 1}   # number


    # Both names.
    name: {   # of the customer
       type: string,
       maxLength: 10,  # letters
    }
    tags:
    - a   # one
    -   - b
    # after the list
    note: |   # as it is
          SELECT 1

            -- deep
    kinds: [one,
      two]
    # the end of the fields
# the end
---
{type: entity, name: Customer,
 fields: {id: int, street: string, city: string, country: string, code: string}}
"""
AFTER = """\
# yaml-language-server: $schema=x
type: entity  # an entity
name: "Order"
fields:
  id: { type: int, minimum: 1 }  # number

  # Both names.
  name:  # of the customer
    type: string
    maxLength: 10  # letters
  tags:
    - a  # one
    - - b
  # after the list
  note: |  # as it is
    SELECT 1

      -- deep
  kinds: [one, two]
  # the end of the fields
# the end
---
type: entity
name: Customer
fields: { id: int, street: string, city: string, country: string, code: string }
"""


def formatted(text: str, name: str = "a.yaml") -> str:
    """The text in the one style; it must be sound YAML."""
    made = format_spec(SourceFile(name, name, text), Diagnostics())
    assert made is not None
    return made


def test_a_file_of_any_style_becomes_one_style_with_all_comments() -> None:
    assert AFTER == formatted(BEFORE)
    assert AFTER == formatted(AFTER)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: &x {b: 1}\nc: *x\n", "a: &x { b: 1 }\nc: *x\n"),
        ("a: 'it''s'\nb: 'a\"b'\nc: 'a\\b'\n", "a: 'it''s'\nb: 'a\"b'\nc: 'a\\b'\n"),
        ("a:\n\n\n\n  b:  1\n\n\nc:\n", "a:\n  b: 1\n\nc:\n"),
        ("a: one\n     two\n\n     three # x\n", "a: one\n  two\n\n  three  # x\n"),
        ('a: "one \\\n    two"\n', 'a: "one \\\n  two"\n'),
        ("a: |+\n    x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n"),
        ("a: >-\n      x\n       y\n   \nb: 1\n", "a: >-\n  x\n   y\n\nb: 1\n"),
        ("a:\n-\n  # first\n  b: 1\n", "a:\n  -\n    # first\n    b: 1\n"),
        ("a: [{b: 1}, [2, 3], {}]\n", "a: [{ b: 1 }, [2, 3], {}]\n"),
        ("a: [b: 1]\n", "a: [{ b: 1 }]\n"),
        ("a: [ # none\n]\n", "a: []  # none\n"),
        ("---\na: 1\n--- # next\nb: 2\n", "a: 1\n---  # next\nb: 2\n"),
        ("a: 1   \r\nb: 2".replace("\r", ""), "a: 1\nb: 2\n"),
    ],
)
def test_every_form_of_yaml_keeps_its_meaning(before: str, after: str) -> None:
    assert after == formatted(before)
    assert after == formatted(after)
    assert [*yaml.safe_load_all(before)] == [*yaml.safe_load_all(after)]


def test_what_does_not_fit_on_a_line_is_spread_over_lines() -> None:
    words = ", ".join(f"word_{number}: {number}" for number in range(9))
    made = formatted(f"a: {{ {words} }}\n")
    assert made.splitlines()[:2] == ["a:", "  word_0: 0"]
    assert made == formatted(made)


def test_only_the_yaml_of_sql_and_markdown_changes() -> None:
    sql = "-- ours\n/*\n  ---\n  name:   a\n  ---\n*/\nSELECT  1 ;\n\n"
    assert sql.replace("name:   a", "name: a") == formatted(sql, "a.sql")
    prompt = "---\nname:   a\n---\nHello  {{ args.name }}  \n"
    assert prompt.replace("name:   a", "name: a") == formatted(prompt, "a.md")


def test_specs_of_all_kinds_keep_their_comments_and_are_formatted_only_once() -> None:
    """Also those that are wrong: what a spec says is nothing to a formatter."""
    count = 0
    for path in sorted([*ROOT.glob("tests/errors/**/*"), *ROOT.glob("specs/**/*")]):
        if path.suffix not in {".yaml", ".sql", ".md"}:
            continue
        text = path.read_text("utf-8").replace("\r\n", "\n")
        try:
            made = format_spec(SourceFile(path.name, "", text), Diagnostics())
        except CannotFormat:
            continue
        if made is not None:
            count += 1
            assert made == formatted(made, path.name), path
            assert text.count(" #") <= made.count(" #"), path
    assert count > 300


def test_a_rare_form_of_yaml_is_left_as_it_is_and_told() -> None:
    for text in ("? a\n: b\n", "%YAML 1.2\n---\na: 1\n", "a: |2\n    x\n"):
        with pytest.raises(CannotFormat):
            formatted(text)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file in the style, one that is not, and one that is broken."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "good.yaml").write_text("a: 1\n")
    (tmp_path / "specs" / "other.yaml").write_text("a:   1\n")
    return tmp_path


def test_check_names_the_files_and_fmt_mends_them(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 3 == run_command(["fmt", "--check"])
    assert "specs/other.yaml\n" == capsys.readouterr().out
    assert "a:   1\n" == (project / "specs/other.yaml").read_text()
    assert 0 == run_command(["fmt"])
    assert "1 file formatted, 1 as they are" in capsys.readouterr().err
    assert "a: 1\n" == (project / "specs/other.yaml").read_text()
    assert 0 == run_command(["fmt", "--check", "specs/other.yaml"])


def test_a_broken_file_is_told_and_left_and_the_others_are_formatted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = project / "specs" / "broken.yaml"
    broken.write_text("a: [1\n")
    assert 1 == run_command(["fmt", "--format", "concise"])
    assert "specs/broken.yaml:" in capsys.readouterr().err
    assert "a: [1\n" == broken.read_text()
    assert "a: 1\n" == (project / "specs/other.yaml").read_text()


def test_a_file_that_belongs_to_no_project_is_formatted_where_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(BEFORE)
    monkeypatch.chdir(tmp_path)
    assert 0 == run_command(["fmt", "one.yaml"])
    assert AFTER == file.read_text()
    assert 2 == run_command(["fmt"])
    assert "O505" in capsys.readouterr().err


@pytest.mark.usefixtures("project")
def test_an_editor_formats_a_text_that_is_not_saved(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = b"/*\n---\nname:  a\n---\n*/\nSELECT 1\n"
    stdin = io.TextIOWrapper(io.BytesIO(text))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert 0 == run_command(["fmt", "-", "--stdin-name", "a.sql"])
    assert text.replace(b"  a", b" a").decode() == capsys.readouterr().out
