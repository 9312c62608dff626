"""Whatever a spec says, a literal of it says just that in its language, and ends where it ends."""

from __future__ import annotations

import ast
import json
import re
import sqlite3
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

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
]
TEXTS = st.one_of(
    st.sampled_from(HOSTILE), st.text(st.characters(codec="utf-8"), max_size=30)
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
    for text in (to_json(value), to_json(value, line=True), to_json(value, 8)):
        assert value == json.loads(text)
    script = to_json(value, script=True)
    assert value == json.loads(script)
    assert not set("<>&\u2028\u2029") & set(script)


@given(VALUES)
def test_python_is_the_value(value: Any) -> None:
    text = to_py(value)
    assert value == ast.literal_eval(text)
    assert text.isascii()
    assert "\n" not in text


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


@pytest.mark.parametrize("form", ["paragraphs", "line", "cell", "code", "block"])
@given(text=TEXTS)
def test_markdown_shows_the_text(form: str, text: str) -> None:
    allowed = {
        *("paragraph_open", "paragraph_close", "inline", "text", "softbreak", "fence"),
        *("code_inline", "html_inline"),
    }
    found = MarkdownIt().enable("table").parse(to_md(text, form))
    kinds = {part.type for token in found for part in (token, *(token.children or ()))}
    assert kinds <= allowed
    inline = [part for token in found for part in (token.children or ())]
    assert {"<br>"} >= {part.content for part in inline if part.type == "html_inline"}


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
