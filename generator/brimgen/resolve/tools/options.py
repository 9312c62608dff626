"""Read the options of a tool."""

from __future__ import annotations

from brimgen.model.catalog import McpOptions
from brimgen.model.json import JsonObject
from brimgen.resolve.values import to_json
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

_EMPTY: JsonObject = {}
_NOTHING_SAID = McpOptions()


def item_texts(node: Node | None) -> tuple[str, ...] | None:
    """Return the source texts of a list of scalars; None where there is no list."""
    if not isinstance(node, ListNode):
        return None
    return tuple(item.text for item in node.items if isinstance(item, ScalarNode))


def is_false(node: Node | None) -> bool:
    """Return whether an option is false."""
    return isinstance(node, ScalarNode) and node.value is False


def read_mcp(node: Node | None) -> McpOptions:
    """Read the `mcp` key."""
    if not isinstance(node, MapNode):
        return _NOTHING_SAID

    def flag(key: str) -> bool | None:
        option = node.get(key)
        value = option.value if isinstance(option, ScalarNode) else None
        return value if isinstance(value, bool) else None

    def text(key: str) -> str | None:
        option = node.get(key)
        return option.text if isinstance(option, ScalarNode) else None

    meta = node.get("meta")
    meta_json = to_json(meta) if isinstance(meta, MapNode) else _EMPTY
    return McpOptions(
        span=node.span,
        places={entry.key.text: entry.key.span for entry in node.entries},
        title=text("title"),
        description=text("description"),
        read_only=flag("read_only"),
        destructive=flag("destructive"),
        idempotent=flag("idempotent"),
        open_world=flag("open_world"),
        mime_type=text("mime_type"),
        uri_scheme=text("uri_scheme"),
        meta=meta_json if isinstance(meta_json, dict) else _EMPTY,
    )
