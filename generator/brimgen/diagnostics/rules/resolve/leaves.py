"""R306-R310 of ``resolve``: leaves."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error

LEAF_NOT_PRIMITIVE = error(
    "R306",
    "leaf-not-primitive",
    "the schema of leaf `{name}` must be of one type, `string`, `integer`, `number` or `boolean`, "
    "not {actual}",
    "Say what the value is in JSON, as in `schema: {type: string}`, without references. A shape "
    "with fields is an entity.",
    wrong="type: leaf\nname: point\nschema: {type: object}\n",
    right="type: entity\nname: Point\nfields: {x: float, y: float}\n",
)
BAD_PYTHON_NAME = error(
    "R307",
    "bad-python-name",
    "`{text}` does not name a Python object",
    "Write `package.module:Name` (or `package.module:Class.method`). Of the builtins, "
    "`str`, `int`, `float` and `bool` need no module. A build imports nothing.",
    wrong="type: leaf\nname: ip\nschema: {type: string}\n"
    "python: {type: ipaddress.IPv4Address}\n",
    right="type: leaf\nname: ip\nschema: {type: string, format: ipv4}\n"
    "python: {type: 'ipaddress:IPv4Address'}\n",
)
LEAF_SQL = error(
    "R308",
    "leaf-sql",
    "a database cannot be given {article} as `{text}`",
    "`sql` says which type the database receives: the JSON type of the leaf (the default); "
    "`decimal`, `date` or `datetime` for a string of that form; `decimal` or `float` for a "
    "number.",
    wrong="type: leaf\nname: day\nschema: {type: string}\nsql: int\n",
    right="type: leaf\nname: day\nschema: {type: string, format: date}\nsql: date\n",
)
BAD_PLACEHOLDER = error(
    "R309",
    "bad-leaf-placeholder",
    "the placeholder of leaf `{name}` is not one of its values: {reason}",
    "A placeholder is a value that the `schema` accepts. It is never published.",
    wrong="type: leaf\nname: iban\nschema: {type: string, minLength: 15}\nplaceholder: none\n",
    right="type: leaf\nname: iban\nschema: {type: string, minLength: 15}\n"
    "placeholder: DE89370400440532013000\n",
)
LEAF_AS_ENTITY_REF = error(
    "R310",
    "leaf-as-entity-ref",
    "`{name}` is a leaf, so it has no fields to inherit",
    "Use it as the type of an argument, as in `id: uuid`.",
    wrong="type: python_function\nname: probe\narguments: {entity_ref: uuid}\n",
    right="type: python_function\nname: probe\narguments: {inline: {id: uuid}}\n",
)

RULES: tuple[Rule, ...] = (
    LEAF_NOT_PRIMITIVE,
    BAD_PYTHON_NAME,
    LEAF_SQL,
    BAD_PLACEHOLDER,
    LEAF_AS_ENTITY_REF,
)
