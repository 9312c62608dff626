"""L6xx: valid specs that a model will have trouble with."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, Severity, warning
from brimgen.diagnostics.rules.lint_statements import (
    HIDDEN_OPENS_FILTER,
    LIMIT_UNBOUNDED,
)


def _note(
    code: str, slug: str, message: str, help: str, *, wrong: str, right: str
) -> Rule:
    """Make a rule that only `brimgen lint` reports, unless it is made a warning."""
    return Rule(code, slug, Severity.INFO, message, help, wrong, right)


_FIND = "type: python_function\nname: find_orders\n"
_SAID = f"{_FIND}description: List the orders of a customer, newest first.\n"


def _argument(text: str) -> str:
    return f"{_SAID}arguments:\n  inline:\n    {text}"


TOOL_WITHOUT_DESCRIPTION = warning(
    "L601",
    "tool-without-description",
    "`{tool}` has no description",
    "The description is how a model learns what a tool is for. Say in a sentence or two what it "
    "does, and what it gives back.",
    wrong=_FIND.rstrip(),
    right=_SAID.rstrip(),
)
ARGUMENT_WITHOUT_DESCRIPTION = _note(
    "L602",
    "argument-without-description",
    "`{name}` has no description",
    "Say what the value means, in which unit or form it is expected, and where a model finds it.",
    wrong=_argument("customer_id: int"),
    right=_argument(
        "customer_id: {type: int, description: Number on the customer card}"
    ),
)
EFFECT_UNMENTIONED = warning(
    "L603",
    "side-effect-unmentioned",
    "the description of `{tool}` does not say that it {effect}",
    "A model, and whoever confirms its calls, must read what a call changes. Say it in "
    "`description` or `when_to_use`: what is written, deleted or sent.",
    wrong="type: sql_function\nname: drafts\ndescription: Takes care of old drafts.\n"
    "sql: DELETE FROM drafts WHERE created_at < CURRENT_DATE",
    right="type: sql_function\nname: drafts\n"
    "description: Deletes all drafts that were made before today.\n"
    "sql: DELETE FROM drafts WHERE created_at < CURRENT_DATE",
)
TOOL_NAMES_ALIKE = warning(
    "L604",
    "tool-names-alike",
    "a model confuses `{tool}` with `{other}`",
    "The names say the same, in other words, order or spelling. Name each after what only it "
    "does, or make one tool of the two.",
    wrong=f"{_SAID}---\n"
    "type: python_function\nname: search_order\ndescription: Look for one order by its text.",
    right=f"{_SAID}---\n"
    "type: python_function\nname: match_order_text\n"
    "description: Look for one order by its text.",
)
ARGUMENT_NAMES_ALIKE = warning(
    "L605",
    "argument-names-alike",
    "a model confuses the arguments `{name}` and `{other}` of `{owner}`",
    "The names say the same, in other words, order or spelling. Name each after what only it "
    "means, or make one argument of the two.",
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
    "`{name}` says nothing about what is expected, and has no description",
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
    "`{tool}` takes {count} arguments, {limit} are a good limit",
    "The more there are, the more of them a model gets wrong. Split the tool, put what belongs "
    "together into an entity, or hide what the host program knows (`from_context`). The limit is "
    "`limits.arguments` in the configuration of lint.",
    wrong=_argument(
        "\n    ".join(
            f"{name}: {{type: string, description: Part of the {name}}}"
            for name in _PARTS.split()
        )
    ),
    right=_argument("address: {type: string, description: Part of the address}"),
)
UNTYPED_ARGUMENT = _note(
    "L608",
    "argument-untyped",
    "`{name}` takes any {what}",
    "Nothing tells a model what to send, and nothing checks what it sent. Declare the fields, the "
    "items or a narrower type.",
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
    "Say what the name leaves open: which records, in which order, what comes back, what a call "
    "changes.",
    wrong=f"{_FIND}description: Finds orders.",
    right=_SAID.rstrip(),
)
TOO_LONG = warning(
    "L610",
    "argument-description-too-long",
    "the description of `{name}` has {length} characters, {limit} are a good limit",
    "It is sent with every request. Move what concerns the whole call to the description of the "
    "tool, and what can be checked to constraints. The limit is `limits.argument_description` in "
    "the configuration of lint.",
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
    "the set has {count} tools, {limit} are a good limit",
    "Models choose worse among many tools, and some clients cut the list. Leave tools out "
    "(`enabled: false`, `targets`), or generate several packages. The limit is `limits.tools` in "
    "the configuration of lint.",
)
TOO_LARGE = warning(
    "L612",
    "tool-too-large",
    "`{tool}` takes about {count} tokens of every request, {limit} are a good limit",
    "Its descriptions and its schema are sent along each time. Shorten texts, and flatten what "
    "is nested. The limit is `limits.tokens` in the configuration of lint.",
)
DEFAULT_REPEATED = warning(
    "L613",
    "default-in-description",
    "the description of `{name}` repeats its default",
    "`default` is part of the schema, and is told to models that do not read it there. The text "
    "will not follow when it changes: leave it out.",
    wrong=_argument(
        "limit: {type: int, default: 10, description: How many to list (default 10)}"
    ),
    right=_argument("limit: {type: int, default: 10, description: How many to list}"),
)
DEFAULT_CONTRADICTED = warning(
    "L614",
    "default-contradicted",
    "the description of `{name}` says that `{said}` is the default, but {truth}",
    "A model goes by the text, the decoder by `default`. Correct one of the two.",
    wrong=_argument(
        "limit: {type: int, default: 20, description: How many to list (default 10)}"
    ),
    right=_argument("limit: {type: int, default: 10, description: How many to list}"),
)
CHOICES_IN_PROSE = _note(
    "L615",
    "choices-in-description",
    "the description of `{name}` lists its values, which nothing enforces",
    "Write them under `enum`: models that follow schemas then send no other, and the decoder "
    "refuses any other.",
    wrong=_argument(
        "state: {type: string, description: 'One of: open, shipped, paid'}"
    ),
    right=_argument(
        "state: {type: string, enum: [open, shipped, paid], description: Where it stands}"
    ),
)
REPEATS_NAME = _note(
    "L616",
    "argument-description-repeats-name",
    "the description of `{name}` says no more than its name",
    "Say what the name leaves open: the unit, the form, where a model finds the value.",
    wrong=_argument("customer_id: {type: int, description: The customer's id}"),
    right=_argument(
        "customer_id: {type: int, description: Number on the customer card}"
    ),
)
USAGE_UNSAID = _note(
    "L617",
    "when-to-use-missing",
    "`{tool}` does not say when to use it",
    "Where several tools could serve, `when_to_use` tells a model which one to take, and when to "
    "take none. This rule is off unless it is selected.",
    wrong=_SAID.rstrip(),
    right=f"{_SAID}when_to_use: Use for questions about what was ordered, and when.",
)
RETURN_UNDESCRIBED = _note(
    "L618",
    "return-without-description",
    "what `{tool}` returns has no description",
    "A model plans better when it knows what comes back. This rule is off unless it is selected.",
    wrong=f"{_SAID}returns: 'string[]'",
    right=f"{_SAID}returns: {{type: 'string[]', description: Numbers of the orders}}",
)
BREAKING_CHANGE = warning(
    "L619",
    "breaking-change",
    "{what}: that breaks {whom}",
    "Keep the old contract, or publish the change under a new name. If nobody relies on it, write "
    "at the tool or argument `x-lint-ignore: {breaking-change: nobody calls it yet}`; for a tool "
    "that is gone, in the configuration `lint: {retired: {its_name: nobody called it}}`.",
)
WAIVER_WITHOUT_REASON = warning(
    "L690",
    "lint-ignore-without-reason",
    "`{rule}` is ignored without a reason",
    "Say why, for those who read the spec after you: `x-lint-ignore: {L602: its name says it}`.",
    wrong=f"{_FIND}x-lint-ignore: [L601]",
    right=f"{_FIND}x-lint-ignore: {{L601: nobody offers it to a model}}",
)
WAIVER_UNUSED = warning(
    "L691",
    "lint-ignore-unused",
    "nothing here breaks `{rule}`, which is ignored",
    "The spec was mended, or the entry stands at the wrong place. Delete it.",
    wrong=f"{_SAID}x-lint-ignore: {{L601: nobody offers it to a model}}",
    right=_SAID.rstrip(),
)
WAIVER_OF_NOTHING = warning(
    "L692",
    "lint-ignore-unknown",
    "no rule `{rule}` can be ignored",
    "Name a rule by its code or name: `x-lint-ignore: {L602: its name says it}`. All warnings can "
    "be ignored, and the few errors whose help says so.",
    wrong=f"{_SAID}x-lint-ignore: {{L6001: nobody offers it to a model}}",
    right=_SAID.rstrip(),
)
RETIRED_TOOL_BACK = warning(
    "L693",
    "retired-tool-back",
    "`{tool}` is retired by the configuration, and there is such a tool",
    "Delete the line under `lint: retired`: it would let the tool go again, and nobody would be "
    "told.",
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
    HIDDEN_OPENS_FILTER,
    WAIVER_WITHOUT_REASON,
    WAIVER_UNUSED,
    WAIVER_OF_NOTHING,
    RETIRED_TOOL_BACK,
)
