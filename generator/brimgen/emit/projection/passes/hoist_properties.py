"""Move the properties that combinators declare into the object that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from brimgen.emit.account import Recovery
from brimgen.emit.projection.json_types import types_of
from brimgen.emit.projection.json_values import is_same_json
from brimgen.emit.projection.ledger import Ledger
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json, JsonObject
from brimgen.schema.walk import is_object, pointer_to

Alternatives: TypeAlias = Sequence[Json]
"""Schemas of which at least one holds."""

_CONDITIONAL = ("if", "then", "else")
_APPLIED = ("allOf", "anyOf", "oneOf")


def hoisted(
    ledger: Ledger,
    node: JsonObject,
    groups: Iterable[Alternatives],
    pointer: str,
    keyword: str,
) -> dict[str, Any]:
    """Add the properties that only ``groups`` declare to ``node``, as optional ones.

    Each group holds; they stood at ``keyword``. Nothing is added to a node that its own
    ``additionalProperties`` closes. Where schemas differ about a property, it accepts either. A
    property that an object may also have with a value that none of them accepts is narrowed. A node
    that ``unevaluatedProperties`` closes is open where the groups admit further properties.
    """
    if node.get("additionalProperties") is False:
        return dict(node)
    groups = [*groups]
    is_open = node.get("unevaluatedProperties") is not False
    if not is_open and any(
        _evaluates_further(part) for group in groups for part in group
    ):
        is_open = True
        ledger.describe_loss(pointer, "unevaluatedProperties", False)
        node = {k: v for k, v in node.items() if k != "unevaluatedProperties"}
    is_open |= bool(node.get("patternProperties"))
    found = _all_of([_one_of(group, is_open=is_open) for group in groups])
    declared = node.get("properties")
    own = dict(declared) if is_object(declared) else {}
    for name, variants in found.variants.items():
        if name in own or not variants:
            continue
        own[name] = variants[0] if len(variants) == 1 else {"anyOf": variants}
        if name in found.loose:
            at = pointer_to(pointer, "properties", name)
            ledger.lose(at, keyword, None, Recovery.NARROWED)
    return {**node, "properties": own} if own else dict(node)


def conditions(schema: JsonObject) -> Iterator[Alternatives]:
    """What the conditions of a schema add to it."""
    if "if" in schema:
        if schema.get("unevaluatedProperties") is False:
            yield schema["if"], True  # what it declares is evaluated
        yield schema.get("then", True), schema.get("else", True)
    dependent = schema.get("dependentSchemas")
    for part in dependent.values() if is_object(dependent) else ():
        yield part, True


def _evaluates_further(schema: Json) -> bool:
    """Whether a schema may evaluate properties that it does not declare in its ``properties``, nor
    in those of its parts; ``unevaluatedProperties`` beside it then admits them.
    """
    if not is_object(schema):
        return False
    if "$ref" in schema or "$dynamicRef" in schema or schema.get("patternProperties"):
        return True
    extra = (schema.get("additionalProperties"), schema.get("unevaluatedProperties"))
    if any(value is not None and value is not False for value in extra):
        return True
    dependent = schema.get("dependentSchemas")
    parts = [
        *(part for word in _APPLIED for part in _list(schema.get(word))),
        *(schema.get(word) for word in _CONDITIONAL),
        *(dependent.values() if is_object(dependent) else ()),
    ]
    return any(map(_evaluates_further, parts))


@dataclass(frozen=True, slots=True)
class _Found:
    """The properties that schemas declare: by name the schemas of which one holds.

    ``loose`` are those that may have other values as well. ``is_closed``: no others are admitted.
    """

    variants: dict[str, list[Json]] = field(default_factory=dict[str, list[Json]])
    loose: frozenset[str] = frozenset()
    is_closed: bool = False


def _declared(schema: Json, *, is_open: bool) -> _Found:
    if not is_object(schema):
        return _Found()
    properties = schema.get("properties")
    own = {
        name: [] if part is False else [part]
        for name, part in (properties.items() if is_object(properties) else ())
    }
    if schema.get("additionalProperties") is False and not schema.get(
        "patternProperties"
    ):
        return _Found(own, is_closed=True)
    if schema.get("unevaluatedProperties") is False:
        is_open = _evaluates_further(schema)
    groups = [
        *([part] for part in _list(schema.get("allOf"))),
        *(_list(schema.get(word)) for word in ("anyOf", "oneOf") if word in schema),
        *conditions(schema),
    ]
    return _all_of(
        [_Found(own), *(_one_of(group, is_open=is_open) for group in groups)]
    )


def _all_of(parts: Sequence[_Found]) -> _Found:
    """What several schemas declare that all hold: the first that is sure of a property decides."""
    variants: dict[str, list[Json]] = {}
    loose = frozenset[str]()
    for part in parts:
        for name, schemas in part.variants.items():
            if name not in variants:
                variants[name] = schemas
                loose |= part.loose & {name}
            elif name in loose and name not in part.loose:
                variants[name] = schemas
                loose -= {name}
            elif name in loose:
                variants[name] = _distinct([*variants[name], *schemas])
    for part in parts:
        if part.is_closed:
            variants = {k: v for k, v in variants.items() if k in part.variants}
    return _Found(variants, loose, any(part.is_closed for part in parts))


def _one_of(group: Alternatives, *, is_open: bool) -> _Found:
    """What several schemas declare of which one holds."""
    parts = [
        _declared(schema, is_open=is_open)
        for schema in group
        if schema is not False and _admits_objects(schema)
    ]
    variants: dict[str, list[Json]] = {}
    loose = frozenset[str]()
    for name in dict.fromkeys(name for part in parts for name in part.variants):
        schemas = [each for part in parts for each in part.variants.get(name, ())]
        variants[name] = _distinct(schemas)
        if any(
            name in part.loose
            or (is_open and name not in part.variants and not part.is_closed)
            for part in parts
        ):
            loose |= {name}
    return _Found(variants, loose, bool(parts) and all(p.is_closed for p in parts))


def _admits_objects(schema: Json) -> bool:
    names = types_of(schema)[0] if is_object(schema) and "type" in schema else ()
    return not names or "object" in names


def _distinct(schemas: Iterable[Json]) -> list[Json]:
    kept: list[Json] = []
    for schema in schemas:
        if not any(is_same_json(schema, one) for one in kept):
            kept.append(schema)
    return kept


def _list(value: Json) -> list[Json]:
    return [*value] if isinstance(value, list | tuple) else []
