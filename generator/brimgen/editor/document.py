"""Assemble the whole schema of a spec document."""

from __future__ import annotations

import json
from typing import Any, cast

from brimgen.editor import key_descriptions, requests
from brimgen.editor.arguments import definitions
from brimgen.editor.document_kinds import KINDS, TABLES
from brimgen.editor.schema_pieces import Schema, clashes, ref
from brimgen.syntax.fields import ENTRY

_WIDTH = 100
FILE = "brimgen.schema.json"
"""How `init` calls the file that it writes the schema to."""


def spec_schema() -> Schema:
    """The JSON Schema of one document of a YAML spec file, valid in draft-07 and 2020-12.

    It accepts every valid spec and rejects wrong shapes; it does not check what names refer to, or
    whether values fit their types.
    """
    kinds = "; ".join(f"`{kind.type}`: {kind.summary}" for kind in KINDS)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A spec of brimgen",
        "type": "object",
        "required": ["type", "name"],
        "properties": {
            "type": {
                "description": f"What the document declares. {kinds}.",
                "enum": [kind.type for kind in KINDS],
            },
            "name": {
                "description": key_descriptions.TOOL["name"],
                "type": ["string", "boolean"],
                "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
            },
        },
        "allOf": [
            {
                "if": {
                    "required": ["type"],
                    "properties": {"type": {"const": kind.type}},
                },
                "then": ref(kind.type),
            }
            for kind in KINDS
        ],
        "definitions": {
            **{kind.type: kind.schema() for kind in KINDS},
            **definitions(),
            **requests.definitions(),
            **clashes((ENTRY, *TABLES, *requests.TABLES)),
        },
    }


def spec_schema_text() -> str:
    """The schema as the text of a file."""
    return f"{_laid_out(spec_schema(), 0)}\n"


def _laid_out(value: Any, depth: int) -> str:
    """JSON with what fits on one line: a schema has many short parts."""
    line = json.dumps(value, ensure_ascii=False)
    indent = "  " * depth
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    inner = f"{indent}  "
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value)
        items = [
            f"{inner}{json.dumps(key)}: {_laid_out(member, depth + 1)}"
            for key, member in pairs.items()
        ]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    values: list[Any] = [*value]
    items = [f"{inner}{_laid_out(item, depth + 1)}" for item in values]
    return "[\n" + ",\n".join(items) + f"\n{indent}]"
