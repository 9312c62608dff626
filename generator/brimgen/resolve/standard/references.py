"""Resolve or refuse every `$ref` and `entity_ref` of a schema.

Nothing is ever fetched: the registry holds the schema itself and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.resolve import names_and_types as names_rules
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.model.json import Json
from brimgen.resolve.index import Index
from brimgen.resolve.standard.keyword_check import Dialect
from brimgen.resolve.standard.subschemas import Schema, walk_nodes
from brimgen.resolve.values import to_json
from brimgen.source.nodes import MapNode, ScalarNode
from brimgen_runtime.store.schema_parts import resolve_pointer, subschemas

_ENTITY = re.compile(r"#/entities/(.+)")
_INDEX = re.compile(r"[0-9]{1,9}")
"""A place in a list, as a pointer says it."""

_LIST_TEXT = re.compile(r".*\[\]\??|(array|list)\s*[<\[].*")


def entity_name(node: MapNode) -> ScalarNode | None:
    """Return the scalar by which a schema refers to an entity, or None."""
    entity_ref = node.get("entity_ref")
    if isinstance(entity_ref, ScalarNode) and entity_ref.value is not None:
        return entity_ref
    ref = node.get("$ref")
    if isinstance(ref, ScalarNode) and _ENTITY.fullmatch(ref.text):
        return ref
    return None


def name_of(scalar: ScalarNode) -> str:
    """Return the entity's name, of `entity_ref: X` and of `$ref: "#/entities/X"` alike."""
    match = _ENTITY.fullmatch(scalar.text)
    return match.group(1) if match else scalar.text


def entities_in(root: MapNode) -> Iterator[str]:
    """Yield the names of the entities that a schema refers to, known or not."""
    for _, node in walk_nodes(root):
        scalar = entity_name(node)
        if scalar is not None:
            yield name_of(scalar)


def check_refs(
    root: MapNode, dialect: Dialect, index: Index, diagnostics: Diagnostics
) -> bool:
    """Return whether every reference leads somewhere; report those that do not."""
    refs: list[tuple[str, ScalarNode]] = []
    bases = {"": ""}
    sound = True
    for pointer, node in walk_nodes(root):
        base = _base(pointer, node, bases)
        scalar = entity_name(node)
        if scalar is not None:
            sound = _check_entity(scalar, index, diagnostics) and sound
            continue
        ref = node.get("$ref")
        if isinstance(ref, ScalarNode):
            refs.append((base, ref))
        dynamic = node.get("$dynamicRef")
        if isinstance(dynamic, ScalarNode) and dialect is Dialect.DRAFT_2020_12:
            diagnostics.add(
                rules.DYNAMIC_REF,
                dynamic.span,
                keyword="$dynamicRef",
                ref=dynamic.text,
            )
            sound = False
    return (not refs or _check_local(root, dialect, refs, diagnostics)) and sound


def check_pointers(root: MapNode, diagnostics: Diagnostics) -> None:
    """Report the pointers that lead nowhere in what is no schema: no validator can read it."""
    document = to_json(root)
    assert isinstance(document, dict)
    walked = list(walk_nodes(root))
    if any(node.get("$id") is not None for _, node in walked):
        return
    for _, node in walked:
        ref = node.get("$ref")
        if not isinstance(ref, ScalarNode) or entity_name(node) is not None:
            continue
        if ref.text.startswith("#/") and resolve_pointer(document, ref.text) is None:
            near = did_you_mean(ref.text, (f"#{pointer}" for pointer, _ in walked))
            diagnostics.add(
                rules.DANGLING_REF, ref.span, suggestions=near, ref=ref.text
            )


def _base(pointer: str, node: MapNode, bases: dict[str, str]) -> str:
    parent = pointer
    while parent not in bases:
        parent = parent.rpartition("/")[0]
    base = bases[parent]
    identifier = node.get("$id")
    if isinstance(identifier, ScalarNode) and isinstance(identifier.value, str):
        base = urljoin(base, identifier.text)
    if base != bases[parent]:
        bases[pointer] = base
    return base


def _check_entity(scalar: ScalarNode, index: Index, diagnostics: Diagnostics) -> bool:
    name = name_of(scalar)
    if name in index.objects or name in index.enums or name in index.leaves:
        return True
    if _LIST_TEXT.fullmatch(name):
        diagnostics.add(names_rules.LIST_AS_ENTITY_REF, scalar.span, text=name)
    elif not index.doubts(name):
        near = did_you_mean(name, index.type_names)
        diagnostics.add(
            names_rules.UNKNOWN_ENTITY, scalar.span, suggestions=near, name=name
        )
    return False


def _check_local(
    root: MapNode,
    dialect: Dialect,
    refs: list[tuple[str, ScalarNode]],
    diagnostics: Diagnostics,
) -> bool:
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT7, DRAFT202012

    document = _without_name_lists(to_json(root))
    identifier = document.get("$id")
    uri = identifier if isinstance(identifier, str) else ""
    specification = DRAFT7 if dialect is Dialect.DRAFT_07 else DRAFT202012
    resource = specification.create_resource(document)
    empty: Registry[Any] = Registry()
    registry = empty.with_resource(uri, resource).crawl()
    pointers = [f"#{pointer}" for pointer, _ in walk_nodes(root)]
    sound = True
    for base, ref in refs:
        try:
            found = registry.resolver(base_uri=base or uri).lookup(ref.text)
            if not isinstance(found.contents, dict | bool):
                raise TypeError(ref.text)  # a list or text is no schema
        except (Unresolvable, ValueError, KeyError, TypeError):
            sound = False
            parts = urlsplit(ref.text)
            if parts.scheme or parts.netloc or parts.path:
                diagnostics.add(rules.REMOTE_REF, ref.span, ref=ref.text)
            else:
                near = did_you_mean(ref.text, pointers)
                diagnostics.add(
                    rules.DANGLING_REF, ref.span, suggestions=near, ref=ref.text
                )
    return sound


def _without_name_lists(document: Json) -> Schema:
    """Return a schema whose `dependencies` hold schemas only, as the registry walks into each."""
    assert isinstance(document, dict)
    for subschema in subschemas(document):
        dependencies = subschema.get("dependencies")
        if isinstance(dependencies, dict):
            subschema["dependencies"] = {
                name: schema
                for name, schema in dependencies.items()
                if isinstance(schema, dict | bool)
            }
    return document
