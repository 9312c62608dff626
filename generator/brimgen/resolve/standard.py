"""Standard mode: the author's JSON Schema in, the canonical schema and typed fields out.

The text stays as the author wrote it, but for this: references to entities are replaced by the
entities; hidden properties are taken out; the root says ``type: object``; and the root is closed
where the author says nothing about extra properties (language.md 3 and 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import resolve_standard as rules
from brimgen.model.fields import Caller, Field, Origin
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, EnumType, Type
from brimgen.resolve.context import read_origin
from brimgen.resolve.draft07 import from_draft07
from brimgen.resolve.fields import Frame, check_name
from brimgen.resolve.schema import object_schema
from brimgen.resolve.standard_check import Dialect, check_schema, read_dialect
from brimgen.resolve.standard_refs import (
    check_refs,
    entity_name,
    find_loop,
    is_local_pointer,
    resolve_pointer,
)
from brimgen.resolve.standard_types import Typing
from brimgen.resolve.standard_words import (
    ANNOTATIONS,
    Schema,
    in_place,
    map_schemas,
    subschemas,
    walk_nodes,
)
from brimgen.resolve.values import to_json
from brimgen.source.nodes import MapNode, Node, ScalarNode
from brimgen.syntax.decls import Text

_HIDING = ("from_context", "llm")
_EXTRAS = ("additionalProperties", "unevaluatedProperties")
_TELLS_PROPERTIES = frozenset(
    {"$ref", "$dynamicRef", "properties", "patternProperties", *_EXTRAS}
)


@dataclass(frozen=True, slots=True)
class Standard:
    """A schema of Standard mode, read: what is published, what it types as.

    ``bound`` is the schema with the hidden properties; None of it is sound where ``fields`` may be
    missing.
    """

    schema: JsonObject
    bound: JsonObject
    fields: tuple[Field, ...]
    extra: Type | None
    sound: bool = True


UNSOUND = Standard({"type": "object"}, {"type": "object"}, (), None, False)


def read_object(
    root: MapNode,
    frame: Frame,
    *,
    inherited: tuple[Field, ...] = (),
    own_name: str | None = None,
    hides: bool = False,
) -> Standard:
    """Return the schema of an object: the arguments of a tool (``hides``) or an entity.

    ``inherited`` fields come first. ``own_name`` is the entity itself, for `$ref: "#"`.
    Reports whatever is no schema, refers to nothing, or cannot be an object.
    """
    placed: dict[int, EntityType | EnumType] = {}
    document = read_document(root, frame, placed)
    if document is None or not _admits_object(root, frame.found):
        return UNSOUND
    origins = _origins(root, frame, hides=hides)
    whole = _with_inherited(_objectify(document), inherited)
    public = {name for name, origin in origins.items() if isinstance(origin, Caller)}
    hidden = {name for name in origins if name not in public} | {
        each.name for each in inherited if not isinstance(each.origin, Caller)
    }
    whole = _forget_hiding(whole)
    schema = _close(_without(whole, hidden), closed=frame.closed)
    bound = _close(whole, closed=frame.closed)
    typing = Typing(frame, _close(whole, closed=True), spans_of(root), placed, own_name)
    typed = {each.name: each for each in typing.fields()}
    fields = [
        each if each.name not in origins else typed.get(each.name, each)
        for each in inherited
    ]
    names = {each.name for each in fields}
    fields += [each for each in typed.values() if each.name not in names]
    return Standard(
        frame.shapes.complete(schema),
        frame.shapes.complete(bound),
        tuple(
            replace(each, origin=origins[each.name]) if each.name in origins else each
            for each in fields
        ),
        typing.extra(),
    )


def read_document(
    root: MapNode, frame: Frame, placed: dict[int, EntityType | EnumType]
) -> Schema | None:
    """Return a checked schema as JSON of 2020-12 with its entities in place; None if unsound.

    ``placed`` takes the types of the entities, by the ``id`` of the schema that stands for each.
    """
    found = frame.found
    dialect = read_dialect(root, found)
    if dialect is None or not check_schema(root, dialect, found):
        return None
    if not check_refs(root, dialect, frame.index, found):
        return None
    document = to_json(root)
    assert isinstance(document, dict)
    uses_entities = any(entity_name(node) for _, node in walk_nodes(root))
    if dialect is Dialect.DRAFT_07:
        document = from_draft07(document)
        if uses_entities and "$schema" in document:
            document = {**document, "$schema": str(Dialect.DRAFT_2020_12)}
    if uses_entities:
        document = _place_entities(document, root, frame, placed)
    loop = find_loop(document)
    if loop is not None:
        span = _span_of_ref(root, loop)
        found.add(rules.REF_LOOP, span, ref=loop)
        return None
    return document


def _span_of_ref(root: MapNode, ref: str) -> Span:
    for _, node in walk_nodes(root):
        value = node.get("$ref")
        if isinstance(value, ScalarNode) and value.text == ref:
            return value.span
    return root.span


def _place_entities(
    document: Schema,
    root: MapNode,
    frame: Frame,
    placed: dict[int, EntityType | EnumType],
) -> Schema:
    own = document.get("$defs")
    used: set[str] = set()

    def place(schema: Schema) -> Schema:
        name = schema.get("entity_ref")
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#/entities/"):
            name = ref.removeprefix("#/entities/")
        if not isinstance(name, str):
            return schema
        rest = {k: v for k, v in schema.items() if k not in ("entity_ref", "$ref")}
        entity = dict(frame.shapes.embed(name))
        used.update(_defs_of(entity, frame))
        is_enum = name in frame.index.enums
        placed[id(entity)] = EnumType(name) if is_enum else EntityType(name)
        if all(key in ANNOTATIONS or key.startswith("x-") for key in rest):
            entity.update(rest)
            return entity
        options = rest.pop("allOf", [])
        more = options if isinstance(options, list) else []
        return {**rest, "allOf": [entity, *more]}

    changed = map_schemas(document, place)
    if isinstance(own, dict):
        for name in sorted(used & own.keys()):
            _report_clash(root, name, frame.found)
    return changed


def _defs_of(entity: JsonObject, frame: Frame) -> set[str]:
    defs = frame.shapes.complete(entity).get("$defs")
    return set(defs) if isinstance(defs, Mapping) else set()


def _report_clash(root: MapNode, name: str, found: Diagnostics) -> None:
    defs = root.get("$defs")
    entry = defs.entry(name) if isinstance(defs, MapNode) else None
    span = entry.key.span if entry else root.span
    found.add(rules.DEFS_CLASH, span, name=name)


def _admits_object(root: MapNode, found: Diagnostics) -> bool:
    kind = root.get("type")
    if kind is None:
        return True
    value = to_json(kind)
    names = value if isinstance(value, list) else [value]
    if "object" in names:
        return True
    found.add(
        rules.ROOT_NOT_OBJECT, kind.span, type=", ".join(str(each) for each in names)
    )
    return False


def _objectify(document: Schema) -> Schema:
    """The root says ``type: object``, and nothing else; always has ``properties``."""
    rooted = {**document, "type": "object"}
    if "type" not in document:
        leading: Schema = {
            key: rooted[key] for key in ("$schema", "$id") if key in rooted
        }
        rooted = {**leading, "type": "object", **rooted}
    rooted.setdefault("properties", {})
    return rooted


def _origins(root: MapNode, frame: Frame, *, hides: bool) -> dict[str, Origin]:
    """Where each property of the root comes from; names and misplaced hiding are checked."""
    properties = root.get("properties")
    origins: dict[str, Origin] = {}
    entries = properties.entries if isinstance(properties, MapNode) else ()
    at_root: set[int] = set()
    for entry in entries:
        name, node = entry.key.text, entry.value
        check_name(Text(name, entry.key.span), frame.found)
        origins[name] = Caller()
        if isinstance(node, MapNode) and hides:
            at_root.add(id(node))
            origins[name] = read_origin(
                name, node.get("from_context"), node.get("llm"), frame.found
            )
    for pointer, node in walk_nodes(root):
        if id(node) in at_root or not pointer:
            continue
        for key in _HIDING:
            misplaced = node.entry(key)
            if misplaced is not None and _hides(key, misplaced.value):
                frame.found.add(
                    rules.BAD_HIDDEN_PROPERTY, misplaced.key.span, keyword=key
                )
    return origins


def _hides(key: str, node: Node) -> bool:
    if key == "llm":
        return isinstance(node, ScalarNode) and node.value is False
    return isinstance(node, ScalarNode) and isinstance(node.value, str)


def _forget_hiding(schema: Schema) -> Schema:
    properties = schema.get("properties")
    assert isinstance(properties, dict)
    if not any(
        isinstance(each, dict) and key in each
        for each in properties.values()
        for key in _HIDING
    ):
        return schema
    plain = {
        name: (
            {k: v for k, v in each.items() if k not in _HIDING}
            if isinstance(each, dict)
            else each
        )
        for name, each in properties.items()
    }
    return {**schema, "properties": plain}


def _with_inherited(document: Schema, inherited: tuple[Field, ...]) -> Schema:
    if not inherited:
        return document
    own = document["properties"]
    said = document.get("required", [])
    assert isinstance(own, dict) and isinstance(said, list)
    base = object_schema(inherited, closed=False)
    first = base["properties"]
    needed = base.get("required", [])
    assert isinstance(first, dict) and isinstance(needed, list)
    kept = [each for each in needed if each not in own]
    merged: Schema = {**document, "properties": {**first, **own}}
    if kept or said:
        merged["required"] = [*kept, *said]
    return merged


def _without(schema: Schema, hidden: set[str]) -> Schema:
    if not hidden:
        return schema
    properties, required = schema["properties"], schema.get("required")
    assert isinstance(properties, dict)
    shown: Schema = {
        **schema,
        "properties": {k: v for k, v in properties.items() if k not in hidden},
    }
    if isinstance(required, list):
        shown["required"] = [each for each in required if each not in hidden]
        if not shown["required"]:
            del shown["required"]
    return shown


def _close(schema: Schema, *, closed: bool) -> Schema:
    """The root closed where it says nothing about extra properties (see the module)."""
    if not closed or any(key in schema for key in _EXTRAS):
        return schema
    if not any(map(_tells_properties, in_place(schema))) and "$ref" not in schema:
        return {**schema, "additionalProperties": False}
    said = {**schema, "unevaluatedProperties": False}
    if said.get("$schema") not in (None, str(Dialect.DRAFT_2020_12)):
        said["$schema"] = str(Dialect.DRAFT_2020_12)
    return said


def _tells_properties(schema: Json) -> bool:
    stack: list[Json] = [schema]
    while stack:
        each = stack.pop()
        if isinstance(each, dict):
            if each.keys() & _TELLS_PROPERTIES:
                return True
            stack.extend(in_place(each))
    return False


def spans_of(root: MapNode) -> dict[str, Span]:
    """Return where the properties stand, by the pointer of their object and their name."""
    return {"": root.span} | {
        f"{pointer}/{entry.key.text}": entry.key.span
        for pointer, node in walk_nodes(root)
        if isinstance(properties := node.get("properties"), MapNode)
        for entry in properties.entries
    }


def package(name: str, schema: JsonObject) -> tuple[Schema, dict[str, Schema]]:
    """Return an entity's schema as it stands inside others, and the definitions that it needs.

    Every target of a local `$ref` is given a key of its own, ``<Entity>`` for the root and
    ``<Entity>_<name>`` for the rest, because the root of the document will be another one.
    """
    root = {
        key: value
        for key, value in schema.items()
        if key not in ("$schema", "$comment", "$defs", "definitions", "$id")
    }
    targets: dict[str, str] = {}
    document = dict(schema)
    pending = [root]
    definitions: dict[str, Json] = {}
    while pending:
        for each in subschemas(pending.pop()):
            ref = each.get("$ref")
            if not is_local_pointer(ref) or not isinstance(ref, str) or ref in targets:
                continue
            target = root if ref == "#" else resolve_pointer(document, ref)
            key = name if ref == "#" else _free_key(name, ref, set(targets.values()))
            targets[ref] = key
            definitions[key] = target
            if isinstance(target, dict) and ref != "#":
                pending.append(target)

    def move(each: Schema) -> Schema:
        ref = each.get("$ref")
        if isinstance(ref, str) and ref in targets:
            return {**each, "$ref": f"#/$defs/{targets[ref]}"}
        return each

    moved = {
        key: map_schemas(each, move) if isinstance(each, dict) else {}
        for key, each in definitions.items()
    }
    return map_schemas(root, move), moved


def _free_key(name: str, ref: str, taken: set[str]) -> str:
    last = "".join(c if c.isalnum() else "_" for c in ref.rpartition("/")[2])
    key = f"{name}_{last}"
    while key in taken:
        key += "_"
    return key
