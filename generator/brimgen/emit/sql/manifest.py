"""The manifest: every statement and what is bound to it, for readers in any language."""

from __future__ import annotations

from functools import lru_cache

from brimgen.emit.indented import Written, indented
from brimgen.emit.sql.rewritten import Rewritten
from brimgen.emit.sql.slots import Expansion
from brimgen.emit.sql.statements import Bound
from brimgen.emit.sql.types import SqlType, full_type_name
from brimgen.model.catalog import Tool
from brimgen.model.fields import Field
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, ListType, NullableType, RecordType
from brimgen.sqltext.drivers import Driver

FORMAT = 1
# The beginnings of lines: of a parameter in a list at the margin, and of what is told of it.
_ITEM, _PARAM = "\n  ", "\n    "


def entry(bound: Bound) -> JsonObject:
    """The object of a statement in ``bindings.json``; what is `Written` in it stands there."""
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
        "params": _params(bound),
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


def _params(bound: Bound) -> Json:
    """The parameters, as text: of most of them the same is told but for their names."""
    dialect = bound.dialect.name
    found = [
        f'{{{_PARAM}"name": {indented(each.field.name)},{_PARAM}'
        f"{_told(each.type, each.origin, dialect)}{_default(each.field)}{_ITEM}}}"
        for each in bound.params
    ]
    return Written(f"[{_ITEM}{f',{_ITEM}'.join(found)}\n]") if found else []


@lru_cache(maxsize=1024)
def _told(type: SqlType, whence: str, dialect: str) -> str:
    told = {
        "type": type.word,
        "nullable": type.nullable,
        "origin": whence,
        "sql_type": full_type_name(type, dialect),
    }
    return f",{_PARAM}".join(f'"{key}": {indented(each)}' for key, each in told.items())


def _default(field: Field) -> str:
    if field.default is None:
        return ""
    return f',{_PARAM}"default": {indented(field.default.value, _PARAM)}'


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
