"""R375-R378: what a profile requires of tools, beyond the language (spec-language.md)."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

_HEAD = "type: python_function\nname: echo\nprofiles: [toolspec]\n"
_TEXTS = "description: Echoes text.\nwhen_to_use: Use for smoke tests\n"
_RETURNS = "returns: {type: string, description: The text}\n"
_INPUT = "arguments: {inline: {text: {type: string, description: What to echo}}}\n"

UNKNOWN_PROFILE = error(
    "R375",
    "unknown-profile",
    "there is no profile `{name}`",
    "The profile is `toolspec`.",
    wrong=_HEAD.replace("toolspec", "tool_spec") + _TEXTS + _INPUT + _RETURNS,
    right=_HEAD + _TEXTS + _INPUT + _RETURNS,
)
INCOMPLETE_SPEC = error(
    "R376",
    "toolspec-incomplete",
    "profile toolspec: `{tool}` has no {what}",
    "A ToolSpec has a description, a `when_to_use`, at least one input, and a described "
    "return value. Agents choose tools by them.",
    wrong=_HEAD + "description: Echoes text.\n" + _INPUT + _RETURNS,
    right=_HEAD + _TEXTS + _INPUT + _RETURNS,
)
UNDESCRIBED_INPUT = error(
    "R377",
    "toolspec-undescribed-input",
    "profile toolspec: input `{name}` of `{tool}` has no description",
    "A ToolSpec describes every input.",
    wrong=_HEAD + _TEXTS + "arguments: {inline: {text: string}}\n" + _RETURNS,
    right=_HEAD + _TEXTS + _INPUT + _RETURNS,
)
UNSAYABLE_TYPE = error(
    "R378",
    "toolspec-type",
    "profile toolspec: {what} `{tool}` {kind}, which none of its six types can express",
    "The types are `string`, `integer`, `number`, `boolean`, `array` and `object`; to send "
    "null, a caller leaves an optional input out. Choose one of the types, or remove the "
    "profile.",
    wrong=_HEAD
    + _TEXTS
    + "arguments: {inline: {text: {type: primitive, description: What to echo}}}\n"
    + _RETURNS,
    right=_HEAD + _TEXTS + _INPUT + _RETURNS,
)

RULES: tuple[Rule, ...] = (
    UNKNOWN_PROFILE,
    INCOMPLETE_SPEC,
    UNDESCRIBED_INPUT,
    UNSAYABLE_TYPE,
)
