"""Import the official SDK (the package ``mcp``, 2.3 or newer) when it is first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

MISSING = "this server needs the official MCP SDK: pip install 'mcp>=2.3' ({problem})"
"""What is told where the SDK is not installed, or too old."""


class NoSdk(RuntimeError):
    """The SDK is not there; the text tells what to install."""


def sdk(module: str, *names: str) -> tuple[Any, ...]:
    """Return what a module of the SDK, or one that it brings, calls by these names.

    Raises NoSdk.
    """
    try:
        imported = import_module(module)
        return tuple(getattr(imported, name) for name in names)
    except (ImportError, AttributeError) as problem:
        raise NoSdk(MISSING.format(problem=problem)) from problem
