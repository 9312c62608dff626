"""The bridge to the package's runtime: the names that the modules of the store use."""

from __future__ import annotations

from .._runtime import Tool
from .._runtime.bundles import BundledTool, Bundles, Page

__all__ = [
    "BundledTool",
    "Bundles",
    "Page",
    "Tool",
]
