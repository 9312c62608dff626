"""The bridge to the package's runtime: the names that the modules of the store use."""

from __future__ import annotations

from brimgen.runtime._engine.bundles import BundledTool, Bundles, Page
from brimgen.runtime._engine.tools import Tool

__all__ = ["BundledTool", "Bundles", "Page", "Tool"]
