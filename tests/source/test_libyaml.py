"""Texts that libyaml composes: which they are, and that they are read as their events are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.diagnostics import Diagnostics
from brimgen.source import libyaml
from brimgen.source.document import SourceFile
from brimgen.source.libyaml import by_libyaml
from brimgen.source.metadata import divide
from brimgen.source.nodes import MapNode
from brimgen.source.places import Places
from brimgen.source.tree import DEEPEST, MOST_NODES, trees

_SHOP = Path(__file__).parents[2] / "specs"


def _accepted(text: str) -> tuple[MapNode, ...] | None:
    """What is read of composed nodes, which is what is read of events without a report."""
    read = by_libyaml(Places("a.yaml", text))
    if read is not None:
        diagnostics = Diagnostics()
        every = trees(Places("a.yaml", text), diagnostics)
        assert read == tuple(each for each in every if each is not None)
        assert len(diagnostics) == 0
    return read


ACCEPTED = (
    "",
    "# a comment\n",
    "---\n",
    "a: 1\nb: -2.50\nc: 0x1f\nd: ~\ne: null\nf: true\ng: NO\nh: 1:30\ni: -x\n",
    "a: b  \nc:    d   # a comment\ne: f#g # h\ni:   # nothing\nj:\n",
    "a:\n  b:\n    c: 1\n  d: 2\ne: 3",
    "  a: 1\n  b:\n   c: 2\n",
    "a:\n- b\n- c: 1\n  d: 2\n\n  # a comment\n-   e:\n    - f\n  \ng: h\n",
    "a:\n  - b\n  - c:\n  - d: [x]\n",
    "a: { b: int, c: [1, 2.0, x y], d: { e: [], f: {} }, } # a comment\n",
    "a: {b: http://x.y/z:80, c: a:b, d: 'it''s', e: \"x, y: [z]\", \"f\":1, 'g': 2}\n",
    "a: { type: int?, b: [int? , string?] }\n",
    "a: \"quoted\"\nb: 'it''s' # a comment\nc: ''\nd: \"a\\n\\tb\\\\ \\\"c\\\"\"\n",
    "a: |\n  b\n   c\n\n  d: e # f\n\n\ng: |-\n  h\n",
    "a: >\n  b\n  c\n\n\n  d\ne: >-\n  f\n",
    "a:\n  - |\n    b\n  - >\n   c\n",
    "a: |\n\n\n  b",
    "a: 注文 é\nb: [注, {文: é}]\nc: |\n  注\n",
    "a: 1\n---\n# nothing\n---   \nb: 2\n",
    "a: =\nb: ?x\nc: :x\nd: -x\ne: x:y\nf: x, y] }\n",
)


@pytest.mark.parametrize("text", ACCEPTED)
def test_the_fast_parser_accepts_plain_yaml(text: str) -> None:
    assert _accepted(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "- a\n",
        "a\n",
        "''\n",
        "! ''\n",
        "a: b: c\n",
        "a: {b: 1\n",
        "a: 1\na: 2\n",
        "a: {b: 1, b: 2}\n",
        "a: &x 1\nb: *x\n",
        "a: &x\n  b: *x\n",
        '{"a":&x 1}\n',
        "<<: {a: 1}\n",
        "a: {<<: {b: 1}}\n",
        "a: !!str 1\n",
        "!x\na: [!y b]\n",
        "a: !x {b: 1}\n",
        "a: !x [b]\n",
        "!x a: 1\n",
        "? [a]\n: b\n",
        "a: 1e999\n",
        "1e999: a\n",
        "- - a\n",
        "- ? a\n",
        "%TAG ! x\n%TAG ! y\n--- {}\n",
        "a: 1\n--- [\n",
        f"a: {'[' * DEEPEST}{']' * DEEPEST}\n",
        "".join(f"{' ' * n}a:\n" for n in range(DEEPEST + 1)),
        f"a: {'x' * 100_000}\n",
    ],
)
def test_what_is_left_to_the_events(text: str) -> None:
    assert _accepted(text) is None


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? - ", "- ? ", "?\n- "])
def test_what_nests_is_never_composed(
    opening: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    composed: list[str] = []
    monkeypatch.setattr(libyaml, "composed", composed.append)
    assert by_libyaml(Places("a.yaml", f"a: {opening * 30_000}")) is None
    assert by_libyaml(Places("a.yaml", f"a:\n {opening * 30_000}")) is None
    assert composed == []


@pytest.mark.parametrize(
    "item",
    ["- b\n", "- a:\n", "- {a: b}\n", "- [a]\n", "- a: [b,c,d]\n", "- [:,:,?]\n"],
)
def test_no_more_nodes_than_are_allowed(item: str) -> None:
    sizes = range(500, MOST_NODES, 500)
    accepted = [size for size in sizes if by_libyaml(Places("a", "a:\n" + item * size))]
    assert len(accepted) < len(sizes)
    for size in accepted[-1:]:
        assert _accepted("a:\n" + item * size) is not None


def test_the_deepest_that_is_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As deep as a text of that length nests: the stack of a thread holds it."""
    rows = "".join(f"{' ' * level}a:\n{' ' * level}-\n" for level in range(315))
    deepest = rows[:99_000] + "[" * 500
    composed: list[str] = []
    monkeypatch.setattr(libyaml, "composed", composed.append)
    assert by_libyaml(Places("a.yaml", deepest)) is None
    assert composed == [deepest]
    code = (
        "import threading; from brimgen.source.events import composed\n"
        "threading.stack_size(512 * 1024)\n"
        f"work = threading.Thread(target=composed, args=({deepest!r},))\n"
        "work.start(); work.join()"
    )
    done = subprocess.run([sys.executable, "-"], input=code, text=True, check=False)
    assert done.returncode == 0


_PIECES = st.sampled_from(
    [
        *("a", "b: ", "c:", "- ", "? ", ": ", "{", "}", "[", "]", ", ", ",", " ", "  "),
        *("\n", "\n  ", "\n    ", "\n- ", "\n- k: ", "\n  k: ", "\n\n", "'x'", '"y"'),
        *("'it''s'", '"a\\n"', "|\n", "|-\n", ">\n  ", ">-\n", "&x ", "*x", "<<: "),
        *("#", " # c", "---\n", "...\n", "\t", "\\", "~", "1.10", "0x1F", "-1", "-"),
        *("1e400", ".5", "é", "注", "@", "int[]", "int?", "?", "key: value", "null"),
        *("k: {a: 1, b: [x, y]}", "k: [a, b]", "http://a.b/c", "a:b", "''", "\xa0"),
        *("k: |\n    t\n     u\n\n    v\n", "k: >\n  a\n  b\n\n\n  c\n", "“q”", "="),
    ]
)
_LINES = st.sampled_from(
    [
        line
        for path in sorted(_SHOP.rglob("*.yaml"))
        for line in path.read_text(encoding="utf-8").split("\n")
    ]
    + [line for text in ACCEPTED for line in text.split("\n")]
)
_ALMOST = st.lists(_LINES, max_size=8).map("\n".join)


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_any_pieces_are_read_alike(text: str) -> None:
    _accepted(text)


@given(_ALMOST, _PIECES, st.integers(0, 400), st.integers(0, 3))
def test_what_is_nearly_ordinary_is_read_alike(
    text: str, piece: str, place: int, lost: int
) -> None:
    _accepted(text)
    _accepted(text[:place] + piece + text[place + lost :])


def test_the_fast_parser_reads_the_specs_of_the_shop() -> None:
    """All of the shop."""
    for path in sorted(_SHOP.rglob("*.*")):
        file = SourceFile(path.name, str(path), path.read_text(encoding="utf-8"))
        parts = None if path.suffix == ".yaml" else divide(file, Diagnostics())
        text = file.text if parts is None else parts.metadata
        assert text is not None
        assert _accepted(text), path
