"""Depth, size, aliases: what a hostile text may cost."""

from __future__ import annotations

import pytest

from brimgen.source.tree import DEEPEST, MOST_NODES
from support.reading import all_nodes, read, read_root, told
from support.work import grows_like_its_input

pytestmark = pytest.mark.usefixtures("loader")


def _slugs(text: str) -> list[str]:
    return [each.rule.reason for each in read(text)[1]]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? - ", "- ? "])
@pytest.mark.parametrize("depth", [100, 30_000, 300_000])
def test_deep_nesting_ends_no_process(opening: str, depth: int) -> None:
    indent = "" if opening in "[{a: " else "\n "
    text = f"x: {indent}{opening * depth}"[: 1024 * 1024]
    assert _slugs(text) == ["too-deep"]


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}")])
def test_the_limit_of_depth(opening: str, closing: str) -> None:
    def nested(depth: int) -> str:
        return f"x: {opening * depth}{closing * depth}\n"

    assert _slugs(nested(DEEPEST - 1)) == []
    _, (only,) = read(nested(DEEPEST))
    assert told(only).endswith("too-deep")
    assert only.span.column == 4 + len(opening) * (DEEPEST - 1)


def test_an_alias_counts_with_its_depth() -> None:
    half = DEEPEST // 2
    anchored = f"a: &a {'[' * half}{']' * half}\n"

    def repeated(depth: int) -> str:
        return f"{anchored}b: {'[' * depth}*a{']' * depth}\n"

    assert _slugs(repeated(half - 1)) == []
    assert _slugs(repeated(half)) == ["too-deep"]


def test_the_limit_of_size() -> None:
    items = MOST_NODES - 3
    assert _slugs(f"a: [{'1,' * items}]\n") == []
    _, (only,) = read(f"a: [{'1,' * (items + 1)}]\n")
    assert only.rule.reason == "too-many-values"
    assert "alias" not in only.message


def test_the_limit_is_of_one_document() -> None:
    half = f"a: [{'1,' * (MOST_NODES // 2)}]\n"
    documents, found = read(f"{half}---\n{half}---\n{half}")
    assert (len(documents), found) == (3, [])


@pytest.mark.parametrize("repeat", ["[*b, *b]", "{x: *b, y: *b}", "{<<: [*b, *b]}"])
def test_bombs_are_refused_before_they_go_off(repeat: str) -> None:
    lines = ["b0: &b0 {x: 1, y: 2}"]
    for number in range(1, 60):
        repeated = repeat.replace("*b", f"*b{number - 1}")
        lines.append(f"b{number}: &b{number} {repeated}")
    documents, (only,) = read("\n".join(lines) + "\nlast: *b59\n")
    assert documents == ()
    assert only.rule.reason in ("too-many-values", "too-deep")


def test_what_aliases_repeat_is_counted_as_it_would_be_read() -> None:
    text = "a: &a [1, 2, 3]\nb: *a\nc: {d: *a, e: [*a, *a]}\n"
    # As many nodes as a walk through the shared tree meets.
    assert len(all_nodes(read_root(text))) == 28
    row = ", ".join(["*a"] * 500)
    bomb = f"a: &a [{', '.join('1' * 50)}]\nb: [{row}]\n"
    _, (only,) = read(bomb)
    assert "counting what its aliases repeat" in only.message
    assert only.span.line == 2


@pytest.mark.parametrize(
    ("before", "repeated", "after"),
    [
        ("", "&a ", ""),
        ("", "a: &a\n", ""),
        ("[", "a: ", ""),
        ("", "--- {}\n", ""),
        ("", "---\n[\n", ""),
        ("", "- !t x\n", ""),
        ("a: ", "'", ""),
        ('a: "', "\\x41", '"\n'),
        ("a: |\n", "  x\n", ""),
        ("a: >\n", "  x\n\n", ""),
        ("", "? ", ""),
        ("", ": ", ""),
        ("", "*a ", ""),
        ("", "# comment\n", ""),
        ("a: [", "*x, ", "]\n"),
        ("{", "&a@ k@: !t v, ", "}\n"),
        ("", "%TAG ! x\n", ""),
        ("", "a", ""),
        ("a: ", " b", ""),
    ],
    ids=range(19),
)
def test_the_work_on_a_hostile_text_grows_like_its_length(
    before: str, repeated: str, after: str, loader: str
) -> None:
    def read_many(length: int) -> None:
        times = range(length // len(repeated))
        read(before + "".join(repeated.replace("@", f"{n}") for n in times) + after)

    assert grows_like_its_input(read_many, 4 * 1024)
    if loader != "pure":
        read_many(64 * 1024)
