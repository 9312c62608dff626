"""The manifest: every statement and what is bound to it, for readers in any language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from brimgen.emit.indented import Written, indented
from brimgen.emit.sql.rewritten import Rewritten
from brimgen.emit.sql.said import ITEM, MEMBER
from brimgen.emit.sql.slots import Expansion
from brimgen.emit.sql.statements import Bound
from brimgen.model.catalog import Tool
from brimgen.model.fields import Field
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, ListType, NullableType, RecordType
from brimgen.sqltext import Hints
from brimgen.sqltext.drivers import Driver

FORMAT = 1


def entry(bound: Bound) -> JsonObject:
    """The object of a statement in ``bindings.json``; what is `Written` in it stands there."""
    tool, facts = bound.tool, bound.facts
    found: dict[str, Json] = {
        "name": tool.name,
        "slug": tool.slug,
        "version": tool.version,
        "connection": bound.body.connection,
        "dialect": bound.dialect.name,
        "source_file": tool.span.file,
        "source": bound.statement.text,
        "kind": facts.kind.value,
        "annotations": _annotations(facts.hints),
        "params": _params(bound),
        "columns": _columns(bound, tool),
        "targets": {
            driver.name: _target(driver, bound.texts[driver.name])
            for driver in bound.drivers
        },
    }
    return _said(found)


@cache
def _annotations(hints: Hints) -> Written:
    """The annotations, as text: there are few sets of them."""
    found = {
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": False,
    }
    return Written(indented(_said(found)))


def _said(value: Mapping[str, Json]) -> dict[str, Json]:
    return {key: each for key, each in value.items() if each is not None}


def _params(bound: Bound) -> Json:
    """The parameters, as text."""
    found = [
        f"{each.said.told}{_default(each.field)}{ITEM}}}"
        for each in bound.params.values()
    ]
    return Written(f"[{ITEM}{f',{ITEM}'.join(found)}\n]") if found else []


def _default(field: Field) -> str:
    if field.default is None:
        return ""
    return f',{MEMBER}"default": {indented(field.default.value, MEMBER)}'


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
