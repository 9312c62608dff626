"""Every warning about a spec can be waived in that spec, with a reason, whatever stage tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen.diagnostics import Severity
from brimgen.diagnostics.catalogue import RULES
from support.cases import Case, cases, check
from test_errors import MADE

_KEY = "x-lint-ignore"
_WARNINGS = {each.code for each in RULES if each.severity is Severity.WARNING}
_OF_WAIVERS = {"L690"}
"""What is told of waivers themselves."""
_OUTSIDE = {"S007", "S010", "S011", "L619", "SQL125"} | {
    each for each in _WARNINGS if each[0] in "OI"
}
"""What is told of files that are not read, of two builds, of schemas, of the configuration, the
output and of imports: no spec of this build says why."""
WAIVED = [
    each for each in cases(MADE) if each.code in _WARNINGS - _OF_WAIVERS - _OUTSIDE
]


def _waive(path: Path, code: str) -> None:
    """Write a waiver of a rule into every spec of a file."""
    line = f"{_KEY}: {{{code}: on purpose}}\n"
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".yaml":
        parts = text.split("\n---\n")
        path.write_text("\n---\n".join(f"{line}{each}" for each in parts))
    elif path.suffix == ".sql":
        path.write_text(text.replace("/*---\n", f"/*---\n{line}", 1))
    else:
        path.write_text(text.replace("---\n", f"---\n{line}", 1))


@pytest.mark.parametrize("case", WAIVED, ids=lambda case: case.name)
def test_a_warning_is_waived_where_its_spec_says_why(
    case: Case, tmp_path: Path
) -> None:
    specs = tmp_path / "specs"
    case.write(specs)
    assert case.code in {
        each.rule.code for each in check(specs, case.reason, linted=True)
    }
    for path in [each for each in specs.rglob("*") if each.is_file()]:
        _waive(path, case.code)
    left = [
        f"{each.rule.code} {each.message} {each.span}"
        for each in check(specs, case.reason, linted=True)
        if each.rule.code == case.code
    ]
    assert [] == left


def test_no_warning_about_a_spec_is_left_out_of_this_walk() -> None:
    walked = {each.code for each in WAIVED}
    assert set() == _WARNINGS - _OF_WAIVERS - _OUTSIDE - walked
