"""Report required properties that nobody could send."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.resolve.standard.subschemas import Schema
from brimgen.source.nodes import ListNode, MapNode, ScalarNode


def check_required(root: MapNode, closed: Schema, diagnostics: Diagnostics) -> bool:
    """Report names under ``required`` that no property has, where the root admits no others.

    ``root`` is the author's text, ``closed`` the schema that is enforced. A call could then
    neither leave such an argument out nor send it. Returns whether there is no such name.
    """
    required = root.get("required")
    properties = closed["properties"]
    if (
        closed.get("additionalProperties") is not False
        or "patternProperties" in closed
        or not isinstance(required, ListNode)
    ):
        return True
    sound = True
    assert isinstance(properties, dict)
    for item in required.items:
        if isinstance(item, ScalarNode) and item.text not in properties:
            diagnostics.add(
                rules.REQUIRED_NOT_DECLARED,
                item.span,
                suggestions=did_you_mean(item.text, properties),
                name=item.text,
            )
            sound = False
    return sound
