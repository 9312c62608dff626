"""Import the official SDK (the package ``mcp``, 2.3 or newer) when it is first needed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

MISSING = "this server needs the official MCP SDK: pip install 'mcp>=2.3' ({problem})"
"""The message if the SDK is not installed, or too old."""


class NoSdk(RuntimeError):
    """The SDK is missing; the message says what to install."""


def sdk(module: str, *names: str) -> tuple[Any, ...]:
    """Import names from a module of the SDK or of its dependencies.

    Raises NoSdk.
    """
    try:
        imported = import_module(module)
        return tuple(getattr(imported, name) for name in names)
    except (ImportError, AttributeError) as problem:
        raise NoSdk(MISSING.format(problem=problem)) from problem
