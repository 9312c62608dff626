"""What MCP accepts of a schema."""

from __future__ import annotations

from brimgen.emit.projection.describe_keywords import FORMAT_HINTS
from brimgen.emit.projection.profiles import OPEN_KEYWORDS, Profile

MCP = Profile(
    name="mcp",
    target="mcp",
    keywords=OPEN_KEYWORDS | {"x-mcp-header"},
    hints=FORMAT_HINTS,
)
"""Tool schemas of the Model Context Protocol (descriptors.md)."""

PROFILES = (MCP,)
