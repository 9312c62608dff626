"""Read what MCP clients are told: of the server itself, and which results have a schema.

::

    [tool.brimgen.server]
    title = "The shop"
    version = "1.4.0"
    instructions = "Find the customer first; orders are listed by its number."

    [tool.brimgen.mcp]
    output_schema = "auto"   # or always, never
"""

from __future__ import annotations

from collections.abc import Collection

from brimgen.model.project import OutputSchemas, ServerOptions
from brimgen.settings.values import SettingReader, take_choice
from brimgen.source.nodes import ListNode, Node, ScalarNode


def take_server(reader: SettingReader) -> ServerOptions:
    """Read ``server``."""
    inner = reader.mapping("server")
    options = ServerOptions(
        title=inner.take("title", _text, "a text", None),
        version=inner.take("version", _text, "a text", None),
        instructions=inner.take("instructions", _text, "a text", None),
    )
    inner.report_unknown()
    return options


def take_output_schemas(reader: SettingReader) -> OutputSchemas:
    """Read ``mcp``."""
    inner = reader.mapping("mcp")
    words = [*OutputSchemas]
    chosen = take_choice(inner, "output_schema", words, OutputSchemas.AUTO)
    inner.report_unknown()
    return OutputSchemas(chosen)


def check_server_has_lists(
    reader: SettingReader, node: Node | None, profiles: Collection[str]
) -> None:
    """Report ``server`` in ``node``, the setting ``targets``, if no profile makes its lists."""
    if isinstance(node, ListNode) and profiles and "mcp" not in profiles:
        for item in node.items:
            if isinstance(item, ScalarNode) and item.value == "server":
                reader.report_wrong(
                    "targets",
                    "a list without `server`, because `descriptors.profiles` leaves out `mcp`",
                    item,
                    actual="a list with it",
                )


def _text(node: Node) -> str | None:
    value = node.value if isinstance(node, ScalarNode) else None
    return value if isinstance(value, str) and value.strip() else None
