"""Pages: what they say and leave out."""

from __future__ import annotations

from brimgen.emit.docs import EMITTER
from support.made import catalog, emitted, tool


def test_a_tool_called_index_keeps_its_page() -> None:
    files = emitted(EMITTER, catalog(tool("Index"), tool("other")))
    assert {
        "docs/tools/Index.md",
        "docs/tools/other.md",
        "docs/tools/README.md",
    } == set(files)


def test_a_table_shows_what_any_other_reference_leads_to() -> None:
    units = {"type": "string", "description": "A unit.", "enum": ["B", "kB"]}
    root = {
        "type": "object",
        "properties": {
            "unit": {"$ref": "#/units"},
            "same": {"$ref": "#/properties/unit"},
            "tree": {
                "type": "array",
                "description": "A tree.",
                "items": {"$ref": "#/properties/tree"},
            },
            "first": {"$ref": "#/allOf/0/properties/unit"},
        },
        "units": units,
        "allOf": [{"properties": {"unit": {"type": "string", "minLength": 1}}}],
    }
    page = emitted(EMITTER, catalog(tool("t", root)))["docs/tools/t.md"]
    assert '| `unit` | string | no |  | A unit. (one of "B", "kB") |' in page
    assert "| `same` | string | no |  | A unit. (one of" in page
    assert "| `tree` | array of array of any | no |  | A tree. |" in page
    assert "| `first` | string | no |  | (at least 1 character) |" in page
