"""The published JSON Schemas that `brimgen schema` prints."""

from __future__ import annotations

import json


def schema_text(what: str) -> str:
    """The schema of ``specs``, or of ``diagnostics`` in the format ``json``."""
    if what == "specs":
        from brimgen.editor.document import spec_schema_text

        return spec_schema_text()
    from brimgen.diagnostics.json_format import diagnostics_schema

    return json.dumps(diagnostics_schema(), indent=2) + "\n"
