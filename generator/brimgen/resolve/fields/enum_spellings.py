"""Write enum items of moments and UUIDs as generated code writes them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from brimgen.diagnostics.rules.resolve import fields as rules
from brimgen.model.fields import Zone
from brimgen.model.json import Json
from brimgen.model.leaves import Shipped
from brimgen.model.types import LeafType
from brimgen.resolve.fields.constraints import Constraints
from brimgen.resolve.fields.flat_field import FlatField
from brimgen.resolve.fields.frame import Frame
from brimgen.resolve.fields.type_lookup import Named
from brimgen.source.nodes import ListNode, ScalarNode


def respelled(
    choices: Mapping[Hashable, Json],
    constraints: Constraints,
    named: Named | None,
    flat: FlatField,
    frame: Frame,
) -> Mapping[Hashable, Json]:
    """Return the choices of a moment or a UUID as generated code writes them, by their texts.

    Generated code reads many spellings and writes one. An enum accepts only its own texts, and
    would refuse a value that was decoded and encoded again. So an item in another spelling is
    replaced, and reported, unless the enum has both spellings.
    """
    leaf = frame.index.leaves[named.name] if isinstance(named, LeafType) else None
    shipped = None if leaf is None else leaf.shipped
    if leaf is not None and shipped not in (Shipped.UUID, Shipped.TIMESTAMP):
        return choices
    node = constraints.enum and constraints.enum.value
    items = node.items if isinstance(node, ListNode) else ()
    texts = {item.text: item for item in items if isinstance(item, ScalarNode)}
    changed = dict(choices)
    for text, item in texts.items():
        written = _encoded(text, shipped, constraints.zone)
        if written is not None and written not in texts:
            changed[text] = written
            frame.diagnostics.add(
                rules.UNUSUAL_SPELLING,
                item.span,
                name=flat.name,
                value=text,
                written=written,
            )
    return changed


def _encoded(text: str, shipped: Shipped | None, zone: Zone) -> str | None:
    """Return how generated code writes the value of a text; None if it is invalid (reported)."""
    from brimgen_runtime._runtime.encode import to_json_value
    from brimgen_runtime._runtime.formats import to_uuid
    from brimgen_runtime._runtime.times import to_datetime

    try:
        if shipped is Shipped.UUID:
            return str(to_uuid(text))
        moment = to_datetime(text, assume_utc=zone is Zone.ASSUME_UTC)
    except ValueError:
        return None
    return str(to_json_value(moment))
