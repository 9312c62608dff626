"""S25x: JSON Schema as the author wrote it (Standard mode, entities, returns)."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, warning

_PROPERTIES = (
    "type: python_function\nname: probe\narguments:\n  inline:\n    properties:\n"
)

MISSPELT_KEYWORD = warning(
    "S250",
    "misspelt-keyword",
    "`{key}` is not a keyword of JSON Schema and has no effect",
    "Correct the spelling. Write `nullable: true` as `type: [string, 'null']`, and leave "
    "optional properties out of `required`. Your own keywords start with `x-`.",
    wrong=_PROPERTIES + "      id: { type: integer, minimun: 1 }\n",
    right=_PROPERTIES + "      id: { type: integer, minimum: 1 }\n",
)

NO_KEYWORD = warning(
    "S251",
    "schema-without-keyword",
    "nothing here is a keyword of JSON Schema, so any value is accepted",
    "Write the properties of an object under `properties`, each with a schema: `{type: "
    "object, properties: {street: {type: string}}}`.",
    wrong="type: python_function\nname: probe\nreturns:\n  type: array\n"
    "  items: { street: { type: string } }\n",
    right="type: python_function\nname: probe\nreturns:\n  type: array\n"
    "  items: { type: object, properties: { street: { type: string } } }\n",
)

RULES: tuple[Rule, ...] = (MISSPELT_KEYWORD, NO_KEYWORD)
