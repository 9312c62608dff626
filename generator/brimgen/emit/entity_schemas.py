"""Find the schemas of entities inside other schemas, so that each is written once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeGuard

from brimgen.emit.projection.json_values import is_same_json
from brimgen.model.catalog import Entity
from brimgen.model.json import Json, JsonObject

_OWN_WORDS = frozenset({"default", "deprecated", "description", "examples", "title"})
"""What a schema may say besides that of the entity that it is."""

Name: TypeAlias = Callable[[str, JsonObject], Json]
"""Names an entity, with the words that a schema adds to those of the entity."""


_Shape: TypeAlias = tuple[frozenset[str], frozenset[str]]
"""The names of properties, and the keywords but for those of `_OWN_WORDS`."""


class EntitySchemas:
    """The schemas of entities, found in other schemas by what they say."""

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._schemas = {name: entity.schema for name, entity in entities.items()}
        self._by_shape: dict[_Shape, list[str]] = {}
        for name, schema in self._schemas.items():
            if schema.get("properties"):
                self._by_shape.setdefault(_shape(schema), []).append(name)

    def named(self, schema: Json, entities: Collection[str], name: Name) -> Json:
        """Return ``schema`` with a name in the place of each of ``entities`` in it.

        What holds none is returned as it is.
        """
        if isinstance(schema, Mapping):
            entity = self._entity(schema, entities)
            if entity is not None:
                schema_of_entity = self._schemas[entity]
                own = {
                    word: value
                    for word, value in schema.items()
                    if word in _OWN_WORDS and schema_of_entity.get(word) != value
                }
                return name(entity, own)
            return self.with_named_parts(schema, entities, name)
        if _is_sequence(schema):
            items = [self.named(item, entities, name) for item in schema]
            is_same = all(a is b for a, b in zip(items, schema, strict=True))
            return schema if is_same else items
        return schema

    def with_named_parts(
        self, schema: JsonObject, entities: Collection[str], name: Name
    ) -> JsonObject:
        """Return the same for what stands below ``schema``, which may be an entity itself."""
        parts = {
            word: self.named(value, entities, name) for word, value in schema.items()
        }
        is_same = all(parts[word] is member for word, member in schema.items())
        return schema if is_same else parts

    def in_order(self, name: Name) -> Iterator[tuple[str, JsonObject]]:
        """Yield the entities with their schemas, in which only names of earlier ones stand."""
        listed: set[str] = set()
        for schema in self._schemas:
            yield from self._with_parts(schema, listed, name)

    def _with_parts(
        self, entity: str, listed: set[str], name: Name
    ) -> Iterator[tuple[str, JsonObject]]:
        if entity in listed:
            return
        schema = self._schemas[entity]
        others = self._schemas.keys() - {entity}
        for part in self._parts(schema, others):
            yield from self._with_parts(part, listed, name)
        listed.add(entity)
        yield entity, self.with_named_parts(schema, others, name)

    def _parts(self, schema: Json, entities: Collection[str]) -> Iterator[str]:
        """Yield those of ``entities`` that stand below a schema."""
        inner: Iterable[Json] = ()
        if isinstance(schema, Mapping):
            inner = schema.values()
        elif _is_sequence(schema):
            inner = schema
        for part in inner:
            entity = self._entity(part, entities) if isinstance(part, Mapping) else None
            if entity is None:
                yield from self._parts(part, entities)
            else:
                yield entity

    def _entity(self, schema: JsonObject, entities: Collection[str]) -> str | None:
        """Return that of ``entities`` whose schema this is, but for words of its own."""
        if not isinstance(schema.get("properties"), Mapping):
            return None
        for name in self._by_shape.get(_shape(schema), ()):
            entity_schema = self._schemas[name]
            if (
                name in entities
                and entity_schema.keys() <= schema.keys()
                and is_same_json(_without_words(entity_schema), _without_words(schema))
            ):
                return name
        return None


def _shape(schema: JsonObject) -> _Shape:
    """Return a key that is equal for equal schemas, and differs for most others."""
    properties: Json = schema.get("properties")
    named = properties if isinstance(properties, Mapping) else ()
    return frozenset(named), frozenset(schema.keys() - _OWN_WORDS)


def _is_sequence(schema: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(schema, Sequence) and not isinstance(schema, str)


def _without_words(schema: JsonObject) -> JsonObject:
    return {word: value for word, value in schema.items() if word not in _OWN_WORDS}
