"""Find the entities and spec files that a tool depends on."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.model.catalog import Returns
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.entities.builtin import BUILTIN_FILE
from brimgen.resolve.entities.entities import EntityShapes
from brimgen.resolve.index import Index
from brimgen.syntax.decls import ToolDecl


def names_in(kind: Type | None) -> set[str]:
    """Return the names of the entities and leaves that a type mentions."""
    match kind:
        case ScalarType() | UnionType() | JsonType() | None:
            return set()
        case EntityType(name) | EnumType(name) | LeafType(name):
            return {name}
        case ListType(inner) | MapType(inner) | NullableType(inner):
            return names_in(inner)
        case RecordType(_, fields, extra):
            return names_in(extra).union(*(names_in(field.type) for field in fields))


def entities_read(
    fields: Iterable[Field],
    extra: Type | None,
    returns: Returns | None,
    shapes: EntityShapes,
) -> tuple[str, ...]:
    """Return the names of all entities and leaves that a tool depends on, sorted.

    ``fields``, ``extra`` and ``returns`` are those of the tool.
    """
    kinds = [field.type for field in fields if not isinstance(field.type, ScalarType)]
    pending = names_in(extra).union(*map(names_in, kinds))
    if returns is not None:
        pending |= names_in(returns.type)
    names: set[str] = set()
    while pending:
        name = pending.pop()
        names.add(name)
        entity = shapes.entities.get(name)
        if entity is not None:
            inner = names_in(entity.extra).union(
                *(names_in(field.type) for field in entity.fields)
            )
            pending |= inner - names
    return tuple(sorted(names))


def sources(decl: ToolDecl, names: tuple[str, ...], index: Index) -> tuple[str, ...]:
    """Return the names of the spec files that hold a tool, its entities and their ancestors."""
    files = {decl.file.name}
    if decl.body_file is not None:
        files.add(decl.body_file.name)
    pending = [name for name in names if name in index.objects]
    if decl.arguments is not None and decl.arguments.entity_ref is not None:
        pending.append(decl.arguments.entity_ref.value)
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        entity = index.objects.get(name)
        if entity is None or name in seen:
            continue
        seen.add(name)
        files.add(entity.file.name)
        if entity.content is not None and entity.content.entity_ref is not None:
            pending.append(entity.content.entity_ref.value)
    if names:
        files |= {index.enums[name].file.name for name in names if name in index.enums}
        files |= {
            index.leaves[name].span.file for name in names if name in index.leaves
        }
    return tuple(sorted(files - {BUILTIN_FILE}))
