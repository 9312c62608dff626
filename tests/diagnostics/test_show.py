"""What diagnostics look like, in each format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics, Note, Severity, Span
from brimgen.diagnostics.rules import HAND_EDITED, OUTDATED, STALE_LOCK
from brimgen.diagnostics.show import show, summary
from support.made_rules import made_rule

BROKEN = made_rule("S998 broken-thing", "`{what}` is broken", "Mend it.")
DOUBTFUL = made_rule(
    "S999 doubtful-thing", "`{what}` is doubtful", "Look again.", Severity.WARNING
)
NOTED = made_rule("S997 noted", "noted", "Good to know.", Severity.INFO)


@dataclass(frozen=True)
class _Text:
    text: str


def _span(line: int, column: int, end_column: int, end_line: int = 0) -> Span:
    return Span("specs/a.yaml", line, column, end_line or line, end_column)


def _full(text: str, span: Span, **more: Any) -> str:
    diagnostics = Diagnostics()
    diagnostics.add(BROKEN, span, what="it", **more)
    return show(diagnostics, sources={"specs/a.yaml": _Text(text)}, prefix="shop/")


def _marked(text: str, span: Span) -> tuple[str, str]:
    """The quoted line and the line of marks, without the margin."""
    lines = _full(text, span).split("\n")
    return lines[3].partition("| ")[2], lines[4].partition("| ")[2]


def test_an_error_shows_its_line_the_reason_and_a_suggestion() -> None:
    text = "\n" * 8 + "type: entity\nname: Order\nnmae: Order\n"
    shown = _full(
        text,
        _span(11, 1, 5),
        notes=[Note(_span(10, 1, 5), "the name is here")],
        suggestions=["name", "names"],
    )
    assert shown == (
        "error[S998]: `it` is broken\n"
        "  --> shop/specs/a.yaml:11:1\n"
        "   |\n"
        "11 | nmae: Order\n"
        "   | ^^^^\n"
        "  ::: shop/specs/a.yaml:10:1\n"
        "   |\n"
        "10 | name: Order\n"
        "   | ---- the name is here\n"
        "   = help: did you mean `name` or `names`?\n"
        "   = help: Mend it.\n"
    )


@pytest.mark.parametrize(
    ("text", "columns", "line", "marks"),
    [
        ("a: int", (4, 7), "a: int", "   ^^^"),
        ("a: int", (7, 7), "a: int", "      ^"),
        ("\ta:\tint", (5, 8), "    a:    int", "          ^^^"),
        ("a:\t\tx", (3, 5), "a:        x", "  ^^^^^^^^"),
        ("注文: 数", (5, 6), "注文: 数", "      ^^"),
        ("ｘ：int", (3, 6), "ｘ：int", "    ^^^"),
        ("e\u0301: int", (5, 8), "e\u0301: int", "   ^^^"),
        ("가나: x", (1, 3), "가나: x", "^^^^"),
        ("a: \x1b[31mx", (4, 5), "a: \\x1b[31mx", "   ^^^^"),
    ],
)
def test_marks_stand_under_the_text(
    text: str, columns: tuple[int, int], line: str, marks: str
) -> None:
    assert _marked(text, _span(1, *columns)) == (line, marks)


def test_a_span_of_several_lines_is_marked_on_its_first() -> None:
    line, marks = _marked("a:\n  b: 1   \n  c: 2\n", _span(2, 3, 7, end_line=3))
    assert (line, marks) == ("  b: 1", "  ^^^^")


@pytest.mark.parametrize("column", [1, 2000, 4990])
def test_of_a_long_line_the_part_around_the_mark_is_shown(column: int) -> None:
    words = "".join(f"{number:>9}," for number in range(500))
    line, marks = _marked(words, _span(1, column, column + 9))
    assert len(line) < 180
    start = len(marks) - len(marks.lstrip())
    assert line[start : start + 9] == words[column - 1 : column + 8]
    assert marks.strip() == "^" * 9


@pytest.mark.parametrize(
    "span",
    [_span(9, 1, 2), Span("specs/gone.yaml", 1, 1, 1, 1), Span.at_file("specs/b.yaml")],
)
def test_a_place_without_a_line_is_only_named(span: Span) -> None:
    shown = _full("a: 1\n", span, notes=[Note(span, "here")])
    place = f"shop/{span.file}:{span.line}:{span.column}"
    assert shown == (
        f"error[S998]: `it` is broken\n --> {place}\n ::: {place}: here\n"
        "  = help: Mend it.\n"
    )


def test_colours_come_only_when_asked_for() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(
        BROKEN, _span(1, 1, 2), what="it", notes=[Note(_span(2, 1, 2), "x")]
    )
    sources = {"specs/a.yaml": _Text("a: 1\nb: 2\n")}
    plain = show(diagnostics, sources=sources)
    coloured = show(diagnostics, sources=sources, colour=True)
    assert "\x1b" not in plain
    assert "\x1b[1;31merror[S998]\x1b[0m" in coloured
    for code in ("0", "1", "1;31", "1;34"):
        coloured = coloured.replace(f"\x1b[{code}m", "")
    assert coloured == plain
    line = show(diagnostics, "concise", sources=sources, colour=True)
    assert line.startswith("specs/a.yaml:1:1: \x1b[1;31merror[S998]\x1b[0m `it` is")


def test_the_concise_report_has_one_line_per_finding() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(DOUBTFUL, _span(2, 5, 9), what="x", suggestions=["y"])
    diagnostics.add(BROKEN, _span(1, 1, 2), what="a\nb\x1b[0m\u202e")
    assert show(diagnostics, "concise", prefix="shop/") == (
        "shop/specs/a.yaml:1:1: error[S998] `a\\nb\\x1b[0m\\u202e` is broken\n"
        "shop/specs/a.yaml:2:5: warning[S999] `x` is doubtful; did you mean `y`?\n"
    )


def test_long_values_are_shortened_for_people_only() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(BROKEN, _span(1, 1, 2), what="x" * 10_000)
    assert len(show(diagnostics, "concise")) < 1000
    assert "x" * 10_000 in show(diagnostics, "json")


def test_annotations_escape_what_github_would_misread() -> None:
    diagnostics = Diagnostics()
    file = "specs/a,b:c.yaml"
    diagnostics.add(BROKEN, Span(file, 3, 4, 5, 6), what="50%\r\n::", suggestions=["y"])
    diagnostics.add(DOUBTFUL, Span(file, 4, 1, 4, 2), what="x")
    diagnostics.add(NOTED, Span(file, 5, 1, 5, 2))
    assert show(diagnostics, "github").split("\n") == [
        "::error file=specs/a%2Cb%3Ac.yaml,line=3,col=4,endLine=5,endColumn=6,"
        "title=S998 broken-thing::`50%25\\r\\n::` is broken%0Adid you mean `y`?%0AMend it.",
        "::warning file=specs/a%2Cb%3Ac.yaml,line=4,col=1,endLine=4,endColumn=2,"
        "title=S999 doubtful-thing::`x` is doubtful%0ALook again.",
        "::notice file=specs/a%2Cb%3Ac.yaml,line=5,col=1,endLine=5,endColumn=2,"
        "title=S997 noted::noted%0AGood to know.",
        "",
    ]


def test_github_has_one_place_for_all_files_that_differ() -> None:
    """GitHub shows ten annotations of a kind: those of specs must be among them."""
    diagnostics = Diagnostics()
    diagnostics.add(HAND_EDITED, Span.at_file("out/b.py"))
    for number in range(10):
        diagnostics.add(OUTDATED, Span.at_file(f"out/{number}.py"))
    diagnostics.add(STALE_LOCK, Span.at_file("brimgen.lock.json"))
    diagnostics.add(DOUBTFUL, Span("specs/a.yaml", 4, 1, 4, 2), what="x")
    *others, last = show(diagnostics, "github").splitlines()
    assert [
        ("warning", "specs/a.yaml"),
        ("error", "brimgen.lock.json"),
    ] == [(each.split()[0][2:], each.split("=")[1].split(",")[0]) for each in others]
    files = "".join(f"%0Aout/{number}.py (outdated)" for number in range(9))
    assert last == (
        "::error file=out/b.py,line=1,col=1,endLine=1,endColumn=1,"
        "title=11 generated files are not what the specs say::"
        f"out/b.py (edited by hand){files}"
        "%0Aand 1 more; `--format concise` lists them all"
        f"%0A1 edited by hand (O520): {HAND_EDITED.help}"
        f"%0A10 outdated (O521): {OUTDATED.help}"
    )


def test_the_json_report_has_places_notes_and_suggestions() -> None:
    diagnostics = Diagnostics()
    diagnostics.add(
        BROKEN,
        _span(3, 4, 6, end_line=5),
        what="ä\n",
        notes=[Note(_span(1, 2, 3), "first here")],
        suggestions=["y"],
    )
    text = show(diagnostics, "json", prefix="shop/")
    assert text.isascii()
    assert text.endswith("}\n")
    place = {"file": "shop/specs/a.yaml"}
    assert json.loads(text) == {
        "version": 1,
        "summary": {"errors": 1, "warnings": 0},
        "diagnostics": [
            {
                "code": "S998",
                "slug": "broken-thing",
                "reason": "broken-thing",
                "severity": "error",
                "message": "`ä\n` is broken",
                "help": "Mend it.",
                **place,
                "line": 3,
                "column": 4,
                "endLine": 5,
                "endColumn": 6,
                "notes": [
                    {
                        "text": "first here",
                        **place,
                        "line": 1,
                        "column": 2,
                        "endLine": 1,
                        "endColumn": 3,
                    }
                ],
                "suggestions": ["y"],
            }
        ],
    }


@pytest.mark.parametrize(
    ("errors", "warnings", "notes", "text"),
    [
        (0, 0, 0, "no problems"),
        (1, 0, 0, "1 error"),
        (3, 1, 0, "3 errors, 1 warning"),
        (0, 2, 1, "2 warnings, 1 info"),
        (0, 0, 2, "2 infos"),
    ],
)
def test_the_line_that_sums_up(
    errors: int, warnings: int, notes: int, text: str
) -> None:
    diagnostics = Diagnostics()
    for number in range(errors):
        diagnostics.add(BROKEN, _span(1, 1, 2), what=number)
    for number in range(warnings):
        diagnostics.add(DOUBTFUL, _span(1, 1, 2), what=number)
    for number in range(notes):
        diagnostics.add(NOTED, _span(number + 1, 1, 2))
    assert summary(diagnostics) == text
