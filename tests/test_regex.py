"""Patterns that are compiled when first asked are those of the standard library."""

from __future__ import annotations

import ast
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import brimgen
from brimgen.regex import patterns_later, regex

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


def test_libraries_compile_when_they_first_ask() -> None:
    before = re.compile
    with patterns_later(), ThreadPoolExecutor(1) as others:
        later = re.compile("(", flags=re.ASCII)
        asked = re.compile("[a-c]").match("b")
        now = others.submit(re.compile, "a").result()
    assert before is re.compile
    assert asked is not None
    assert isinstance(now, re.Pattern) and not isinstance(later, re.Pattern)
    with pytest.raises(re.error):
        later.match("")


def test_pyyaml_reads_what_it_reads() -> None:
    from brimgen.source.events import yaml

    text = "a: 2001-12-14\nb: [yes, 1.5e+3, 0o7, ~, !!binary aGk=]\nc: 1_000\n"
    loaders = (yaml.SafeLoader, yaml.CSafeLoader)
    made = [yaml.load(text, Loader=each) for each in loaders]
    date = made[0].pop("a"), made[1].pop("a")
    assert ["2001-12-14"] * 2 == [each.isoformat() for each in date]
    assert [{"b": [True, 1500.0, "0o7", None, b"hi"], "c": 1000}] * 2 == made


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
