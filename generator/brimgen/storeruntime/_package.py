"""The bridge to the package's runtime: the names that the modules of the store use."""

from __future__ import annotations

from brimgen.runtime._runtime import Tool
from brimgen.runtime._runtime.bundles import BundledTool, Bundles, Page
from brimgen.runtime._runtime.context import ContextError
from brimgen.runtime._runtime.errors import InputError
from brimgen.runtime._runtime.results import ToolError

__all__ = [
    "BundledTool",
    "Bundles",
    "ContextError",
    "InputError",
    "Page",
    "Tool",
    "ToolError",
]
