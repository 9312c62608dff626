"""Check what a schema refers to, requires, hides, and has beside its properties.

A validator ignores keys that are no keywords, so an argument beside `properties` would be lost.
Nothing is ever fetched: the registry of references holds the schema itself and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from brimgen.diagnostics import Diagnostics, did_you_mean, rules
from brimgen.model.scalars import ALIASES
from brimgen.resolve.index import Index
from brimgen.resolve.standard.keyword_check import Dialect
from brimgen.schema.walk import Schema, references, walk_nodes
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    plain_object,
)
from brimgen.syntax.json_schema import KEYWORDS
from brimgen.syntax.keys import ENTRY
from brimgen.syntax.reader import shortened
from brimgen_runtime.grammar.schema_parts import (
    properties_of,
    resolve_pointer,
    subschemas,
    undeclared_names,
)
from brimgen_runtime.schema.json_pointer import escape_step, unescape_step

_SHOWING = (
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
)


def check_hidden(root: MapNode, hidden: set[str], diagnostics: Diagnostics) -> bool:
    """Report what could name a hidden property to callers, or let them send it (S0.19).

    A hidden property is taken out of ``properties`` and ``required``; other keywords of the root
    may name it too, or admit any properties. Returns whether there is no such keyword.
    """
    if not hidden:
        return True
    sound = True
    for entry in root.entries:
        key, value = entry.key.text, entry.value
        admits = key == "additionalProperties" and not (
            isinstance(value, ScalarNode) and value.value is False
        )
        if key in _SHOWING or admits:
            diagnostics.add(rules.HIDDEN_MAY_SHOW, entry.key.span, keyword=key)
            sound = False
    for pointer, ref in references(root):
        if pointer and _leads_to(ref.text, hidden):
            diagnostics.add(rules.HIDDEN_MAY_SHOW, ref.span, keyword="$ref")
            sound = False
    return sound


def _leads_to(reference: str, hidden: set[str]) -> bool:
    if reference == "#":
        return True
    target = reference.removeprefix("#/properties/").partition("/")[0]
    name = unescape_step(target)
    return reference.startswith("#/properties/") and name in hidden


def check_required(root: MapNode, closed: Schema, diagnostics: Diagnostics) -> bool:
    """Report names under ``required`` that no property has, where the root admits no others.

    ``root`` is the author's text, ``closed`` the schema that is enforced. A call could then
    neither leave such an argument out nor send it. Returns whether there is no such name.
    """
    required = root.get("required")
    unknown = set(undeclared_names(closed))
    if not unknown or not isinstance(required, ListNode):
        return True
    sound = True
    for item in required.items:
        if isinstance(item, ScalarNode) and item.text in unknown:
            diagnostics.add(
                rules.REQUIRED_NOT_DECLARED,
                item.span,
                suggestions=did_you_mean(item.text, properties_of(closed)),
                name=item.text,
            )
            sound = False
    return sound


_DESCRIBED_ELSEWHERE = frozenset({"example", "sample", "errorMessage", "metadata"})
"""Keywords of others that hold data, which may look like a schema."""

_SCHEMA_MARKS = frozenset(
    {"type", "$ref", "entity_ref", "enum", "anyOf", "oneOf", "allOf", "properties"}
    | {"fields", "const", "from_context"}
)
_LIST_MARKS = ("[]", "?")
_WRAPPED = (("array<", ">"), ("array[", "]"), ("list[", "]"))


def check_beside_properties(
    root: MapNode, index: Index, diagnostics: Diagnostics
) -> None:
    """Report each property that stands beside `properties`; deep inside, warn of it."""
    refs: set[str] | None = None
    for pointer, node in walk_nodes(root):
        for entry in node.entries:
            if not _is_like_property(entry, index):
                continue
            if node.get("properties") is None:
                continue
            if refs is None:
                refs = {ref.text for _, ref in references(root)}
            at = f"#{pointer}/{escape_step(entry.key.text)}"
            if any(ref == at or ref.startswith(f"{at}/") for ref in refs):
                continue
            rule = (
                rules.PROPERTY_BESIDE_PROPERTIES_WITHIN
                if pointer
                else rules.PROPERTY_BESIDE_PROPERTIES
            )
            name = shortened(entry.key.text)
            diagnostics.add(
                rule,
                entry.key.span,
                suggestions=(f"properties: {{…, {name}: …}}",),
                name=name,
            )


def _is_like_property(entry: Entry, index: Index) -> bool:
    word, value = entry.key.text, entry.value
    if word in KEYWORDS or word in _DESCRIBED_ELSEWHERE or word.startswith(("x-", "$")):
        return False
    if isinstance(value, MapNode):
        return _is_like_schema(value, index)
    return _is_type(value, index)


def _is_like_schema(node: MapNode, index: Index) -> bool:
    words = [entry.key.text for entry in node.entries]
    all_known = all(
        word in KEYWORDS or word.startswith("x-") or ENTRY.standard(word)
        for word in words
    )
    if not all_known or _SCHEMA_MARKS.isdisjoint(words):
        return False
    kind = node.get("type")
    if kind is None:
        return True
    kinds = kind.items if isinstance(kind, ListNode) else (kind,)
    return bool(kinds) and all(
        _is_type(option, index)
        or (isinstance(option, ScalarNode) and option.text == "null")
        for option in kinds
    )


def _is_type(node: Node, index: Index) -> bool:
    """Whether a text is a type: a scalar, an entity or a leaf, or a list of one."""
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return False
    name = node.text.strip()
    for mark in (*_LIST_MARKS, *_LIST_MARKS):
        name = name.removesuffix(mark).rstrip()
    for begin, end in _WRAPPED:
        if name.startswith(begin) and name.endswith(end):
            name = name[len(begin) : -len(end)].strip()
    return name in ALIASES or name in index.type_names


_ENTITY = re.compile(r"#/entities/(.+)")

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


def entity_refs(root: MapNode) -> Iterator[ScalarNode]:
    """Yield the scalars by which a schema refers to entities, known or not."""
    scalars = (entity_name(node) for _, node in walk_nodes(root))
    return (scalar for scalar in scalars if scalar is not None)


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
    document = plain_object(root)
    if any(node.get("$id") is not None for _, node in walk_nodes(root)):
        return
    for _, ref in references(root):
        if not ref.text.startswith("#/") or _ENTITY.fullmatch(ref.text):
            continue
        if resolve_pointer(document, ref.text) is None:
            _report_dangling(ref, root, diagnostics)


def _report_dangling(ref: ScalarNode, root: MapNode, diagnostics: Diagnostics) -> None:
    near = did_you_mean(ref.text, [f"#{pointer}" for pointer, _ in walk_nodes(root)])
    diagnostics.add(rules.DANGLING_REF, ref.span, suggestions=near, ref=ref.text)


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
        diagnostics.add(rules.LIST_AS_ENTITY_REF, scalar.span, text=name)
    elif not index.doubts(name):
        near = did_you_mean(name, index.type_names)
        diagnostics.add(rules.UNKNOWN_ENTITY, scalar.span, suggestions=near, name=name)
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

    document = _without_name_lists(plain_object(root))
    identifier = document.get("$id")
    uri = identifier if isinstance(identifier, str) else ""
    specification = DRAFT7 if dialect is Dialect.DRAFT_07 else DRAFT202012
    resource = specification.create_resource(document)
    empty: Registry[Any] = Registry()
    registry = empty.with_resource(uri, resource).crawl()
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
                _report_dangling(ref, root, diagnostics)
    return sound


def _without_name_lists(document: Schema) -> Schema:
    """Return a schema whose `dependencies` hold schemas only, as the registry walks into each."""
    for subschema in subschemas(document):
        dependencies = subschema.get("dependencies")
        if isinstance(dependencies, dict):
            subschema["dependencies"] = {
                name: schema
                for name, schema in dependencies.items()
                if isinstance(schema, dict | bool)
            }
    return document
