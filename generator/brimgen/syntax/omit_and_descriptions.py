"""Read the keys `omit` and `descriptions` of a block of fields."""

from __future__ import annotations

from brimgen.diagnostics.rules import OMIT_WITHOUT_ENTITY
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.decls import Text
from brimgen.syntax.reader import Reader, Section


def read_omit(reader: Reader, section: Section) -> tuple[Text, ...]:
    """Read the inherited fields to drop; report them where nothing is inherited."""
    node = section.node("omit")
    if not isinstance(node, ListNode):
        return ()
    if "entity_ref" not in section.written and node.items:
        reader.report(OMIT_WITHOUT_ENTITY, section.written["omit"].span)
        return ()
    return tuple(
        Text(item.text, item.span)
        for item in node.items
        if isinstance(item, ScalarNode)
    )


def read_descriptions(
    reader: Reader, section: Section
) -> tuple[tuple[Text, Text], ...]:
    """Read the keys of `descriptions` and their texts, in the order of the file."""
    node = section.node("descriptions")
    if not isinstance(node, MapNode):
        return ()
    return tuple(
        (Text(entry.key.text, entry.key.span), Text(entry.value.text, entry.value.span))
        for entry in node.entries
        if shapes.text(reader, entry.key.text, entry.value)
        and isinstance(entry.value, ScalarNode)
    )


def count_written(inline: Node) -> int:
    """Count the fields that an author wrote, refused ones included; those refused before they were
    read count as one.
    """
    match inline:
        case MapNode(entries=entries):
            return len(entries) + inline.is_partial
        case ListNode(items=items):
            return len(items)
        case _:
            return 0
