"""Make a tool of its declaration: arguments, result, body and options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.diagnostics import Diagnostics, rules
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Body, Bundle, Confirm, Entity, Returns, Tool
from brimgen.model.fields import Caller
from brimgen.model.http import HttpBody
from brimgen.model.json import JsonObject
from brimgen.model.project import Project
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.entities.entities import EntityShapes
from brimgen.resolve.entities.inheritance import Flattener
from brimgen.resolve.entities.leaves import BUILTIN_FILE
from brimgen.resolve.fields.canonical_schema import (
    MARKDOWN,
    arrange,
    list_schema,
    nullable,
    object_schema,
    visible,
)
from brimgen.resolve.fields.descriptions import apply_descriptions
from brimgen.resolve.fields.fields import make_fields
from brimgen.resolve.fields.frame import Frame, ObjectOf, Placed, RecordNames
from brimgen.resolve.fields.types import UNKNOWN, name_type
from brimgen.resolve.http.urls import Variables
from brimgen.resolve.index import RETURN_WORDS, Index
from brimgen.resolve.tools.bodies import gives_last_id, make_body
from brimgen.resolve.tools.bundles import BundleRegistry, read_slug
from brimgen.resolve.values import (
    published_extensions,
    read_limits,
    read_mcp,
)
from brimgen.schema.walk import FOR_READERS, followed, spans_of, split_definitions
from brimgen.source.nodes import MapNode
from brimgen.syntax.decls import (
    ArgumentsDecl,
    ReturnsDecl,
    ToolDecl,
    ToolKind,
    TypeText,
)
from brimgen.syntax.returns import ROW_WORDS
from brimgen_runtime.grammar.variables import TemplatePosition


def names_in(kind: Type | None) -> set[str]:
    """Return the names of the entities and leaves that a type mentions."""
    match kind:
        case ScalarType() | UnionType() | JsonType() | None:
            return set()
        case EntityType(name) | EnumType(name) | LeafType(name):
            return {name}
        case ListType(inner) | MapType(inner) | NullableType(inner):
            return names_in(inner)
        case RecordType(_, fields, extra):
            return names_in(extra).union(*(names_in(field.type) for field in fields))


def entities_read(
    fields: tuple[Field, ...],
    extra: Type | None,
    returns: Returns | None,
    shapes: EntityShapes,
) -> tuple[str, ...]:
    """Return the names of all entities and leaves that a tool depends on, sorted.

    ``fields``, ``extra`` and ``returns`` are those of the tool.
    """
    pending = names_in(RecordType("", fields, extra))
    pending |= names_in(None if returns is None else returns.type)
    names: set[str] = set()
    while pending:
        name = pending.pop()
        names.add(name)
        entity = shapes.entities.get(name)
        if entity is not None:
            pending |= names_in(RecordType(name, entity.fields, entity.extra)) - names
    return tuple(sorted(names))


def sources(decl: ToolDecl, names: tuple[str, ...], index: Index) -> tuple[str, ...]:
    """Return the names of the spec files that hold a tool, its entities and their ancestors."""
    files = {decl.file.name}
    if decl.body_file is not None:
        files.add(decl.body_file.name)
    pending = [name for name in names if name in index.objects]
    if decl.arguments is not None and decl.arguments.entity_ref is not None:
        pending.append(decl.arguments.entity_ref.value)
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        entity = index.objects.get(name)
        if entity is None or name in seen:
            continue
        seen.add(name)
        files.add(entity.file.name)
        if entity.content is not None and entity.content.entity_ref is not None:
            pending.append(entity.content.entity_ref.value)
    if names:
        files |= {index.enums[name].file.name for name in names if name in index.enums}
        files |= {
            index.leaves[name].span.file for name in names if name in index.leaves
        }
    return tuple(sorted(files - {BUILTIN_FILE}))


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
        typed = _type_from_text(decl.type, frame)
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
    if "$defs" not in schema:
        # MCP wants a type at the root: an entity itself, no reference to it.
        schema, _ = split_definitions(followed(schema, frame.shapes.complete(schema)))
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
    return bool(schema) and all(
        keyword in {*FOR_READERS, "$schema", "$id", "$defs"} or keyword.startswith("x-")
        for keyword in schema
    )


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

    placed: dict[int, Placed] = {}
    document = read_document(root, frame, placed)
    if document is None:
        return None
    whole = {**frame.shapes.complete(document)}
    finder = TypeFinder(frame, whole, spans_of(root), placed)
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
    record, schema = RecordType(name, fields), object_schema(fields)
    return (ListType(record), list_schema(schema)) if is_list else (record, schema)


@dataclass(frozen=True, slots=True)
class ToolMaker:
    """Makes tools out of their declarations, over entities that are made already."""

    index: Index
    shapes: EntityShapes
    flattener: Flattener
    project: Project
    registry: BundleRegistry
    diagnostics: Diagnostics

    def make(self, decl: ToolDecl) -> Tool | None:
        """Return the tool; None where what it takes is not known for certain.

        Reports whatever is wrong with its arguments, its returns, its body and its options.
        """
        frame = Frame(
            index=self.index,
            shapes=self.shapes,
            diagnostics=self.diagnostics,
            names=RecordNames(decl.name.value),
            zone=self.project.tz,
            splat=decl.kind is ToolKind.RESOURCE,
        )
        arguments = _arguments(decl, frame, self.flattener)
        told = decl.returns
        if told is not None and gives_last_id(decl):
            told = replace(told, type=TypeText("int", False, False, told.span))
        returns = make_returns(told, frame, self.flattener)
        if returns is not None and decl.kind is not ToolKind.SQL:
            _refuse_embedded(returns.type, self.diagnostics)
        fields = None if arguments is None else arguments.fields
        body = make_body(
            decl, fields, self.shapes.entities, self.project, self.diagnostics
        )
        if body is None or arguments is None:
            return None
        if not self.shapes.budget.admits(decl.name, arguments.bound):
            return None
        tool = self._tool(decl, arguments, returns, body)
        tool = _with_retries(
            self.registry.with_bundle(tool, decl), self.registry.bundles
        )
        return replace(tool, enabled=True) if self.project.include_disabled else tool

    def _tool(
        self,
        decl: ToolDecl,
        arguments: ObjectOf,
        returns: Returns | None,
        body: Body,
    ) -> Tool:
        """The tool with its options, in no bundle yet."""
        diagnostics, said = self.diagnostics, decl.section
        entity_names = entities_read(
            arguments.fields, arguments.extra, returns, self.shapes
        )
        input_schema = self.shapes.complete(arguments.schema)
        return Tool(
            name=decl.name.value,
            span=decl.name.span,
            body=body,
            fields=arguments.fields,
            input_schema=input_schema,
            enforced_schema=input_schema,
            bound_schema=self.shapes.complete(arguments.bound),
            standard=decl.arguments is not None and decl.arguments.standard is not None,
            extra=arguments.extra,
            returns=returns,
            title=said.value("title", None),
            description=said.value("description", None),
            when_to_use=said.value("when_to_use", None),
            version=read_slug(said.scalar("version"), diagnostics, dots=True),
            slug=read_slug(said.scalar("slug"), diagnostics),
            identity=self.registry.identify(decl),
            tags=said.words("tags") or (),
            enabled=said.value("enabled", True),
            is_switched_on=said.value("enabled", True),
            targets=said.words("targets"),
            mcp=read_mcp(decl.mcp),
            confirm=_confirm(decl, arguments.fields, self.shapes.entities, diagnostics),
            limits=read_limits(decl.limits),
            extensions=published_extensions(decl.extensions),
            entities_read=entity_names,
            sources=sources(decl, entity_names, self.index),
        )


def _with_retries(tool: Tool, bundles: Mapping[str, Bundle]) -> Tool:
    """Return a tool whose request is tried no more often than it and its bundle allow."""
    body, bundle = tool.body, bundles.get(tool.bundle or "")
    said = (tool.limits, *([bundle.limits] if bundle else []))
    allowed = [each.max_retries + 1 for each in said if each.max_retries is not None]
    if not allowed or not isinstance(body, HttpBody):
        return tool
    attempts = min(body.retry.max_attempts, *allowed)
    retry = replace(body.retry, max_attempts=attempts)
    return replace(tool, body=replace(body, retry=retry))


def _refuse_embedded(type: Type, diagnostics: Diagnostics) -> None:
    """Report fields that are read from columns, of a result that is no row."""
    inner = type.item if isinstance(type, ListType) else type
    for member in inner.fields if isinstance(inner, RecordType) else ():
        if member.embed:
            reason = "only SQL tools have rows"
            diagnostics.add(rules.BAD_EMBED, member.span, reason=reason)


def _arguments(decl: ToolDecl, frame: Frame, flattener: Flattener) -> ObjectOf | None:
    """Return the arguments; None if some are unknown, which is reported already."""
    content = decl.arguments
    if content is None:
        empty = object_schema(())
        return ObjectOf((), empty, empty) if decl.sound else None
    if content.standard is not None:
        return _standard(content, content.standard, frame, flattener)
    flat = flattener.block(content)
    fields = make_fields(flat.fields, frame)
    if not flat.complete:
        return None
    return ObjectOf(fields, object_schema(visible(fields)), object_schema(fields))


def _standard(
    content: ArgumentsDecl, root: MapNode, frame: Frame, flattener: Flattener
) -> ObjectOf | None:
    from brimgen.resolve.standard.documents import read_object

    flat = flattener.block(replace(content, standard=None, descriptions=()))
    inherited = make_fields(flat.fields, frame)
    standard = read_object(root, frame, inherited=inherited, hides=True)
    if not standard.sound or not flat.sound or not content.sound:
        return None
    texts = {key.value: text.value for key, text in content.descriptions}
    return replace(
        standard,
        fields=tuple(
            replace(
                argument, description=texts.get(argument.name, argument.description)
            )
            for argument in standard.fields
        ),
        schema=_described(standard.schema, content, frame),
        bound=_described(standard.bound, content, frame),
    )


def _described(schema: JsonObject, content: ArgumentsDecl, frame: Frame) -> JsonObject:
    whole = Field(name="arguments", type=JsonType(), schema=schema, span=content.span)
    return apply_descriptions(whole, content.descriptions, frame).schema


def _confirm(
    decl: ToolDecl,
    fields: Sequence[Field],
    entities: Mapping[str, Entity],
    diagnostics: Diagnostics,
) -> Confirm | None:
    """Return what is asked; None for nothing, and for a question with a mistake, which is reported.

    A question shows what the caller sends: hidden arguments and secrets cannot stand in it.
    """
    node = decl.section.scalar("confirm")
    if node is None or node.value is False:
        return None
    if node.value is True:
        return Confirm(node.span, None)
    sent = {each.name: each for each in fields if isinstance(each.origin, Caller)}
    variables = Variables(sent, {}, entities, diagnostics)
    template = variables.read(node, TemplatePosition.QUESTION)
    return None if template is None else Confirm(node.span, template)
