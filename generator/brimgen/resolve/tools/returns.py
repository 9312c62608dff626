"""Resolve the result of a tool: its type and schema (spec-language.md)."""

from __future__ import annotations

from brimgen.frozen import replace
from brimgen.model.catalog import Returns
from brimgen.model.json import JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    LeafType,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)
from brimgen.resolve.entities.inheritance import Flattener
from brimgen.resolve.fields.canonical_schema import (
    MARKDOWN,
    arrange,
    list_schema,
    nullable,
    object_schema,
    visible,
)
from brimgen.resolve.fields.frame import Frame, Placed
from brimgen.resolve.fields.shared_fields import make_fields
from brimgen.resolve.fields.type_lookup import UNKNOWN, name_type
from brimgen.resolve.index import RETURN_WORDS
from brimgen.source.nodes import MapNode
from brimgen.syntax.decls import ArgumentsDecl, ReturnsDecl, TypeText
from brimgen.syntax.returns import ROW_WORDS

_ANYTHING: JsonObject = {}


def make_returns(
    decl: ReturnsDecl | None, frame: Frame, flattener: Flattener
) -> Returns | None:
    """Return what a tool gives back; None for void.

    An unsound declaration gives `UNKNOWN`, so that it is not taken for void.
    """
    if decl is None:
        return None
    typed: tuple[Type, JsonObject] | None = None
    if decl.type is not None:
        typed = _cached_type(decl.type, frame)
    else:
        inner = replace(frame, path=("result",), inside_value=True, splat=False)
        if decl.schema is not None:
            typed = _type_from_schema(decl.schema, inner)
        elif decl.content is not None:
            typed = _type_from_content(
                decl.content, inner, flattener, is_list=decl.is_list
            )
            if typed is not None and decl.is_optional:
                typed = NullableType(typed[0]), nullable(typed[1])
    kind, schema = typed or (UNKNOWN, _ANYTHING)
    is_untold = decl.schema is not None and _tells_nothing(schema)
    text = None if decl.description is None else decl.description.value
    if text is not None:
        schema = arrange({**schema, "description": text})
    return Returns(
        type=kind,
        schema=frame.shapes.complete(schema),
        span=decl.span,
        description=text,
        is_known=typed is not None and not is_untold,
    )


def _tells_nothing(schema: JsonObject) -> bool:
    """Whether an author's schema has only words about it; an empty one stands for anything."""
    from brimgen.resolve.standard.subschemas import ANNOTATIONS

    return bool(schema) and all(
        keyword in {*ANNOTATIONS, "$schema", "$id", "$defs"} or keyword.startswith("x-")
        for keyword in schema
    )


def _cached_type(text: TypeText, frame: Frame) -> tuple[Type, JsonObject] | None:
    """Return the type that a text names, made once.

    One with a mistake is made at each place, so that it is reported at each.
    """
    key = text.name, text.is_list, text.is_optional
    cached = frame.cache.returned.get(key)
    if cached is not None:
        return cached
    reports = frame.diagnostics.reports
    typed = _type_from_text(text, frame)
    if typed is not None and frame.diagnostics.reports == reports:
        frame.cache.returned[key] = typed
    return typed


def _type_from_text(text: TypeText, frame: Frame) -> tuple[Type, JsonObject] | None:
    if text.name == "markdown":
        kind: Type = ScalarType(Scalar.STRING)
        schema: JsonObject = MARKDOWN
    else:
        named = name_type(
            text, frame.index, frame.diagnostics, also=RETURN_WORDS | ROW_WORDS
        )
        if named is None:
            return None
        kind = named
        match named:
            case ScalarType(scalar):
                schema = SCALARS[scalar].schema
                if SCALARS[scalar].is_path_rest:
                    kind = ScalarType(Scalar.STRING)
            case EntityType(name) | EnumType(name):
                schema = frame.shapes.embed(name)
            case LeafType(name):
                schema = frame.index.leaves[name].schema
    if text.is_list:
        kind, schema = ListType(kind), list_schema(schema)
    if text.is_optional:
        kind, schema = NullableType(kind), nullable(schema)
    return kind, schema


def _type_from_schema(root: MapNode, frame: Frame) -> tuple[Type, JsonObject] | None:
    """The author's schema as it is: what comes back is not closed for them."""
    from brimgen.resolve.standard.documents import read_document
    from brimgen.resolve.standard.narrow_types import TypeFinder
    from brimgen.resolve.standard.subschemas import spans_of

    placed: dict[int, Placed] = {}
    document = read_document(root, frame, placed)
    if document is None:
        return None
    finder = TypeFinder(frame, document, spans_of(root), placed)
    return finder.type_of(document, ()), document


def _type_from_content(
    content: ArgumentsDecl, frame: Frame, flattener: Flattener, *, is_list: bool
) -> tuple[Type, JsonObject] | None:
    """``{entity_ref: X}`` alone is X itself; with an inline part it is a record of its own.

    Mistakes in the fields are reported even if another part was refused.
    """
    if content.standard is not None and content.entity_ref is None:
        return _type_from_schema(content.standard, frame)
    flat = flattener.block(content)
    ref = content.entity_ref
    plain = not (content.fields or content.omit or content.descriptions)
    if ref is not None and plain and ref.value in frame.index.objects:
        return EntityType(ref.value), frame.shapes.embed(ref.value)
    if is_list:
        frame = replace(frame, path=(*frame.path, "item"))
    name = frame.names.claim(*frame.path)
    fields = visible(make_fields(flat.fields, frame))
    if not flat.sound:
        return None
    record, schema = (
        RecordType(name, fields),
        object_schema(fields, closed=frame.closed),
    )
    return (ListType(record), list_schema(schema)) if is_list else (record, schema)
