"""The bench of planted mistakes: specs as people write them, each with one to six mistakes.

A line ends with ``⟵ CODE text`` for each mistake that it holds: the code of the rule, and the text
under which the mark must stand (``text@2``: the second one of that text in the line). The marks are
taken away before the specs are read. All mistakes must be told in one run, each at its very place,
none twice, and nothing beside them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.cases import check

BENCH = Path(__file__).parent
SPECS = sorted(
    each for each in BENCH.iterdir() if each.suffix in (".yaml", ".sql", ".md")
)
_MARK = "⟵"


def plain(text: str) -> str:
    """The spec without its marks."""
    lines = (line.partition(_MARK)[0].rstrip() for line in text.split("\n"))
    return "\n".join(lines)


def planted(text: str) -> list[tuple[int, int, str]]:
    """Line, column and code of each mistake."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        spec, *marks = line.split(_MARK)
        for mark in marks:
            code, _, marked = mark.strip().partition(" ")
            words, _, nth = marked.partition("@")
            starts = [each.start() for each in re.finditer(re.escape(words), spec)]
            found.append((number, starts[int(nth or 1) - 1] + 1, code))
    return sorted(found)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.stem)
def test_every_mistake_is_told_once_at_its_place(spec: Path, tmp_path: Path) -> None:
    text = spec.read_text(encoding="utf-8")
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / spec.name).write_text(plain(text), encoding="utf-8")
    told = [(each.span.line, each.span.column, each.rule.code) for each in check(specs)]
    assert planted(text) == told


def test_the_bench_is_as_large_as_it_says() -> None:
    sizes = [len(planted(each.read_text(encoding="utf-8"))) for each in SPECS]
    assert 20 == len(SPECS)
    assert set(range(1, 7)) >= set(sizes)
    assert 85 <= sum(sizes)
