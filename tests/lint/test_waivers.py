"""``x-lint-ignore``: what it covers, and what is told about it."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.lint.options import LintOptions, rules_named, select_severities
from support.linted import catalog_of, linted, told

HEAD = "type: python_function\nname: find_orders\n"
ARGUMENTS = "arguments:\n  inline:\n"


def test_a_tool_waives_for_all_of_it() -> None:
    text = (
        f"{HEAD}description: All.\nx-lint-ignore: {{L602: names say it}}\n{ARGUMENTS}"
    )
    text += "    since: date\n    at: {fields: {hour: int}}\n"
    assert "" == told(text)


def test_an_argument_waives_for_itself_and_what_is_in_it() -> None:
    text = f"{HEAD}description: All.\n{ARGUMENTS}"
    text += "    since: date\n    at:\n      x-lint-ignore: {L602: names say it}\n"
    text += "      fields: {hour: int}\n"
    assert "L602 6:5 `since` has no description" == told(text)


def test_a_rule_waived_for_named_arguments() -> None:
    text = f"{HEAD}description: All.\n"
    text += "x-lint-ignore:\n  argument-without-description:\n    at.hour: it says it\n"
    text += (
        f"{ARGUMENTS}    since: date\n    at: {{fields: {{hour: int, minute: int}}}}\n"
    )
    assert told(text).split("\n") == [
        "L602 9:5 `since` has no description",
        "L602 10:30 `minute` has no description",
    ]


def test_an_entity_waives_for_its_fields_wherever_they_are_used() -> None:
    text = (
        "type: entity\nname: Page\nx-lint-ignore: {L602: known}\nfields: {limit: int}\n"
    )
    text += f"---\n{HEAD}description: All.\narguments: {{entity_ref: Page}}\n"
    assert "" == told(text)


def test_a_waiver_needs_a_reason() -> None:
    for value in ("{L601: ''}", "{L601: ~}", "{L601: [a]}", "{L601: true}"):
        said = told(f"{HEAD}x-lint-ignore: {value}\n")
        assert "L690 3:17 `L601` cannot be ignored without a reason" == said, value
    assert "L690 3:16 `L601` cannot be ignored without a reason" == told(
        f"{HEAD}x-lint-ignore: L601\n"
    )


def test_a_waiver_that_covers_nothing() -> None:
    said = told(f"{HEAD}description: All.\nx-lint-ignore: {{L601: why not}}\n")
    assert "L690 4:17 `L601` is ignored here, but nothing here breaks it" == said


def test_a_waiver_of_a_rule_that_does_not_apply_is_not_unused() -> None:
    options = LintOptions(severities=select_severities(None, rules_named("L601"), {}))
    text = f"{HEAD}description: All.\nx-lint-ignore: {{L601: why not}}\n"
    assert "" == told(text, options)


def test_a_waiver_of_no_rule() -> None:
    (said,) = linted(f"{HEAD}description: All.\nx-lint-ignore: {{L6O1: a}}\n")
    assert ("L690", "there is no rule `L6O1` that can be ignored") == (
        said.rule.code,
        said.message,
    )
    text = "x-lint-ignore: {tool-without-descripton: a}\n"
    (said,) = linted(f"{HEAD}description: All.\n{text}")
    assert "tool-without-description" == said.suggestions[0]
    for name in ("S203", "ALL", "L690"):
        text = f"{HEAD}description: All.\nx-lint-ignore: {{{name}: a}}\n"
        assert ["L690"] == [each.rule.code for each in linted(text)]


def test_of_what_is_not_sound_nothing_is_said() -> None:
    text = f"{HEAD}description: All.\nx-lint-ignore: {{L602: a}}\n"
    text += "arguments: {inline: {a: Nothing, b: int}, entity_ref: None_}\n"
    assert all(not each.rule.code.startswith("L") for each in linted(text))


def test_notes_are_left_out_of_a_build() -> None:
    text = f"{HEAD}{ARGUMENTS}    since: date\n"
    assert ["L601", "L602"] == [each.rule.code for each in linted(text)]
    assert ["L601"] == [each.rule.code for each in linted(text, notes=False)]
    waived = text.replace("date\n", "{type: date, x-lint-ignore: {L602: known}}\n")
    assert ["L601"] == [each.rule.code for each in linted(waived, notes=False)]


def test_waivers_are_not_published() -> None:
    text = """\
type: entity
name: Page
x-lint-ignore: {L602: known}
fields:
  limit: {type: int, x-lint-ignore: {L602: known}}
---
type: entity
name: Pasted
x-lint-ignore: {L602: known}
properties: {a: {type: string}}
---
type: python_function
name: find_orders
description: All.
x-lint-ignore: {L602: known}
x-owner: billing
arguments:
  entity_ref: Pasted
  inline:
    at: Page
    a: {description: Text, x-lint-ignore: {L616: known}}
    tags: {type: array, items: {type: string, x-lint-ignore: {L602: known}}}
"""
    diagnostics = Diagnostics()
    catalog = catalog_of(text, diagnostics)
    assert [] == list(diagnostics)
    assert {"x-owner": "billing"} == catalog.tools[0].extensions
    published = [tool.input_schema for tool in catalog.tools]
    published += [entity.schema for entity in catalog.entities.values()]
    assert "lint" not in repr(published)


CODE = "type: string, description: Printed on the box, pattern: '^(a+)+$'"


def test_an_error_that_may_be_meant_is_waived_with_a_reason() -> None:
    text = f"{HEAD}description: All.\n{ARGUMENTS}    code: {{{CODE}"
    assert told(f"{text}}}\n").startswith("R349 6:")
    for rule in ("R349", "catastrophic-pattern"):
        assert "" == told(f"{text}, x-lint-ignore: {{{rule}: only we call it}}}}\n")
    for none in ("''", "~"):
        said = told(f"{text}, x-lint-ignore: {{R349: {none}}}}}\n").split("\n")
        assert ["R349", "L690"] == [each[:4] for each in said]


def test_a_warning_of_another_stage_is_waived_for_a_tool_or_a_field_of_it() -> None:
    code = CODE.replace("(a+)+", ".*/.*/.*")
    head = f"{HEAD}description: All.\n"
    text = f"{ARGUMENTS}    code: {{{code}}}\n    path: {{{code}}}\n"
    assert ["R347", "R347"] == [each[:4] for each in told(head + text).split("\n")]
    assert "" == told(f"{head}x-lint-ignore: {{R347: short texts}}\n{text}")
    ignored = "x-lint-ignore: {slow-pattern: {code: short texts}}\n"
    assert told(head + ignored + text).startswith("R347 8:")


def test_a_warning_about_a_pasted_schema_is_waived_for_one_of_its_properties() -> None:
    code = CODE.replace("(a+)+", ".*/.*/.*")
    text = "x-lint-ignore: {R347: {lines.code: short texts}}\narguments:\n  inline:\n"
    text += "    type: object\n    properties:\n      lines:\n        type: array\n"
    text += "        description: L.\n        items:\n          type: object\n"
    text += f"          properties: {{code: {{{code}}}}}\n"
    text += f"      path: {{{code}}}\n"
    assert told(f"{HEAD}description: All.\n{text}").startswith("R347 15:")


def test_an_error_that_is_always_wrong_is_not_waived() -> None:
    text = f"{HEAD}description: All.\nx-lint-ignore: {{R344: why not}}\n"
    assert "L690 4:17 there is no rule `R344` that can be ignored" == told(text)


def test_a_waiver_of_another_stage_that_covers_nothing() -> None:
    text = f"{HEAD}description: All.\nx-lint-ignore: {{R347: why not}}\n"
    assert "L690 4:17 `R347` is ignored here, but nothing here breaks it" == told(text)
