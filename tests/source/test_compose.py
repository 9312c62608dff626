"""Documents, keys, anchors, merges and tags, read with both loaders."""

from __future__ import annotations

import pytest

from brimgen.api import Diagnostics
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode, plain_object
from support.reading import cut, read, read_data, read_root, told

pytestmark = pytest.mark.usefixtures("loader")


def test_several_documents_and_empty_ones() -> None:
    documents, found = read("---\n---\na: 1\n---\n# nothing\n---\nb: 2\n...\n")
    assert found == []
    assert [plain_object(each.root) for each in documents] == [{"a": 1}, {"b": 2}]
    assert [each.root.span.line for each in documents] == [3, 7]
    assert all(each.body is None for each in documents)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment\n", "---\n", "---\n...\n"]
)
def test_a_file_may_be_empty(text: str) -> None:
    assert read(text) == ((), [])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- a\n", "list"),
        ("word\n", "single value"),
        ("~\n", "value"),
        ("''\n", "value"),
    ],
)
def test_a_document_is_a_mapping(text: str, kind: str) -> None:
    documents, (only,) = read(f"a: 1\n---\n{text}---\nb: 2\n")
    assert only.rule.reason == "not-a-mapping"
    assert only.span.line == 3
    assert kind in only.message
    assert len(documents) == 2


def test_keys_keep_the_order_of_the_file() -> None:
    keys = [f"k{number}" for number in (5, 3, 9, 1)]
    assert list(read_data("".join(f"{key}: 1\n" for key in keys))) == keys


def test_a_duplicate_key_names_both_places() -> None:
    text = "a:\n  x: 1\n  y: 2\n  'x': 3\n"
    (document,), (only,) = read(text)
    assert told(only) == "4:3-4:6 duplicate-key"
    assert "lines 2 and 4" in only.message
    assert [(note.span.line, note.span.column) for note in only.notes] == [(2, 3)]
    assert plain_object(document.root) == {"a": {"x": 1, "y": 2}}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("type: a\nname: b\ntype: c\nname: d\n", ["3:1-3:5 missing-divider"]),
        ("name: b\ntype: a\nx: 1\nname: d\ntype: c\n", ["4:1-4:5 missing-divider"]),
        ("type: a\nname: b\n---\ntype: c\nname: d\n", []),
        ("type: a\nname: b\ntype: c\n", ["3:1-3:5 duplicate-key"]),
        ("type: a\nx: 1\nname: b\nx: 1\n", ["4:1-4:2 duplicate-key"]),
        ("x: 1\ny: 2\nx: 1\ny: 2\n", ["3:1-3:2 duplicate-key"] * 2),
        ("{type: a, name: b, type: c, name: d}", ["1:20-1:24 duplicate-key"] * 2),
    ],
)
def test_a_second_spec_without_a_divider_is_told_where_that_is_sure(
    text: str, expected: list[str]
) -> None:
    diagnostics = Diagnostics()
    documents = compose(SourceFile("a.yaml", "a.yaml", text), diagnostics)
    assert expected[:1] == [told(each) for each in diagnostics][:1]
    assert len(expected) == len(diagnostics)
    is_cut = "missing-divider" in "".join(expected)
    assert is_cut == any(each.is_broken for each in documents)


def test_keys_that_read_alike_are_duplicates() -> None:
    assert [told(each) for each in read('1: a\n"1": b\n')[1]] == [
        "2:1-2:4 duplicate-key"
    ]


@pytest.mark.parametrize("key", ["? [a, b]\n: 1\n", "? {a: b}\n: 1\n", "[a, b]: 1\n"])
def test_a_key_is_not_a_collection(key: str) -> None:
    (document,), (only,) = read(f"x: 1\n{key}")
    assert only.rule.reason == "key-is-not-text"
    assert plain_object(document.root) == {"x": 1}


def test_aliases_repeat_the_node() -> None:
    root = read_root("a: &x {k: [1, 2]}\nb: *x\nc: [*x, *x]\nd: &y text\n*y : v\n")
    assert plain_object(root) == {
        "a": {"k": [1, 2]},
        "b": {"k": [1, 2]},
        "c": [{"k": [1, 2]}, {"k": [1, 2]}],
        "d": "text",
        "text": "v",
    }
    assert root.get("b") is root.get("a")


def test_an_anchor_may_be_set_again() -> None:
    text = "a: &x 1\nb: *x\nc: &x 2\nd: *x\n"
    assert read_data(text) == {"a": 1, "b": 1, "c": 2, "d": 2}


def test_anchors_end_with_their_document() -> None:
    assert [told(each) for each in read("a: &x 1\n---\nb: *x\n")[1]] == [
        "3:4-3:6 unknown-alias"
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: &a [*a]\n", "1:8-1:10"),
        ("a: &a\n  b: *a\n", "2:6-2:8"),
        ("a: &a\n  <<: *a\n  b: 1\n", "2:7-2:9"),
        ("&a a: 1\nb: &b\n - c: [1, {d: *b}]\n", "3:15-3:17"),
    ],
)
def test_a_value_cannot_hold_itself(text: str, place: str) -> None:
    assert [told(each) for each in read(text)[1]] == [f"{place} self-reference"]


def test_merge_keys_put_entries_where_they_stand() -> None:
    data = read_data(
        "one: &one {a: 1, b: 1}\n"
        "two: &two {b: 2, c: 2}\n"
        "first: {<<: *one, b: 3, z: 4}\n"
        "later: {z: 4, b: 3, <<: *one}\n"
        "both: {<<: [*one, *two], d: 5}\n"
        "inline:\n  k: 0\n  <<: {a: 9}\n  l: 1\n"
        "quoted: {'<<': 1}\n"
    )
    assert [list(data[key].items()) for key in ("first", "later", "both")] == [  # type: ignore[union-attr]
        [("a", 1), ("b", 3), ("z", 4)],
        [("z", 4), ("b", 3), ("a", 1)],
        [("a", 1), ("b", 1), ("c", 2), ("d", 5)],
    ]
    assert list(data["inline"]) == ["k", "a", "l"]  # type: ignore[arg-type]
    assert data["quoted"] == {"<<": 1}


@pytest.mark.parametrize("value", ["text", "~", "[a]", "[{a: 1}, 2]"])
def test_what_cannot_be_merged(value: str) -> None:
    _, found = read(f"a:\n  <<: {value}\n  b: 1\n")
    assert [each.rule.reason for each in found] == ["merge-value"]


def test_a_merge_key_may_stand_once() -> None:
    _, found = read("o: &o {a: 1}\nx:\n  <<: *o\n  <<: *o\n")
    assert [told(each) for each in found] == ["4:3-4:5 duplicate-key"]


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ("!!str 1", "1:4-1:9"),
        ("!foo\n  b: 1", "1:4-1:8"),
        ("&x !bar [1]", "1:7-1:11"),
        ("!<tag:x,1:y> z", "1:4-1:16"),
        ("!!python/object/apply:os.getcwd []", "1:4-1:35"),
        ("! x", "1:4-1:5"),
    ],
)
def test_a_tag_of_yaml_is_refused_at_its_place(value: str, place: str) -> None:
    assert [told(each) for each in read(f"a: {value}\n")[1]] == [f"{place} tag"]


def test_a_tag_that_was_never_declared() -> None:
    assert [each.rule.reason for each in read("a: !x!y 1\n")[1]] == ["yaml-syntax"]


def test_the_documents_around_a_broken_one_are_read() -> None:
    documents, found = read("a: 1\n---\nb: ]\n---\nc: 3\n---\n d: '\n---\ne: 5\n")
    assert [plain_object(each.root) for each in documents] == [
        {"a": 1},
        {"c": 3},
        {"e": 5},
    ]
    assert [(each.span.line, each.rule.reason) for each in found] == [
        (3, "yaml-syntax"),
        (7, "unclosed"),
    ]
    assert documents[-1].root.span.line == 9


def test_spans_are_those_of_the_text() -> None:
    text = (
        "key: plain text  # comment\n"
        "'quoted key': \"a \\u00e9\"\n"
        "flow: {x: [1, 2] , y: }\n"
        "block:\n"
        "  - one\n"
        "  - two: 2\n"
        "\n"
        "anchored: &a # comment\n"
        "  # another\n"
        "  deep: 注文\n"
        "scalar: &b text\n"
        "nothing: &c\n"
        "empty:\n"
    )
    root = read_root(text)

    def at(*path: str | int) -> str:
        node: Node = root
        for step in path:
            if isinstance(node, MapNode):
                node = next(e.value for e in node.entries if e.key.text == step)
            elif isinstance(node, ListNode):
                node = node.items[int(step)]
        return cut(text, node.span)

    assert at("key") == "plain text"
    assert cut(text, root.entries[1].key.span) == "'quoted key'"
    assert at("quoted key") == '"a \\u00e9"'
    assert at("flow") == "{x: [1, 2] , y: }"
    assert at("flow", "x") == "[1, 2]"
    assert at("block") == "- one\n  - two: 2"
    assert at("block", 1) == "two: 2"
    assert at("anchored") == "deep: 注文"
    assert at("scalar") == "text"
    assert at("nothing") == at("empty") == ""
    assert root.span.end_line == 13
    assert isinstance(root.get("flow"), MapNode)
    assert isinstance(root.get("block"), ListNode)
    assert isinstance(root.get("empty"), ScalarNode)


@pytest.mark.parametrize(
    "value",
    [
        "plain words",
        "'single'",
        '"double"',
        "''",
        "|\n    one\n\n      two\n    three\n",
        "|-\n    one\n\n\n    two",
        "|+\n    one\n\n\n",
        "|2\n      indented first\n    then less\n",
        "| # comment\n    注文 x\n    \ttab\n",
        "|\n\n    blank first\n",
    ],
)
def test_every_offset_of_an_exact_text_is_found_in_the_file(value: str) -> None:
    text = f"a:\n  b: {value}\n  c: end\n"
    node = read_root(text).get("a").get("b")  # type: ignore[union-attr]
    assert isinstance(node, ScalarNode)
    block = node.block
    assert block.exact
    assert block.text == node.text
    for offset, character in enumerate(block.text):
        if character != "\n":
            assert cut(text, block.span_at(offset, offset + 1)) == character


@pytest.mark.parametrize(
    "value",
    [
        "two\n    lines",
        "'it''s'",
        '"a\\tb"',
        '"a \\\n    b"',
        "'two\n    lines'",
        ">\n    folded\n    text\n",
    ],
)
def test_a_folded_or_escaped_text_knows_its_first_and_last_character(
    value: str,
) -> None:
    text = f"a:\n  b: {value}\n"
    node = read_root(text).get("a").get("b")  # type: ignore[union-attr]
    assert isinstance(node, ScalarNode)
    assert node.block.exact
    words = node.text.rstrip("\n")
    assert cut(text, node.block.span_at(0, 1)) == words[0]
    assert cut(text, node.block.span_at(len(words) - 1, len(words))) == words[-1]
    assert cut(text, node.span) == value.rstrip("\n")
