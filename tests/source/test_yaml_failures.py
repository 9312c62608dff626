"""Where YAML stops: what is said, and where (spec-language.md)."""

from __future__ import annotations

import pytest

from support.reading import read, told


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: {type: int[]}", "1:11-1:16 type-needs-quotes"),
        ("a: {x: string, y: User[]?, z: int}", "1:19-1:26 type-needs-quotes"),
        ("a: {x: array[int]}", "1:8-1:18 type-needs-quotes"),
        ("a: [date[], int]", "1:5-1:11 type-needs-quotes"),
        ("a:\n  inline: {a: list[string]?}\n", "2:15-2:28 type-needs-quotes"),
        ('a: {x: "y" [1]}', "1:10-1:11 text-after-quotes"),
        ("a: {x: 'it's so', y: z}", "1:11-1:12 text-after-quotes"),
        ("a:\n  - b: 'it's so'\nc: d\n", "2:11-2:12 text-after-quotes"),
        ("a: {x: 1\nb: 2\n", "2:2-2:3 yaml-syntax"),
        ("a: b: c", "1:5-1:6 colon-in-value"),
        ("a:b\nc: d", "1:2-1:3 space-after-colon"),
        ("x: 1\nlist:\n  - a:b\n    c: d", "3:6-3:7 space-after-colon"),
        ("a\nb: c", "1:1-1:2 missing-colon"),
        ("a: b\nname c\nd: e\n", "2:1-2:5 missing-colon"),
        ("a: b\nargs\n  x:\n    y: int\n", "2:1-2:5 missing-colon"),
        ("a:\n  inline\n    y: int\n", "2:3-2:9 missing-colon"),
        ("a:\n  - x: y\n    z int\n    u: v\n", "3:5-3:6 missing-colon"),
        ("a:\n  # so\n  x int\n\n  y: int\n", "3:3-3:4 missing-colon"),
        ("a: a long\n  text with\n  note: x\n", "3:7-3:8 colon-in-value"),
        ("a: a long text\n  with a note: x\n", "2:14-2:15 colon-in-value"),
        ("a:\n\tb: c", "2:1-2:2 tab-indent"),
        ("a: @x", "1:4-1:5 value-needs-quotes"),
        ("a: `x`", "1:4-1:5 value-needs-quotes"),
        ("a: %x", "1:4-1:5 value-needs-quotes"),
        ("a: 'x\nb: y\n", "1:4-1:5 unclosed"),
        ('a: "x\nb: y\n', "1:4-1:5 unclosed"),
        ("a: 'x\n---\nb: y\n", "1:4-1:5 unclosed"),
        ("a: [1,\n  2\n", "1:4-1:5 unclosed"),
        ("a: {b: [1]\n\n\n", "1:4-1:5 unclosed"),
        ("a: [1\n---\nb: 1\n", "1:4-1:5 unclosed"),
        ("a: 1\n b: 2\n", "2:2-2:3 indentation"),
        ("a:\n  b: 1\n c: 2\n", "3:1-3:2 indentation"),
        ("a:\n  b:\n    c: 1\n\n   d: 1\n", "5:1-5:4 indentation"),
        ("a:\n  - b: 1\n   c: 1\n", "3:1-3:4 indentation"),
        ("a: |2\n x\n", "2:1-2:2 indentation"),
        ("- a\nb: c", "2:1-2:2 yaml-syntax"),
        ("a: ]", "1:4-1:5 yaml-syntax"),
        ("<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n", "1:1-1:13 merge-conflict"),
        ("a:\n  b: 1\n<<<<<<< HEAD\n  c: 1\n", "3:1-3:13 merge-conflict"),
        ("a: |\n  t\n<<<<<<< HEAD\n  c\n=======\n", "3:1-3:13 merge-conflict"),
        ("<<<<<<< a\nb: 1\n---\nc: 1\n=======\nd: 1\n", "1:1-1:10 merge-conflict"),
        ("a: b\n=======\nc: d\n", "3:1-3:2 yaml-syntax"),
        ("a: 1\nb: [\n<<<<<<<\n---\n", "3:1-3:8 merge-conflict"),
        ('a: "x" y', "1:6-1:7 text-after-quotes"),
        ("%YAML 3.0\n---\na: b", "1:1-1:2 yaml-syntax"),
        ("a: &x &y z", "1:7-1:8 yaml-syntax"),
    ],
)
def test_failures_of_both_loaders(text: str, expected: str) -> None:
    _, found = read(text)
    assert [told(each) for each in found][:1] == [expected]
    assert len(found) == 1


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "z: 0\na:\n  b:\n    c: 1\n   d: 1\n",
            "this line is indented by 3 spaces, those above it by 4, 2 and 0",
        ),
        (
            "a:\n  b: 1\n c: 1\n",
            "this line is indented by 1 space, those above it by 2 and 0",
        ),
        (
            "a:\n  - b: 1\n   c: 1\n",
            "this line is indented by 3 spaces, those above it by 4, 2 and 0",
        ),
        (
            "a: 1\n  b: 2\n",
            "`b` stands deeper than `a`, whose value is in its own line",
        ),
    ],
)
def test_what_is_wrong_with_the_indentation(text: str, why: str) -> None:
    _, (only,) = read(text)
    assert why == only.message


@pytest.mark.usefixtures("loader")
def test_the_types_that_were_probably_meant() -> None:
    _, (only,) = read("a: {x: array[int]?}")
    assert only.suggestions == ('"array[int]?"', "array<int>")
    assert "array<T>" in only.rule.help
    assert "required: false" in only.rule.help


def test_an_optional_type_in_braces(loader: str) -> None:
    documents, found = read("a: {x: int?, y: string}")
    if loader != "pure":
        assert (len(documents), found) == (1, [])
    else:
        assert [told(each) for each in found] == ["1:8-1:12 type-needs-quotes"]
        assert found[0].suggestions == ('"int?"',)


@pytest.mark.usefixtures("loader")
def test_both_halves_of_a_character_are_the_character_as_in_json() -> None:
    (document,), found = read('a: "x\\ud83d\\ude00"')
    assert found == []
    assert document.root.get("a").text == "x\U0001f600"  # type: ignore[union-attr]


def test_half_a_character_is_refused(loader: str) -> None:
    documents, (only,) = read('a: "x\\ud83d"')
    assert only.rule.reason == "unpaired-surrogate"
    assert "U+D83D" in only.message
    for document in documents:
        document.root.get("a").text.encode()  # type: ignore[union-attr]
    assert loader == "pure" or documents == ()


@pytest.mark.usefixtures("loader")
def test_a_note_says_where_the_mapping_began() -> None:
    _, (only,) = read("x:\n  y: 1\n  z: {a: 1\n     b: 2}\n")
    assert [(note.span.line, note.span.column) for note in only.notes] == [(3, 6)]
    assert only.notes[0].text == "in the mapping that begins here"


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize(
    "text",
    [
        '"\\UFFFFFFFF": x',
        '"\\U00110000": x',
        "%YAML " + "1" * 5000 + ".1\n---\na: b",
        "%YAML 1." + "1" * 5000 + "\n---\na: b",
        "a: |" + "9" * 5000 + "\n x",
        "a: !%FF x",
        "a: !<%zz> x",
        "a: !<> x",
        "%TAG !e! tag:%f0%9f\n---\na: !e!x b",
        "a\x00b: 1",
        "a: \ud800",
        "a: \x07",
    ],
)
def test_what_makes_loaders_raise_odd_things(text: str) -> None:
    _, found = read(text)
    assert found != []
