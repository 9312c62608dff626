"""Refining: a JSON Schema property of an entity, as a tool inherits and changes it."""

from __future__ import annotations

from dataclasses import replace

from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.model.fields import Default, Field
from brimgen.model.types import JsonType
from brimgen.resolve.context import read_origin
from brimgen.resolve.flat import FlatField
from brimgen.resolve.frame import Frame
from brimgen.resolve.presence import is_required
from brimgen.resolve.rejection import rejection
from brimgen.resolve.schema import arrange
from brimgen.resolve.texts import apply_descriptions, text_of
from brimgen.resolve.values import to_json
from brimgen.source.nodes import ScalarNode


def refine_property(flat: FlatField, base: Field | None, frame: Frame) -> Field:
    """A JSON Schema property of an entity, as a tool inherits and refines it."""
    decl = flat.decl
    if base is None:
        return Field(name=flat.name, type=JsonType(), schema={}, span=decl.name.span)
    constraints = {
        each.key.text: to_json(each.value, frame.found)
        for each in decl.attributes
        if each.key.text
        not in (
            "required",
            "from_context",
            "llm",
            "bind",
            "precision",
            "scale",
            "wire",
            "tz",
        )
    }
    schema = arrange({**base.schema, **constraints})
    node = decl.attribute("default")
    default = base.default
    if node is not None:
        value = to_json(node)
        default = Default(value)
        reason = rejection(frame.shapes.complete(base.schema), value)
        if reason is not None:
            frame.found.add(
                rules.REJECTED_VALUE,
                node.span,
                what="the default",
                name=flat.name,
                reason=reason,
            )
    said = decl.attribute("required")
    required = base.required and node is None
    if isinstance(said, ScalarNode) and isinstance(said.value, bool):
        required = is_required(decl, frame.found)
        default = None if said.value else default
    refined = replace(
        base,
        schema=schema,
        span=decl.name.span,
        required=required,
        default=default,
        description=text_of(decl, "description") or base.description,
        declared=flat.declared,
        origin=read_origin(
            flat.name,
            decl.attribute("from_context"),
            decl.attribute("llm"),
            frame.found,
            inside_value=frame.inside_value,
        ),
        bind_json=decl.attribute("bind") is not None,
    )
    return apply_descriptions(refined, flat.described, frame.found)
