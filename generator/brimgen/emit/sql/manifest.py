"""Write ``bindings.json``: every statement and its bindings, for readers in any language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from json.encoder import encode_basestring

from brimgen.emit.indented import escaped, indented, joined
from brimgen.emit.sql.bound_values import Expansion
from brimgen.emit.sql.driver_text import DriverText
from brimgen.emit.sql.parameter_text import ITEM, MEMBER
from brimgen.emit.sql.statements import Bound
from brimgen.model.catalog import Tool
from brimgen.model.fields import Field
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import EntityType, ListType, NullableType, RecordType
from brimgen.sqltext import Hints
from brimgen.sqltext.drivers import Driver

FORMAT = 1
# The beginnings of lines: of a statement in the list of all, of what is said of it, of a driver.
_ENTRY, _MEMBER, _DRIVER = "\n    ", "\n      ", "\n        "


def manifest(entries: Sequence[str]) -> str:
    """Return the text of ``bindings.json``."""
    head = f'{{\n  "format": {FORMAT},\n  "statements": ['
    return escaped(joined(head, [*entries], "\n  ", "]\n}\n"))


def entry(bound: Bound) -> str:
    """Return the object of a statement in ``bindings.json``, as it is printed there."""
    tool, facts = bound.tool, bound.facts
    words = {
        "name": tool.name,
        "slug": tool.slug,
        "version": tool.version,
        "connection": bound.body.connection,
        "dialect": bound.dialect.name,
        "source_file": tool.span.file,
        "source": bound.statement.text,
        "kind": facts.kind.value,
    }
    members = [
        f'"{key}": {encode_basestring(each)}'
        for key, each in words.items()
        if each is not None
    ]
    members.append(_annotations(facts.hints))
    members.append(f'"params": {_params(bound)}')
    columns = _columns(bound, tool)
    if columns is not None:
        members.append(f'"columns": {indented(columns, _MEMBER)}')
    targets = [
        f'"{each.name}": {indented(_target(each, bound.texts[each.name]), _DRIVER)}'
        for each in bound.drivers
    ]
    members.append(f'"targets": {_object(targets, _MEMBER)}')
    return _object(members, _ENTRY)


@cache
def _annotations(hints: Hints) -> str:
    """Return what a statement does; cached, as there are few kinds."""
    found = {
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": False,
    }
    said = {key: each for key, each in found.items() if each is not None}
    return f'"annotations": {indented(said, _MEMBER)}'


def _params(bound: Bound) -> str:
    found = [
        f"{each.text.manifest}{_default(each.field)}{ITEM}}}"
        for each in bound.params.values()
    ]
    return joined("[", found, _MEMBER, "]") if found else "[]"


def _object(members: list[str], newline: str) -> str:
    return joined("{", members, newline, "}") if members else "{}"


def _default(field: Field) -> str:
    if field.default is None:
        return ""
    return f',{MEMBER}"default": {indented(field.default.value, MEMBER)}'


def _columns(bound: Bound, tool: Tool) -> Json:
    """Return the columns that rows must have, where ``returns`` names them."""
    type = tool.returns.type if tool.returns else None
    while isinstance(type, ListType | NullableType):
        type = type.item if isinstance(type, ListType) else type.inner
    if isinstance(type, RecordType):
        return [each.name for each in type.fields]
    entity = None
    if isinstance(type, EntityType):
        entity = bound.catalog.entities.get(type.name)
    return [each.name for each in entity.fields] if entity else None


def _target(driver: Driver, text: DriverText) -> JsonObject:
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
