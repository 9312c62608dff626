"""Read the choices and defaults of a schema, and take out the defaults that it refuses.

A default that is null where null is refused says that there is none: it goes without a word. All
readers of a schema in the catalog (decoders, descriptors, pages) then find only defaults that
are applied.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from brimgen.diagnostics import Diagnostics, Span, rules
from brimgen.judging.judgement import Judgement
from brimgen.model.fields import Default
from brimgen.model.json import Json, JsonObject, is_object
from brimgen.model.scalars import OF_JSON_TYPE
from brimgen.model.types import (
    JsonType,
    NullableType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.values import exact_integer, fits, is_number
from brimgen.schema.walk import (
    FOR_READERS,
    Schema,
    inner_schemas,
    levels,
    target_of,
)
from brimgen_runtime.grammar.schema_parts import (
    has_inner_identifier,
    is_local_pointer,
)
from brimgen_runtime.schema.json_pointer import unescape_step

PLAIN = {
    kind: OF_JSON_TYPE[kind] for kind in ("string", "integer", "number", "boolean")
}
ANY = JsonType()


def choices_of(schema: Schema) -> list[Json] | None:
    """Return the closed list of values of a schema (`const` is one of one), or None."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return list(values) if isinstance(values, list) and values else None


def of_values(values: list[Json]) -> Type:
    """The type of a closed list of values."""
    present = [value for value in values if value is not None]
    parts: list[Type] = []
    for scalar, group in (
        (Scalar.STRING, [value for value in present if isinstance(value, str)]),
        (Scalar.BOOL, [value for value in present if isinstance(value, bool)]),
        (Scalar.INT, [value for value in present if fits(Scalar.INT, value)]),
        (Scalar.FLOAT, [value for value in present if is_number(value)]),
    ):
        if scalar is Scalar.FLOAT:
            if any(not fits(Scalar.INT, value) for value in group):
                parts = [part for part in parts if not _is_int(part)]
                parts.append(ScalarType(Scalar.FLOAT))
        elif group:
            unique = dict.fromkeys(
                exact_integer(value) if scalar is Scalar.INT else value
                for value in group
            )
            parts.append(ScalarType(scalar, tuple(unique)))  # type: ignore[arg-type]
    if not present or any(isinstance(value, list | dict) for value in present):
        return ANY
    inner = merge(parts)
    return or_null(inner) if len(present) < len(values) else inner


def _is_int(kind: Type) -> bool:
    return isinstance(kind, ScalarType) and kind.scalar is Scalar.INT


def merge(kinds: list[Type]) -> Type:
    """Return the type of values that have one of ``kinds``."""
    plain: list[Type] = []
    has_null = False
    for kind in kinds:
        if isinstance(kind, NullableType):
            has_null = True
            kind = kind.inner
        plain.extend(kind.options if isinstance(kind, UnionType) else (kind,))
    unique = [option for i, option in enumerate(plain) if option not in plain[:i]]
    if len(unique) == 1:
        inner = unique[0]
    else:
        scalars = [
            option
            for option in unique
            if isinstance(option, ScalarType) and option.scalar in PLAIN.values()
        ]
        inner = union(scalars) if len(scalars) == len(unique) else ANY
    return or_null(inner) if has_null else inner


def union(options: list[ScalarType]) -> Type:
    """Return the union of plain scalars: one option for each, with joined choices."""
    by_scalar: dict[Scalar, ScalarType] = {}
    for option in options:
        earlier = by_scalar.get(option.scalar)
        if earlier is None:
            by_scalar[option.scalar] = option
        else:
            both = bool(earlier.choices and option.choices)
            joined = (
                tuple(dict.fromkeys(earlier.choices + option.choices)) if both else ()
            )
            by_scalar[option.scalar] = ScalarType(option.scalar, joined)
    if Scalar.FLOAT in by_scalar:
        by_scalar.pop(Scalar.INT, None)
    parts = tuple(by_scalar.values())
    if not parts:
        return ANY
    return parts[0] if len(parts) == 1 else UnionType(parts)


def or_null(inner: Type) -> Type:
    """Return the type that admits null as well."""
    return inner if isinstance(inner, JsonType | NullableType) else NullableType(inner)


_SIMPLE = frozenset({"type", "default", "description", "title", "examples"})
_NAMED = ("properties", "patternProperties", "$defs", "definitions")


def as_default(value: Json) -> Default:
    """Return the default that a schema says, with the text of a number."""
    if isinstance(value, int | float) and is_number(value):
        return Default(value, str(value))
    return Default(value)


def take_out_refused(
    document: Schema,
    whole: JsonObject,
    spans: Mapping[str, Span],
    diagnostics: Diagnostics,
    *,
    entity_ids: Collection[int],
) -> None:
    """Remove from a document each default that its own schema does not accept, and report it.

    ``whole`` is the document with the definitions that it needs, ``spans`` says where properties
    stand. ``entity_ids`` are the ``id`` of schemas of entities, whose inner schemas were checked
    before.
    """
    with_default = [*_schemas_with_default(document, entity_ids)]
    together = _schemas_of_same_value(document) if with_default else {}
    for pointer, schema in with_default:
        value = schema["default"]
        schemas = [schema, *together.get(id(schema), ())]
        for number, related in enumerate(schemas):
            # Another schema has a place of its own, where no reference leads.
            place = f"{pointer}/x-related/{number}" if number else pointer
            judgement = _judged(related, value, whole, place)
            if judgement.accepts:
                continue
            del schema["default"]
            name, span = _place(pointer, spans)
            if judgement.accepts is None:
                rule, reason = rules.DEFAULT_NOT_DECIDED, judgement.why
                diagnostics.add(rule, span, name=name, reason=reason)
            elif value is not None:
                diagnostics.add(rules.DEFAULT_NOT_APPLIED, span, name=name)
            break


def _judged(
    schema: JsonObject, value: Json, whole: JsonObject, pointer: str
) -> Judgement:
    kind = schema.get("type")
    if not schema.keys() - _SIMPLE and isinstance(kind, str) and kind in PLAIN:
        return Judgement(fits(PLAIN[kind], value))
    from brimgen.judging.rejection import judge  # most defaults are simple

    return judge(whole, value, schema, pointer)


def _schemas_with_default(
    document: Schema, entity_ids: Collection[int]
) -> Iterator[tuple[str, Schema]]:
    """Every schema that says a default, with its pointer; each once."""
    stack: list[tuple[str, Json]] = [("", document)]
    seen: set[int] = set()
    while stack:
        pointer, schema = stack.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        if "default" in schema:
            yield pointer, schema
        if id(schema) not in entity_ids:
            stack.extend(reversed([*inner_schemas(schema, pointer)]))


def _schemas_of_same_value(document: Schema) -> dict[int, list[JsonObject]]:
    """The other schemas of a property where several are said at once, by the ``id`` of each.

    `allOf` and `$ref` beside `properties` add to what these say, and so they do within a property.
    """
    same_value: dict[int, list[JsonObject]] = {}
    if has_inner_identifier(document):
        return same_value
    target = partial(target_of, root=document)
    stack: list[Json] = [document]
    seen: set[int] = set()
    while stack:
        schema = stack.pop()
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        stack.extend(inner for _, inner in inner_schemas(schema))
        properties = schema.get("properties")
        for part in properties.values() if is_object(properties) else ():
            joined = _without_plain_references(part, document)
            if joined is None:
                continue
            for level in levels(joined, target):
                users = same_value.setdefault(id(level), [])
                if level is not joined and not any(each is joined for each in users):
                    users.append(joined)
        if not schema.keys() & {"allOf", "$ref"}:
            continue
        of_names: dict[str, list[JsonObject]] = {}
        for level in levels(schema, target):
            properties = level.get("properties")
            for name, subschema in properties.items() if is_object(properties) else ():
                if is_object(subschema):
                    of_names.setdefault(name, []).append(subschema)
        for same in of_names.values():
            for subschema in same:
                siblings = [sibling for sibling in same if sibling is not subschema]
                if siblings:
                    same_value.setdefault(id(subschema), []).extend(siblings)
    return same_value


def _without_plain_references(schema: Json, document: Schema) -> Schema | None:
    """What a schema leads to that is nothing but a reference with annotations; None if that is no
    object.
    """
    seen: set[int] = set()
    while isinstance(schema, dict) and id(schema) not in seen:
        seen.add(id(schema))
        is_plain = schema.keys() <= FOR_READERS | {"$ref"}
        if not (is_plain and is_local_pointer(schema.get("$ref"))):
            break
        schema = target_of(schema, document)
    return schema if isinstance(schema, dict) else None


def _place(pointer: str, spans: Mapping[str, Span]) -> tuple[str, Span]:
    """The name of the property that a pointer leads into, and where the nearest one stands."""
    steps = pointer.split("/")
    name = "the whole"
    for at in range(1, len(steps) - 1):
        if steps[at] in _NAMED and steps[at - 1] not in _NAMED:
            name = unescape_step(steps[at + 1])
    while pointer not in spans:
        pointer = pointer.rpartition("/")[0]
    return name, spans[pointer]
