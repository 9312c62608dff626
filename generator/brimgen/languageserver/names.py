"""Find what a word under the cursor names: an entity, an enum, a leaf, a bundle, an argument."""

from __future__ import annotations

import json
import re

from brimgen.emit.catalog_view.field_view import fields_view
from brimgen.frozen import dataclass
from brimgen.model.catalog import Bundle, Catalog, Entity, EnumEntity, Tool
from brimgen.model.leaves import Leaf
from brimgen.model.types import Field

_WORD = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line; columns count from 1."""

    text: str
    start: int
    end: int


def word_at(line: str, column: int) -> Word | None:
    """The word that ``column`` is in, or right behind."""
    for match in _WORD.finditer(line):
        if match.start() < column <= match.end() + 1:
            return Word(match[0], match.start() + 1, match.end() + 1)
    return None


def find_declaration(
    catalog: Catalog, name: str
) -> Entity | EnumEntity | Leaf | Bundle | None:
    """Return the declaration that specs refer to by ``name``."""
    for group in (catalog.entities, catalog.enums, catalog.leaves):
        if name in group:
            return group[name]
    return next((bundle for bundle in catalog.bundles if bundle.name == name), None)


def field_named(tool: Tool, name: str) -> Field | None:
    """The argument of a tool that is called ``name``."""
    return next((field for field in tool.fields if field.name == name), None)


def describe_field(tool: Tool, field: Field) -> str:
    """An argument in Markdown: its type, its limits, its schema."""
    [view] = fields_view((field,), tool.bound_schema)
    state = "required" if view["required"] else "optional"
    if view["has_default"]:
        state = f"default {json.dumps(view['default'], ensure_ascii=False)}"
    if view["context_path"]:
        state = f"from the context: {'.'.join(view['context_path'])}"
    facts = "; ".join([view["type_text"], state, *view["limits"]])
    return "\n\n".join(
        filter(
            None, [f"**{field.name}**: {facts}", field.description, _code(field.schema)]
        )
    )


def describe(named: Entity | EnumEntity | Leaf | Bundle) -> str:
    """An entity, enum, leaf or bundle in Markdown, with its schema."""
    kinds = {Entity: "entity", EnumEntity: "enum", Leaf: "leaf", Bundle: "bundle"}
    head = f"**{named.name}** ({kinds[type(named)]})"
    description = getattr(named, "description", None)
    schema = "" if isinstance(named, Bundle) else _code(named.schema)
    return "\n\n".join(filter(None, [head, description, schema]))


def describe_tool(tool: Tool) -> str:
    """A tool in Markdown, with the schema of what a caller may send."""
    return "\n\n".join(
        filter(None, [f"**{tool.name}**", tool.description, _code(tool.input_schema)])
    )


def _code(schema: object) -> str:
    return f"```json\n{json.dumps(schema, ensure_ascii=False, indent=2)}\n```"
