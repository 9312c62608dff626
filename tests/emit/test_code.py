"""Literals and docstrings mean the text that they are made of."""

from __future__ import annotations

import ast
import inspect
import json
from typing import Any

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.emit.code import Code, header, json_text, py
from brimgen.emit.python_text import docstring, is_docstring

_TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.text(
    "ab \"'\\\n\t{}#", max_size=60
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
).filter(lambda value: "inf" not in repr(value))


@given(_JSON)
def test_a_literal_gives_back_its_value(value: Any) -> None:
    source = py(value)
    assert value == ast.literal_eval(source)
    assert source.isascii()


@given(_TEXTS)
def test_a_description_is_found_again_as_docstring_or_literal(text: str) -> None:
    source = f"class A:\n    {docstring(text, indent=4)}\n\n    x: int\n"
    if is_docstring(text):
        assert source == black.format_str(source, mode=black.Mode())
    space: dict[str, Any] = {}
    exec(source, space)
    told = space["A"].__doc__
    assert text in (told, inspect.cleandoc(told))


@given(_JSON)
def test_json_text_is_json(value: Any) -> None:
    assert value == json.loads(json_text(value))


def test_code_is_not_quoted_twice() -> None:
    with pytest.raises(TypeError, match="code is not text"):
        py(Code("x"))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object()])
def test_what_is_no_json_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        py(value)


def test_a_file_name_that_could_end_a_comment_is_not_printed() -> None:
    assert "from specs/a b.yaml." in header("specs/a b.yaml")
    assert "from" not in header("specs/a\nimport os")
