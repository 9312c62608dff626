"""Tools: one declaration in, one `Tool` out, with everything that it reads resolved."""

from __future__ import annotations

from dataclasses import replace

from brimgen.diagnostics import Diagnostics
from brimgen.model.catalog import Project, Tool
from brimgen.model.fields import Field
from brimgen.model.json import JsonObject
from brimgen.model.types import (
    JsonType,
    Type,
)
from brimgen.resolve.bodies import make_body
from brimgen.resolve.entities import EntityShapes
from brimgen.resolve.fields import make_fields
from brimgen.resolve.frame import Frame, RecordNames
from brimgen.resolve.index import Index
from brimgen.resolve.inherit import Flattener
from brimgen.resolve.options import is_false, read_mcp, words
from brimgen.resolve.reads import entities_read, sources
from brimgen.resolve.returns import make_returns
from brimgen.resolve.schema import object_schema, visible
from brimgen.resolve.slugs import read_slug
from brimgen.resolve.standard import read_object
from brimgen.resolve.texts import apply_descriptions
from brimgen.resolve.values import to_json
from brimgen.source.nodes import MapNode
from brimgen.syntax.decls import ArgumentsDecl, Text, ToolDecl, ToolKind

_EMPTY: JsonObject = {}


class _Unsound(Exception):
    """The arguments are not all known: no tool can be made, and all is told already."""


def make_tool(
    decl: ToolDecl,
    index: Index,
    shapes: EntityShapes,
    flattener: Flattener,
    project: Project,
    found: Diagnostics,
) -> Tool | None:
    """Return the tool; None where what it takes is not known for certain.

    Reports whatever is wrong with its arguments, its returns, its body and its options.
    """
    frame = Frame(
        index=index,
        shapes=shapes,
        found=found,
        names=RecordNames(decl.name.value),
        closed=project.closed,
        splat=decl.kind is ToolKind.RESOURCE,
    )
    try:
        fields, schema, bound, extra = _arguments(decl, frame, flattener)
    except _Unsound:
        make_returns(decl.returns, frame, flattener)
        make_body(decl, None, project, found)
        return None
    returns = make_returns(decl.returns, frame, flattener)
    body = make_body(decl, fields, project, found)
    if body is None:
        return None
    read = entities_read(fields, extra, returns.type if returns else None, shapes)
    standard = decl.arguments is not None and decl.arguments.standard is not None
    return Tool(
        name=decl.name.value,
        span=decl.name.span,
        body=body,
        fields=fields,
        input_schema=shapes.complete(schema),
        bound_schema=shapes.complete(bound),
        standard=standard,
        extra=extra,
        returns=returns,
        title=_text(decl.title),
        description=_text(decl.description),
        when_to_use=_text(decl.when_to_use),
        version=read_slug(decl.option("version"), found, dots=True),
        slug=read_slug(decl.option("slug"), found),
        tags=words(decl.option("tags")) or (),
        enabled=not is_false(decl.option("enabled")),
        targets=words(decl.option("targets")),
        mcp=read_mcp(decl.option("mcp")),
        extensions={each.key.text: to_json(each.value) for each in decl.extensions},
        entities_read=read,
        sources=sources(decl, read, index),
    )


def _arguments(
    decl: ToolDecl, frame: Frame, flattener: Flattener
) -> tuple[tuple[Field, ...], JsonObject, JsonObject, Type | None]:
    content = decl.arguments
    if content is None:
        if not decl.sound:
            raise _Unsound
        empty = object_schema((), closed=frame.closed)
        return (), empty, empty, None
    if content.standard is not None:
        return _standard(content, content.standard, frame, flattener)
    flat = flattener.block(content)
    fields = make_fields(flat.fields, frame)
    if not flat.sound:
        raise _Unsound
    schema = object_schema(visible(fields), closed=frame.closed)
    bound = object_schema(fields, closed=frame.closed)
    return fields, schema, bound, None


def _standard(
    content: ArgumentsDecl, root: MapNode, frame: Frame, flattener: Flattener
) -> tuple[tuple[Field, ...], JsonObject, JsonObject, Type | None]:
    flat = flattener.block(replace(content, standard=None, descriptions=()))
    inherited = make_fields(flat.fields, frame)
    read = read_object(root, frame, inherited=inherited, hides=True)
    if not read.sound or not flat.sound or not content.sound:
        raise _Unsound
    whole = Field(
        name="arguments", type=JsonType(), schema=read.schema, span=content.span
    )
    both = replace(whole, schema=read.bound)
    schema = apply_descriptions(whole, content.descriptions, frame.found).schema
    bound = apply_descriptions(both, content.descriptions, frame.found).schema
    texts = {key.value: text.value for key, text in content.descriptions}
    fields = tuple(
        replace(each, description=texts.get(each.name, each.description))
        for each in read.fields
    )
    return fields, schema, bound, read.extra


def _text(text: Text | None) -> str | None:
    return None if text is None else text.value
