"""The tools of the package as built-ins: they can be switched on and off, but not changed.

The switches are stored in a file beside those of the user, the overlay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..calls.bundles import BundledTool, Bundles
from ..calls.tools import Tool


def rows_of(
    bundles: Bundles, tools: Mapping[str, Tool[Any, Any]]
) -> tuple[dict[str, Any], ...]:
    """Return the bundles of a package with their tools, in the form of the store."""
    return tuple(
        {
            "id": bundle.id,
            "slug": bundle.slug,
            "displayName": bundle.display_name,
            **_without_nulls(description=bundle.description),
            "isEnabled": bundle.is_enabled,
            "isBuiltIn": True,
            "createdAt": bundle.created_at,
            "modifiedAt": bundle.modified_at,
            "tools": [_tool(tool, tools.get(tool.name)) for tool in bundle.tools],
        }
        for bundle in bundles
        if bundle.id is not None
    )


def _tool(tool: BundledTool, described: Tool[Any, Any] | None) -> dict[str, Any]:
    schemas: dict[str, Any] = {}
    if described is not None:
        schemas["argSchema"] = described.input_schema
        if described.output_schema is not None:
            schemas["outputSchema"] = described.output_schema
    return {
        "id": tool.id,
        "slug": tool.slug,
        "version": tool.version,
        "name": tool.name,
        "displayName": tool.display_name,
        **_without_nulls(description=tool.description),
        "tags": list(tool.tags),
        "type": tool.type,
        **schemas,
        "isEnabled": tool.is_enabled,
        "isBuiltIn": True,
        "createdAt": tool.created_at,
        "modifiedAt": tool.modified_at,
    }


def _without_nulls(**values: object) -> dict[str, object]:
    return {key: value for key, value in values.items() if value is not None}


def key_of(bundle_id: str, slug: str = "", version: str = "") -> str:
    """Return the key of a bundle, or of one of its tools, in the overlay."""
    return f"{bundle_id}/{slug}@{version}" if slug else bundle_id


def apply_switches(
    rows: Iterable[Mapping[str, Any]], switches: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return built-in bundles with the switches of the overlay applied."""

    def switched(row: Mapping[str, Any], key: str) -> dict[str, Any]:
        return {**row, "isEnabled": switches.get(key, row["isEnabled"])}

    return [
        {
            **switched(row, key_of(row["id"])),
            "tools": [
                switched(tool, key_of(row["id"], tool["slug"], tool["version"]))
                for tool in row["tools"]
            ],
        }
        for row in rows
    ]
