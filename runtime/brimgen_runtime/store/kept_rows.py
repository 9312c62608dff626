"""Tell the objects that the store writes to its files from all others."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

_TEXTS = ("id", "slug", "displayName", "createdAt", "modifiedAt")
_TOOL_TEXTS = (*_TEXTS, "version", "type")


def is_bundle(row: Mapping[str, Any]) -> bool:
    """Return whether an object is a bundle of the store."""
    deleted = "softDeletedAt" in row
    return _is_row(row, _TEXTS) and (not deleted or _is_time(row["softDeletedAt"]))


def is_tool(row: Mapping[str, Any]) -> bool:
    """Return whether an object is a tool of the store."""
    tags = row.get("tags", [])
    return (
        _is_row(row, _TOOL_TEXTS)
        and isinstance(tags, list)
        and all(isinstance(tag, str) for tag in cast(list[object], tags))
    )


def are_switches(value: Mapping[str, Any]) -> bool:
    """Return whether an object says which built-in bundles and tools are on."""
    return all(isinstance(switch, bool) for switch in value.values())


def _is_row(row: Mapping[str, Any], texts: tuple[str, ...]) -> bool:
    return (
        all(isinstance(row.get(key), str) for key in texts)
        and isinstance(row.get("isEnabled"), bool)
        and isinstance(row.get("description", ""), str)
    )


def _is_time(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False
