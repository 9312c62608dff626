"""Build the catalog view from a catalog, and from the targets that describe tools to models."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.diagnostics import Span
from brimgen.emit.artifact import Emitter
from brimgen.emit.catalog_view.body_view import body_view, kind_of
from brimgen.emit.catalog_view.example_calls import example_calls
from brimgen.emit.catalog_view.field_view import (
    fields_view,
    result_rows_view,
    rows_view,
    type_view,
)
from brimgen.emit.catalog_view.provider_view import descriptor_views, providers_view
from brimgen.emit.catalog_view.view_types import (
    VIEW_VERSION,
    BundleView,
    CatalogView,
    EntityView,
    EnumView,
    HintsView,
    ReturnsView,
    SourceView,
    ToldView,
    ToolView,
)
from brimgen.emit.projection.described_tools import returns_no_object
from brimgen.emit.projection.json_values import plain_json
from brimgen.emit.projection.schema_rows import type_words
from brimgen.emit.projection.tools import call_terms
from brimgen.emit.protocol.annotations import annotations_of
from brimgen.model.catalog import Bundle, Catalog, Entity, EnumEntity, Returns, Tool


def catalog_view(catalog: Catalog, emitters: Sequence[Emitter]) -> CatalogView:
    """The view of ``catalog``; ``emitters`` are the targets that describe tools to models.

    All texts of specs are plain `str`: no template can print one without a filter.
    """
    losses_by_tool = descriptor_views(catalog, emitters)
    users = _users(catalog)
    return {
        "view_version": VIEW_VERSION,
        "package": catalog.project.package,
        "public": False,
        "tools": [_tool(catalog, tool, losses_by_tool) for tool in catalog.tools],
        "entities": [_entity(entity, users) for entity in catalog.entities.values()],
        "enums": [_enum(enum, users) for enum in catalog.enums.values()],
        "bundles": [_bundle(catalog, bundle) for bundle in catalog.bundles],
        "tags": sorted({tag for tool in catalog.tools for tag in tool.tags}),
        "providers": providers_view(catalog, emitters),
    }


def _tool(
    catalog: Catalog,
    tool: Tool,
    losses_by_tool: dict[str, list[ToldView]],
) -> ToolView:
    returns = tool.returns
    return {
        "name": tool.name,
        "title": tool.title or tool.mcp.title,
        "description": tool.description,
        "when_to_use": tool.when_to_use,
        "kind": kind_of(tool),
        "tags": list(tool.tags),
        "bundle": tool.bundle,
        "version": tool.version,
        "enabled": tool.enabled,
        "targets": None if tool.targets is None else list(tool.targets),
        "hints": _hints(catalog, tool),
        "terms": list(call_terms(catalog, tool)),
        "arguments": fields_view(tool.fields, tool.bound_schema),
        "input_rows": rows_view(tool.input_schema),
        "input_schema": plain_json(tool.input_schema),
        "bound_schema": plain_json(tool.bound_schema),
        "returns": None if returns is None else _returns(returns),
        "output_rows": [] if returns is None else result_rows_view(returns.schema),
        "output_schema": None if returns is None else plain_json(returns.schema),
        "output_is_wrapped": returns_no_object(tool),
        "examples": example_calls(tool),
        **body_view(catalog, tool),
        "told": losses_by_tool.get(tool.name, []),
        "entities": list(tool.entities_read),
        "extensions": plain_json(tool.extensions),
        "source": _source(tool.span),
    }


def _hints(catalog: Catalog, tool: Tool) -> HintsView:
    hints = annotations_of(catalog, tool)
    return {
        "read_only": hints.read_only,
        "destructive": hints.destructive,
        "idempotent": hints.idempotent,
        "open_world": hints.open_world,
    }


def _returns(returns: Returns) -> ReturnsView:
    description = returns.description or returns.schema.get("description")
    return {
        "type": type_view(returns.type, returns.schema),
        "type_text": type_words(returns.schema, returns.schema),
        "description": description if isinstance(description, str) else None,
    }


def _entity(entity: Entity, users: dict[str, list[str]]) -> EntityView:
    return {
        "name": entity.name,
        "title": entity.title,
        "description": entity.description,
        "fields": fields_view(entity.fields, entity.schema),
        "extra": (
            None if entity.extra is None else type_view(entity.extra, entity.schema)
        ),
        "recursive": entity.recursive,
        "schema": plain_json(entity.schema),
        "used_by": users.get(entity.name, []),
        "source": _source(entity.span),
    }


def _enum(enum: EnumEntity, users: dict[str, list[str]]) -> EnumView:
    return {
        "name": enum.name,
        "title": enum.title,
        "description": enum.description,
        "members": list(enum.values),
        "schema": plain_json(enum.schema),
        "used_by": users.get(enum.name, []),
        "source": _source(enum.span),
    }


def _bundle(catalog: Catalog, bundle: Bundle) -> BundleView:
    return {
        "name": bundle.name,
        "slug": bundle.slug,
        "title": bundle.display_name,
        "description": bundle.description,
        "enabled": bundle.enabled,
        "id": bundle.identity.id,
        "tools": [tool.name for tool in catalog.tools if tool.bundle == bundle.name],
        "source": _source(bundle.span),
    }


def _users(catalog: Catalog) -> dict[str, list[str]]:
    """The tools that depend on each entity and enum."""
    users: dict[str, list[str]] = {}
    for tool in catalog.tools:
        for name in tool.entities_read:
            users.setdefault(name, []).append(tool.name)
    return users


def _source(span: Span) -> SourceView:
    return {"file": span.file, "line": span.line}
