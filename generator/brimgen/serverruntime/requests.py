"""Requests: the module of an HTTP tool called with its input, context and client."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def invoke(
    package: str,
    module: str,
    call: Any,
    context: object,
    options: Mapping[str, Any],
) -> Any:
    """Return the outcome of a call: what ``invoke`` of the module returns."""
    found = import_module(module, package)
    return found.invoke(call, context=context, **options)
