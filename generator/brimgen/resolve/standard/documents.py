"""Read JSON Schema of authors: any document, and the schema of arguments or of an entity.

A document is read in 2020-12, with the entities that it refers to. Of arguments and entities the
text stays as the author wrote it, but for this: references to entities are replaced by the
entities; hidden properties are taken out; the root says ``type: object``; and the root is closed
where the author says nothing about extra properties (spec-language.md).
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, rules
from brimgen.frozen import replace
from brimgen.model.fields import Caller, Origin
from brimgen.model.json import JsonObject
from brimgen.model.types import Field
from brimgen.resolve.entities.embedding import place_entities
from brimgen.resolve.entities.endless import check_endless_schema
from brimgen.resolve.fields.canonical_schema import ByDefault, object_schema
from brimgen.resolve.fields.frame import (
    Frame,
    ObjectOf,
    Placed,
    check_name,
    read_origin,
)
from brimgen.resolve.standard.budget import MOST_LEVELS, MOST_PARTS, Costs, levels_of
from brimgen.resolve.standard.checks import (
    check_beside_properties,
    check_hidden,
    check_pointers,
    check_refs,
    check_required,
    entity_refs,
)
from brimgen.resolve.standard.drafts import (
    from_draft07,
    rewrite_older_draft,
    split_dependencies,
)
from brimgen.resolve.standard.keyword_check import Dialect, check_schema, read_dialect
from brimgen.resolve.standard.narrow_types import TypeFinder
from brimgen.schema.walk import Schema, map_schemas, references, spans_of, walk_nodes
from brimgen.source.nodes import (
    Entry,
    MapNode,
    Node,
    ScalarNode,
    Text,
    plain,
    plain_object,
)
from brimgen_runtime.grammar.schema_parts import (
    at_pointer,
    close,
    find_loop,
    has_inner_identifier,
    subschemas,
)
from brimgen_runtime.schema.errors import SchemaError
from brimgen_runtime.schema.validator import Validator


def read_document(
    root: MapNode, frame: Frame, placed: dict[int, Placed]
) -> Schema | None:
    """Return a checked schema as JSON of 2020-12 with its entities in place; None if unsound.

    ``placed`` takes the types of the entities, by the ``id`` of the schema that stands for each.
    """
    diagnostics = frame.diagnostics
    root = rewrite_older_draft(root, diagnostics)
    dialect = read_dialect(root, diagnostics)
    if dialect is None:
        return None
    check_beside_properties(root, frame.index, diagnostics)
    if not check_schema(root, dialect, diagnostics):
        check_pointers(root, diagnostics)
        return None
    if not check_refs(root, dialect, frame.index, diagnostics):
        return None
    document = plain_object(root)
    uses_entities = any(entity_refs(root))
    if dialect is Dialect.DRAFT_07:
        document = from_draft07(document)
        if uses_entities and "$schema" in document:
            document = {**document, "$schema": str(Dialect.DRAFT_2020_12)}
    elif any("dependencies" in subschema for subschema in subschemas(document)):
        document = map_schemas(document, split_dependencies)
    if uses_entities:
        document = place_entities(document, root, frame, placed)
    parts = [
        *subschemas(document)
    ]  # they are many, with those of entities: walked once
    refers = any("$ref" in part for part in parts)
    loop = find_loop(document) if refers else None
    if loop is not None:
        spans = (ref.span for _, ref in references(root) if ref.text == loop)
        diagnostics.add(rules.REF_LOOP, next(spans, root.span), ref=loop)
        return None
    # Without references, each part is looked at once.
    is_large = len(parts) > MOST_LEVELS
    if (is_large or refers) and not _is_affordable(document, root, frame, is_large):
        return None
    if any("default" in part for part in parts):
        _take_out_refused(document, root, frame, placed)
    return document


def _take_out_refused(
    document: Schema, root: MapNode, frame: Frame, placed: dict[int, Placed]
) -> None:
    from brimgen.resolve.standard.defaults import take_out_refused

    whole, spans = frame.shapes.complete(document), spans_of(root)
    take_out_refused(document, whole, spans, frame.diagnostics, entity_ids=placed)


def _is_affordable(
    document: Schema, root: MapNode, frame: Frame, is_large: bool
) -> bool:
    """Whether no value is looked at by more parts of the schema than is good for a program.

    ``is_large``: it has more parts than it may have levels.
    """
    if has_inner_identifier(document):
        return True
    if is_large and levels_of(document) > MOST_LEVELS:
        frame.diagnostics.add(rules.TOO_MANY_LEVELS, root.span, limit=MOST_LEVELS)
        return False
    costs = Costs(document)
    for pointer, node in walk_nodes(root):
        target = at_pointer(document, pointer)
        if costs.cost_of(target) > MOST_PARTS:
            ref = node.entry("$ref")
            span = node.span if ref is None else ref.value.span
            frame.diagnostics.add(rules.TOO_MANY_ALTERNATIVES, span, limit=MOST_PARTS)
            return False
    return True


HIDING = ("from_context", "llm")


def objectify(document: Schema) -> Schema:
    """Return the document with ``type: object`` alone, and with ``properties``."""
    rooted = {**document, "type": "object"}
    if "type" not in document:
        leading: Schema = {
            key: rooted[key] for key in ("$schema", "$id") if key in rooted
        }
        rooted = {**leading, "type": "object", **rooted}
    rooted.setdefault("properties", {})
    return rooted


def without_properties(schema: Schema, hidden: set[str]) -> Schema:
    """Return the schema without the ``hidden`` properties of its root."""
    if not hidden:
        return schema
    properties, required = schema["properties"], schema.get("required")
    assert isinstance(properties, dict)
    shown: Schema = {
        **schema,
        "properties": {k: v for k, v in properties.items() if k not in hidden},
    }
    if isinstance(required, list):
        shown["required"] = [name for name in required if name not in hidden]
        if not shown["required"]:
            del shown["required"]
    return shown


def with_inherited(document: Schema, inherited: tuple[Field, ...]) -> Schema:
    """Return the schema with inherited fields before its own properties."""
    if not inherited:
        return document
    own_properties = document["properties"]
    required = document.get("required", [])
    assert isinstance(own_properties, dict) and isinstance(required, list)
    base = object_schema(inherited)
    first = base["properties"]
    needed = base.get("required", [])
    assert isinstance(first, dict) and isinstance(needed, list)
    inherited_names = [name for name in needed if name not in own_properties]
    merged: Schema = {**document, "properties": {**first, **own_properties}}
    if inherited_names or required:
        merged["required"] = [*inherited_names, *required]
    return merged


def forget_hiding(schema: Schema) -> Schema:
    """Return the schema without the keys by which properties of its root are hidden."""
    properties = schema.get("properties")
    assert isinstance(properties, dict)
    if not any(
        isinstance(property, dict) and key in property
        for property in properties.values()
        for key in HIDING
    ):
        return schema
    plain = {
        name: (
            {k: v for k, v in subschema.items() if k not in HIDING}
            if isinstance(subschema, dict)
            else subschema
        )
        for name, subschema in properties.items()
    }
    return {**schema, "properties": plain}


def read_object(
    root: MapNode,
    frame: Frame,
    *,
    inherited: tuple[Field, ...] = (),
    own_name: str | None = None,
    hides: bool = False,
) -> ObjectOf:
    """Return the schema of an object: the arguments of a tool (``hides``) or an entity.

    ``inherited`` fields come first. ``own_name`` is the entity itself, for `$ref: "#"`.
    Reports whatever is no schema, refers to nothing, or cannot be an object.
    """
    placed: dict[int, Placed] = {}
    document = read_document(root, frame, placed)
    if document is None or not _admits_object(root, frame.diagnostics):
        return ObjectOf((), {"type": "object"}, {"type": "object"}, sound=False)
    origins = _origins(root, frame, hides=hides)
    origins |= {
        field.name: field.origin for field in inherited if field.name not in origins
    }
    whole = forget_hiding(with_inherited(objectify(document), inherited))
    hidden = {
        name for name, origin in origins.items() if not isinstance(origin, Caller)
    }
    sound = check_required(root, _closed(whole), frame.diagnostics)
    sound = check_hidden(root, hidden, frame.diagnostics) and sound
    if _refuses_default(_closed(without_properties(whole, hidden)), frame):
        frame.diagnostics.add(rules.DEFAULT_NOT_APPLIED, root.span, name="the whole")
        whole = {key: value for key, value in whole.items() if key != "default"}
    is_entity = own_name is not None
    check_endless_schema(document, root, frame.diagnostics, is_entity=is_entity)
    published = _closed(without_properties(whole, hidden))
    bound = {**frame.shapes.complete(_closed(whole))}
    finder = TypeFinder(frame, bound, spans_of(root), placed, own_name)
    if hides:  # the entities of an entity may not be complete yet
        _compile(bound, root)
    return ObjectOf(
        tuple(
            replace(field, origin=origins.get(field.name, Caller()))
            for field in _fields(finder.fields(), inherited, root)
        ),
        frame.shapes.complete(published),
        bound,
        finder.extra(),
        sound,
    )


def _closed(schema: Schema) -> Schema:
    """Return the schema, closed by default where it says nothing about extra properties."""
    return {
        key if key in schema else ByDefault(key): value
        for key, value in close(schema).items()
    }


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
    value = plain(kind)
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
