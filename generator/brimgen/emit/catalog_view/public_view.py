"""Leave out of the catalog view what callers do not see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from brimgen.emit.catalog_view.body_view import NO_BODY
from brimgen.emit.catalog_view.view_types import (
    CatalogView,
    EntityView,
    FieldView,
    ToolView,
    TypeView,
)


def public_view(view: CatalogView) -> CatalogView:
    """Return ``view`` without hidden arguments, the types that only these have, and what runs a
    tool: its statement, request, function, messages or resource, and its extensions.
    """
    entities = {entity["name"]: entity for entity in view["entities"]}
    tools = [_tool(tool, entities) for tool in view["tools"]]
    users: dict[str, list[str]] = {}
    for tool in tools:
        for name in tool["entities"]:
            users.setdefault(name, []).append(tool["name"])
    return {
        **view,
        "public": True,
        "tools": tools,
        "entities": [
            {**entity, "used_by": users.get(entity["name"], [])}
            for entity in view["entities"]
            if entity["name"] in users or not entity["used_by"]
        ],
        "enums": [
            {**enum, "used_by": users.get(enum["name"], [])}
            for enum in view["enums"]
            if enum["name"] in users or not enum["used_by"]
        ],
    }


PUBLIC = frozenset(
    (
        *("name", "title", "description", "when_to_use", "kind"),
        *("tags", "bundle", "version", "enabled", "targets"),
        *("hints", "terms", "input_rows", "input_schema", "returns", "output_rows"),
        *("output_schema", "output_is_wrapped", "examples", "told", "source"),
    )
)
"""The keys of a tool that callers may see as they are; every other one is made here."""


def _tool(tool: ToolView, entities: dict[str, EntityView]) -> ToolView:
    arguments = [field for field in tool["arguments"] if not field["hidden"]]
    returns = tool["returns"]
    seen = set[str]()
    _add_names(seen, _types(arguments), entities)
    _add_names(seen, [] if returns is None else [returns["type"]], entities)
    plain = cast("Mapping[str, Any]", tool)
    public = cast("ToolView", {key: plain[key] for key in plain if key in PUBLIC})
    return {
        **public,
        **NO_BODY,
        "arguments": arguments,
        "bound_schema": tool["input_schema"],
        "entities": [name for name in tool["entities"] if name in seen],
        "extensions": {},
    }


def _types(fields: Iterable[FieldView]) -> Iterator[TypeView]:
    return (field["type"] for field in fields)


def _add_names(
    seen: set[str], types: Iterable[TypeView], entities: dict[str, EntityView]
) -> None:
    """Add the names that ``types`` mention, and those that the entities among them do."""
    waiting = list(types)
    while waiting:
        type = waiting.pop()
        name, parts = type["name"], (type["inner"], type["extra"])
        waiting.extend(part for part in parts if part is not None)
        waiting += [*type["options"], *_types(type["fields"])]
        if name is not None and name not in seen:
            seen.add(name)
            if type["kind"] == "entity" and (entity := entities.get(name)):
                waiting.extend(_types(entity["fields"]))
                waiting.extend([] if entity["extra"] is None else [entity["extra"]])
