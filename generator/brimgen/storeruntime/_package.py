"""The bridge to the runtime: what the modules of the store use of the package they are in."""

from __future__ import annotations

from brimgen.runtime._engine.bundles import BundledTool, Bundles, Page
from brimgen.runtime._engine.tools import Tool

__all__ = ["BundledTool", "Bundles", "Page", "Tool"]
