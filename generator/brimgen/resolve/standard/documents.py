"""Read a JSON Schema document in 2020-12, with the entities that it refers to.

`anyOf` of two references to an `anyOf` of two references, and so on: twenty lines mean a million
parts, at build time and in every call of the generated validator.
"""

from __future__ import annotations

from brimgen.diagnostics import Span, rules
from brimgen.model.json import Json
from brimgen.resolve.entities.embedding import place_entities
from brimgen.resolve.entities.endless import order
from brimgen.resolve.fields.frame import Frame, Placed
from brimgen.resolve.standard.checks import (
    check_beside_properties,
    check_pointers,
    check_refs,
    entity_name,
)
from brimgen.resolve.standard.drafts import (
    from_draft07,
    rewrite_older_draft,
    split_dependencies,
)
from brimgen.resolve.standard.keyword_check import Dialect, check_schema, read_dialect
from brimgen.schema.walk import Schema, map_schemas, spans_of, walk_nodes
from brimgen.source.nodes import MapNode, ScalarNode, plain_object
from brimgen_runtime.grammar.schema_parts import (
    at_pointer,
    find_loop,
    has_inner_identifier,
    is_local_pointer,
    resolve_pointer,
    same_value_subschemas,
    subschemas,
)


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
    uses_entities = any(entity_name(node) for _, node in walk_nodes(root))
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
        span = _span_of_ref(root, loop)
        diagnostics.add(rules.REF_LOOP, span, ref=loop)
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


def _span_of_ref(root: MapNode, ref: str) -> Span:
    for _, node in walk_nodes(root):
        value = node.get("$ref")
        if isinstance(value, ScalarNode) and value.text == ref:
            return value.span
    return root.span


MOST_PARTS = 10_000
MOST_LEVELS = 128


class Costs:
    """Measures schemas of one document, in which no reference leads back to itself on one value.

    A part that several share is looked at once.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._costs: dict[int, int] = {}

    def cost_of(self, schema: Json) -> int:
        """Return how many parts look at a value that ``schema`` looks at."""
        stack = [schema]
        while stack:
            current = stack[-1]
            inner = self.inner(current)
            waiting = [part for part in inner if id(part) not in self._costs]
            if waiting:
                stack.extend(waiting)
            else:
                stack.pop()
                total = 1 + sum(self._costs[id(part)] for part in inner)
                self._costs[id(current)] = total
        return self._costs[id(schema)]

    def inner(self, schema: Json) -> list[Json]:
        """Return the parts that look at the same value as ``schema``."""
        if not isinstance(schema, dict):
            return []
        ref = schema.get("$ref")
        inner = [
            *same_value_subschemas(schema),
            *([schema["not"]] if "not" in schema else []),
        ]
        if isinstance(ref, str) and is_local_pointer(ref):
            inner.append(resolve_pointer(self._root, ref))
        return [part for part in inner if isinstance(part, dict)]


def levels_of(root: Schema) -> int:
    """Return how many parts of a schema lead from one to the next, references followed.

    Counted are the parts that a type is made of: alternatives, and the items of lists and maps.
    The parts of a circle all count.
    """
    costs = Costs(root)
    needs = {
        str(id(subschema)): [
            str(id(part)) for part in (*costs.inner(subschema), *_items(subschema))
        ]
        for subschema in subschemas(root)
    }
    levels: dict[str, int] = {}
    for group in order(needs):
        below = [
            levels.get(part, 0) for member in group for part in needs.get(member, ())
        ]
        total = len(group) + max(below, default=0)
        levels |= dict.fromkeys(group, total)
    return max(levels.values(), default=0)


def _items(schema: Schema) -> list[Json]:
    positions = schema.get("prefixItems")
    parts = list(positions) if isinstance(positions, list) else []
    parts += [schema[key] for key in ("items", "additionalProperties") if key in schema]
    return [part for part in parts if isinstance(part, dict)]
