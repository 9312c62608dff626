"""The published JSON Schemas that `brimgen schema` prints."""

from __future__ import annotations

import json


def schema_text(what: str) -> str:
    """The schema of ``specs``, of ``diagnostics`` as JSON, or of the catalog ``view``."""
    if what == "specs":
        from brimgen.editor.document import spec_schema_text

        return spec_schema_text()
    if what == "view":
        from brimgen.emit.catalog_view import view_schema_text

        return view_schema_text()
    from brimgen.diagnostics.json_format import diagnostics_schema

    return json.dumps(diagnostics_schema(), indent=2) + "\n"
