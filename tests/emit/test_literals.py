"""Whatever a spec says, a literal of it says just that in its language, and ends where it ends."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sqlite3
from enum import StrEnum
from html.parser import HTMLParser
from typing import Any

import black
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from brimgen.emit.code import Code, header, json_text, py
from brimgen.emit.custom.identifiers import identifier, identifiers
from brimgen.emit.custom.literals import (
    to_comment,
    to_html,
    to_json,
    to_md,
    to_py,
    to_sql,
    to_ts,
)
from brimgen.emit.indented import WIDTH, indented
from brimgen.emit.markdown import _clean
from brimgen.emit.python_text import docstring, is_docstring

HOSTILE = [
    'a"b',
    "a'b",
    "a\\",
    "\\' OR 1=1 --",
    "'); DROP TABLE users; --",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "--> <b>",
    "*/ process.exit() /*",
    "line\nbreak\r\nand\u2028more\u2029end\x85x\x0by",
    "${process.env}",
    "`rm -rf /`",
    "{{ 7 * 7 }} {% raw %}",
    "__proto__",
    "[x](javascript:alert(1))",
    "# heading\n- item\n| a | b |",
    '"""; import os; """',
    "\u202egnp.exe",
    "ends in a backslash \\",
    "",
    "![x](http://a/b.png)",
    "<!-- a -->",
    "1. no list\n2) none\n- none\n+ none\n* none",
    "> no quote",
    "    no code",
    "```\nno fence\n```",
    "~~~",
    "a\n===",
    "a\n---",
    "| a | b |\n| - | - |",
    "`code` ``` and ``",
    "*a* _b_ **c** __d__ ~~e~~",
    "&lt; &amp; &#35;",
    "\\* \\\\ \\",
    "[ref]: http://a",
    "[^1]: note",
    "$x$ :smile: @someone",
    "a  \nb\\\nc",
    "\x00\x1b[31m\u202eevil",
]
TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text("ab \n|`*_[]()<>#-+=~!&;:\\\"'1.\t{}", max_size=40),
    st.text(st.characters(codec="utf-8"), max_size=40),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**53), 2**53), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(TEXTS, inner, max_size=3),
    ),
    max_leaves=5,
)


@given(VALUES)
def test_json_is_the_value(value: Any) -> None:
    texts = (to_json(value), to_json(value, line=True), to_json(value, 8))
    for text in (*texts, json_text(value), indented(value)):
        assert value == json.loads(text)
    script = to_json(value, script=True)
    assert value == json.loads(script)
    assert not set("<>&\u2028\u2029") & set(script)


@given(st.lists(st.integers(0, 999), max_size=60))
def test_a_line_of_json_is_no_wider_than_the_width(value: list[int]) -> None:
    text = indented({"numbers": value})
    assert all(len(line) <= WIDTH for line in text.split("\n"))
    if len(json.dumps({"numbers": value})) <= WIDTH:
        assert "\n" not in text


class _Word(StrEnum):
    ONE = 'one "word"'


@pytest.mark.parametrize(
    "value",
    [
        *({}, [], [[], {}, ()], {"a": {}, "b": []}, {_Word.ONE: _Word.ONE}),
        {True: None, 1.5: 2, 7: [7]},
        [1e16, 1e-7, -0.0, float("inf"), float("-inf"), 10**30],
        '\x00\x1f\x7f\u2028\ud800é😀"\\/',
    ],
)
def test_rare_values_are_no_exception(value: Any) -> None:
    assert json.dumps(value, ensure_ascii=False) == indented(value)


@given(VALUES)
def test_python_is_the_value(value: Any) -> None:
    for text in (to_py(value), py(value)):
        assert value == ast.literal_eval(text)
        assert text.isascii()
    assert "\n" not in to_py(value)


@given(TEXTS)
def test_a_description_is_found_again_as_docstring_or_literal(text: str) -> None:
    source = f"class A:\n    {docstring(text, indent=4)}\n\n    x: int\n"
    if is_docstring(text):
        assert source == black.format_str(source, mode=black.Mode())
    space: dict[str, Any] = {}
    exec(source, space)
    told = space["A"].__doc__
    assert text in (told, inspect.cleandoc(told))


@pytest.mark.parametrize("write", [py, indented])
@pytest.mark.parametrize("value", [{1, 2}, object(), {"a": object()}])
def test_what_no_json_can_be_is_refused(write: Any, value: Any) -> None:
    with pytest.raises(TypeError):
        write(value)


@pytest.mark.parametrize("value", [Code("x"), float("nan"), float("inf")])
def test_code_is_not_quoted_twice_and_no_python_says_infinity(value: Any) -> None:
    with pytest.raises(TypeError):
        py(value)


def test_a_file_name_that_could_end_a_comment_is_not_printed() -> None:
    assert "from specs/a b.yaml." in header("specs/a b.yaml")
    assert "from" not in header("specs/a\nimport os")


@given(VALUES)
def test_typescript_is_json_but_for_the_prototype(value: Any) -> None:
    text = to_ts(value)
    assert text.isascii()
    assert "\n" not in text
    assert "</" not in text
    assert '{"__proto__":' not in text
    assert ', "__proto__":' not in text
    assert value == json.loads(text.replace('["__proto__"]: ', '"__proto__": '))


@given(TEXTS)
def test_sql_is_one_string(text: str) -> None:
    written = to_sql(text)
    (read,) = sqlite3.connect(":memory:").execute(f"SELECT {written}").fetchone()
    assert text.replace("\x00", "\ufffd") == read
    assert re.fullmatch(r"'(?:[^']|'')*'", written, re.DOTALL)
    with_backslashes = to_sql(text, "mysql")
    assert re.fullmatch(r"'(?:[^'\\]|\\.)*'", with_backslashes, re.DOTALL)


def test_sql_of_values_that_are_no_text() -> None:
    written = [to_sql(each) for each in (None, True, 7, 1.5, ["a'"], {"k": 1})]
    assert ["NULL", "TRUE", "7", "1.5", "'[\"a''\"]'", "'{\"k\": 1}'"] == written


@given(TEXTS)
def test_html_is_text(text: str) -> None:
    seen: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(
            self, tag: str, attrs: list[tuple[str, str | None]]
        ) -> None:
            seen.append(f"{tag} {[name for name, _ in attrs]}")

        def handle_comment(self, data: str) -> None:
            seen.append("comment")

    Reader().feed(
        f"<p title=\"{to_html(text)}\" lang='{to_html(text)}'>{to_html(text)}</p>"
    )
    assert ["p ['title', 'lang']"] == seen


PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
TEXT = {"inline", "text", "text_special"}
PARAGRAPH = {"paragraph_open", "paragraph_close"}
HEADING = {"heading_open", "heading_close"}
TABLE = {
    f"{part}_{end}"
    for part in ("table", "thead", "tbody", "tr", "th", "td")
    for end in ("open", "close")
}


@pytest.mark.parametrize(
    ("form", "page", "kinds"),
    [
        ("paragraphs", "{}", {*PARAGRAPH, "softbreak"}),
        ("line", "# {}\n", HEADING),
        ("cell", "| a | b |\n| --- | --- |\n| {} | end |\n", {*TABLE, "html_inline"}),
        ("code", "| a | b |\n| --- | --- |\n| {} | end |\n", {*TABLE, "code_inline"}),
        ("block", "{}\n\nend\n", {*PARAGRAPH, "fence"}),
    ],
)
@given(text=TEXTS)
def test_markdown_shows_the_text(
    form: str, page: str, kinds: set[str], text: str
) -> None:
    """Nothing in it is markup, and it stays where it stands."""
    blocks = PARSER.parse(page.format(to_md(text, form)))
    tokens = [part for each in blocks for part in (each, *(each.children or ()))]
    assert {each.type for each in tokens} <= kinds | TEXT
    assert 2 >= sum(each.type == "td_open" for each in tokens)
    shown = ""
    for each in tokens:
        if each.type == "html_inline":
            assert "<br>" == each.content
        if each.type in ("text", "code_inline", "text_special", "fence"):
            shown += each.content
        elif each.type in ("html_inline", "softbreak", "paragraph_open", "td_open"):
            shown += "\n"
    shown = " ".join(shown.split())
    if form in ("cell", "code"):
        shown = shown.removeprefix("ab").removeprefix("a b").strip()
    if form in ("cell", "code", "block"):
        assert shown.endswith("end")
        shown = shown.removesuffix("end").strip()
    assert " ".join(_clean(text).split()) == shown


@pytest.mark.parametrize("mark", ["//", "#", "--"])
@given(text=TEXTS)
def test_a_comment_has_its_mark_on_every_line(mark: str, text: str) -> None:
    written = to_comment(text, mark)
    lines = re.split("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", written)
    assert lines == written.split("\n")
    assert all(each.startswith(mark) and not each.endswith("\\") for each in lines)


@given(TEXTS)
def test_a_block_comment_ends_once(text: str) -> None:
    written = to_comment(text, "/**")
    assert written.startswith("/**")
    assert len(written) - 2 == written.index("*/", 2)


NAMES = st.one_of(TEXTS, st.from_regex(r"[A-Za-z_ -]{1,12}", fullmatch=True))


@pytest.mark.parametrize("style", ["camel", "pascal", "snake", "constant"])
@given(name=NAMES)
def test_an_identifier_is_a_word_of_its_language(style: str, name: str) -> None:
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", identifier(name, style))


@given(st.lists(NAMES, unique=True, max_size=8))
def test_identifiers_differ_whatever_their_case(names: list[str]) -> None:
    made = identifiers(names, "pascal", taken=["Date"])
    assert [*made] == names
    folded = [each.casefold() for each in made.values()]
    assert len(set(folded)) == len(folded)
    assert "date" not in folded
