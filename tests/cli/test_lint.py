"""`brimgen lint`, the settings of lint, and what a build says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from brimgen.api import Flags, load_settings
from brimgen.diagnostics import Diagnostics, Severity
from brimgen.lint.options import RULES, LintOptions

SPEC = "type: python_function\nname: find_orders\n"
NOTED = f"{SPEC}description: List the newest.\narguments: {{inline: {{since: date}}}}\n"


def load(text: str) -> tuple[LintOptions, list[str]]:
    Path("brimgen.yaml").write_text(text)
    diagnostics = Diagnostics()
    settings = load_settings(Flags(), diagnostics)
    return settings.lint, [
        f"{each.span.line}:{each.span.column} {each.message}" for each in diagnostics
    ]


def test_rules_that_are_off_by_default_stay_off(project: Path) -> None:
    usual, found = load("specs: specs\n")
    assert [] == found
    assert {each.code for each in RULES if not each.is_off} == set(usual.severities)
    assert LintOptions() == usual


def test_settings_of_lint_are_read(project: Path) -> None:
    options, found = load(
        "lint:\n"
        "  select: [L601, argument-without-description]\n"
        "  ignore: [tool-without-description]\n"
        "  severity: {when-to-use-missing: error, L604: info}\n"
    )
    assert [] == found
    assert {
        "L602": Severity.INFO,
        "L604": Severity.INFO,
        "L617": Severity.ERROR,
    } == options.severities


def test_all_selects_every_rule_but_the_ignored(project: Path) -> None:
    options, _ = load("lint: {select: [ALL], ignore: [L602]}\n")
    assert {each.code for each in RULES} - {"L602"} == set(options.severities)


def test_lint_of_pyproject_makes_a_warning_an_error(project: Path, run: Any) -> None:
    Path("specs/a.yaml").write_text(NOTED)
    Path("pyproject.toml").write_text(
        '[tool.brimgen.lint]\nseverity = { L602 = "error" }\n'
    )
    ran = run("generate", "--format", "concise")
    assert 1 == ran.code
    assert "specs/a.yaml:4:22: error[L602] `since` has no description" in ran.err
    assert not Path("out").exists()


def test_the_command_tells_notes_and_a_build_does_not(project: Path, run: Any) -> None:
    Path("specs/a.yaml").write_text(NOTED)
    ran = run("generate", "--format", "concise")
    assert (0, False) == (ran.code, "L602" in ran.err)
    ran = run("lint", "--format", "concise")
    assert 0 == ran.code
    assert "specs/a.yaml:4:22: info[L602] `since` has no description\n" in ran.err
    assert ran.err.endswith("brimgen: 1 info\n")


def test_the_command_insists_on_warnings(project: Path, run: Any) -> None:
    Path("specs/a.yaml").write_text(SPEC)
    ran = run("generate", "--format", "concise")
    assert 0 == ran.code
    assert "warning[L601]" in ran.err
    assert 1 == run("lint").code
    Path("specs/a.yaml").write_text(f"{SPEC}x-lint-ignore: {{L601: internal}}\n")
    ran = run("lint")
    assert 0 == ran.code
    assert "brimgen: specs: nothing to improve" in ran.err


def test_an_error_that_is_waived_does_not_stop_the_build(
    project: Path, run: Any
) -> None:
    text = (
        "type: python_function\nname: f\ndescription: Find it.\nhandler: a.b:c\n"
        "arguments:\n  inline:\n"
        "    code: {type: string, description: Code., pattern: '^(a+)+$'}\n"
    )
    Path("specs/a.yaml").write_text(text)
    refused = run("generate")
    assert refused.code == 1
    assert "error[R349]" in refused.err
    Path("specs/a.yaml").write_text(f"{text}x-lint-ignore: {{R349: trusted}}\n")
    built = run("generate")
    assert (built.code, "R349" in built.err) == (0, False)
    assert Path("out/manifest.json").is_file()
