"""S22x: the text of a type. S23x-S24x: arguments and the fields of entities."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning

_HEAD = "type: python_function\nname: probe\narguments:\n"
_INLINE = _HEAD + "  inline:\n"
_CUSTOMER = "type: entity\nname: Customer\nfields: { email: string }\n---\n"

EMPTY_TYPE = error(
    "S220",
    "empty-type",
    "a type is missing here",
    "Write a type such as `int`, `string` or `date`, or the name of an entity.",
    wrong=_INLINE + "    limit: { type: '' }\n",
    right=_INLINE + "    limit: { type: int }\n",
)
LIST_OF_NOTHING = error(
    "S221",
    "list-of-nothing",
    "`{type}` does not say what it is a list of",
    "Write the type of the items: `int[]`, `array<date>`, `Order[]`. `array` alone is a list of "
    "anything.",
    wrong=_INLINE + "    days: array<>\n",
    right=_INLINE + "    days: array<date>\n",
)
LIST_OF_LISTS = error(
    "S222",
    "list-of-lists",
    "`{type}` is a list of lists",
    "A list holds scalars or entities. Give the inner list a name as a field of an entity, "
    "or write the arguments in Standard mode (JSON Schema), where lists can be nested.",
    wrong=_INLINE + "    rows: int[][]\n",
    right="type: entity\nname: Row\nfields: { cells: 'int[]' }\n---\n"
    + _INLINE
    + "    rows: Row[]\n",
)
OPTIONAL_ITEM = error(
    "S223",
    "optional-item",
    "`{type}` makes the items of a list optional",
    "The items of a list are never null. For a list that may be left out, write `T[]?`.",
    wrong=_INLINE + "    days: date?[]\n",
    right=_INLINE + "    days: date[]?\n",
)
UNREADABLE_TYPE = error(
    "S224",
    "unreadable-type",
    "cannot read `{type}` as a type",
    "A type is a type name or the name of an entity (`int`, `Order`), a list of it "
    "(`int[]`, `array<int>`, `list[int]`), or either of them with `?` for optional. Write "
    "unions and maps in Standard mode (JSON Schema), and a closed list of values as `enum`.",
    wrong=_INLINE + "    limit: int | None\n",
    right=_INLINE + "    limit: int?\n",
)
TYPE_NOT_TEXT = error(
    "S225",
    "type-not-text",
    "a type must be text, not {actual}",
    "Write `T[]` for a list and `T?` for a value that may be null. Quote them in a mapping "
    'in braces: `{type: "int[]"}`. A list of types is JSON Schema: use Standard mode.',
    wrong=_INLINE + "    name: { type: [string, 'null'] }\n",
    right=_INLINE + '    name: { type: "string?" }\n',
)
FIELD_NOT_A_TYPE = error(
    "S230",
    "field-not-a-type",
    "`{name}` must be a type or a mapping with a `type`, not {actual}",
    "Write `name: int`, or `name: {type: int, description: ...}`. A JSON Schema without "
    "`properties` needs `mode: standard` beside `inline`.",
    wrong=_INLINE + "    limit: 10\n",
    right=_INLINE + "    limit: { type: int, default: 10 }\n",
)
FIELD_WITHOUT_TYPE = error(
    "S231",
    "argument-without-type",
    "`{name}` has no `type`",
    "Add its type, such as `type: string`. Only an entry that refines a field inherited "
    "through `entity_ref` may omit it.",
    wrong=_INLINE + "    limit: { maximum: 100 }\n",
    right=_INLINE + "    limit: { type: int, maximum: 100 }\n",
)
SCHEMA_KEYWORD = error(
    "S232",
    "schema-keyword-in-entry",
    "`{key}` is JSON Schema, and {owner} is not written in JSON Schema",
    "Write nested fields under `fields`. To use all of JSON Schema, write the whole block "
    "in Standard mode: `inline: {properties: {...}, required: [...]}`.",
    wrong=_INLINE + "    value: { type: string, anyOf: [{ minLength: 2 }] }\n",
    right=_INLINE + "    properties:\n      value: { type: string, minLength: 2 }\n",
)
BAD_ARGUMENT_NAME = error(
    "S233",
    "bad-argument-name",
    "an argument name {fault}",
    "The name of an argument or field has 1 to 128 characters, none of them a control "
    "character.",
    wrong=_INLINE + '    "first\\tname": string\n',
    right=_INLINE + "    first_name: string\n",
)
DUPLICATE_ARGUMENT = error(
    "S234",
    "duplicate-argument",
    "`{name}` is listed twice",
    "Remove one of the two, or rename it.",
    wrong="type: python_function\nname: probe\ninputs:\n  - { name: q, type: string }\n"
    "  - { name: q, type: int }\n",
    right="type: python_function\nname: probe\ninputs:\n  - { name: q, type: string }\n"
    "  - { name: limit, type: int }\n",
)
IMPLICIT_INLINE = warning(
    "S235",
    "implicit-inline",
    "the arguments stand directly under `{key}`",
    "brimgen reads them as if they stood under `inline`. Add `inline:` above them and "
    "indent them, so that keys such as `entity_ref` can stand beside it.",
    wrong=_HEAD + "  text: string\n",
    right=_INLINE + "    text: string\n",
)
STRAY_ARGUMENT = error(
    "S236",
    "stray-argument",
    "`{key}` stands beside `{sibling}`, but belongs under `inline`",
    "Indent it so that it stands under `inline:`.",
    wrong=_INLINE + "    text: string\n  times: int\n",
    right=_INLINE + "    text: string\n    times: int\n",
)
ENTITY_REF_IS_LIST = error(
    "S237",
    "entity-ref-is-list",
    "`entity_ref` inherits the fields of one entity, and `{type}` is a list",
    "Name the entity without the brackets. To take a list of entities declare an argument of that "
    "type: `items: Customer[]`.",
    wrong=_CUSTOMER + _HEAD + "  entity_ref: Customer[]\n",
    right=_CUSTOMER + _HEAD + "  entity_ref: Customer\n",
)
ENTITY_REF_NOT_A_NAME = error(
    "S238",
    "entity-ref-not-a-name",
    "`entity_ref` must be the name of one entity, not {actual}",
    "Write `entity_ref: Customer`, or `entity_ref: ~` for none. A tool or an entity inherits "
    "from one entity; entities can inherit in turn.",
    wrong=_CUSTOMER + _HEAD + "  entity_ref: [Customer]\n",
    right=_CUSTOMER + _HEAD + "  entity_ref: Customer\n",
)
OMIT_WITHOUT_ENTITY = error(
    "S239",
    "omit-without-entity",
    "nothing is inherited here, so there is nothing to omit",
    "`omit` drops fields that come through `entity_ref`. Add `entity_ref`, or remove `omit`.",
    wrong=_HEAD + "  omit: [email]\n  inline: { name: string }\n",
    right=_HEAD + "  inline: { name: string }\n",
)
FIELDS_BESIDE_TYPE = error(
    "S240",
    "fields-beside-type",
    "`{name}` has nested fields, so its type cannot be `{type}`",
    "Nested `fields` describe an `object` or `object[]`; leave `type` out, or remove `fields`.",
    wrong=_INLINE + "    at: { type: string, fields: { x: float } }\n",
    right=_INLINE + "    at: { type: object, fields: { x: float } }\n",
)
ITEMS_BESIDE_TYPE = error(
    "S241",
    "items-beside-type",
    "`{name}` has `items`, so its type must be `array`, not `{type}`",
    "Write `type: array` with `items`, or put the type of the items into the type: "
    '`type: "int[]"`.',
    wrong=_INLINE + "    ids: { type: int, items: int }\n",
    right=_INLINE + '    ids: { type: "int[]" }\n',
)
ITEM_KEY = error(
    "S242",
    "item-key",
    "`{key}` does not apply to the items of a list",
    "Write it beside `items`, where it applies to the list.",
    wrong=_INLINE + "    ids: { type: array, items: { type: int, required: false } }\n",
    right=_INLINE + "    ids: { type: array, items: { type: int }, required: false }\n",
)
CONSTRAINT_TWICE = error(
    "S243",
    "constraint-twice",
    "`{key}` is given twice for the items of `{name}`",
    "For a list, constraints of values apply to its items: `enum` beside `items` means the "
    "same as `enum` inside `items`. Keep one.",
    wrong=_INLINE
    + "    ids: { type: array, minimum: 0, items: { type: int, minimum: 1 } }\n",
    right=_INLINE + "    ids: { type: array, items: { type: int, minimum: 1 } }\n",
)
NESTED_WITHOUT_FIELDS = error(
    "S244",
    "nested-without-fields",
    "`{name}` is a mapping without `type`, and its keys look like nested fields",
    "Write nested fields under `fields`: `address: {fields: {street: string}}`. Under "
    "`properties`, in Standard mode, each entry is a JSON Schema: `street: {type: string}`.",
    wrong=_INLINE + "    address: { street: string, city: string }\n",
    right=_INLINE + "    address: { fields: { street: string, city: string } }\n",
)
SCHEMA_OR_FIELD = warning(
    "S245",
    "schema-or-field",
    "this is read as a field called `type`, of type `object`",
    "A JSON Schema that has neither `$schema` nor `properties` needs `mode: standard` beside "
    "`inline`. If the field is meant, `mode: complex` says so.",
    wrong=_INLINE
    + "    type: object\n    additionalProperties: string\n    required: bool\n",
    right=_HEAD + "  mode: standard\n  inline: { type: object }\n",
)
MISPLACED_TOOL_KEY = error(
    "S246",
    "misplaced-tool-key",
    "`{key}` stands in {owner}, but it is a key of the tool",
    "Reduce its indentation, so that it stands beside `arguments:` and `name:`. If it is "
    "an argument, write it under `inline:`.",
    wrong=_INLINE + "    text: string\n  returns: int\n",
    right=_INLINE + "    text: string\nreturns: int\n",
)

RULES: tuple[Rule, ...] = (
    EMPTY_TYPE,
    LIST_OF_NOTHING,
    LIST_OF_LISTS,
    OPTIONAL_ITEM,
    UNREADABLE_TYPE,
    TYPE_NOT_TEXT,
    FIELD_NOT_A_TYPE,
    FIELD_WITHOUT_TYPE,
    SCHEMA_KEYWORD,
    BAD_ARGUMENT_NAME,
    DUPLICATE_ARGUMENT,
    IMPLICIT_INLINE,
    STRAY_ARGUMENT,
    ENTITY_REF_IS_LIST,
    ENTITY_REF_NOT_A_NAME,
    OMIT_WITHOUT_ENTITY,
    FIELDS_BESIDE_TYPE,
    ITEMS_BESIDE_TYPE,
    ITEM_KEY,
    CONSTRAINT_TWICE,
    NESTED_WITHOUT_FIELDS,
    SCHEMA_OR_FIELD,
    MISPLACED_TOOL_KEY,
)
