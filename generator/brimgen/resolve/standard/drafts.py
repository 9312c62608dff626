"""Rewrite schemas of older drafts in 2020-12.

Draft-04 and draft-06 become draft-07, and 2019-09 becomes 2020-12. Only what the two read
differently changes, and whatever stays keeps its position in the spec. A keyword or format that the
older draft does not know has no effect: it is left out or noted, and reported.

A schema that both read alike stays as its author wrote it, ``$schema`` included. Formats that
draft-07 does not know say nothing there, and much in 2020-12: they become the annotation
`NOTED_FORMAT`, which says nothing anywhere, because parts of a schema are published without its
``$schema``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import unquote

from brimgen.diagnostics import Diagnostics, rules
from brimgen.frozen import dataclass
from brimgen.model.json import Json
from brimgen.resolve.standard.keyword_check import LATER_FORMATS, Dialect, older_draft
from brimgen.resolve.values import show
from brimgen.schema.walk import (
    FOR_READERS,
    Schema,
    map_nodes,
    map_schemas,
    outside_targets,
    references,
    walk_nodes,
    with_entries,
)
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.reader import is_true
from brimgen_runtime.grammar.keywords import ONLY_2020
from brimgen_runtime.grammar.schema_parts import MAPS, subschemas
from brimgen_runtime.schema.json_pointer import steps_of

_CONTAINS = frozenset({"contains", "minContains", "maxContains"})
_MOVED = (
    ONLY_2020
    | _CONTAINS
    | {"additionalItems", "dependencies", "propertyNames", "if", "then", "else"}
)
"""Keywords whose schemas may stand elsewhere, or nowhere, in the newer draft."""
_HOST_NAME = frozenset({"hostname"})
_DEFINITIONS = ("definitions", "$defs")
_BOUNDS = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


@dataclass(frozen=True, slots=True)
class _Draft:
    """A draft, and what draft-07 has besides."""

    name: str
    later_keywords: frozenset[str]
    later_formats: frozenset[str]


_DRAFT_2019 = "draft/2019-09"
_DRAFT_06 = _Draft(
    "draft-06",
    ONLY_2020 | {"if", "then", "else"},
    LATER_FORMATS
    | {"date", "time", "regex", "relative-json-pointer"}
    | {"iri", "iri-reference", "idn-email", "idn-hostname"},
)
_DRAFT_04 = _Draft(
    "draft-04",
    _DRAFT_06.later_keywords | {"$id", "const", "contains", "propertyNames"},
    _DRAFT_06.later_formats | {"uri-reference", "uri-template", "json-pointer"},
)


def rewrite_older_draft(root: MapNode, diagnostics: Diagnostics) -> MapNode:
    """Return a schema of an older draft in draft-07 or 2020-12.

    In one of draft-07 only the references change that `from_draft07` would break; any other schema
    stays as it is.
    """
    root = _with_defined_targets(root)
    match older_draft(root):
        case "draft-04":
            without = partial(_without_later, _DRAFT_04, diagnostics=diagnostics)
            change = partial(_from_draft04, diagnostics=diagnostics)
            rewritten = map_nodes(map_nodes(root, without), change)
        case "draft-06":
            without = partial(_without_later, _DRAFT_06, diagnostics=diagnostics)
            rewritten = map_nodes(root, without)
        case draft if draft == _DRAFT_2019:
            _report_dynamic(root, diagnostics)
            rewritten = map_nodes(root, _from_2019)
            if _words(root) >= {"unevaluatedItems", "contains"}:
                rewritten = map_nodes(rewritten, _with_plain_contains)
            return _with_dialect(rewritten, Dialect.DRAFT_2020_12, root)
        case _:
            return root
    return _with_dialect(rewritten, Dialect.DRAFT_07, root)


def _with_defined_targets(root: MapNode) -> MapNode:
    """Return a schema whose references lead to a copy of what newer drafts have elsewhere.

    Such is a part of a keyword that is renamed or dropped, or of one beside `$ref`. The copies
    stand in `definitions`.
    """
    named = root.get("$schema")
    if not isinstance(named, ScalarNode) or "2020-12" in named.text:
        return root
    if any(_has_own_base(schema) for at, schema in walk_nodes(root) if at):
        return root
    definitions = root.entry("definitions")
    defined = definitions.value if definitions is not None else MapNode(root.span, ())
    if not isinstance(defined, MapNode):
        return root
    taken = {entry.key.text for entry in defined.entries}
    names: dict[str, str] = {}
    copies: list[Entry] = []
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        for _, ref in references(node) if isinstance(node, MapNode) else ():
            target = _moved_target(root, ref.text) if ref.text not in names else None
            if target is None:
                continue
            name = re.sub(r"[^A-Za-z0-9]+", "_", ref.text[2:])
            while name in taken:
                name += "_"
            taken.add(name)
            names[ref.text] = f"#/definitions/{name}"
            copies.append(Entry(_text(name, ref), target))
            waiting.append(target)
    if not copies:
        return root
    others = [entry for entry in root.entries if entry.key.text != "definitions"]
    key = _text("definitions", root) if definitions is None else definitions.key
    parts = with_entries(defined, [*defined.entries, *copies])
    whole = with_entries(root, [*others, Entry(key, parts)])
    return map_nodes(whole, partial(_with_refs, names))


def _has_own_base(schema: MapNode) -> bool:
    return any(
        isinstance(identifier := schema.get(key), ScalarNode)
        and not identifier.text.startswith("#")
        for key in ("$id", "id")
    )


def _moved_target(root: MapNode, ref: str) -> Node | None:
    """Return the schema to which a pointer leads, if it leads through what newer drafts move."""
    if not ref.startswith("#/"):
        return None
    node: Node | None = root
    is_moved = is_name = False
    for step in steps_of(unquote(ref[1:])):
        if isinstance(node, ListNode):
            node = _item(node, step)
        elif isinstance(node, MapNode):
            is_aside = node.get("$ref") is not None and step not in _DEFINITIONS
            is_moved |= not is_name and (step in _MOVED or is_aside)
            is_name = not is_name and step in MAPS
            node = node.get(step)
        else:
            return None
    is_schema = isinstance(node, MapNode | ScalarNode)
    return node if is_moved and is_schema else None


def _item(items: ListNode, step: str) -> Node | None:
    is_index = step.isdecimal() and len(step) < 10 and int(step) < len(items.items)
    return items.items[int(step)] if is_index else None


def _with_refs(names: dict[str, str], schema: MapNode) -> MapNode:
    """Return a schema whose reference is the one that ``names`` has for it."""
    ref = schema.get("$ref")
    if not isinstance(ref, ScalarNode) or ref.text not in names:
        return schema
    return with_entries(
        schema,
        (
            Entry(key, _text(names[ref.text], ref) if key.text == "$ref" else value)
            for key, value in schema.entries
        ),
    )


def _without_later(
    draft: _Draft, schema: MapNode, *, diagnostics: Diagnostics
) -> MapNode:
    """Return a schema of draft-07 without what only later drafts know."""
    entries: list[Entry] = []
    is_host = False
    for key, value in schema.entries:
        if key.text in draft.later_keywords:
            diagnostics.add(
                rules.DIALECT_MIX, key.span, draft=draft.name, keyword=key.text
            )
        elif key.text == "format" and _is_one_of(value, draft.later_formats):
            keyword = f"format: {show(value)}"
            diagnostics.add(
                rules.DIALECT_MIX, key.span, draft=draft.name, keyword=keyword
            )
            entries.append(_entry(NOTED_FORMAT, key, value))
        elif key.text == "format" and _is_one_of(value, _HOST_NAME):
            entries.append(_entry(NOTED_FORMAT, key, value))
            is_host = True
        elif key.text != "$schema" or older_draft(schema) != draft.name:
            entries.append(Entry(key, value))
    without = with_entries(schema, entries)
    return _with_part(without, _host_name(schema)) if is_host else without


def _host_name(at: MapNode) -> MapNode:
    """Return what draft-04 and draft-06 check of a host name, where ``ab--cd`` is a label."""
    label = "[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    pattern = f"^{label}(\\.{label})*$"
    return MapNode(
        at.span,
        (
            Entry(_text("maxLength", at), ScalarNode(at.span, "253", 253)),
            Entry(_text("pattern", at), _text(pattern, at)),
        ),
    )


def _from_draft04(schema: MapNode, *, diagnostics: Diagnostics) -> MapNode:
    """Return a schema with `$id` for `id`, and with numbers for exclusive bounds."""
    entries: list[Entry] = []
    exclusive = {_BOUNDS[key] for key in _BOUNDS if is_true(schema.get(key))}
    for key, value in schema.entries:
        word = key.text
        if word == "id":
            entries.append(_entry("$id", key, value))
        elif word in _BOUNDS:
            entries.extend(_exclusive_bound(schema, Entry(key, value), diagnostics))
        elif word not in exclusive:
            entries.append(Entry(key, value))
    return with_entries(schema, entries)


def _exclusive_bound(
    schema: MapNode, entry: Entry, diagnostics: Diagnostics
) -> Iterator[Entry]:
    """Yield the exclusive bound that ``true`` makes of the bound beside it."""
    key, value = entry
    word = key.text
    bound = schema.get(_BOUNDS[word])
    if not isinstance(value, ScalarNode) or not isinstance(value.value, bool):
        diagnostics.add(
            rules.BAD_KEYWORD,
            value.span,
            keyword=word,
            expected="true or false",
            actual=show(value),
        )
    elif value.value and bound is None:
        missing = f"{word}` without `{_BOUNDS[word]}"
        diagnostics.add(
            rules.DIALECT_MIX, key.span, draft=_DRAFT_04.name, keyword=missing
        )
    elif value.value and bound is not None:
        yield Entry(key, bound)


def _words(root: MapNode) -> set[str]:
    return {
        entry.key.text for _, schema in walk_nodes(root) for entry in schema.entries
    }


def _report_dynamic(root: MapNode, diagnostics: Diagnostics) -> None:
    """Report each `$recursiveRef` whose target depends on the path of validation.

    It leads to the root of the schema unless a part with an `$id` is a root of its own.
    """
    schemas = list(walk_nodes(root))
    refs = [
        ref
        for _, schema in schemas
        if isinstance(ref := schema.get("$recursiveRef"), ScalarNode)
    ]
    is_anchored = any(is_true(schema.get("$recursiveAnchor")) for _, schema in schemas)
    is_one_root = all(
        schema.get("$id") is None for pointer, schema in schemas if pointer
    )
    for ref in refs if is_anchored and not is_one_root else ():
        diagnostics.add(
            rules.DYNAMIC_REF, ref.span, keyword="$recursiveRef", ref=ref.text
        )


def _with_plain_contains(schema: MapNode) -> MapNode:
    """Return a schema of 2020-12 whose `contains` evaluates no item, as in 2019-09.

    A schema within `not` says nothing of which items were evaluated.
    """
    if schema.get("contains") is None:
        return schema
    kept = [entry for entry in schema.entries if entry.key.text not in _CONTAINS]
    moved = [entry for entry in schema.entries if entry.key.text in _CONTAINS]
    key = moved[0].key
    fails = _entry("not", key, with_entries(schema, moved))
    holds = _entry("not", key, with_entries(schema, [fails]))
    return _with_part(with_entries(schema, kept), with_entries(schema, [holds]))


def _with_part(schema: MapNode, part: MapNode) -> MapNode:
    """Return a schema that says also what ``part`` does, in `allOf` where it has such keywords."""
    words = {entry.key.text for entry in schema.entries}
    if words.isdisjoint(entry.key.text for entry in part.entries):
        return with_entries(schema, [*schema.entries, *part.entries])
    parts = schema.get("allOf")
    others = parts.items if isinstance(parts, ListNode) else ()
    kept = [entry for entry in schema.entries if entry.key.text != "allOf"]
    key = _text("allOf", part.entries[0].key)
    return with_entries(
        schema, [*kept, Entry(key, ListNode(schema.span, (*others, part)))]
    )


def _from_2019(schema: MapNode) -> MapNode:
    """Return a schema with `prefixItems` for a list of `items`, and `$ref` for `$recursiveRef`."""
    has_positions = isinstance(schema.get("items"), ListNode)
    entries: list[Entry] = []
    for key, value in schema.entries:
        match key.text:
            case "items" if has_positions:
                entries.append(_entry("prefixItems", key, value))
            case "additionalItems":
                if has_positions:
                    entries.append(_entry("items", key, value))
            case "$recursiveAnchor":
                pass
            case "$schema" if older_draft(schema) == _DRAFT_2019:
                pass
            case "$recursiveRef":
                entries.append(_entry("$ref", key, value))
            case "$ref" if isinstance(value, ScalarNode):
                entries.append(Entry(key, _text(at_prefix_items(value.text), value)))
            case _:
                entries.append(Entry(key, value))
    return with_entries(schema, entries)


def _with_dialect(rewritten: MapNode, dialect: Dialect, root: MapNode) -> MapNode:
    """Return a schema, whose parts name no dialect, with the `$schema` of its new dialect."""
    named = root.entry("$schema")
    assert named is not None
    entry = Entry(named.key, _text(dialect, named.value))
    return with_entries(rewritten, [entry, *rewritten.entries])


def _entry(word: str, key: ScalarNode, value: Node) -> Entry:
    """Return an entry with another key in the same place."""
    return Entry(_text(word, key), value)


def _text(text: str, at: Node) -> ScalarNode:
    return ScalarNode(at.span, text, text, quoted=True)


def _is_one_of(node: Node, texts: frozenset[str]) -> bool:
    return isinstance(node, ScalarNode) and node.text in texts


NOTED_FORMAT = "x-format"
"""The format of a draft-07 schema that draft-07 does not know; see docs/annotations.md."""

_KEPT_BESIDE_REF = FOR_READERS | {"$ref", "$id", "definitions", "$defs"}
_POSITION = re.compile(r"/items/([0-9]+)(?=/|$)")
_ANCHOR = re.compile(r"#[A-Za-z_][-A-Za-z0-9._]*")
"""A fragment that a reference can name; any other, such as `#/a/b`, identifies nothing."""


def from_draft07(schema: Schema) -> Schema:
    """Return the schema of 2020-12 that gives the same verdicts.

    Siblings of `$ref` say nothing in draft-07 (annotations stay); lists of `items`,
    `additionalItems` and `dependencies` get their new names; keywords that draft-07 does not know
    are dropped.
    """
    parts = [
        part
        for start in (schema, *outside_targets(schema).values())
        for part in subschemas(start)
    ]
    if any(part.get("format") in LATER_FORMATS for part in parts):
        schema = map_schemas(schema, _note_format)
    if not any(map(_differs, parts)):
        return schema
    return {"$schema": str(Dialect.DRAFT_2020_12), **map_schemas(schema, change_schema)}


def at_prefix_items(ref: str) -> str:
    """Return a reference into a list of `items` as one into `prefixItems`."""
    return _POSITION.sub(r"/prefixItems/\1", ref)


def _note_format(schema: Schema) -> Schema:
    if schema.get("format") not in LATER_FORMATS:
        return schema
    return {
        NOTED_FORMAT if key == "format" else key: value for key, value in schema.items()
    }


def _differs(schema: Schema) -> bool:
    if "$ref" in schema:
        return bool(schema.keys() - _KEPT_BESIDE_REF - {"$schema"})
    return (
        isinstance(schema.get("items"), list)
        or bool(schema.keys() & ({"additionalItems", "dependencies"} | ONLY_2020))
        or _is_fragment(schema.get("$id"))
    )


def _is_fragment(identifier: Json) -> bool:
    return isinstance(identifier, str) and identifier.startswith("#")


def change_schema(schema: Schema) -> Schema:
    """Return one schema object in 2020-12; the schemas inside of it stay as they are."""
    if "$ref" in schema:
        unchanged = {
            key: value
            for key, value in schema.items()
            if key in _KEPT_BESIDE_REF or key.startswith("x-")
        }
        return {
            **unchanged,
            "$ref": at_prefix_items(str(schema["$ref"])),
        }
    changed: Schema = {}
    for key, value in schema.items():
        if key in ONLY_2020 or key in ("additionalItems", "$schema"):
            continue
        if key == "items" and isinstance(value, list):
            changed["prefixItems"] = value
            if "additionalItems" in schema:
                changed["items"] = schema["additionalItems"]
        elif key == "dependencies" and isinstance(value, Mapping):
            changed |= _dependencies(value)
        elif key == "$id" and _is_fragment(value):
            if _ANCHOR.fullmatch(str(value)):
                changed["$anchor"] = str(value)[1:]
        else:
            changed[key] = value
    return changed


def split_dependencies(schema: Schema) -> Schema:
    """Return one schema object of 2020-12 with `dependencies` under their names of that draft.

    Its validators ignore the old name, and authors mean what they say. The schemas inside of it
    stay as they are, and so does one that has the new names, too.
    """
    value = schema.get("dependencies")
    changed = _dependencies(value) if isinstance(value, Mapping) else {}
    if not changed or changed.keys() & schema.keys():
        return schema
    return {k: v for k, v in schema.items() if k != "dependencies"} | changed


def _dependencies(value: Mapping[str, Json]) -> Schema:
    names = {key: member for key, member in value.items() if isinstance(member, list)}
    schemas = {
        key: member for key, member in value.items() if not isinstance(member, list)
    }
    changed: Schema = {}
    if names:
        changed["dependentRequired"] = names
    if schemas:
        changed["dependentSchemas"] = schemas
    return changed
