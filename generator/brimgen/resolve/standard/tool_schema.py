"""Resolve Standard mode: the author's JSON Schema, and typed fields for it.

The text stays as the author wrote it, but for this: references to entities are replaced by the
entities; hidden properties are taken out; the root says ``type: object``; and the root is closed
where the author says nothing about extra properties (spec-language.md).
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.frozen import dataclass, replace
from brimgen.model.fields import Caller, Origin
from brimgen.model.json import JsonObject
from brimgen.model.types import Field, Type
from brimgen.resolve.fields.frame import Frame, Placed
from brimgen.resolve.fields.origins import read_origin
from brimgen.resolve.fields.presence import check_name
from brimgen.resolve.standard.documents import read_document
from brimgen.resolve.standard.hidden_properties import check_hidden
from brimgen.resolve.standard.narrow_types import TypeFinder
from brimgen.resolve.standard.required_properties import check_required
from brimgen.resolve.standard.root import (
    HIDING,
    forget_hiding,
    objectify,
    with_inherited,
    without_properties,
)
from brimgen.resolve.standard.subschemas import Schema, spans_of, walk_nodes
from brimgen.resolve.values import to_json
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode
from brimgen.syntax.decls import Text
from brimgen_runtime._runtime.errors import SchemaError
from brimgen_runtime._runtime.validator import Validator
from brimgen_runtime.store.schema_parts import close, subschemas


@dataclass(frozen=True, slots=True)
class Standard:
    """A schema of Standard mode, read: what is published, what it types as.

    ``bound`` is the schema with the hidden properties; None of it is sound where ``fields`` may be
    missing.
    """

    schema: JsonObject
    bound: JsonObject
    fields: tuple[Field, ...]
    extra: Type | None
    sound: bool = True


UNSOUND = Standard({"type": "object"}, {"type": "object"}, (), None, False)


def read_object(
    root: MapNode,
    frame: Frame,
    *,
    inherited: tuple[Field, ...] = (),
    own_name: str | None = None,
    hides: bool = False,
) -> Standard:
    """Return the schema of an object: the arguments of a tool (``hides``) or an entity.

    ``inherited`` fields come first. ``own_name`` is the entity itself, for `$ref: "#"`.
    Reports whatever is no schema, refers to nothing, or cannot be an object.
    """
    placed: dict[int, Placed] = {}
    document = read_document(root, frame, placed)
    if document is None or not _admits_object(root, frame.diagnostics):
        return UNSOUND
    origins = _origins(root, frame, hides=hides)
    origins |= {
        field.name: field.origin for field in inherited if field.name not in origins
    }
    whole = forget_hiding(with_inherited(objectify(document), inherited))
    hidden = {
        name for name, origin in origins.items() if not isinstance(origin, Caller)
    }
    sound = check_required(root, close(whole, closed=True), frame.diagnostics)
    sound = check_hidden(root, hidden, frame.diagnostics) and sound
    if _refuses_default(
        close(without_properties(whole, hidden), closed=frame.closed), frame
    ):
        frame.diagnostics.add(rules.DEFAULT_NOT_APPLIED, root.span, name="the whole")
        whole = {key: value for key, value in whole.items() if key != "default"}
    _check_endless(document, root, frame, is_entity=own_name is not None)
    finder = TypeFinder(
        frame, close(whole, closed=True), spans_of(root), placed, own_name
    )
    published = close(without_properties(whole, hidden), closed=frame.closed)
    bound = frame.shapes.complete(close(whole, closed=frame.closed))
    if hides:  # the entities of an entity may not be complete yet
        _compile(bound, root)
    return Standard(
        frame.shapes.complete(published),
        bound,
        tuple(
            replace(field, origin=origins.get(field.name, Caller()))
            for field in _fields(finder.fields(), inherited, root)
        ),
        finder.extra(),
        sound,
    )


def _refuses_default(published: Schema, frame: Frame) -> bool:
    """Return whether the default of the whole is not what callers may send."""
    if "default" not in published:
        return False
    from brimgen.judging.rejection import judge  # few schemas have one

    whole = frame.shapes.complete(published)
    return judge(whole, published["default"]).accepts is False


def _compile(schema: JsonObject, root: MapNode) -> None:
    """Raise RuntimeError where no call could be checked by a schema, which is a bug of ours."""
    try:
        Validator(schema).compile()
    except RecursionError:
        return  # it is nested deeper than the stack of a build leaves room for
    except SchemaError as problem:
        place = f"{root.span.file}:{root.span.line}"
        raise RuntimeError(
            f"{place}: the schema does not compile: {problem}"
        ) from problem


def _check_endless(
    document: Schema, root: MapNode, frame: Frame, *, is_entity: bool
) -> None:
    if any("$ref" in subschema for subschema in subschemas(document)):
        from brimgen.resolve.entities.endless_entities import (
            check_endless_schema,  # few schemas refer
        )

        check_endless_schema(document, root, frame.diagnostics, is_entity=is_entity)


def _fields(
    typed: tuple[Field, ...], inherited: tuple[Field, ...], root: MapNode
) -> list[Field]:
    """The inherited fields, but for those that the schema itself has, then its own."""
    properties = root.get("properties")
    own_names = {entry.key.text for entry in _entries(properties)}
    by_name = {field.name: field for field in typed}
    refined = [
        by_name.get(field.name, field) if field.name in own_names else field
        for field in inherited
    ]
    names = {field.name for field in refined}
    return [*refined, *(field for field in typed if field.name not in names)]


def _entries(node: Node | None) -> tuple[Entry, ...]:
    return node.entries if isinstance(node, MapNode) else ()


def _admits_object(root: MapNode, diagnostics: Diagnostics) -> bool:
    kind = root.get("type")
    if kind is None:
        return True
    value = to_json(kind)
    names = value if isinstance(value, list) else [value]
    if "object" in names:
        return True
    diagnostics.add(
        rules.ROOT_NOT_OBJECT, kind.span, type=", ".join(str(name) for name in names)
    )
    return False


def _origins(root: MapNode, frame: Frame, *, hides: bool) -> dict[str, Origin]:
    """Where each property of the root comes from; names and misplaced hiding are checked."""
    properties = root.get("properties")
    origins: dict[str, Origin] = {}
    at_root: set[int] = set()
    for entry in _entries(properties):
        name, node = entry.key.text, entry.value
        check_name(Text(name, entry.key.span), frame.diagnostics)
        origins[name] = Caller()
        if isinstance(node, MapNode) and hides:
            at_root.add(id(node))
            origins[name] = read_origin(
                name, node.get("from_context"), node.get("llm"), frame.diagnostics
            )
    for pointer, node in walk_nodes(root):
        if id(node) in at_root or not pointer:
            continue
        for key in HIDING:
            misplaced = node.entry(key)
            if misplaced is not None and _hides(key, misplaced.value):
                frame.diagnostics.add(
                    rules.BAD_HIDDEN_PROPERTY, misplaced.key.span, keyword=key
                )
    return origins


def _hides(key: str, node: Node) -> bool:
    if key == "llm":
        return isinstance(node, ScalarNode) and node.value is False
    return isinstance(node, ScalarNode) and isinstance(node.value, str)
