"""Read `limits` of a tool or a bundle: what its calls may take."""

from __future__ import annotations

from brimgen.source.nodes import MapNode
from brimgen.syntax import shapes
from brimgen.syntax.reader import Keys, Reader, read_section, renamed

LIMITS = Keys(
    {
        "calls_per_minute": shapes.positive_count,
        "max_request_bytes": shapes.positive_count,
        "max_response_bytes": shapes.positive_count,
        "timeout": shapes.positive,
    },
    {"maxCallsPerMinute": "calls_per_minute"},
)
LIMITS_OF_REQUESTS = Keys(
    {**LIMITS.shapes, "max_retries": shapes.count}, LIMITS.synonyms
)
"""Those of HTTP tools, and of bundles, which may have some."""


def read_limits(reader: Reader, node: MapNode, keys: Keys) -> MapNode:
    """Return the limits under their standard names, without wrong ones."""
    section = read_section(reader, node, keys=keys, owner="`limits`")
    entries = section.entries.items()
    return MapNode(node.span, tuple(renamed(entry, name) for name, entry in entries))
