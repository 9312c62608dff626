"""Profiles: what a tool under `toolspec` must say, and that it then makes a valid ToolSpec."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.linked import link
from support.project import build

HEAD = "type: python_function\nname: echo\n"
PROFILE = "profiles: [toolspec]\n"
TEXTS = "description: Echoes text.\nwhen_to_use: Use for smoke tests\n"
INPUT = "arguments: {inline: {text: {type: string, description: What}}}\n"
RETURNS = "returns: {type: string, description: The text}\n"
WHOLE = HEAD + PROFILE + TEXTS + INPUT + RETURNS


def test_a_whole_spec_is_told_nothing() -> None:
    assert [] == link(WHOLE).told


@pytest.mark.parametrize(
    ("text", "message", "under"),
    [
        (
            HEAD + PROFILE + "when_to_use: Use it\n" + INPUT + RETURNS,
            "profile toolspec: `echo` has no description",
            "echo",
        ),
        (
            HEAD + PROFILE + "description: Echoes.\n" + INPUT + RETURNS,
            "profile toolspec: `echo` has no `when_to_use`",
            "echo",
        ),
        (
            WHOLE.replace("Use for smoke tests", "' '"),
            "profile toolspec: `echo` has no `when_to_use`",
            "echo",
        ),
        (
            HEAD + PROFILE + TEXTS + RETURNS,
            "profile toolspec: `echo` has no inputs",
            "echo",
        ),
        (
            WHOLE.replace("{type: string, description: What}", "string"),
            "profile toolspec: input `text` of `echo` has no description",
            "text",
        ),
        (
            HEAD + PROFILE + TEXTS + INPUT,
            "profile toolspec: `echo` has no `returns`",
            "echo",
        ),
        (
            HEAD + PROFILE + TEXTS + INPUT + "returns: string\n",
            "profile toolspec: `echo` has no description of its `returns`",
            "echo",
        ),
        (
            WHOLE.replace(
                "{type: string, description: What}", "{type: any, description: What}"
            ),
            "profile toolspec: input `text` of `echo` is boolean or number or string, "
            "which none of its six types can express",
            "text",
        ),
        (
            WHOLE.replace("toolspec", "tool_spec"),
            "there is no profile `tool_spec`",
            "tool_spec",
        ),
    ],
)
def test_what_a_profile_demands_and_a_tool_lacks_is_told(
    text: str, message: str, under: str
) -> None:
    linked = link(text)
    assert message == linked.only.message
    assert [(linked.only.rule.reason, under)] == linked.told
    assert linked.diagnostics.has_errors


def test_only_hidden_arguments_are_no_inputs() -> None:
    hidden = "arguments: {inline: {user: {type: string, from_context: app.user.id}}}\n"
    linked = link(HEAD + PROFILE + TEXTS + hidden + RETURNS)
    assert "profile toolspec: `echo` has no inputs" == linked.only.message


def test_inputs_of_any_name() -> None:
    schema = (
        "arguments:\n  inline:\n    properties: {text: {type: string, description: What}}\n"
        "    additionalProperties: true\n"
    )
    linked = link(HEAD + PROFILE + TEXTS + schema + RETURNS)
    assert "the arguments of `echo` may have any name" in linked.only.message


def test_a_suggestion_for_a_slip() -> None:
    assert ("toolspec",) == link(
        WHOLE.replace("toolspec", "toolspecs")
    ).only.suggestions


def test_a_tool_that_is_broken_otherwise_is_not_told_twice() -> None:
    broken = WHOLE.replace("string, description: What", "strnig, description: What")
    assert ["unknown-type"] == link(broken).slugs


def test_what_the_profile_accepts_validates(tmp_path: Path) -> None:
    entity = "type: entity\nname: Place\nfields: {lat: float}\n---\n"
    more = WHOLE.replace(
        "{text: {type: string, description: What}}",
        "{text: {type: 'Place?', description: What}, n: {type: 'int[]', description: N}}",
    )
    targets = ("python", "toolspec")
    spec = build(tmp_path, {"a.yaml": entity + more}, targets=targets).spec("echo")
    spec.validate()
    assert ["object", "array"] == [each.type for each in spec.inputs]
