"""Report keys of a JSON Schema that are no keywords and look like properties.

A validator ignores them, so an argument beside `properties` would be lost.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.model.json_pointer import escape_step
from brimgen.model.scalars import ALIASES
from brimgen.resolve.index import Index
from brimgen.resolve.standard.subschemas import walk_nodes
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.fields import ENTRY
from brimgen.syntax.json_schema import KEYWORDS
from brimgen.syntax.reader import shortened

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
            refs = _refs(root) if refs is None else refs
            at = f"#{pointer}/{escape_step(entry.key.text)}"
            if any(ref == at or ref.startswith(f"{at}/") for ref in refs):
                continue
            rule = (
                rules.BESIDE_PROPERTIES_WITHIN if pointer else rules.BESIDE_PROPERTIES
            )
            name = shortened(entry.key.text)
            diagnostics.add(
                rule,
                entry.key.span,
                suggestions=(f"properties: {{…, {name}: …}}",),
                name=name,
            )


def _refs(root: MapNode) -> set[str]:
    refs = (node.get("$ref") for _, node in walk_nodes(root))
    return {ref.text for ref in refs if isinstance(ref, ScalarNode)}


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
