"""Import a JSON Schema document as an entity, with one for each of its definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_NO_ENTITY
from brimgen.importers.draft import Choice, Draft, Format
from brimgen.importers.names import spec_name
from brimgen.importers.openapi.unmapped_keys import report_unused_definitions
from brimgen.importers.schemas.components import Components, schemas_at
from brimgen.importers.schemas.keywords import is_annotation
from brimgen.resolve.standard.drafts import change_schema, rewrite_older_draft
from brimgen.source.nodes import MapNode, Node, ScalarNode

_DEFINITIONS = ("$defs", "definitions")
_IDENTIFIERS = ("$anchor", "$id", "$schema")


def fits(root: MapNode) -> bool:
    """Whether ``root`` looks like a JSON Schema of objects."""
    kind = root.get("type")
    is_object = isinstance(kind, ScalarNode) and kind.value == "object"
    dialect = root.get("$schema")
    return (
        any(isinstance(root.get(definition), MapNode) for definition in _DEFINITIONS)
        or (is_object and isinstance(root.get("properties"), MapNode))
        or (isinstance(dialect, ScalarNode) and "json-schema.org" in dialect.text)
    )


def read(root: MapNode, diagnostics: Diagnostics, _choice: Choice) -> Iterator[Draft]:
    """The entities: first that of the document itself, named by its title, id or file."""
    root = rewrite_older_draft(root, diagnostics)
    schemas: dict[str, Node] = {}
    for key in _DEFINITIONS:
        schemas |= schemas_at(root, key)
    own = tuple(
        entry
        for entry in root.entries
        if entry.key.text not in (*_DEFINITIONS, "$schema", "$id", "$comment")
    )
    mapping = MapNode(root.span, own)
    if isinstance(mapping.get("properties"), MapNode):
        schemas = {"#": mapping, **schemas}
    rewrite = _from_draft07 if _is_draft07(root) else _without_identifier
    components = Components(
        schemas, root, diagnostics, names={"#": _name(root)}, rewrite=rewrite
    )
    drafts = tuple(components.entities())
    if drafts:
        if "#" not in schemas and any(
            not is_annotation(entry.key.text) for entry in own
        ):
            schemas["#"] = mapping
        report_unused_definitions(schemas, components.names, root, diagnostics)
    if not drafts and not diagnostics.has_errors:
        diagnostics.add(IMPORT_NO_ENTITY, root.span)
    yield from drafts


def _is_draft07(root: MapNode) -> bool:
    dialect = root.get("$schema")
    return isinstance(dialect, ScalarNode) and "draft-07" in dialect.text


def _from_draft07(schema: Mapping[str, Any]) -> dict[str, Any]:
    return _without_identifier(change_schema(dict(schema)))


def _without_identifier(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without what names its document: its entity has a name of its own."""
    return {key: value for key, value in schema.items() if key not in _IDENTIFIERS}


def _name(root: MapNode) -> str:
    for key in ("title", "$id"):
        node = root.get(key)
        if isinstance(node, ScalarNode) and isinstance(node.value, str):
            text = node.value if key == "title" else PurePosixPath(node.value).stem
            words = "".join(
                f"{word[:1].upper()}{word[1:]}" for word in spec_name(text).split("_")
            )
            if words:
                return words
    stem = PurePosixPath(root.span.file).name.partition(".")[0]
    return spec_name(stem)


FORMAT = Format("json_schema", "a JSON Schema: its objects become entities", fits, read)
