"""Every row of the seeds stands once in docs/internal/seeds.md, and its tests exist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from support.each import check_each

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "internal" / "seeds.md").read_text("utf-8")
COUNTS = {"B": 18, "N": 11, "F": 13, "J": 11, "O": 11}
STATES = {"shown", "decided", "out of scope"}
ROWS = {
    cells[0]: cells[1:]
    for line in PAGE.splitlines()
    if re.match(r"\| [A-Z]\d", line)
    for cells in [[each.strip() for each in line.strip("|").split("|")]]
}


@cache
def defined_in(path: str) -> tuple[str, ...]:
    """The names of the tests in a module, or of the cases in a file of cases."""
    mark = (
        r"^\[(?:case|inline) (.*)\]$"
        if path.endswith(".cases")
        else r"^ *def (test_\w+)"
    )
    return tuple(re.findall(mark, (ROOT / path).read_text("utf-8"), re.M))


def test_every_row_stands_there_once() -> None:
    listed = re.findall(r"^\| ([A-Z]\d[\d.]*) \|", PAGE, re.M)
    assert len(listed) == len(set(listed))
    rows = [
        f"{key}{number + 1}" for key, last in COUNTS.items() for number in range(last)
    ]
    assert rows == [each for each in listed if "." not in each]
    statements = [
        tuple(map(int, each[1:].split("."))) for each in listed if "." in each
    ]
    assert sorted(statements) == statements


def test_every_promise_of_the_table_has_a_test_that_exists() -> None:
    def check(row: str) -> None:
        what, shown, state = ROWS[row]
        assert what
        assert state in STATES
        named = re.findall(r"`(tests/[\w/-]+\.(?:py|cases))::([^`]+)`", shown)
        assert shown.count("`") == 2 * len(named)
        assert named or "out of scope" == state
        for path, name in named:
            begun = [each for each in defined_in(path) if each.startswith(name)]
            is_begin = name.endswith("_") or path.endswith(".cases")
            assert begun if is_begin else name in begun, (path, name)

    check_each(ROWS, check)


def test_whatever_was_decided_has_its_reason() -> None:
    told = {
        row
        for row in ROWS
        if re.search(rf"^- .*\*\*{re.escape(row)}\*\*.*: \S", PAGE, re.M)
    }
    assert {row for row in ROWS if "shown" != ROWS[row][2]} == told


def test_rows_of_the_tests_are_rows_of_the_table() -> None:
    """A test that carries a row in its name stands in the table, so none is forgotten."""
    for path in (*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("tests/calls/*.cases")):
        file = path.relative_to(ROOT).as_posix()
        for name in defined_in(file):
            for row in re.findall(r"(?<![^_])[BNFJO]\d+(?=[_ ])", name):
                assert row in ROWS, name
                beginnings = re.findall(rf"{re.escape(file)}::([^`]+)", ROWS[row][1])
                assert any(name.startswith(each) for each in beginnings), name


def test_F13_a_page_says_what_is_out_of_scope() -> None:
    page = (ROOT / "docs" / "compare.md").read_text("utf-8").casefold()
    for each in (
        "streaming",
        "zip",
        "recipe builder",
        "multi-step",
        "internationalization",
    ):
        assert each in page
