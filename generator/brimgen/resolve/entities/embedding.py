"""Embed the schemas of entities in the schemas that refer to them."""

from __future__ import annotations

from collections.abc import Collection

from brimgen.diagnostics import Diagnostics, rules
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, EnumType, LeafType
from brimgen.resolve.fields.frame import Frame, Placed
from brimgen.resolve.standard.checks import entity_refs, name_of
from brimgen.schema.walk import (
    FOR_READERS,
    Schema,
    is_object,
    map_schemas,
    split_definitions,
)
from brimgen.source.nodes import MapNode
from brimgen_runtime.grammar.schema_parts import (
    has_inner_identifier,
    is_local_pointer,
    properties_of,
    resolve_pointer,
    subschemas,
)

# The schema `false`, as an object.
_NOTHING: Schema = {"not": {}}


def embedded_schema(
    name: str, schema: JsonObject, shared: Collection[str]
) -> tuple[Schema, dict[str, Schema]]:
    """Return an entity's schema as it stands inside others, and the definitions that it needs.

    Every target of a local `$ref` is given a key of its own, ``<Entity>`` for the root and
    ``<Entity>_<name>`` for the rest, because the root of the document will be another one.
    ``shared`` are the keys of recursive entities, which are the same everywhere.
    """
    root = {
        key: value
        for key, value in schema.items()
        if key not in ("$schema", "$comment", "$defs", "definitions", "$id")
    }
    targets = _targets(name, dict(schema), root, shared)
    if not targets:
        return root, {}

    def move(subschema: Schema) -> Schema:
        ref = subschema.get("$ref")
        if isinstance(ref, str) and ref in targets:
            return {**subschema, "$ref": f"#/$defs/{targets[ref][0]}"}
        return subschema

    moved: dict[str, Schema] = {}
    for key, target in targets.values():
        part = {} if target is True else _NOTHING
        moved[key] = map_schemas(target if isinstance(target, dict) else part, move)
    return map_schemas(root, move), moved


def _targets(
    name: str, document: Schema, root: Schema, shared: Collection[str]
) -> dict[str, tuple[str, Json]]:
    """Return the target of each local `$ref` with a key of its own, by the text of the `$ref`."""
    targets: dict[str, tuple[str, Json]] = {}
    pending = [root]
    while pending:
        for subschema in subschemas(pending.pop()):
            ref = subschema.get("$ref")
            if not isinstance(ref, str) or not is_local_pointer(ref):
                continue
            if ref in targets or ref.removeprefix("#/$defs/") in shared:
                continue
            if ref == "#":
                targets[ref] = (name, root)
                continue
            target = resolve_pointer(document, ref)
            taken = {key for key, _ in targets.values()}
            targets[ref] = (_free_key(name, ref, taken), target)
            if isinstance(target, dict):
                pending.append(target)
    return targets


def _free_key(name: str, ref: str, taken: set[str]) -> str:
    last = "".join(
        character if character.isalnum() else "_"
        for character in ref.rpartition("/")[2]
    )
    key = f"{name}_{last}"
    while key in taken:
        key += "_"
    return key


def place_entities(
    document: Schema,
    root: MapNode,
    frame: Frame,
    placed: dict[int, Placed],
) -> Schema:
    """Return a document with references to the `$defs` of entities that it refers to.

    An entity is written out where such a reference would lead elsewhere. ``placed`` takes the
    types of what is referred to.
    """
    _, own_defs = split_definitions(document)
    used: set[str] = set()
    has_parts = any("allOf" in part for part in subschemas(document))
    is_apart = has_inner_identifier(document)

    def place(schema: Schema) -> Schema:
        name = schema.get("entity_ref")
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#/entities/"):
            name = ref.removeprefix("#/entities/")
        if not isinstance(name, str):
            return schema
        nonlocal has_parts
        siblings = {k: v for k, v in schema.items() if k not in ("entity_ref", "$ref")}
        leaf = frame.index.leaves.get(name)
        body = frame.shapes.embed(name) if leaf is None else leaf.schema
        if is_apart or not own_defs.keys().isdisjoint(_defs_of(body, frame)):
            body = frame.shapes.written_out(body)
        entity = dict(body)
        used.update(_defs_of(entity, frame))
        placed[id(entity)] = _type_of(name, frame)
        if all(key in FOR_READERS or key.startswith("x-") for key in siblings):
            entity.update(siblings)
            return entity
        has_parts = True
        options = siblings.pop("allOf", [])
        further = options if isinstance(options, list) else []
        return {**siblings, "allOf": [entity, *further]}

    changed = map_schemas(document, place)
    for name in sorted(used & own_defs.keys()):
        _report_clash(root, name, frame.diagnostics)
    if has_parts and placed:
        _report_closed(root, changed, placed, frame)
    return changed


def _type_of(name: str, frame: Frame) -> EntityType | EnumType | LeafType:
    """The type of a named entity or leaf."""
    leaf = frame.index.leaves.get(name)
    if leaf is not None:
        return LeafType(name, leaf.scalar)
    return EnumType(name) if name in frame.index.enums else EntityType(name)


def _report_closed(
    root: MapNode, document: Schema, placed: dict[int, Placed], frame: Frame
) -> None:
    """Report a property beside an entity in `allOf`: a closed entity refuses it."""
    for subschema in subschemas(document):
        options = subschema.get("allOf")
        parts = options if isinstance(options, list) else []
        levels = [subschema, *(part for part in parts if isinstance(part, dict))]
        for part in levels[1:]:
            kind = placed.get(id(part))
            if not isinstance(kind, EntityType):
                continue
            entity = _definition(part, kind.name, frame)
            if entity.get("additionalProperties") is not False:
                continue
            own = properties_of({**entity})
            admitted = [
                each for level in levels for each in properties_of(level).items()
            ]
            for name, schema in admitted:
                if name not in own and schema is not False:
                    refs = (r for r in entity_refs(root) if name_of(r) == kind.name)
                    frame.diagnostics.add(
                        rules.ENTITY_IS_CLOSED,
                        next(refs, root).span,
                        name=kind.name,
                        property=name,
                    )
                    break


def _definition(entity: Schema, name: str, frame: Frame) -> JsonObject:
    """An entity as it is, which stands as a reference to it."""
    definition = split_definitions(frame.shapes.complete(entity))[1].get(name)
    return definition if is_object(definition) else entity


def _defs_of(entity: JsonObject, frame: Frame) -> Collection[str]:
    return split_definitions(frame.shapes.complete(entity))[1].keys()


def _report_clash(root: MapNode, name: str, diagnostics: Diagnostics) -> None:
    defs = root.get("$defs")
    entry = defs.entry(name) if isinstance(defs, MapNode) else None
    span = entry.key.span if entry else root.span
    diagnostics.add(rules.DEFS_CLASH, span, name=name)
