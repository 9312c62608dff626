"""Statements as Python text: every character survives."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit.sql.module.literals import text_literal

PIECES = st.sampled_from(
    [
        *("\n", "\n", '"', '""', '"""', "'", "\\", "\\n", "\\\\", " ", "\t", "\r"),
        *("SELECT a", "é", "\x0c", "\u2028", "{", "x" * 90, "\\N{BEL}", "#", "\x85"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join)))
def test_every_statement_comes_back_from_its_python_literal(text: str) -> None:
    if text.encode("utf-8", "replace") != text.encode("utf-8", "surrogatepass"):
        return
    source = f"SOURCE: Final = {text_literal(text)}\n"
    (statement,) = ast.parse(source).body
    assert isinstance(statement, ast.AnnAssign)
    assert statement.value is not None
    assert text == ast.literal_eval(statement.value)
    assert source.isascii()


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("SELECT 1", '"SELECT 1"'),
        ("SELECT 1\n", '"SELECT 1\\n"'),
        ("SELECT a\nFROM t", '"""\\\nSELECT a\nFROM t"""'),
        ("SELECT a\nFROM t\n", '"""\\\nSELECT a\nFROM t\n"""'),
        ('SELECT "a"\nFROM "t"', '"""\\\nSELECT "a"\nFROM "t\\""""'),
        ("SELECT '\\d'\nFROM t", '"""\\\nSELECT \'\\\\d\'\nFROM t"""'),
        ("SELECT a \nFROM t", '("SELECT a \\n" "FROM t")'),
        ("SELECT 'é'\nFROM t", '("SELECT \'\\xe9\'\\n" "FROM t")'),
    ],
)
def test_a_statement_of_several_lines_stands_as_it_is(text: str, literal: str) -> None:
    assert literal == text_literal(text)
