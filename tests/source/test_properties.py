"""Whatever text comes in: no traceback, and every place is where it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.api import Diagnostics
from brimgen.diagnostics.show import FORMATS, show
from brimgen.source.characters import replace_refused
from brimgen.source.compose import compose
from brimgen.source.files import read_files
from brimgen.source.nodes import ScalarNode
from support.reading import all_nodes, cut, read
from support.visible import visible

_TOKENS = st.sampled_from(
    [
        *(
            "a",
            "b: ",
            "- ",
            "? ",
            ": ",
            "{",
            "}",
            "[",
            "]",
            ", ",
            "\n",
            "\n  ",
            "\n    ",
        ),
        *(
            "'",
            '"',
            "|",
            ">",
            "|2\n",
            "&x ",
            "*x",
            "<<: ",
            "!!str ",
            "!",
            "#",
            " # c\n",
        ),
        *(
            "---\n",
            "...\n",
            "%YAML 1.2\n",
            "\t",
            "\\",
            "\\u0041",
            "~",
            "1.10",
            "0x",
            "é",
        ),
        *(
            "注",
            "@",
            "`",
            "int[]",
            "string?",
            "/*\n",
            "*/",
            "\r\n",
            "\r",
            "\ufeff",
            "\x00",
        ),
    ]
)
_YAMLISH = st.lists(_TOKENS, max_size=40).map("".join)
_ANY = st.one_of(_YAMLISH, st.text(max_size=200))
_NAMES = st.sampled_from(["specs/a.yaml", "specs/a.sql", "specs/a.md"])


@pytest.mark.usefixtures("loader")
@given(_ANY, _NAMES)
def test_any_text_is_read_or_refused(text: str, name: str) -> None:
    # As files are read: see test_any_bytes_are_read_or_refused.
    text = replace_refused(name, text, Diagnostics()) or ""
    text = text.replace("\r", "\n")
    documents, found = read(text, name)
    lines = text.split("\n")
    for span in [
        *(each.span for each in found),
        *(node.span for each in documents for node in all_nodes(each.root)),
    ]:
        assert 1 <= span.line <= span.end_line <= len(lines) + 1
        assert (span.line, span.column) <= (span.end_line, span.end_column)
        if span.line <= len(lines):
            assert span.column <= len(lines[span.line - 1]) + 1
    for format in FORMATS:
        for line in show(found, format).splitlines():
            assert line.isprintable()


@given(st.binary(max_size=300), st.sampled_from(["a.yaml", "a.sql", "a.md"]))
def test_any_bytes_are_read_or_refused(tmp_path: Path, raw: bytes, name: str) -> None:
    for each in tmp_path.iterdir():
        each.unlink()
    (tmp_path / name).write_bytes(raw)
    diagnostics = Diagnostics()
    for file in read_files(tmp_path, diagnostics):
        assert "\r" not in file.text
        compose(file, diagnostics)


_WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=40).map(
    visible
)


@pytest.mark.usefixtures("loader")
@given(st.lists(_WORDS, min_size=1, max_size=8), st.integers(1, 9), st.integers(0, 3))
def test_literal_blocks_come_back_with_their_places(
    lines: list[str], indent: int, blank: int
) -> None:
    content = "\n" * blank + "\n".join(lines)
    written = "".join(
        f"{' ' * indent}{line}\n" if line else "\n" for line in content.split("\n")
    )
    text = f"a: |{indent}-\n{written}b: end\n"
    documents, found = read(text)
    assert found == []
    node = documents[0].root.get("a")
    assert isinstance(node, ScalarNode)
    assert node.text == content.rstrip("\n")
    assert node.block.exact
    for offset, character in enumerate(node.text):
        if character != "\n":
            assert cut(text, node.block.span_at(offset, offset + 1)) == character


@pytest.mark.usefixtures("loader")
@given(_WORDS, _WORDS)
def test_quoted_texts_come_back_with_their_places(key: str, value: str) -> None:
    def quoted(text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    text = f"{quoted(key)}: [{quoted(value)}, {{x: {quoted(value)}}}]\n"
    documents, found = read(text)
    assert found == []
    (entry,) = documents[0].root.entries
    assert entry.key.text == key
    for node in all_nodes(entry.value):
        if isinstance(node, ScalarNode) and node.quoted:
            assert node.text == value
            assert cut(text, node.span) == quoted(value)
            assert node.block.exact
            if value:
                whole = node.block.span_at(0, len(value))
                assert cut(text, whole) == quoted(value)[1:-1]
