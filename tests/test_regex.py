"""Patterns that are compiled when first asked are those of the standard library."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import brimgen
from brimgen.regex import regex

PACKAGE = Path(brimgen.__file__).parent
ROOMS = [
    each for each in PACKAGE.rglob("*.py") if "runtime" not in str(each.parent.name)
]


def patterns(room: Path) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(ast.parse(room.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "regex"
    ]


def test_it_answers_as_the_standard_library() -> None:
    for flags in (0, re.IGNORECASE):
        made, real = regex(r"(?P<a>a)(b)?", flags), re.compile(r"(?P<a>a)(b)?", flags)
        text = "xabAxa"
        assert real.findall(text) == made.findall(text)
        assert [each.span() for each in real.finditer(text)] == [
            each.span() for each in made.finditer(text)
        ]
        assert real.sub("-", text) == made.sub("-", text)
        assert real.split(text) == made.split(text)
        assert (real.pattern, real.flags) == (made.pattern, made.flags)
        assert real.groupindex == made.groupindex
    assert regex(rb"\d").search(b"a1") is not None
    assert regex("a").fullmatch("ab") is None


def test_it_is_compiled_when_first_asked() -> None:
    wrong = regex("(")
    for _ in range(2):
        with pytest.raises(re.error):
            wrong.match("")
    with pytest.raises(AttributeError):
        regex("a").nothing  # type: ignore[attr-defined]  # noqa: B018


def test_all_literal_patterns_can_be_compiled() -> None:
    written = [
        each.args[0].value
        for room in ROOMS
        for each in patterns(room)
        if isinstance(each.args[0], ast.Constant)
    ]
    assert len(written) > 60
    for each in written:
        assert isinstance(each, str | bytes)
        re.compile(each)


def test_the_functions_of_re_are_given_texts_only() -> None:
    """They know real patterns alone."""
    given = [
        f"{room}:{node.lineno}"
        for room in ROOMS
        if "runtime" not in str(room.relative_to(PACKAGE))
        for node in ast.walk(ast.parse(room.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("re.")
        and node.args
        and isinstance(node.args[0], ast.Name)
        and node.args[0].id.isupper()
    ]
    assert [] == given
