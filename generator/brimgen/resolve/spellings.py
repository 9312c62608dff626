"""Spellings: the enum of a moment or a UUID in, the items that are written back otherwise told."""

from __future__ import annotations

from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.model.fields import Zone
from brimgen.model.leaves import Shipped
from brimgen.model.types import LeafType
from brimgen.resolve.constraints import Constraints
from brimgen.resolve.frame import Frame
from brimgen.resolve.types import Named
from brimgen.source.nodes import ListNode, ScalarNode


def check_spellings(
    constraints: Constraints, named: Named | None, name: str, frame: Frame
) -> None:
    """Tell of the items of the enum of a moment or a UUID in a spelling that generated code reads
    and does not write, so that what was decoded would not be taken again.
    """
    leaf = frame.index.leaves[named.name] if isinstance(named, LeafType) else None
    shipped = None if leaf is None else leaf.shipped
    if leaf is not None and shipped not in (Shipped.UUID, Shipped.TIMESTAMP):
        return
    node = constraints.enum and constraints.enum.value
    items = node.items if isinstance(node, ListNode) else ()
    texts = {each.text: each for each in items if isinstance(each, ScalarNode)}
    for text, item in texts.items():
        written = _written(text, shipped, constraints.zone)
        if written is not None and written not in texts:
            frame.found.add(
                rules.UNUSUAL_SPELLING,
                item.span,
                name=name,
                value=text,
                written=written,
            )


def _written(text: str, shipped: Shipped | None, zone: Zone) -> str | None:
    """How generated code writes the value of a text; None where it is none, which was told."""
    from brimgen.runtime._engine.times import to_datetime
    from brimgen.runtime._engine.uuids import to_uuid
    from brimgen.runtime._engine.values import to_json_value

    try:
        if shipped is Shipped.UUID:
            return str(to_uuid(text))
        moment = to_datetime(text, assume_utc=zone is Zone.ASSUME_UTC)
    except ValueError:
        return None
    return str(to_json_value(moment))
