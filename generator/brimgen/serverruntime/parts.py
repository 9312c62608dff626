"""Optional parts of the package that other targets generate."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .setup import Registry


def has_module(package: str, name: str) -> bool:
    """Return whether a package has a module (``.http.track_parcel``)."""
    try:
        return find_spec(name, package) is not None
    except ModuleNotFoundError:
        return False


def prompts_of(package: str) -> Mapping[str, Any]:
    """Return the prompts that can be rendered, by name; none if they were not generated."""
    found: Mapping[str, Any] = _part(package, ".prompts", "PROMPTS", {})
    return found


def resources_of(package: str) -> Any:
    """Return the resources of a package (``match``); None if they were not generated."""
    return _part(package, ".resources", "RESOURCES", None)


def handlers_of(package: str) -> Registry | None:
    """Return the handlers that the specs of a package name; None if they were not generated."""
    made = _part(package, ".handlers", "Handlers", None)
    if made is None:
        return None
    registry: Registry = made().load()
    return registry


def _part(package: str, module: str, name: str, otherwise: Any) -> Any:
    if not has_module(package, module):
        return otherwise
    return getattr(import_module(module, package), name, otherwise)
