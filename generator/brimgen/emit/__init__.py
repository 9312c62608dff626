"""Targets' wing: a Catalog in, artifacts out; the one line per target, and the judge of statements.

A target is imported when it is chosen: most runs need a few of them, and all of them together take
longer to import than one changed spec takes to build (`docs/performance.md`).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

from brimgen.model.catalog import SqlBody

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostics
    from brimgen.emit.artifact import Emitter
    from brimgen.model.catalog import Catalog

LISTED: Mapping[str, bool] = MappingProxyType(
    {
        "python": True,
        "json_schema": True,
        "sql": True,
        "http": True,
        "openai": True,
        "mcp": True,
        "anthropic": False,
        "gemini": False,
        "models": False,
        "docs": True,
        "commands": False,
        "bundles": True,
        "server": True,
        "dispatch": True,
        "handlers": True,
        "resources": True,
        "prompts": True,
        "openapi": False,
        "store": False,
    }
)
"""All targets, in the order in which they are listed and run, and whether they run by default."""

EMITTERS: tuple[Emitter, ...]
"""All targets, imported when they are asked for."""

__all__ = ["EMITTERS", "LISTED", "emitter", "judge"]


def emitter(name: str) -> Emitter:
    """The target called ``name``, which is the name of its folder."""
    return cast("Emitter", import_module(f"brimgen.emit.{name}").EMITTER)


def judge(catalog: Catalog, found: Diagnostics) -> None:
    """Report what is wrong with statements and their parameters (SQLxxx), whatever targets there
    are: a server runs what `sql` makes, and descriptors tell models what a statement gives.
    """
    # Without a statement, nothing that reads SQL is imported.
    if any(isinstance(each.body, SqlBody) for each in catalog.tools):
        from brimgen.emit.sql.check import check

        check(catalog, found)


def __getattr__(name: str) -> tuple[Emitter, ...]:
    if name != "EMITTERS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(emitter, LISTED))
