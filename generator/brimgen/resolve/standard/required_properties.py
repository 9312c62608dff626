"""Report required properties that nobody could send."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.resolve.standard.subschemas import Schema
from brimgen.source.nodes import ListNode, MapNode, ScalarNode
from brimgen_runtime.store.schema_parts import properties_of, undeclared_names


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
