"""R36x and R37x of ``resolve``: the author's JSON Schema in Standard mode."""

from __future__ import annotations

from brimgen.diagnostics.rule import error, warning
from brimgen.diagnostics.rules.examples import field, tool
from brimgen_runtime.grammar.rule_messages import MESSAGES

BAD_KEYWORD = error(
    "R361",
    "bad-keyword",
    MESSAGES["R361"],
    "The schema breaks the metaschema of its own dialect: the one that `$schema` names, or "
    "JSON Schema 2020-12. If the schema was written for an older draft (draft-04 has "
    "`exclusiveMinimum: true`, draft-07 has lists of `items`), say so: "
    "`$schema: http://json-schema.org/draft-07/schema#`.",
    wrong=field("properties: {n: {type: integer, minimum: '1'}}"),
    right=field("properties: {n: {type: integer, minimum: 1}}"),
)
REQUIRED_OF_PROPERTY = error(
    "R397",
    "required-of-property",
    MESSAGES["R397"],
    "In JSON Schema, the object lists its required properties beside `properties`: "
    "`required: [city, street]`. The others are optional. `required: false` in an entry "
    "works only without `properties`.",
    wrong=field("properties: {n: {type: integer, required: true}}"),
    right=field("properties: {n: {type: integer}}\nrequired: [n]"),
)
UNKNOWN_SCHEMA_TYPE = error(
    "R362",
    "unknown-schema-type",
    MESSAGES["R362"],
    "In Standard mode the types are null, boolean, object, array, number, integer and string.",
    wrong=field("properties: {n: {type: int}}"),
    right=field("properties: {n: {type: integer}}"),
)
UNKNOWN_DIALECT = error(
    "R363",
    "unknown-schema-dialect",
    MESSAGES["R363"],
    "Use https://json-schema.org/draft/2020-12/schema, or leave `$schema` out, which means the "
    "same. The drafts 2019-09, 07, 06 and 04 are read too.",
    wrong=field("$schema: http://json-schema.org/draft-03/schema#\nproperties: {}"),
    right=field(
        "$schema: https://json-schema.org/draft/2020-12/schema\nproperties: {}"
    ),
)
DIALECT_WITHIN = error(
    "R433",
    "dialect-within",
    "`$schema` names {inner} here, but the whole schema is read as {outer}",
    "A schema is read in one dialect: the one that `$schema` names at its root, or 2020-12 without "
    "one. Move this `$schema` to the root, or remove it.",
    wrong=field(
        "properties: {a: {$schema: http://json-schema.org/draft-04/schema#, type: string}}"
    ),
    right=field(
        "$schema: http://json-schema.org/draft-04/schema#\n"
        "properties: {a: {type: string}}"
    ),
)
REMOTE_REF = error(
    "R364",
    "remote-ref",
    MESSAGES["R364"],
    "A build fetches nothing. Copy the schema into `$defs`, or make it an entity and refer "
    "to it with `entity_ref`.",
    wrong=field("properties: {at: {$ref: 'https://example.com/point.json'}}", "Point"),
    right=field("properties: {at: {entity_ref: Point}}", "Point"),
)
DANGLING_REF = error(
    "R365",
    "dangling-ref",
    MESSAGES["R365"],
    "The part after `#` is a JSON Pointer from the root of this schema, or an `$anchor` in it.",
    wrong=field(
        "properties: {at: {$ref: '#/$defs/Pt'}}\n$defs: {Point: {type: string}}"
    ),
    right=field(
        "properties: {at: {$ref: '#/$defs/Point'}}\n$defs: {Point: {type: string}}"
    ),
)
REF_LOOP = error(
    "R366",
    "ref-loop",
    MESSAGES["R366"],
    "Validation would never end. A recursive schema must pass through a property or an "
    "item.",
    wrong=field(
        "properties: {a: {$ref: '#/$defs/A'}}\n$defs: {A: {$ref: '#/$defs/A'}}"
    ),
    right=field(
        "properties: {a: {$ref: '#/$defs/A'}}\n"
        "$defs: {A: {type: object, properties: {next: {$ref: '#/$defs/A'}}}}"
    ),
)
ROOT_NOT_OBJECT = error(
    "R367",
    "root-not-object",
    MESSAGES["R367"],
    "Arguments and entities have named parts, so the root of their schema must be an object. "
    "Write the schema as the one property of an object: "
    "`properties: {items: {type: array, items: …}}`.",
    wrong=tool("arguments:\n  inline: {type: array, properties: {}}"),
    right=tool("arguments:\n  inline: {type: object, properties: {}}"),
)
CHOICE_OF_OTHER_TYPE = warning(
    "R434",
    "choice-of-other-type",
    "`type: {type}` beside this `{keyword}` refuses {value}{rest}",
    "Without quotes, YAML reads 1.0 as a number and true as a boolean. Where texts are meant, "
    'quote them: `enum: ["1.0", "2.0"]`; else correct `type`.',
    wrong=field("properties: {version: {type: string, enum: [latest, 2.0]}}"),
    right=field("properties: {version: {type: string, enum: [latest, '2.0']}}"),
)
DEFAULT_NOT_APPLIED = warning(
    "R368",
    "default-not-applied",
    "the default of `{name}` is rejected by its own schema and is not applied",
    "The default is left out of all generated files: an omitted argument has no value. "
    "Correct the default, or remove it.",
    wrong=field("properties: {n: {type: integer, default: many}}"),
    right=field("properties: {n: {type: integer, default: 10}}"),
)
DEFAULT_NOT_DECIDED = warning(
    "R399",
    "default-not-decided",
    "the default of `{name}` is not applied: whether its schema accepts it is unknown, because "
    "{reason}",
    "A build does not search a long text for a pattern that may be slow. A default that may "
    "be wrong is left out of all generated files. Write the pattern so that no two "
    "repetitions can read the same text, or remove the default.",
    wrong=field(
        "properties: {n: {type: string, pattern: '^(a+)+$', maxLength: 20, default: aaaaaaaaa}}"
    ),
    right=field(
        "properties: {n: {type: string, pattern: '^a+$', maxLength: 20, default: aaaaaaaaa}}"
    ),
)
BESIDE_PROPERTIES = error(
    "R431",
    "property-beside-properties",
    "`{name}` stands beside `properties`, where JSON Schema ignores it",
    "With `properties` the block is JSON Schema, whose properties all stand under that key: "
    "indent it there, and name it in `required` if it is. Or write every argument directly, "
    "without `properties`. A definition belongs under `$defs`, a text for readers under a key that "
    "begins with `x-`.",
    wrong=field("properties: {a: {type: string}}\nlimit: {type: int, default: 10}"),
    right=field("properties: {a: {type: string}, limit: {type: integer, default: 10}}"),
)
BESIDE_PROPERTIES_WITHIN = warning(
    "R432",
    "property-beside-properties-within",
    "`{name}` stands beside `properties`, where JSON Schema ignores it",
    "The properties of a nested object stand under its own `properties`. What is no property "
    "belongs under a key that begins with `x-`.",
    wrong=field(
        "properties: {a: {type: object, properties: {x: {type: string}}, y: {type: string}}}"
    ),
    right=field(
        "properties: {a: {type: object, properties: {x: {type: string}, y: {type: string}}}}"
    ),
)
DYNAMIC_REF = error(
    "R370",
    "dynamic-ref",
    MESSAGES["R370"],
    "Its target depends on the path of validation, so no type can express it. Use `$ref`.",
    wrong=field(
        "properties: {at: {$dynamicRef: '#point'}}\n"
        "$defs: {Point: {$dynamicAnchor: point, type: string}}"
    ),
    right=field(
        "properties: {at: {$ref: '#point'}}\n"
        "$defs: {Point: {$anchor: point, type: string}}"
    ),
)
DIALECT_MIX = warning(
    "R371",
    "dialect-mix",
    "{draft} has no keyword `{keyword}`, so it has no effect",
    "`$schema` selects this draft. Change it to https://json-schema.org/draft/2020-12/schema.",
    wrong=field(
        "$schema: http://json-schema.org/draft-07/schema#\n"
        "properties: {}\ndependentRequired: {a: [b]}"
    ),
    right=field(
        "$schema: https://json-schema.org/draft/2020-12/schema\n"
        "properties: {}\ndependentRequired: {a: [b]}"
    ),
)
DEFS_CLASH = error(
    "R372",
    "defs-clash",
    "`$defs` already has `{name}`, which is also the name of a recursive entity used here",
    "Rename the definition.",
    wrong="type: entity\nname: Node\n"
    "fields: {label: string, children: 'Node[]'}\n---\n"
    "type: python_function\nname: probe\narguments:\n  inline:\n"
    "    properties: {root: {entity_ref: Node}}\n"
    "    $defs: {Node: {type: string}}\n",
    right="type: entity\nname: Node\n"
    "fields: {label: string, children: 'Node[]'}\n---\n"
    "type: python_function\nname: probe\narguments:\n  inline:\n"
    "    properties: {root: {entity_ref: Node}}\n"
    "    $defs: {Name: {type: string}}\n",
)
NOT_EMBEDDABLE = error(
    "R373",
    "not-embeddable",
    "entity `{name}` cannot be used inside another schema: it has `{keyword}`",
    "An entity is copied to the place where it is used, where identifiers and dynamic "
    "references would mean something else. Use `$defs` and `$ref: '#/$defs/...'`.",
    wrong="type: entity\nname: Point\nproperties:\n"
    "  x: {$anchor: number, type: number}\n",
    right="type: entity\nname: Point\nproperties:\n  x: {type: number}\n",
)
BAD_HIDDEN_PROPERTY = error(
    "R374",
    "bad-hidden-property",
    "`{keyword}` has no effect here",
    "In JSON Schema, only properties of the root can be hidden from the caller.",
    wrong=field(
        "properties:\n"
        "  who:\n"
        "    type: object\n"
        "    properties: {id: {type: string, from_context: app.user.id}}\n"
        "    additionalProperties: false"
    ),
    right=field("properties: {who_id: {type: string, from_context: app.user.id}}"),
)
REQUIRED_NOT_DECLARED = error(
    "R379",
    "required-not-declared",
    MESSAGES["R379"],
    "Additional properties are refused, so no call could satisfy this. Declare the "
    "property, or allow additional ones: `additionalProperties: {type: string}`.",
    wrong=field(
        "properties: {email: {type: string}, age: {type: integer}}\n"
        "required: [email, ages]"
    ),
    right=field(
        "properties: {email: {type: string}, age: {type: integer}}\n"
        "required: [email, age]"
    ),
)
HIDDEN_MAY_SHOW = error(
    "R369",
    "hidden-may-show",
    "`{keyword}` may show a hidden property to callers, or let them send it",
    "If the root of a schema has properties with `from_context` or `llm: false`, it may "
    "have only `properties`, `required` and `additionalProperties: false` besides. Move "
    "the rule into the handler, or the visible properties into an object of their own.",
    wrong=field(
        "properties: {who: {type: string, from_context: app.user.id}, why: {type: string}}\n"
        "additionalProperties: true"
    ),
    right=field(
        "properties: {who: {type: string, from_context: app.user.id}, why: {type: string}}\n"
        "additionalProperties: false"
    ),
)
TOO_MANY_ALTERNATIVES = error(
    "R380",
    "too-many-alternatives",
    "more than {limit} parts of this schema apply to one value",
    "References are followed, so alternatives of alternatives multiply. List each "
    "alternative once.",
)
TOO_MANY_LEVELS = error(
    "R357",
    "too-many-levels",
    "references in this schema form a chain of more than {limit} parts",
    "Point references directly at their target.",
)
ENTITY_IS_CLOSED = error(
    "R398",
    "entity-is-closed",
    "`{property}` is never accepted: it stands beside the entity `{name}`, which is closed",
    "All parts of `allOf` look at the whole object, and an entity takes its own properties and no "
    "others: a caller who gives this one is refused, and an answer loses it. Derive from the "
    "entity: `entity_ref` with further fields.",
    wrong="type: entity\nname: Pet\nfields: {name: string}\n---\n"
    "type: python_function\nname: probe\nreturns:\n"
    "  allOf:\n"
    "    - $ref: '#/entities/Pet'\n"
    "    - properties: {bark: {type: string}}\n",
    right="type: entity\nname: Pet\nfields: {name: string}\n---\n"
    "type: entity\nname: Dog\nentity_ref: Pet\nfields: {bark: string}\n---\n"
    "type: python_function\nname: probe\nreturns: Dog\n",
)

RULES = (
    BAD_KEYWORD,
    REQUIRED_OF_PROPERTY,
    UNKNOWN_SCHEMA_TYPE,
    UNKNOWN_DIALECT,
    DIALECT_WITHIN,
    REMOTE_REF,
    DANGLING_REF,
    REF_LOOP,
    ROOT_NOT_OBJECT,
    CHOICE_OF_OTHER_TYPE,
    DEFAULT_NOT_APPLIED,
    DEFAULT_NOT_DECIDED,
    BESIDE_PROPERTIES,
    BESIDE_PROPERTIES_WITHIN,
    DIALECT_MIX,
    DYNAMIC_REF,
    DEFS_CLASH,
    NOT_EMBEDDABLE,
    BAD_HIDDEN_PROPERTY,
    REQUIRED_NOT_DECLARED,
    HIDDEN_MAY_SHOW,
    TOO_MANY_ALTERNATIVES,
    TOO_MANY_LEVELS,
    ENTITY_IS_CLOSED,
)
