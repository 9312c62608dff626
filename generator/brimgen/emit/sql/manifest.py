"""The manifest: every statement and what is bound to it, for readers in any language."""

from __future__ import annotations

from brimgen.emit.sql.rewrite import Rewritten
from brimgen.emit.sql.slots import Expansion
from brimgen.emit.sql.statements import Bound, origin
from brimgen.emit.sql.types import full_type_name
from brimgen.model.catalog import Tool
from brimgen.model.fields import Field
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, ListType, NullableType, RecordType
from brimgen.sqltext.drivers import Driver

FORMAT = 1


def manifest(statements: tuple[Bound, ...]) -> JsonObject:
    """``bindings.json``: all statements, by tool."""
    return {
        "format": FORMAT,
        "statements": [_statement(each) for each in statements],
    }


def _statement(bound: Bound) -> JsonObject:
    tool, hints = bound.tool, bound.facts.hints
    found: dict[str, Json] = {
        "name": tool.name,
        "slug": tool.slug,
        "version": tool.version,
        "connection": bound.body.connection,
        "dialect": bound.dialect.name,
        "source_file": tool.span.file,
        "source": bound.statement.text,
        "kind": str(bound.facts.kind),
        "annotations": {
            "readOnlyHint": hints.read_only,
            "destructiveHint": hints.destructive,
            "idempotentHint": hints.idempotent,
            "openWorldHint": False,
        },
        "params": [_param(bound, each) for each in bound.fields],
        "columns": _columns(bound, tool),
        "targets": {
            driver.name: _target(driver, bound.texts[driver.name])
            for driver in bound.drivers
        },
    }
    found["annotations"] = _said(found["annotations"])
    return _said(found)


def _said(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return {key: each for key, each in value.items() if each is not None}


def _param(bound: Bound, field: Field) -> JsonObject:
    type = bound.types[field.name]
    found: dict[str, Json] = {
        "name": field.name,
        "type": type.word,
        "nullable": type.nullable,
        "origin": origin(field),
        "sql_type": full_type_name(type, bound.dialect.name),
    }
    if field.default is not None:
        found["default"] = field.default.value
    return found


def _columns(bound: Bound, tool: Tool) -> Json:
    """The columns that rows are expected to have, where ``returns`` names them."""
    type = tool.returns.type if tool.returns else None
    while isinstance(type, ListType | NullableType):
        type = type.item if isinstance(type, ListType) else type.inner
    if isinstance(type, RecordType):
        return [each.name for each in type.fields]
    entity = None
    if isinstance(type, EntityType):
        entity = bound.catalog.entities.get(type.name)
    return [each.name for each in entity.fields] if entity else None


def _target(driver: Driver, text: Rewritten) -> JsonObject:
    found: dict[str, Json] = {
        "style": driver.style.value,
        "sql": [_piece(each) for each in text.pieces] if text.expansions else text.text,
        "order": [
            (
                each.name
                if each.key == each.name
                else {"key": each.key, "param": each.name}
            )
            for each in text.order
        ],
    }
    if text.expansions:
        found["expand"] = list(dict.fromkeys(each.name for each in text.expansions))
    if text.casts:
        found["casts"] = [{"param": name, "type": type} for name, type in text.casts]
    return found


def _piece(piece: str | Expansion) -> Json:
    return piece if isinstance(piece, str) else {"expand": piece.slot.key}
