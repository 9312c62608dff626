"""The lines of `brimgen verify`: failures first, aligned columns, the end last."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from brimgen.agreement.report import Excuse, Report, UntestedTool
from brimgen.cli.checks.verify import differences, table

REFUSES = "refuses what the schema accepts: brimgen alone reads the keyword"


def tool(name: str, line: int) -> Any:
    return SimpleNamespace(name=name, span=SimpleNamespace(file="a.yaml", line=line))


@pytest.fixture
def report() -> Report:
    made = Report(tools=1_200, instances=4_511)
    for number in range(1_500):
        made.of("JSON Schema").add(number % 3 == 0)
    made.of("mcp").add(True)
    for what, times in (("x-leaf", 2), ("format", 1_001), ("x-decimal", 2)):
        for number in range(times):
            place = f"/a/{number}"
            made.excuse("mcp", Excuse(REFUSES, what), tool("find", 1), place)
    return made


def test_columns_are_aligned_and_the_commonest_comes_first(report: Report) -> None:
    assert [
        "1,200 tools, 4,511 calls at the edges of their schemas",
        "",
        "               asked  accepted  refused",
        "  JSON Schema  1,500       500    1,000",
        "  mcp              1         1        0",
        "",
        "What may differ, how often it did, and where first:",
        f"  mcp {REFUSES}",
        "      1,001  format     find /a/0",
        "          2  x-decimal  find /a/0",
        "          2  x-leaf     find /a/0",
        "",
        "all artifacts of 1,200 tools agree",
    ] == [*table(report)]


def test_what_is_not_shown_says_why_and_what_to_do(report: Report) -> None:
    why = "argument `id`: no text is known"
    report.unshown.append(UntestedTool(tool("a", 3), why, "give it `examples`"))
    report.unshown.append(UntestedTool(tool("b", 4), "why", "do so", "SQL bindings"))
    report.unshown.append(UntestedTool(tool("b", 4), "why", "do so", "HTTP requests"))
    assert [
        "Not shown:",
        f"  a.yaml:3: a: {why}",
        "    to have it shown: give it `examples`",
        "  a.yaml:4: b: SQL bindings: why",
        "    to have it shown: do so",
        "  a.yaml:4: b: HTTP requests: why",
        "    to have it shown: do so",
        "",
        "all that is shown agrees; 2 of 1,200 tools not shown, or not wholly",
    ] == [*table(report)][-9:]


def test_one_fault_is_told_once_with_its_shortest_call(report: Report) -> None:
    for each in ({"a": 1, "b": 2}, {"a": 1}, {"a": 1, "c": 2}):
        report.differ(tool("find", 7), "mcp", "says more", each)
    report.differ(tool("find", 7), "mcp", "tells of `b`", None)
    for number in range(20):
        report.differ(tool(f"t{number}", 8), "mcp", "says more", {"a": 1})
    told = [*differences(report)]
    assert [
        "a.yaml:7: find: mcp says more",
        '    call: {"a": 1}',
        "    and 2 other calls",
        "a.yaml:7: find: mcp tells of `b`",
    ] == told[:4]
    assert "and 2 more differences" == told[-1]
    end = "24 differences in 21 of 1,200 tools"
    assert end == [*table(report)][-1]
