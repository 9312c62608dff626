"""Lower the body of a request: JSON, a form or a text."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.code import Code, py
from brimgen.emit.http.expand_templates import (
    Pieces,
    is_literal,
    last,
    literal,
)
from brimgen.emit.python_text import (
    call,
    listed,
    mapping,
)
from brimgen.model.http import (
    FormPayload,
    JsonPayload,
    JsonTemplate,
    Template,
    TextPayload,
)


def body(payload: JsonPayload | TextPayload, pieces: Pieces) -> Code:
    """Return what makes the bytes of a body."""
    if isinstance(payload, TextPayload):
        return call(pieces.imports.name("text_body"), pieces.plain(payload.text))
    value, may_be_absent = _json(payload.value, pieces)
    function = pieces.imports.name("optional_body" if may_be_absent else "json_body")
    return call(function, value)


def form_pairs(payload: FormPayload, pieces: Pieces) -> Code:
    """Return the list of the pairs of a form."""
    pairs = [pieces.pair(key, template, form=True) for key, template in payload.fields]
    return pieces.pair_list(pairs)


def _json(value: JsonTemplate, pieces: Pieces) -> tuple[Code, bool]:
    """Return the expression of a JSON value, and whether it may be absent."""
    match value:
        case tuple():
            return _text(value, pieces)
        case Mapping():
            converted = {key: _json(member, pieces) for key, member in value.items()}
            members = mapping(
                [(py(key), member) for key, (member, _) in converted.items()]
            )
            if any(absent for _, absent in converted.values()):
                return call(pieces.imports.name("present"), members), False
            return members, False
        case list():
            items = [_json(item, pieces) for item in value]
            members = listed([item for item, _ in items])
            if any(absent for _, absent in items):
                return call(pieces.imports.name("present_items"), members), False
            return members, False
        case _:
            return py(value), False


def _text(template: Template, pieces: Pieces) -> tuple[Code, bool]:
    if is_literal(template):
        return py(literal(template)), False
    if len(template) > 1:
        return pieces.plain(template), False
    variable = last(template)
    value = pieces.value(variable, as_json=True)
    if variable.is_secret:
        return value, False
    field = pieces.fields[variable.name]
    if variable.style is not None:
        absent = pieces.may_be_absent(variable)
        if absent:
            value = call(pieces.imports.name("or_absent"), value)
        return value, absent
    if variable.path:
        return value, True
    if field.keeps_null:
        nulls = Code(f"bound.{pieces.nulls}")
        function = pieces.imports.name("null_or_absent")
        return Code(f"{function}({value}, {py(field.name)}, {nulls})"), True
    if field.required or (
        field.default is not None and field.default.value is not None
    ):
        return value, False
    return call(pieces.imports.name("or_absent"), value), True
