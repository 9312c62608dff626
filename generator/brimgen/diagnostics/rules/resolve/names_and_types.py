"""R3xx: names, inheritance and types."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning
from brimgen.diagnostics.rules.examples import tool

DUPLICATE_NAME = error(
    "R301",
    "duplicate-name",
    "{kind} `{name}` is declared twice",
    "Names are unique among all spec files. Rename one of the two, or delete it.",
    wrong="type: entity\nname: User\nfields: {id: int}\n---\n"
    "type: entity\nname: User\nfields: {id: string}",
    right="type: entity\nname: User\nfields: {id: int}\n---\n"
    "type: entity\nname: LegacyUser\nfields: {id: string}",
)
SAME_NAME_IN_OTHER_CASE = error(
    "R302",
    "same-name-in-other-case",
    "{kind} `{name}` and `{other}` differ only in case, or in `-` and `_`",
    "File systems and many readers do not distinguish such names, and names derived from "
    "them (modules, slugs) are the same. Rename one of the two.",
    wrong="type: entity\nname: User\nfields: {id: int}\n---\n"
    "type: entity\nname: USER\nfields: {id: int}",
    right="type: entity\nname: User\nfields: {id: int}\n---\n"
    "type: entity\nname: Admin\nfields: {id: int}",
)
RESERVED_NAME = error(
    "R303",
    "reserved-name",
    "{owner} cannot be called `{name}`: that is {what}",
    "Type names and built-in entities have a fixed meaning. Choose another name.",
    wrong="type: entity\nname: date\nfields: {day: int}",
    right="type: entity\nname: CalendarDate\nfields: {day: int}",
)
DUPLICATE_ENUM_VALUE = error(
    "R305",
    "duplicate-enum-value",
    "`{value}` occurs twice in the `enum`",
    "Delete one of the two. `1` and `1.0` are the same value in JSON.",
    wrong="type: entity\nname: State\nenum: [open, open]",
    right="type: entity\nname: State\nenum: [open, closed]",
)

UNKNOWN_ENTITY = error(
    "R311",
    "unknown-entity",
    "there is no entity `{name}`",
    "`entity_ref` names an entity that is declared in one of the spec files.",
    wrong="type: entity\nname: Customer\nfields: {id: int}\n---\n"
    "type: python_function\nname: probe\narguments: {entity_ref: Custmer}\n",
    right="type: entity\nname: Customer\nfields: {id: int}\n---\n"
    "type: python_function\nname: probe\n"
    "arguments: {entity_ref: Customer}\n",
)
LIST_AS_ENTITY_REF = error(
    "R312",
    "list-as-entity-ref",
    "`entity_ref` takes one entity, not a list: `{text}`",
    "The fields of the entity become the arguments, and a list has no fields. To take a "
    "list of entities, declare an argument of that type under `inline`.",
    wrong="type: entity\nname: Customer\nfields: {id: int}\n---\n"
    "type: python_function\nname: probe\narguments:\n  inline:\n"
    "    properties:\n      who: {entity_ref: 'Customer[]'}\n",
    right="type: entity\nname: Customer\nfields: {id: int}\n---\n"
    "type: python_function\nname: probe\narguments:\n  inline:\n"
    "    properties:\n"
    "      who: {type: array, items: {entity_ref: Customer}}\n",
)
ENUM_AS_ENTITY_REF = error(
    "R313",
    "enum-as-entity-ref",
    "`entity_ref` takes an entity with fields, but `{name}` is an enum",
    "An enum has no fields to inherit. Declare an argument of that type under `inline`.",
    wrong=tool("arguments: {entity_ref: OrderStatus}", "OrderStatus"),
    right=tool("arguments: {inline: {status: OrderStatus}}", "OrderStatus"),
)
PRIMITIVE_AS_ENTITY_REF = error(
    "R314",
    "primitive-as-entity-ref",
    "`entity_ref` takes an entity, but `{name}` is a plain type",
    "A plain type has no fields to inherit. Declare an argument of that type under `inline`.",
    wrong=tool("arguments: {entity_ref: string}"),
    right=tool("arguments: {inline: {text: string}}"),
)
TOO_MANY_ANCESTORS = error(
    "R359",
    "too-many-ancestors",
    "`{name}` inherits through a chain of more than {limit} entities",
    "Inherit from an entity further up the chain, and declare the other fields here.",
)
INHERITANCE_CYCLE = error(
    "R315",
    "inheritance-cycle",
    "`{name}` inherits from itself: {path}",
    "Break the circle: remove this `entity_ref`, or another one on the path. A field may "
    "have the type of its own entity, but an entity cannot inherit from itself.",
    wrong="type: entity\nname: A\nentity_ref: B\n---\ntype: entity\nname: B\n"
    "entity_ref: A",
    right="type: entity\nname: A\nentity_ref: B\n---\ntype: entity\nname: B\n"
    "fields: {id: int}",
)
OMIT_OF_NOTHING = error(
    "R316",
    "omit-of-nothing",
    "`omit` names `{name}`, which is not inherited",
    "`omit` drops fields that come through `entity_ref`.",
    wrong=tool("arguments: {entity_ref: Page, omit: [ofset]}", "Page"),
    right=tool("arguments: {entity_ref: Page, omit: [offset]}", "Page"),
)
OMITTED_AND_INLINE = error(
    "R317",
    "omitted-and-inline",
    "`{name}` is omitted and declared inline",
    "An inline entry already replaces or refines the inherited field. Remove it from "
    "`omit`.",
    wrong=tool(
        "arguments: {entity_ref: Page, omit: [limit], inline: {limit: int}}", "Page"
    ),
    right=tool("arguments: {entity_ref: Page, inline: {limit: int}}", "Page"),
)
_OF_TENANT = (
    "type: entity\nname: Scope\nfields:\n  tenant: {{type: string, from_context: app.tenant}}\n"
    "---\ntype: python_function\nname: probe\narguments:\n  entity_ref: Scope\n  inline:\n"
    "    tenant: {{{0}}}\n"
)
NO_LONGER_HIDDEN = error(
    "R320",
    "no-longer-hidden",
    "`{name}` is hidden in the entity, and this entry replaces it by an argument that callers "
    "send",
    "An entry with a `type` replaces the inherited field as a whole. Say where the value comes "
    "from: repeat `from_context` or `llm: false`, or write `llm: true` if callers may choose it.",
    wrong=_OF_TENANT.format("type: string, maxLength: 40"),
    right=_OF_TENANT.format("maxLength: 40"),
)
FIELD_WITHOUT_TYPE = error(
    "R318",
    "field-without-type",
    "`{name}` has no `type`",
    "Only an entry that refines an inherited field may omit `type`, and one of an SQL tool "
    "whose connection has a `schema`.",
    wrong="type: entity\nname: Customer\nfields: {id: int}\n---\n"
    "type: python_function\nname: probe\narguments:\n"
    "  entity_ref: Customer\n  inline:\n    limit: {default: 10}\n",
    right="type: entity\nname: Customer\nfields: {id: int}\n---\n"
    "type: python_function\nname: probe\narguments:\n"
    "  entity_ref: Customer\n  inline:\n"
    "    limit: {type: int, default: 10}\n",
)
NOT_INHERITABLE = error(
    "R319",
    "not-inheritable",
    "the fields of `{name}` cannot be inherited: its schema has `{keyword}` at the root",
    "Inheritance copies the properties of an entity one by one, so a rule about the whole "
    "object would be lost. Declare an argument of this type instead, or move the rule.",
    wrong="type: entity\nname: Pair\n"
    "properties: {a: {type: string}, b: {type: string}}\n"
    "oneOf: [{required: [a]}, {required: [b]}]\n---\n"
    "type: python_function\nname: probe\narguments: {entity_ref: Pair}\n",
    right="type: entity\nname: Pair\n"
    "properties: {a: {type: string}, b: {type: string}}\n---\n"
    "type: python_function\nname: probe\narguments: {entity_ref: Pair}\n",
)
UNKNOWN_TYPE = error(
    "R321",
    "unknown-type",
    "there is no type `{name}`",
    "A type is a type name (int, float, decimal, bool, string, date, datetime, time, duration, "
    "bytes, uint64, primitive, object, array, url, uuid, timestamp) or the name of an entity or "
    "leaf.",
    wrong=tool("arguments: {inline: {customer: Custmer}}", "Customer"),
    right=tool("arguments: {inline: {customer: Customer}}", "Customer"),
)
TYPE_CASE = warning(
    "R322",
    "type-case",
    "type `{name}` is read as `{word}`",
    "Write type names in lower case.",
    wrong=tool("arguments: {inline: {count: Integer}}"),
    right=tool("arguments: {inline: {count: integer}}"),
)
NESTED_LIST = error(
    "R323",
    "nested-list",
    "a list of `{name}` is a list of lists",
    "Lists have one level. Make the inner list a field of an entity, or use JSON Schema "
    "(`properties`) for this block.",
    wrong="type: python_function\nname: probe\n"
    "arguments: {inline: {rows: 'Array[]'}}\n",
    right="type: python_function\nname: probe\narguments: {inline: {rows: 'int[]'}}\n",
)
SPLAT_OUTSIDE_PATH = error(
    "R324",
    "splat-outside-path",
    "type `{name}` is allowed only for the part `{{{field}*}}` of a resource path",
    "Elsewhere, declare such text as `string`.",
    wrong="type: python_function\nname: f\narguments: {inline: {rest: splat}}",
    right="type: python_function\nname: f\narguments: {inline: {rest: string}}",
)
HIDDEN_IN_VALUE = error(
    "R325",
    "hidden-in-value",
    "`{name}` cannot be hidden: it is part of a value that the caller sends",
    "`from_context` and `llm: false` are allowed on arguments of a tool, and on fields of "
    "an entity that tools inherit with `entity_ref`, but not inside a nested value.",
    wrong=tool(
        "arguments:\n  inline:\n    who: {fields: {id: {type: int, llm: false}}}"
    ),
    right=tool("arguments:\n  inline:\n    who_id: {type: int, llm: false}"),
)
DESCRIPTION_OF_NOTHING = error(
    "R326",
    "description-of-nothing",
    "`descriptions` names `{name}`, which is not a field",
    "Each key of `descriptions` is the name of a field. Dots lead to nested fields.",
    wrong=tool("arguments: {descriptions: {naem: Full name}, inline: {name: string}}"),
    right=tool("arguments: {descriptions: {name: Full name}, inline: {name: string}}"),
)
DESCRIBED_TWICE = error(
    "R327",
    "described-twice",
    "`{name}` is described twice",
    "Keep the text at the field or the one in `descriptions`.",
    wrong=tool(
        "arguments:\n  descriptions: {n: How many}\n  inline:\n"
        "    n: {type: int, description: Number}"
    ),
    right=tool("arguments:\n  inline:\n    n: {type: int, description: How many}"),
)
DESCRIPTION_OUT_OF_REACH = error(
    "R328",
    "description-out-of-reach",
    "`descriptions` cannot reach `{name}`: `{entity}` is recursive and shared",
    "A recursive entity has one schema for all places where it is used. Describe the field "
    "at the entity.",
    wrong="type: entity\nname: Node\n"
    "fields: {label: string, children: 'Node[]'}\n---\n"
    "type: python_function\nname: probe\narguments:\n"
    "  descriptions: {root.label: Its name}\n  inline: {root: Node}\n",
    right="type: entity\nname: Node\n"
    "fields: {label: string, children: 'Node[]'}\n---\n"
    "type: python_function\nname: probe\narguments:\n"
    "  descriptions: {root: The whole tree}\n  inline: {root: Node}\n",
)
SCHEMA_TOO_LARGE = error(
    "R329",
    "schema-too-large",
    "the schema of `{name}` has {excess}",
    "An entity is written out at each place where it is used, so each use of a large one "
    "counts again. Nest less deeply, use fewer entities twice, or pass an identifier "
    "instead of the object.",
)

RULES = (
    DUPLICATE_NAME,
    SAME_NAME_IN_OTHER_CASE,
    RESERVED_NAME,
    DUPLICATE_ENUM_VALUE,
    UNKNOWN_ENTITY,
    LIST_AS_ENTITY_REF,
    ENUM_AS_ENTITY_REF,
    PRIMITIVE_AS_ENTITY_REF,
    INHERITANCE_CYCLE,
    TOO_MANY_ANCESTORS,
    OMIT_OF_NOTHING,
    OMITTED_AND_INLINE,
    NO_LONGER_HIDDEN,
    FIELD_WITHOUT_TYPE,
    NOT_INHERITABLE,
    UNKNOWN_TYPE,
    TYPE_CASE,
    NESTED_LIST,
    SPLAT_OUTSIDE_PATH,
    HIDDEN_IN_VALUE,
    DESCRIPTION_OF_NOTHING,
    DESCRIBED_TWICE,
    DESCRIPTION_OUT_OF_REACH,
    SCHEMA_TOO_LARGE,
)
