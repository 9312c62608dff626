"""Depth, size, aliases: what a hostile text may cost."""

from __future__ import annotations

import time

import pytest

from brimgen.source.tree import DEEPEST, MOST_NODES
from support.reading import all_nodes, read, read_root, told

pytestmark = pytest.mark.usefixtures("loader")


def _slugs(text: str) -> list[str]:
    return [each.rule.slug for each in read(text)[1]]


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? - ", "- ? "])
@pytest.mark.parametrize("depth", [100, 30_000, 300_000])
def test_deep_nesting_ends_no_process(opening: str, depth: int) -> None:
    indent = "" if opening in "[{a: " else "\n "
    text = f"x: {indent}{opening * depth}"[: 1024 * 1024]
    started = time.process_time()
    slugs = _slugs(text)
    assert slugs == ["too-deep"]
    assert time.process_time() - started < 2


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
    assert only.rule.slug == "too-many-values"
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
    started = time.process_time()
    documents, (only,) = read("\n".join(lines) + "\nlast: *b59\n")
    assert documents == ()
    assert only.rule.slug in ("too-many-values", "too-deep")
    assert time.process_time() - started < 1


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
    "text",
    [
        "&a " * 100_000,
        "a: &a\n" * 20_000,
        "[" + "a: " * 100_000,
        "--- {}\n" * 100_000,
        "---\n[\n" * 50_000,
        "- !t x\n" * 9_000,
        "a: " + "'" * 300_000,
        'a: "' + "\\x41" * 200_000 + '"\n',
        "a: |\n" + "  x\n" * 100_000,
        "a: >\n" + "  x\n\n" * 100_000,
        "? " * 200_000,
        ": " * 200_000,
        "*a " * 200_000,
        "# comment\n" * 80_000,
        "a: [" + "*x, " * 19_000 + "]\n",
        "{" + ", ".join(f"&a{n} k{n}: !t v" for n in range(4_000)) + "}\n",
        "%TAG ! x\n" * 50_000,
        "a" * 1_000_000,
        "a: " + " b" * 400_000,
    ],
    ids=range(19),
)
def test_a_hostile_mebibyte_takes_no_time(text: str, loader: str) -> None:
    if loader == "pure":
        text = text[: 64 * 1024]
    started = time.process_time()
    read(text)
    assert time.process_time() - started < 4


def test_a_small_spec_is_read_in_no_time(loader: str) -> None:
    lines = [f"  field_{n}: {{type: int, description: Number {n}}}" for n in range(10)]
    text = "type: entity\nname: E\nfields:\n" + "\n".join(lines) + "\n"
    read(text)
    started = time.process_time()
    for _ in range(20):
        read(text)
    spent = (time.process_time() - started) / 20
    assert spent < (0.05 if loader == "pure" else 0.002)
