"""S25x: JSON Schema as the author wrote it (Standard mode, entities, returns)."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

_PROPERTIES = (
    "type: python_function\nname: probe\narguments:\n  inline:\n    properties:\n"
)

SCHEMA_EXPECTED = error(
    "S250",
    "schema-expected",
    "`{key}` must be a JSON Schema (a mapping, `true` or `false`), not {actual}",
    "Under `properties` each entry is a JSON Schema: `name: {type: string}`. The short form "
    "`name: string` belongs directly under `inline` (of a tool) or `fields` (of an entity).",
    wrong=_PROPERTIES + "      id: { type: integer }\n      name: string\n",
    right=_PROPERTIES + "      id: { type: integer }\n      name: { type: string }\n",
)
UNKNOWN_JSON_TYPE = error(
    "S251",
    "unknown-json-type",
    "`{type}` is not a type of JSON Schema",
    "JSON Schema knows `string`, `integer`, `number`, `boolean`, `array`, `object` and `null`. An "
    "entity is written `{entity_ref: Order}`; a date is `{type: string, format: date}`.",
    wrong=_PROPERTIES + "      id: { type: int }\n",
    right=_PROPERTIES + "      id: { type: integer }\n",
)
MISSPELT_KEYWORD = warning(
    "S252",
    "misspelt-keyword",
    "`{key}` is not a keyword of JSON Schema and has no effect",
    "Correct the spelling. Keywords of your own start with `x-`.",
    wrong=_PROPERTIES + "      id: { type: integer, minimun: 1 }\n",
    right=_PROPERTIES + "      id: { type: integer, minimum: 1 }\n",
)
OLD_DRAFT = error(
    "S253",
    "old-draft",
    "`{key}` is {expected} since draft-06 of JSON Schema, not {actual}",
    "`required: [a, b]` stands beside `properties` and lists names; `exclusiveMinimum: 0` is the "
    "bound itself.",
    wrong=_PROPERTIES + "      id: { type: integer, required: true }\n",
    right=_PROPERTIES + "      id: { type: integer }\n    required: [id]\n",
)

RULES: tuple[Rule, ...] = (
    SCHEMA_EXPECTED,
    UNKNOWN_JSON_TYPE,
    MISSPELT_KEYWORD,
    OLD_DRAFT,
)
