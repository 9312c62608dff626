"""Resolve a tool declaration into a tool."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.frozen import dataclass, field, replace
from brimgen.model.catalog import Body, Returns, Tool
from brimgen.model.json import JsonObject
from brimgen.model.project import Project
from brimgen.model.types import (
    Field,
    JsonType,
    Type,
)
from brimgen.resolve.bundles.bundles import BundleRegistry
from brimgen.resolve.bundles.slugs import read_slug
from brimgen.resolve.entities.entities import EntityShapes
from brimgen.resolve.entities.inheritance import Flattener
from brimgen.resolve.fields.canonical_schema import object_schema, visible
from brimgen.resolve.fields.frame import Frame, RecordNames, RunCache
from brimgen.resolve.fields.nested_descriptions import apply_descriptions
from brimgen.resolve.fields.shared_fields import make_fields
from brimgen.resolve.index import Index
from brimgen.resolve.spec_dependencies import entities_read, sources
from brimgen.resolve.tools.bodies import make_body
from brimgen.resolve.tools.options import is_false, item_texts, read_mcp
from brimgen.resolve.tools.returns import make_returns
from brimgen.resolve.values import published_extensions
from brimgen.source.nodes import MapNode
from brimgen.syntax.decls import ArgumentsDecl, Text, ToolDecl, ToolKind


@dataclass(frozen=True, slots=True)
class _Arguments:
    """What a tool takes: its fields, and the two schemas that they make."""

    fields: tuple[Field, ...]
    schema: JsonObject
    bound: JsonObject
    extra: Type | None = None


@dataclass(frozen=True, slots=True)
class ToolMaker:
    """Makes tools out of their declarations, over entities that are made already."""

    index: Index
    shapes: EntityShapes
    flattener: Flattener
    project: Project
    registry: BundleRegistry
    diagnostics: Diagnostics
    cache: RunCache = field(default_factory=RunCache)

    def make(self, decl: ToolDecl) -> Tool | None:
        """Return the tool; None where what it takes is not known for certain.

        Reports whatever is wrong with its arguments, its returns, its body and its options.
        """
        frame = Frame(
            index=self.index,
            shapes=self.shapes,
            diagnostics=self.diagnostics,
            names=RecordNames(decl.name.value),
            closed=self.project.closed,
            zone=self.project.tz,
            splat=decl.kind is ToolKind.RESOURCE,
            cache=self.cache,
        )
        arguments = _arguments(decl, frame, self.flattener)
        returns = make_returns(decl.returns, frame, self.flattener)
        fields = None if arguments is None else arguments.fields
        body = make_body(
            decl, fields, self.shapes.entities, self.project, self.diagnostics
        )
        if body is None or arguments is None:
            return None
        if not self.shapes.budget.admits(decl.name, arguments.bound):
            return None
        tool = self.registry.with_bundle(
            self._tool(decl, arguments, returns, body), decl
        )
        return replace(tool, enabled=True) if self.project.include_disabled else tool

    def _tool(
        self,
        decl: ToolDecl,
        arguments: _Arguments,
        returns: Returns | None,
        body: Body,
    ) -> Tool:
        """The tool with its options, in no bundle yet."""
        diagnostics, is_on = self.diagnostics, not is_false(decl.option("enabled"))
        entity_names = entities_read(
            arguments.fields, arguments.extra, returns, self.shapes
        )
        return Tool(
            name=decl.name.value,
            span=decl.name.span,
            body=body,
            fields=arguments.fields,
            input_schema=self.shapes.complete(arguments.schema),
            bound_schema=self.shapes.complete(arguments.bound),
            standard=decl.arguments is not None and decl.arguments.standard is not None,
            extra=arguments.extra,
            returns=returns,
            title=_text(decl.title),
            description=_text(decl.description),
            when_to_use=_text(decl.when_to_use),
            version=read_slug(decl.option("version"), diagnostics, dots=True),
            slug=read_slug(decl.option("slug"), diagnostics),
            identity=self.registry.identify(decl),
            tags=item_texts(decl.option("tags")) or (),
            enabled=is_on,
            is_switched_on=is_on,
            targets=item_texts(decl.option("targets")),
            mcp=read_mcp(decl.option("mcp")),
            extensions=published_extensions(decl.extensions),
            entities_read=entity_names,
            sources=sources(decl, entity_names, self.index),
        )


def _arguments(decl: ToolDecl, frame: Frame, flattener: Flattener) -> _Arguments | None:
    """Return the arguments; None if some are unknown, which is reported already."""
    content = decl.arguments
    if content is None:
        empty = object_schema((), closed=frame.closed)
        return _Arguments((), empty, empty) if decl.sound else None
    if content.standard is not None:
        return _standard(content, content.standard, frame, flattener)
    flat = flattener.block(content)
    fields = make_fields(flat.fields, frame)
    if not flat.complete:
        return None
    return _Arguments(
        fields,
        object_schema(visible(fields), closed=frame.closed),
        object_schema(fields, closed=frame.closed),
    )


def _standard(
    content: ArgumentsDecl, root: MapNode, frame: Frame, flattener: Flattener
) -> _Arguments | None:
    from brimgen.resolve.standard.tool_schema import read_object

    flat = flattener.block(replace(content, standard=None, descriptions=()))
    inherited = make_fields(flat.fields, frame)
    standard = read_object(root, frame, inherited=inherited, hides=True)
    if not standard.sound or not flat.sound or not content.sound:
        return None
    texts = {key.value: text.value for key, text in content.descriptions}
    return _Arguments(
        tuple(
            replace(
                argument, description=texts.get(argument.name, argument.description)
            )
            for argument in standard.fields
        ),
        _described(standard.schema, content, frame.diagnostics),
        _described(standard.bound, content, frame.diagnostics),
        standard.extra,
    )


def _described(
    schema: JsonObject, content: ArgumentsDecl, diagnostics: Diagnostics
) -> JsonObject:
    whole = Field(name="arguments", type=JsonType(), schema=schema, span=content.span)
    return apply_descriptions(whole, content.descriptions, diagnostics).schema


def _text(text: Text | None) -> str | None:
    return None if text is None else text.value
