"""A message points at the words in the file, also where YAML folds lines or has escapes."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from brimgen.api import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import ScalarNode

CASES = {
    "escapes": 'a: "one \\u00e9 two \\"three\\" four"\n',
    "lines of a quoted text": 'a: "one\n\n  two\n  three"\n',
    "a line that goes on": 'a: "one \\\n  two three"\n',
    "doubled quotes": "a: 'it''s two ''three'''\n",
    "a plain text of several lines": "a: one\n  two\n\n  three\n",
    "a folded block": "a: >\n  one\n  two\n\n   three\n  four\n",
    "a folded block without its last line end": "a: >-\n  one two\n  three\n",
}


def scalar_of(text: str) -> ScalarNode:
    diagnostics = Diagnostics()
    [document] = compose(SourceFile("specs/a.yaml", "a.yaml", text), diagnostics)
    node = document.root.get("a")
    assert not len(diagnostics)
    assert isinstance(node, ScalarNode)
    return node


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_every_word_of_a_folded_or_escaped_text_is_found_in_the_file(text: str) -> None:
    node, lines = scalar_of(text), text.split("\n")
    for word in ("one", "two", "three", "four"):
        start = node.text.find(word)
        if start >= 0:
            span = node.block.span_at(start, start + len(word))
            assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == word


def test_a_part_of_a_folded_text_keeps_its_places() -> None:
    block = scalar_of(CASES["a folded block"]).block
    start = block.text.index("two")
    part = block.part(start, len(block.text))
    at = part.text.index("three")
    assert part.span_at(at, at + 5) == block.span_at(start + at, start + at + 5)


@given(
    st.text("ab \n\t\"'\\:#é\u20ac", min_size=1, max_size=40),
    st.sampled_from(['"', "'", ">", "|", None]),
    st.integers(20, 40),
)
def test_letters_are_where_the_file_has_them(
    text: str, style: str | None, width: int
) -> None:
    written = yaml.safe_dump(
        {"a": text}, default_style=style, width=width, allow_unicode=True
    )
    node = scalar_of(written)
    lines = written.split("\n")
    for offset, letter in enumerate(text):
        span = node.block.span_at(offset, offset + 1)
        if letter in "abé\u20ac" and node.block.exact:
            assert lines[span.line - 1][span.column - 1] == letter
