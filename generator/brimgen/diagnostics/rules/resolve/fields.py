"""R33x to R35x of ``resolve``: keys and values that do not fit their field."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning
from brimgen.diagnostics.rules.examples import field, tool
from brimgen_runtime.grammar.rule_messages import MESSAGES

WRONG_VALUE = error(
    "R331",
    "wrong-value",
    "{what} of `{name}` must be {expected}, not {actual}",
    "Defaults, examples and enum items must be values of the field's own type. Quote "
    "strings; do not quote numbers.",
    wrong=field("limit: {type: int, default: '10'}"),
    right=field("limit: {type: int, default: 10}"),
)
OUT_OF_BOUNDS = error(
    "R332",
    "out-of-bounds",
    "{what} of `{name}` breaks its own {keyword} {limit}: {value}",
    "Change the value or the bound.",
    wrong=field("limit: {type: int, default: 150, maximum: 100}"),
    right=field("limit: {type: int, default: 100, maximum: 100}"),
)
NOT_IN_ENUM = error(
    "R333",
    "not-in-enum",
    "{what} of `{name}` is not one of its values: {value}",
    "Use one of the values of the `enum`, or add this one to it.",
    wrong=field("state: {type: string, enum: [open, closed], default: opn}"),
    right=field("state: {type: string, enum: [open, closed], default: open}"),
)
REJECTED_VALUE = error(
    "R334",
    "rejected-value",
    "{what} of `{name}` does not fit its type: {reason}",
    "A default or example of an object must fit the entity or the nested fields. One of a "
    "leaf must fit the schema of the leaf.",
    wrong=field("at: {fields: {x: float}, default: {y: 1.0}}"),
    right=field("at: {fields: {x: float}, default: {x: 1.0}}"),
)
ROUNDED_LIMIT = warning(
    "R335",
    "rounded-limit",
    "{what} of `{name}` is published and enforced as {published}, not as {value}",
    "Most JSON readers keep about 17 digits of a number with a fraction, so the schema "
    "states the rounded number. Write fewer digits, or a whole number, which keeps all "
    "digits.",
    wrong=field("share: {type: decimal, maximum: 0.99999999999999999999}"),
    right=field("share: {type: decimal, exclusiveMaximum: 1}"),
)
UNUSUAL_SPELLING = warning(
    "R336",
    "unusual-spelling",
    "the enum of `{name}` accepts {written}, but not {value}",
    "Generated code writes datetimes and UUIDs in one form, so the enum lists that form; "
    "otherwise it would refuse values that were decoded and encoded again. Write that "
    "form. If callers send both forms, list both, or make it a string.",
    wrong=field("at: {type: datetime, enum: ['2026-01-18T05:00:00+00:00']}"),
    right=field("at: {type: datetime, enum: ['2026-01-18T05:00:00Z']}"),
)
CONSTRAINT_NOT_FOR_TYPE = error(
    "R341",
    "constraint-not-for-type",
    "`{keyword}` does not apply to {type}",
    "minimum, maximum, exclusiveMinimum, exclusiveMaximum and multipleOf apply to numbers "
    "(a decimal with `wire: string` is text in JSON, which has no bounds); minLength, "
    "maxLength, pattern and format to strings; minItems, maxItems and uniqueItems to "
    "lists; precision, scale and wire to decimals; tz to datetimes; enum to plain values.",
    wrong=field("name: {type: string, maximum: 10}"),
    right=field("name: {type: string, maxLength: 10}"),
)
CONTRADICTING_BOUNDS = error(
    "R342",
    "contradicting-bounds",
    "no value can satisfy `{low_keyword}: {low}` and `{high_keyword}: {high}`",
    "Swap or correct the two bounds.",
    wrong=field("limit: {type: int, minimum: 10, maximum: 1}"),
    right=field("limit: {type: int, minimum: 1, maximum: 10}"),
)
BAD_CONSTRAINT = error(
    "R343",
    "bad-constraint",
    "`{keyword}` must be {expected}, not {actual}",
    "A bound is a number without quotes or a unit, as in `minimum: 1`; `precision` and `scale` "
    "count digits.",
    wrong="type: python_function\nname: probe\narguments:\n  inline:\n"
    "    price: {type: float, minimum: cheap}\n",
    right="type: python_function\nname: probe\narguments:\n  inline:\n"
    "    price: {type: float, minimum: 1}\n",
)
BAD_PATTERN = error(
    "R344",
    "bad-pattern",
    MESSAGES["R344"],
    "Patterns are ECMA-262 regular expressions, as in JSON Schema.",
    wrong=field("code: {type: string, pattern: '[A-Z'}"),
    right=field("code: {type: string, pattern: '^[A-Z]+$'}"),
)
DIALECT_PATTERN = warning(
    "R345",
    "dialect-pattern",
    "the pattern uses {reason}, which some readers of the schema refuse",
    "JSON Schema patterns are ECMA-262 regular expressions, but not every validator and "
    "model provider supports all of ECMA-262. Use only what all of them support.",
    wrong="type: python_function\nname: f\narguments:\n  inline:\n"
    "    code: {type: string, pattern: '(?<!x)a'}",
    right="type: python_function\nname: f\narguments:\n  inline:\n"
    "    code: {type: string, pattern: '^a'}",
)
SLOW_PATTERN = warning(
    "R347",
    "slow-pattern",
    "`{part}` and what stands before it can read the same characters, so that a text of "
    "{length} characters may take a second to refuse",
    "A validator tries every way to read a text before it refuses the text; here the "
    "number of ways grows at least with the square of the length. A pattern without `^` "
    "begins anywhere, as if `.*` stood before it. Add a smaller "
    "`maxLength`, since longer texts are refused before the pattern is tried. Or write the "
    "pattern so that no two repetitions can read the same characters: "
    "`^[^@]+@[^@.]+[.][^@]+$` instead of `^[^@]+@[^@]+[.][^@]+$`.",
    wrong="type: python_function\nname: f\narguments:\n  inline:\n"
    "    path: {type: string, pattern: '^.*/.*/.*$'}",
    right="type: python_function\nname: f\narguments:\n  inline:\n"
    "    path: {type: string, pattern: '^.*/.*/.*$', maxLength: 200}",
)
CATASTROPHIC_PATTERN = error(
    "R349",
    "catastrophic-pattern",
    "`{part}` can read a text in so many ways that one of {length} characters may take more "
    "than a second to refuse",
    "A validator tries every way to read a text before it refuses the text; here the "
    "number of ways grows so fast that one short text stops a server (catastrophic "
    "backtracking). Write the pattern so that each text can be read in only one way: "
    "`(a+)+` as `a+`, `(\\w+ ?)+` as `\\w+( \\w+)* ?`. A small `maxLength` also helps. If "
    "you trust the callers: `x-lint-ignore: {R349: why}`.",
    waivable=True,
    wrong="type: python_function\nname: f\narguments:\n  inline:\n"
    "    code: {type: string, pattern: '^(a+)+$'}",
    right="type: python_function\nname: f\narguments:\n  inline:\n"
    "    code: {type: string, pattern: '^a+$'}",
)
UNKNOWN_FORMAT = warning(
    "R346",
    "unknown-format",
    "no validator checks the format `{name}`",
    "Only the formats of JSON Schema 2020-12 are checked. Others are published as a hint.",
    wrong=field("mail: {type: string, format: e-mail}"),
    right=field("mail: {type: string, format: email}"),
)
REQUIRED_WITH_DEFAULT = error(
    "R351",
    "required-with-default",
    "`{name}` is `required: true`, so its default can never apply",
    "Remove one of the two. An argument with a default may be left out.",
    wrong=field("limit: {type: int, required: true, default: 10}"),
    right=field("limit: {type: int, default: 10}"),
)
BAD_CONTEXT_PATH = error(
    "R352",
    "bad-context-path",
    "`{path}` is not a context path",
    "A path starts with `app` or `config`; each further segment is a letter, then letters, "
    "digits, `_` or `-`: `app.user.id`.",
    wrong=field("actor: {type: string, from_context: env.HOME}"),
    right=field("actor: {type: string, from_context: app.user.id}"),
)
CONTEXT_AND_CALLER = error(
    "R353",
    "context-and-caller",
    "`{name}` comes from the context and cannot be `llm: true`",
    "A caller never supplies a value that comes from the context. Remove one of the two.",
    wrong=field("actor: {type: string, from_context: app.user.id, llm: true}"),
    right=field("actor: {type: string, from_context: app.user.id}"),
)
BAD_NAME = error(
    "R354",
    "bad-field-name",
    "`{name}` cannot be the name of a field: {reason}",
    "Names have 1 to 128 characters and no control characters.",
    wrong=tool("arguments:\n  inline: {'': int}"),
    right=tool("arguments:\n  inline: {count: int}"),
)
ENDLESS_ENTITY = error(
    "R348",
    "endless-entity",
    "no value can satisfy `{name}`: each one needs another `{name}` as its `{path}`",
    "Such a value would be infinite. Let the field be absent or null, such as `next: T?` "
    "(in JSON Schema, remove it from `required`), or make it a list that may be empty, "
    "without `minItems`.",
    wrong="type: entity\nname: Task\nfields: {title: string, next: Task}\n---\n"
    "type: python_function\nname: probe\narguments:\n  inline: {task: Task}",
    right="type: entity\nname: Task\nfields: {title: string, next: 'Task?'}\n---\n"
    "type: python_function\nname: probe\narguments:\n  inline: {task: Task}",
)
SCALE_OVER_PRECISION = error(
    "R356",
    "scale-over-precision",
    "`scale: {scale}` is more than `precision: {precision}`",
    "`precision` counts all digits, `scale` the digits after the point: 12.34 has "
    "precision 4 and scale 2.",
    wrong=field("total: {type: decimal, precision: 2, scale: 4}"),
    right=field("total: {type: decimal, precision: 4, scale: 2}"),
)

RULES = (
    WRONG_VALUE,
    OUT_OF_BOUNDS,
    NOT_IN_ENUM,
    REJECTED_VALUE,
    ROUNDED_LIMIT,
    UNUSUAL_SPELLING,
    CONSTRAINT_NOT_FOR_TYPE,
    CONTRADICTING_BOUNDS,
    BAD_CONSTRAINT,
    BAD_PATTERN,
    DIALECT_PATTERN,
    SLOW_PATTERN,
    CATASTROPHIC_PATTERN,
    UNKNOWN_FORMAT,
    REQUIRED_WITH_DEFAULT,
    BAD_CONTEXT_PATH,
    CONTEXT_AND_CALLER,
    BAD_NAME,
    ENDLESS_ENTITY,
    SCALE_OVER_PRECISION,
)
