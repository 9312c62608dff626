"""Refine a JSON Schema property of an entity where a tool inherits and changes it."""

from __future__ import annotations

from brimgen.diagnostics.rules.resolve import fields as rules
from brimgen.diagnostics.rules.resolve.standard import DEFAULT_NOT_DECIDED
from brimgen.frozen import replace
from brimgen.model.fields import Default
from brimgen.model.json import Json, JsonObject
from brimgen.model.lint import LINT_IGNORE
from brimgen.model.types import Field, JsonType
from brimgen.resolve.fields.canonical_schema import arrange
from brimgen.resolve.fields.flat_field import FlatField
from brimgen.resolve.fields.frame import Frame
from brimgen.resolve.fields.nested_descriptions import apply_descriptions, text_of
from brimgen.resolve.fields.origins import origin_of
from brimgen.resolve.fields.pattern_check import check_pattern, check_speed
from brimgen.resolve.fields.presence import is_required
from brimgen.resolve.values import to_json
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import FieldDecl

_NOT_OF_THE_SCHEMA = frozenset(
    {
        "required",
        "from_context",
        "llm",
        "bind",
        "precision",
        "scale",
        "wire",
        "tz",
        LINT_IGNORE,
    }
)


def refine_property(flat: FlatField, base: Field | None, frame: Frame) -> Field:
    """Return ``base`` with the attributes of ``flat``; its keywords are added to the schema.

    Where the entity is unsound there is no ``base``: the field then admits anything. Reports a
    default that the refined schema rejects.
    """
    decl = flat.decl
    if base is None:
        return Field(name=flat.name, type=JsonType(), schema={}, span=decl.name.span)
    schema = _refine_schema(base, decl, frame)
    required = base.required and decl.attribute("default") is None
    default = base.default
    if "default" in schema and schema is not base.schema:
        default = _refine_default(base, flat, schema, frame)
        if default is None:
            schema = {key: value for key, value in schema.items() if key != "default"}
    required_node = decl.attribute("required")
    if isinstance(required_node, ScalarNode) and isinstance(required_node.value, bool):
        required = is_required(decl, frame.diagnostics)
        default = None if required_node.value else default
    refined = replace(
        base,
        schema=schema,
        span=decl.name.span,
        required=required,
        default=default,
        description=text_of(decl, "description") or base.description,
        declared=flat.declared,
        origin=origin_of(decl, frame.diagnostics, inside_value=frame.inside_value),
        bind_json=decl.attribute("bind") is not None,
    )
    return apply_descriptions(refined, flat.described, frame.diagnostics)


def _refine_schema(base: Field, decl: FieldDecl, frame: Frame) -> JsonObject:
    keywords: dict[str, Json] = {}
    for key, (_, node) in decl.attributes.items():
        if key in _NOT_OF_THE_SCHEMA:
            continue
        keywords[key] = to_json(node)
    schema = {**base.schema, **keywords}
    pattern = decl.attribute("pattern")
    if isinstance(pattern, ScalarNode) and check_pattern(pattern, frame.diagnostics):
        check_speed(pattern, schema.get("maxLength"), frame.diagnostics)
    return arrange(schema) if keywords else base.schema


def _refine_default(
    base: Field, flat: FlatField, schema: JsonObject, frame: Frame
) -> Default | None:
    """Return the default of the refined schema; None, and a report, if the schema refuses it."""
    from brimgen.judging.rejection import judge

    node, value = flat.decl.attribute("default"), schema["default"]
    judgement = judge(frame.shapes.complete(schema), value)
    if judgement.accepts:
        return base.default if node is None else Default(value)
    span = flat.decl.name.span if node is None else node.span
    if judgement.accepts is None:
        rule, name = DEFAULT_NOT_DECIDED, flat.name
        frame.diagnostics.add(rule, span, name=name, reason=judgement.why)
        return None
    frame.diagnostics.add(
        rules.REJECTED_VALUE,
        span,
        what="the default",
        name=flat.name,
        reason=judgement.why,
    )
    return None
