"""Check that no caller can see or send a hidden property of a Standard schema."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.model.json_pointer import unescape_step
from brimgen.resolve.standard.subschemas import walk_nodes
from brimgen.source.nodes import MapNode, ScalarNode

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
    for _, node in walk_nodes(root):
        ref = node.get("$ref") if node is not root else None
        if isinstance(ref, ScalarNode) and _leads_to(ref.text, hidden):
            diagnostics.add(rules.HIDDEN_MAY_SHOW, ref.span, keyword="$ref")
            sound = False
    return sound


def _leads_to(reference: str, hidden: set[str]) -> bool:
    if reference == "#":
        return True
    target = reference.removeprefix("#/properties/").partition("/")[0]
    name = unescape_step(target)
    return reference.startswith("#/properties/") and name in hidden
