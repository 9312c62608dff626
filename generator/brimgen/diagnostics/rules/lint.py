"""L6xx: valid specs that a model will have trouble with."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, note, warning
from brimgen.diagnostics.rules.lint_statements import (
    LIMIT_UNBOUNDED,
)

_FIND = "type: python_function\nname: find_orders\n"
_DESCRIBED = f"{_FIND}description: List the orders of a customer, newest first.\n"


def _argument(text: str) -> str:
    return f"{_DESCRIBED}arguments:\n  inline:\n    {text}"


TOOL_WITHOUT_DESCRIPTION = warning(
    "L601",
    "tool-without-description",
    "`{tool}` has no description",
    "A model learns from the description what a tool is for. Say in a sentence or two what "
    "the tool does and what it returns.",
    wrong=_FIND.rstrip(),
    right=_DESCRIBED.rstrip(),
)
ARGUMENT_WITHOUT_DESCRIPTION = note(
    "L602",
    "argument-without-description",
    "`{name}` has no description",
    "Say what the value means, its unit or format, and where a model finds it.",
    wrong=_argument("customer_id: int"),
    right=_argument(
        "customer_id: {type: int, description: Number on the customer card}"
    ),
)
EFFECT_UNMENTIONED = warning(
    "L603",
    "side-effect-unmentioned",
    "the description of `{tool}` does not say that it {effect}",
    "A model, and the person who confirms its calls, must read what a call changes. Say it "
    "in `description` or `when_to_use`: what is written, deleted or sent.",
    wrong="type: sql_function\nname: drafts\ndescription: Takes care of old drafts.\n"
    "sql: DELETE FROM drafts WHERE created_at < CURRENT_DATE",
    right="type: sql_function\nname: drafts\n"
    "description: Deletes all drafts that were made before today.\n"
    "sql: DELETE FROM drafts WHERE created_at < CURRENT_DATE",
)
TOOL_NAMES_ALIKE = warning(
    "L604",
    "tool-names-alike",
    "a model may confuse `{tool}` with `{other}`",
    "The names differ only in the form, order or spelling of their words. Name each tool "
    "after what only it does, or make one tool of the two.",
    wrong=f"{_DESCRIBED}---\n"
    "type: python_function\nname: search_order\ndescription: Look for one order by its text.",
    right=f"{_DESCRIBED}---\n"
    "type: python_function\nname: match_order_text\n"
    "description: Look for one order by its text.",
)
ARGUMENT_NAMES_ALIKE = warning(
    "L605",
    "argument-names-alike",
    "a model may confuse the arguments `{name}` and `{other}` of `{owner}`",
    "The names differ only in the form, order or spelling of their words. Name each after "
    "what only it means, or make one argument of the two.",
    wrong=_argument(
        "user_id: {type: int, description: Whose orders}\n"
        "    userId: {type: int, description: Who asks}"
    ),
    right=_argument(
        "customer_id: {type: int, description: Whose orders}\n"
        "    clerk_id: {type: int, description: Who asks}"
    ),
)
VAGUE_ARGUMENT = warning(
    "L606",
    "argument-name-vague",
    "the name `{name}` does not say what is expected, and there is no description",
    "Name it after what it holds (`query`, `invoice_text`), or describe it.",
    wrong=_argument("data: string"),
    right=_argument(
        "free_text: {type: string, description: Words to find in the notes}"
    ),
)
_PARTS = (
    "city country street house floor door zip phone mail web first middle surname title "
    "birthday language"
)
TOO_MANY_ARGUMENTS = warning(
    "L607",
    "too-many-arguments",
    "`{tool}` takes {count} arguments; the recommended limit is {limit}",
    "With more arguments, a model gets more of them wrong. Split the tool, move what "
    "belongs together into an entity, or hide what the host program knows "
    "(`from_context`). Change the limit with `limits.arguments` in the lint configuration.",
    wrong=_argument(
        "\n    ".join(
            f"{name}: {{type: string, description: Part of the {name}}}"
            for name in _PARTS.split()
        )
    ),
    right=_argument("address: {type: string, description: Part of the address}"),
)
UNTYPED_ARGUMENT = note(
    "L608",
    "argument-untyped",
    "`{name}` accepts any {what}",
    "A model does not know what to send, and nothing checks what it sent. Declare the "
    "fields, the items or a narrower type.",
    wrong=_argument(
        "filter: {type: array, description: Which orders are wanted}",
    ),
    right=_argument(
        'filter: {type: "string[]", description: States of the orders that are wanted}'
    ),
)
SAYS_NOTHING = warning(
    "L609",
    "description-says-nothing",
    "the description of `{tool}` says no more than its name",
    "Say what the name leaves open: which records, in which order, what is returned, what "
    "a call changes.",
    wrong=f"{_FIND}description: Finds orders.",
    right=_DESCRIBED.rstrip(),
)
TOO_LONG = warning(
    "L610",
    "argument-description-too-long",
    "the description of `{name}` has {length} characters; the recommended limit is {limit}",
    "Every request contains it. Move what concerns the whole call to the description of "
    "the tool, and what can be checked to constraints. Change the limit with "
    "`limits.argument_description` in the lint configuration.",
    wrong=_argument(
        "since: {type: date, description: The first day of the period. "
        + "It may not lie after the last day. " * 15
        + "}"
    ),
    right=_argument("since: {type: date, description: The first day of the period}"),
)
TOO_MANY_TOOLS = warning(
    "L611",
    "too-many-tools",
    "the set has {count} tools; the recommended limit is {limit}",
    "Models choose worse among many tools, and some clients cut the list. Leave tools out "
    "(`enabled: false`, `targets`), or generate several packages. Change the limit with "
    "`limits.tools` in the lint configuration.",
)
TOO_LARGE = warning(
    "L612",
    "tool-too-large",
    "`{tool}` takes about {count} tokens of every request; the recommended limit is {limit}",
    "Every request contains its descriptions and its schema. Shorten texts, and flatten "
    "nested objects. Change the limit with `limits.tokens` in the lint configuration.",
)
DEFAULT_REPEATED = warning(
    "L613",
    "default-in-description",
    "the description of `{name}` repeats its default",
    "`default` is already part of the schema. The text will be wrong when the default "
    "changes: remove it from the description.",
    wrong=_argument(
        "limit: {type: int, default: 10, description: How many to list (default 10)}"
    ),
    right=_argument("limit: {type: int, default: 10, description: How many to list}"),
)
DEFAULT_CONTRADICTED = warning(
    "L614",
    "default-contradicted",
    "the description of `{name}` says that `{said}` is the default, but {truth}",
    "A model follows the text, the decoder follows `default`. Correct one of the two.",
    wrong=_argument(
        "limit: {type: int, default: 20, description: How many to list (default 10)}"
    ),
    right=_argument("limit: {type: int, default: 10, description: How many to list}"),
)
CHOICES_IN_PROSE = note(
    "L615",
    "choices-in-description",
    "the description of `{name}` lists values, but nothing enforces them",
    "Write them under `enum`: models that follow schemas then send no other value, and the "
    "decoder refuses other values.",
    wrong=_argument(
        "state: {type: string, description: 'One of: open, shipped, paid'}"
    ),
    right=_argument(
        "state: {type: string, enum: [open, shipped, paid], description: Where it stands}"
    ),
)
REPEATS_NAME = note(
    "L616",
    "argument-description-repeats-name",
    "the description of `{name}` says no more than its name",
    "Say what the name leaves open: the unit, the format, where a model finds the value.",
    wrong=_argument("customer_id: {type: int, description: The customer's id}"),
    right=_argument(
        "customer_id: {type: int, description: Number on the customer card}"
    ),
)
USAGE_UNSAID = note(
    "L617",
    "when-to-use-missing",
    "`{tool}` does not say when to use it",
    "If several tools fit, `when_to_use` tells a model which one to call, and when to call "
    "none. This rule is off unless you select it.",
    wrong=_DESCRIBED.rstrip(),
    right=f"{_DESCRIBED}when_to_use: Use for questions about what was ordered, and when.",
)
RETURN_UNDESCRIBED = note(
    "L618",
    "return-without-description",
    "the result of `{tool}` has no description",
    "A model plans better if it knows what a tool returns. This rule is off unless you "
    "select it.",
    wrong=f"{_DESCRIBED}returns: 'string[]'",
    right=f"{_DESCRIBED}returns: {{type: 'string[]', description: Numbers of the orders}}",
)
UNTYPED_RESULT = warning(
    "L622",
    "result-untyped",
    "the result of `{tool}` may be anything: nothing says its type",
    "Callers do not know what they get, and nothing checks what a handler returns. Declare a type, "
    "or write `any` if anything is meant.",
    wrong=f"{_DESCRIBED}returns: {{description: Numbers of the orders}}",
    right=f"{_DESCRIBED}returns: {{type: 'string[]', description: Numbers of the orders}}",
)
BREAKING_CHANGE = warning(
    "L619",
    "breaking-change",
    "{what}: that breaks {whom}",
    "Keep the old contract, or publish the change under a new name. If nobody relies on "
    "it, say so at the tool or argument: `x-lint-ignore: {breaking-change: nobody calls it "
    "yet}`. For a removed tool, say so in the configuration: `lint: {retired: {its_name: "
    "nobody called it}}`.",
)
WAIVER_WITHOUT_REASON = warning(
    "L690",
    "lint-ignore-without-reason",
    "`{rule}` cannot be ignored without a reason",
    "Give the reason for later readers of the spec: `x-lint-ignore: {L602: its name says "
    "it}`.",
    wrong=f"{_FIND}x-lint-ignore: [L601]",
    right=f"{_FIND}x-lint-ignore: {{L601: nobody offers it to a model}}",
)
WAIVER_UNUSED = warning(
    "L691",
    "lint-ignore-unused",
    "`{rule}` is ignored here, but nothing here breaks it",
    "The spec was corrected, or the entry stands at the wrong place. Delete the entry.",
    wrong=f"{_DESCRIBED}x-lint-ignore: {{L601: nobody offers it to a model}}",
    right=_DESCRIBED.rstrip(),
)
WAIVER_OF_NOTHING = warning(
    "L692",
    "lint-ignore-unknown",
    "there is no rule `{rule}` that can be ignored",
    "Name a rule by its code or name: `x-lint-ignore: {L602: its name says it}`. All "
    "warnings can be ignored, and the few errors whose help says so.",
    wrong=f"{_DESCRIBED}x-lint-ignore: {{L6001: nobody offers it to a model}}",
    right=_DESCRIBED.rstrip(),
)
RETIRED_TOOL_BACK = warning(
    "L693",
    "retired-tool-back",
    "the configuration retires `{tool}`, but the tool still exists",
    "Delete the line under `lint: retired`. It would hide a later removal of the tool.",
)

OFF: frozenset[str] = frozenset({USAGE_UNSAID.code, RETURN_UNDESCRIBED.code})
"""Codes of the rules that apply only where they are selected."""

RULES: tuple[Rule, ...] = (
    TOOL_WITHOUT_DESCRIPTION,
    ARGUMENT_WITHOUT_DESCRIPTION,
    EFFECT_UNMENTIONED,
    TOOL_NAMES_ALIKE,
    ARGUMENT_NAMES_ALIKE,
    VAGUE_ARGUMENT,
    TOO_MANY_ARGUMENTS,
    UNTYPED_ARGUMENT,
    SAYS_NOTHING,
    TOO_LONG,
    TOO_MANY_TOOLS,
    TOO_LARGE,
    DEFAULT_REPEATED,
    DEFAULT_CONTRADICTED,
    CHOICES_IN_PROSE,
    REPEATS_NAME,
    USAGE_UNSAID,
    RETURN_UNDESCRIBED,
    BREAKING_CHANGE,
    LIMIT_UNBOUNDED,
    UNTYPED_RESULT,
    WAIVER_WITHOUT_REASON,
    WAIVER_UNUSED,
    WAIVER_OF_NOTHING,
    RETIRED_TOOL_BACK,
)
