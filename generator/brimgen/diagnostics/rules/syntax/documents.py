"""S20x-S21x: documents, their keys and values. S26x: entities and returns."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error
from brimgen_runtime.grammar.rule_messages import MESSAGES

MISSING_KEY = error(
    "S201",
    "missing-key",
    MESSAGES["S201"],
    "Every document has `type` and `name`; a resource has `path`; a message has `role` and "
    "`content`. A `.sql` file may leave `type` out (it is a sql_function), a `.md` file too (it "
    "is a template_function).",
    wrong="type: python_function\ndescription: Counts words.\n",
    right="type: python_function\nname: count_words\ndescription: Counts words.\n",
)
WRONG_KIND = error(
    "S202",
    "wrong-kind",
    MESSAGES["S202"],
    "Only `true` and `false` are booleans; `yes`, `no`, `on` and `off` are text. A number or a "
    "boolean becomes text in quotes. A list is written `[a, b]`, or one `- item` a line.",
    wrong="type: python_function\nname: count_words\nenabled: yes\n",
    right="type: python_function\nname: count_words\nenabled: true\n",
)
UNKNOWN_KEY = error(
    "S203",
    "unknown-key",
    MESSAGES["S203"],
    "Remove the key, or correct its spelling. Your own keys start with `x-`; brimgen "
    "passes them through.",
    wrong="type: python_function\nname: count_words\ndescripton: Counts words.\n",
    right="type: python_function\nname: count_words\ndescription: Counts words.\n",
)
SYNONYM_TWICE = error(
    "S204",
    "synonym-twice",
    "`{key}` and `{first}` are two words for the same key",
    "Keep one of them. `args`, `inputs` and `parameters` mean `arguments`; `return_shape` and "
    "`outputSchema` mean `returns`.",
    wrong="type: python_function\nname: echo\nargs:\n  inline: { text: string }\n"
    "parameters:\n  inline: { times: int }\n",
    right="type: python_function\nname: echo\narguments:\n  inline:\n    text: string\n"
    "    times: int\n",
)
UNKNOWN_DOCUMENT_TYPE = error(
    "S205",
    "unknown-document-type",
    "there is no document type `{type}`",
    "A document is an `entity`, `leaf`, `bundle`, `sql_function`, `python_function`, "
    "`http_function`, `template_function` or `resource`.",
    wrong="type: sql_funtion\nname: one\nreturns: int\nsql: SELECT 1\n",
    right="type: sql_function\nname: one\nreturns: int\nsql: SELECT 1\n",
)
FOREIGN_DOCUMENT = error(
    "S206",
    "foreign-document",
    "this is a document of {system}, not a spec; `brimgen import --as {format}` converts it",
    "Move it out of the specs folder, and write the output of `brimgen import` to a file "
    "in the folder. Tools are read as JSON; OpenAPI may be JSON or YAML. A tool of your "
    "own begins with its type, such as `type: python_function`.",
    wrong="name: find\ndescription: Find orders\ninputSchema: { type: object }\n",
    right="type: python_function\nname: find\ndescription: Find orders\n",
)
FOREIGN_TOOL_KEY = error(
    "S207",
    "foreign-tool-key",
    "`{key}` is not a key of this language",
    "A tool is named with `name` and its kind with `type`: `tool_name: x` becomes `name: x`, "
    "`tool_type: sql` becomes `type: sql_function`.",
    wrong="tool_name: one\ntype: sql_function\nreturns: int\nsql: SELECT 1\n",
    right="name: one\ntype: sql_function\nreturns: int\nsql: SELECT 1\n",
)
BAD_NAME = error(
    "S208",
    "bad-name",
    "`{name}` cannot be the name of {owner}: {reason}",
    "A name starts with a letter A-Z or a-z, followed by letters, digits, `_` and `-`; it "
    "has at most 64 characters. Files, modules and classes get this name, so device names "
    "of Windows (`con`, `aux` ...) are not allowed.",
    wrong="type: python_function\nname: count words\n",
    right="type: python_function\nname: count_words\n",
)
UNKNOWN_CHOICE = error(
    "S209",
    "unknown-choice",
    MESSAGES["S209"],
    "Write one of the listed values.",
    wrong="type: python_function\nname: at\narguments:\n  inline:\n"
    "    moment: { type: datetime, tz: utc }\n",
    right="type: python_function\nname: at\narguments:\n  inline:\n"
    "    moment: { type: datetime, tz: assume-utc }\n",
)
EMPTY_LIST = error(
    "S210",
    "empty-list",
    "`{key}` has no items",
    "List at least one item, or leave the key out.",
    wrong="type: entity\nname: Color\nenum: []\n",
    right="type: entity\nname: Color\nenum: [red, green]\n",
)
MISPLACED_REQUEST_KEY = error(
    "S211",
    "misplaced-request-key",
    "in {owner}, {keys} must stand under `{block}`",
    "Write `request:` above them and indent them. `request` describes what is sent, "
    "`response` what is expected back.",
    wrong="type: http_function\nname: ping\nallowedHosts: [example.com]\n"
    "url: https://example.com/ping\nmethod: HEAD\n",
    right="type: http_function\nname: ping\nallowedHosts: [example.com]\n"
    "request:\n  url: https://example.com/ping\n  method: HEAD\n",
)
ENTITY_TWO_FORMS = error(
    "S260",
    "entity-two-forms",
    "an entity has either `{first}` or `{key}`, not both",
    "`fields` are written like arguments, `properties` are JSON Schema, `enum` is a closed list "
    "of values. Choose one; an `enum` inherits nothing.",
    wrong="type: entity\nname: Color\nfields: { code: string }\nenum: [red, green]\n",
    right="type: entity\nname: Color\nenum: [red, green]\n",
)
ENTITY_WITHOUT_CONTENT = error(
    "S261",
    "entity-without-content",
    "entity `{name}` does not say what it contains",
    "Give it `fields` (written like arguments), `properties` (JSON Schema) or `enum` (a closed "
    "list of values), or inherit with `entity_ref`.",
    wrong="type: entity\nname: Customer\ndescription: Buys things.\n",
    right="type: entity\nname: Customer\nfields:\n  email: string\n",
)
BAD_ENUM_VALUE = error(
    "S262",
    "bad-enum-value",
    "a value of an enum entity is text or a number, not {actual}",
    'Put a value in quotes to make it text: `"true"`, `"null"`.',
    wrong="type: entity\nname: Answer\nenum: [true, maybe]\n",
    right='type: entity\nname: Answer\nenum: ["true", maybe]\n',
)
RETURNS_TWO_FORMS = error(
    "S265",
    "returns-two-forms",
    "`returns` has either `{first}` or `{key}`, not both",
    "`returns` is a type, a mapping of `type` and `description`, a mapping with `entity_ref` or "
    "`inline`, or a JSON Schema.",
    wrong="type: python_function\nname: find\nreturns: { type: int, inline: { id: int } }\n",
    right="type: python_function\nname: find\nreturns:\n  inline: { id: int }\n",
)
VOID_OF_SOMETHING = error(
    "S266",
    "void-of-something",
    "`{type}`: a tool that returns nothing cannot return a list or a nullable value of it",
    "`returns: void`, or no `returns` at all, means that nothing is returned. Write "
    "`Order?` for a result that may be missing, `Order[]` for a list that may be empty.",
    wrong="type: python_function\nname: find\nreturns: void[]\n",
    right="type: python_function\nname: find\nreturns: void\n",
)
RETURNS_WITHOUT_INLINE = error(
    "S267",
    "returns-without-inline",
    "the fields of the result stand directly under `returns`",
    "Write `inline:` above them and indent them; they describe one object. For a list of "
    'such objects write `{type: "object[]", fields: {...}}`, or name an entity: `Order[]`.',
    wrong="type: python_function\nname: find\nreturns: { id: int, total: decimal }\n",
    right="type: python_function\nname: find\nreturns:\n  inline: { id: int, total: decimal }\n",
)

RULES: tuple[Rule, ...] = (
    MISSING_KEY,
    WRONG_KIND,
    UNKNOWN_KEY,
    SYNONYM_TWICE,
    UNKNOWN_DOCUMENT_TYPE,
    FOREIGN_DOCUMENT,
    FOREIGN_TOOL_KEY,
    BAD_NAME,
    UNKNOWN_CHOICE,
    EMPTY_LIST,
    MISPLACED_REQUEST_KEY,
    ENTITY_TWO_FORMS,
    ENTITY_WITHOUT_CONTENT,
    BAD_ENUM_VALUE,
    RETURNS_TWO_FORMS,
    VOID_OF_SOMETHING,
    RETURNS_WITHOUT_INLINE,
)
