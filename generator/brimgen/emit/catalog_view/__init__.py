"""The catalog as plain, documented, versioned data for templates of users."""

from __future__ import annotations

from brimgen.emit.catalog_view.build_view import catalog_view
from brimgen.emit.catalog_view.public_view import public_view
from brimgen.emit.catalog_view.view_schema import view_schema, view_schema_text
from brimgen.emit.catalog_view.view_types import VIEW_VERSION, CatalogView, ToolView

__all__ = [
    "VIEW_VERSION",
    "CatalogView",
    "ToolView",
    "catalog_view",
    "public_view",
    "view_schema",
    "view_schema_text",
]
