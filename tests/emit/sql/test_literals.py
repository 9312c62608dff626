"""Statements as Python text: every character survives."""

from __future__ import annotations

import ast

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
