"""The files of JSON Schemas: what is published, and what a package reads.

A tool has up to four: ``input`` is what a caller may send, ``bound`` what handler and SQL receive,
where that is something else, ``output`` what it returns, ``enforced`` what a decoder checks, where
open schemas are published. Each file is complete: an entity in it stands once, in its ``$defs``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from operator import is_

from brimgen.emit.account import once_per_catalog
from brimgen.emit.artifact import Artifact
from brimgen.emit.chosen_targets import makes
from brimgen.emit.indented import json_file
from brimgen.emit.projection.json_values import is_same_json
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.project import Project
from brimgen.resolve.entities.embedding import embedded_schema
from brimgen.schema.walk import is_object, rewritten, split_definitions

NAME = "json_schema"
"""The target that publishes schemas."""

ENTITIES, ENFORCED_ENTITIES = "entities", "entities.enforced"
_OWN_WORDS = frozenset({"default", "deprecated", "description", "examples", "title"})
"""What a schema may say besides that of the entity that it is."""


def schemas_root(project: Project) -> str:
    """Return the folder of schemas: inside the package if the project makes one."""
    is_packaged = makes(project, "python")
    return f"python/{project.package}/schemas" if is_packaged else NAME


def file_stem(tool: Tool) -> str:
    """Return where the files of a tool's schemas lie, and how their names begin.

    What is not published lies apart, so that nobody takes it for a contract.
    """
    is_published = tool.enabled and tool.is_for(NAME)
    return f"{'tools' if is_published else 'unpublished'}/{tool.name}"


def tool_schemas(tool: Tool) -> dict[str, JsonObject]:
    """Return the schemas of a tool by the parts that their files are called after."""
    schemas = {"input": tool.input_schema}
    if not is_same_json(tool.bound_schema, tool.input_schema):
        schemas["bound"] = tool.bound_schema
    if tool.returns is not None:
        schemas["output"] = tool.returns.schema
    if not is_same_json(tool.enforced_schema, tool.input_schema):
        schemas["enforced"] = tool.enforced_schema
    return schemas


class SchemaFiles:
    """Writes the files of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._root = schemas_root(catalog.project)
        self._entities, self._enums = catalog.entities, catalog.enums
        recursive = {name for name, each in self._entities.items() if each.recursive}
        self._published = _Definitions(
            {name: each.schema for name, each in self._entities.items()}, recursive
        )
        self._enforced = _Definitions(
            {name: each.enforced_schema for name, each in self._entities.items()},
            recursive,
        )
        self._files = entity_files(catalog)
        self._outputs: dict[int, str] = {}

    def of_tool(self, tool: Tool) -> Iterator[Artifact]:
        """Yield the files of a tool."""
        for part, schema in tool_schemas(tool).items():
            path = f"{self._root}/{file_stem(tool)}.{part}.json"
            yield Artifact(path, self._text(part, schema, tool), tool.sources)

    def own_of_tool(self, tool: Tool) -> list[str]:
        """Return the definitions that stay ones when a package reads the files of a tool.

        Those that refer to themselves do in any case.
        """
        return sorted(
            {
                name
                for schema in tool_schemas(tool).values()
                for name in self._published.own_of(schema)
            }
        )

    @property
    def own_of_entities(self) -> list[str]:
        """Those that stay ones when a package reads the files of entities."""
        return sorted(self._published.own_of_entities)

    def of_entities(self) -> Iterator[Artifact]:
        """Yield the file that has all entities and enums in its ``$defs``."""
        if not self._files:
            return
        enums = {name: enum.schema for name, enum in self._enums.items()}
        path = f"{self._root}/{ENTITIES}.json"
        yield Artifact(path, json_file(self._published.document(enums)), self._files)
        if any(map(is_enforced_apart, self._entities.values())):
            path = f"{self._root}/{ENFORCED_ENTITIES}.json"
            yield Artifact(path, json_file(self._enforced.document({})), self._files)

    def _text(self, part: str, schema: JsonObject, tool: Tool) -> str:
        """Return the text of a file; many tools share the schema of a result."""
        definitions = self._enforced if part == "enforced" else self._published
        if part != "output":
            return json_file(definitions.shared(schema, tool.entities_read))
        text = self._outputs.get(id(schema))
        if text is None:
            text = json_file(definitions.shared(schema, tool.entities_read))
            self._outputs[id(schema)] = text
        return text


def entity_files(catalog: Catalog) -> tuple[str, ...]:
    """The spec files of all entities, sorted."""
    files = {entity.span.file for entity in catalog.entities.values()}
    files |= {enum.span.file for enum in catalog.enums.values()}
    return tuple(sorted(files))


def is_enforced_apart(entity: Entity) -> bool:
    """Return whether a decoder enforces another schema of an entity than the published one."""
    return not is_same_json(entity.enforced_schema, entity.schema)


@once_per_catalog
def schema_files(catalog: Catalog) -> SchemaFiles:
    """Return what writes the files of a catalog."""
    return SchemaFiles(catalog)


_Shape = tuple[frozenset[str], frozenset[str]]
"""The names of properties, and the keywords but for those of `_OWN_WORDS`."""


@dataclass(frozen=True, slots=True)
class _Definition:
    """The schema of an entity with references to others in it, and the names of these."""

    schema: JsonObject
    uses: tuple[str, ...]


class _Definitions:
    """The schemas of entities, found in other schemas by what they say."""

    def __init__(self, schemas: Mapping[str, JsonObject], recursive: Set[str]) -> None:
        self._schemas: dict[str, JsonObject] = {}
        self._recursive = recursive
        self.own_of_entities: set[str] = set()
        inner: dict[str, JsonObject] = {}
        """The definitions inside of entities, by names that no entity has."""
        self._by_shape: dict[_Shape, list[str]] = {}
        for name, schema in schemas.items():
            shared = self._entities_in(schema, schemas)
            body, own = embedded_schema(name, schema, shared)
            self._schemas[name] = body
            inner |= {each: own[each] for each in own.keys() - schemas.keys()}
            self.own_of_entities |= shared - recursive
            if body.get("properties"):
                self._by_shape.setdefault(_shape(body), []).append(name)
        self._schemas |= inner
        self.own_of_entities |= inner.keys()
        self._made: dict[str, _Definition] = {}

    def shared(self, schema: JsonObject, entities: Collection[str]) -> JsonObject:
        """Return ``schema`` with its entities, some of ``entities``, in its ``$defs``.

        One with definitions of its own, which are no entities, is returned as it is.
        """
        body, own = split_definitions(schema)
        if not entities or not all(map(self._is_definition, own, own.values())):
            return schema
        used: dict[str, None] = {}
        body = self._with_references(body, entities, used)
        definitions: dict[str, JsonObject] = {}
        waiting = [*used, *own]
        while waiting:
            name = waiting.pop()
            if name not in definitions:
                made = self._definition(name)
                definitions[name] = made.schema
                waiting += made.uses
        if not definitions:
            return schema
        return {**body, "$defs": dict(sorted(definitions.items()))}

    def own_of(self, schema: JsonObject) -> Iterator[str]:
        """Yield the definitions of a canonical schema that do not refer to themselves."""
        yield from split_definitions(schema)[1].keys() - self._recursive

    def document(self, others: Mapping[str, JsonObject]) -> JsonObject:
        """Return the schema that defines all entities, and others."""
        made = {name: self._definition(name).schema for name in self._schemas}
        return {"$defs": dict(sorted({**made, **others}.items()))}

    def _entities_in(
        self, schema: JsonObject, schemas: Mapping[str, JsonObject]
    ) -> set[str]:
        """Return the entities among the definitions of a schema: recursive and large ones."""
        own = split_definitions(schema)[1]
        return {
            *self._recursive,
            *(
                name
                for name in own.keys() & schemas.keys()
                if is_same_json(split_definitions(schemas[name])[0], own[name])
            ),
        }

    def _is_definition(self, name: str, schema: Json) -> bool:
        return name in self._schemas and is_same_json(self._schemas[name], schema)

    def _definition(self, name: str) -> _Definition:
        if name not in self._made:
            used: dict[str, None] = {}
            others = self._schemas.keys() - {name}
            schema = self._with_references(self._schemas[name], others, used)
            self._made[name] = _Definition(schema, tuple(used))
        return self._made[name]

    def _with_references(
        self, schema: JsonObject, entities: Collection[str], used: dict[str, None]
    ) -> JsonObject:
        """Return a schema with references to the entities below it, whose names ``used`` takes."""

        def referred(inner: Json, _: str) -> Json:
            if not is_object(inner):
                return inner
            entity = self._entity(inner, entities)
            if entity is None:
                return self._with_references(inner, entities, used)
            used[entity] = None
            whole = self._schemas[entity]
            own = {
                word: value
                for word, value in inner.items()
                if word in _OWN_WORDS and whole.get(word) != value
            }
            return {"$ref": f"#/$defs/{entity}", **own}

        parts = {
            word: rewritten(word, value, "", referred) for word, value in schema.items()
        }
        return schema if all(map(is_, parts.values(), schema.values())) else parts

    def _entity(self, schema: JsonObject, entities: Collection[str]) -> str | None:
        """Return that of ``entities`` whose schema this is, but for words of its own."""
        if not is_object(schema.get("properties")):
            return None
        for name in self._by_shape.get(_shape(schema), ()):
            whole = self._schemas[name]
            if (
                name in entities
                and whole.keys() <= schema.keys()
                and is_same_json(_without_words(whole), _without_words(schema))
            ):
                return name
        return None


def _shape(schema: JsonObject) -> _Shape:
    """Return a key that is equal for equal schemas, and differs for most others."""
    properties: Json = schema.get("properties")
    named = properties if is_object(properties) else ()
    return frozenset(named), frozenset(schema.keys() - _OWN_WORDS)


def _without_words(schema: JsonObject) -> JsonObject:
    return {word: value for word, value in schema.items() if word not in _OWN_WORDS}
