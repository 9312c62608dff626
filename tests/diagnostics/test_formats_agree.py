"""All formats tell the same of every wrong spec of the tests: as many findings, at the same places,
of the same rule and severity, in the same words."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from brimgen.api import Diagnostics
from brimgen.diagnostics.show import show
from brimgen.diagnostics.show_report import visible
from support.cases import cases, check

ODD = "a b,c:d%41/ö'\"<&>/"
"""A folder whose name has what formats escape."""
COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")


class Finding(NamedTuple):
    """What every format tells."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    severity: str
    message: str


@pytest.fixture(scope="module")
def diagnostics(tmp_path_factory: pytest.TempPathFactory) -> Diagnostics:
    """What is found in every wrong spec that lies in tests/errors."""
    every = Diagnostics()
    for number, case in enumerate(cases({})):
        specs = tmp_path_factory.mktemp("case") / f"specs{number}"
        case.write(specs)
        # People are told the name of an option alone: it has no line.
        every.extend(
            each
            for each in check(specs, case.reason)
            if not each.span.file.startswith("--")
        )
    assert len(every) > 300
    return every


@pytest.fixture(scope="module")
def told(diagnostics: Diagnostics) -> list[Finding]:
    """The findings as they are, with messages on one line as formats for terminals write them."""
    return [
        Finding(
            ODD + each.span.file,
            *each.span[1:],
            each.rule.code,
            each.rule.severity.value,
            visible(each.message),
        )
        for each in diagnostics
    ]


def test_json_has_every_finding_at_its_place(
    diagnostics: Diagnostics, told: list[Finding]
) -> None:
    document = json.loads(show(diagnostics, "json", prefix=ODD))
    keys = ("file", "line", "column", "endLine", "endColumn", "code", "severity")
    read = [
        Finding(*(each[key] for key in keys), visible(each["message"]))
        for each in document["diagnostics"]
    ]
    assert told == read
    for severity in ("error", "warning"):
        count = document["summary"][f"{severity}s"]
        assert count == sum(each.severity == severity for each in told)


def test_github_gets_every_finding_at_its_place(
    diagnostics: Diagnostics, told: list[Finding]
) -> None:
    severities = {"error": "error", "warning": "warning", "notice": "info"}
    read = []
    for line in show(diagnostics, "github", prefix=ODD).splitlines():
        parsed = COMMAND.fullmatch(line)
        assert parsed is not None, line
        given = dict(each.split("=", 1) for each in parsed[2].split(","))
        values = {key: _unescaped(value) for key, value in given.items()}
        numbers = [int(values[key]) for key in ("line", "col", "endLine", "endColumn")]
        code = values["title"].partition(" ")[0]
        message = _unescaped(parsed[3]).split("\n")[0]
        severity = severities[parsed[1]]
        read.append(Finding(values["file"], *numbers, code, severity, message))
    assert told == read


def _unescaped(text: str) -> str:
    """As the runner of GitHub reads what stands in a workflow command."""
    for written, meant in (("0D", "\r"), ("0A", "\n"), ("3A", ":"), ("2C", ",")):
        text = text.replace(f"%{written}", meant)
    return text.replace("%25", "%")


def test_sarif_has_every_finding_at_its_place(
    diagnostics: Diagnostics, told: list[Finding]
) -> None:
    severities = {"error": "error", "warning": "warning", "note": "info"}
    (run,) = json.loads(show(diagnostics, "sarif", prefix=ODD))["runs"]
    keys = ("startLine", "startColumn", "endLine", "endColumn")
    read: list[Any] = []
    for each, expected in zip(run["results"], diagnostics, strict=True):
        place = each["locations"][0]["physicalLocation"]
        text = each["message"]["text"]
        assert text.startswith(expected.message)
        numbers = [place["region"][key] for key in keys]
        path = unquote(place["artifactLocation"]["uri"])
        severity, message = severities[each["level"]], visible(expected.message)
        read.append(Finding(path, *numbers, each["ruleId"], severity, message))
    assert told == read


def test_junit_has_every_finding_at_its_place(
    diagnostics: Diagnostics, told: list[Finding]
) -> None:
    root = ElementTree.fromstring(show(diagnostics, "junit", prefix=ODD))
    read = []
    for case in root.iter("testcase"):
        code, _, place = str(case.get("name")).split(" ")
        failure = case.find("failure")
        severity = "info" if failure is None else failure.get("type")
        message = None if failure is None else failure.get("message")
        read.append((case.get("file"), place, code, severity, message))
    assert read == [
        (
            each.file,
            f"{each.line}:{each.column}",
            each.code,
            each.severity,
            None if each.severity == "info" else each.message,
        )
        for each in told
    ]


@pytest.mark.parametrize("format", ["concise", "full"])
def test_reports_for_people_name_every_finding_at_its_place(
    diagnostics: Diagnostics, told: list[Finding], format: str
) -> None:
    text = show(diagnostics, format, prefix=ODD)
    if format == "concise":
        heads = text.splitlines()
        for head, each in zip(heads, told, strict=True):
            place = f"{each.file}:{each.line}:{each.column}"
            said = f"{place}: {each.severity}[{each.code}] {each.message}"
            assert head.startswith(said)
        return
    heads = re.findall(r"(?m)^(?:error|warning|info)\[\w+\]: .*$", text)
    assert heads == [f"{each.severity}[{each.code}]: {each.message}" for each in told]
    places = re.findall(r"(?m)^ *--> (.*)$", text)
    assert places == [f"{each.file}:{each.line}:{each.column}" for each in told]
