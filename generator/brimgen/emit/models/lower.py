"""Lower a catalog to one JSON Schema with a definition for each model class.

What the canonical schemas hold in place is put back under its name, so that an entity is one class
however many tools use it.
"""

from __future__ import annotations

from typing import Any

from brimgen.emit.names import class_name
from brimgen.emit.projection import inline
from brimgen.emit.projection.keywords import is_object, rewritten, subschemas
from brimgen.emit.projection.tools import target_tools
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Type,
)

NAME = "models"
_DROPPED = frozenset(["title", "$comment", "$schema", "$id", "examples"])
_BESIDE_REFERENCE = frozenset(["description", "default"])


def lower(catalog: Catalog) -> JsonObject:
    """Return the definitions of all models: entities, then inputs and outputs of tools."""
    return _Lowering(catalog).run()


class _Lowering:
    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._made: dict[str, Json] = {}
        self._classes = {
            name: str(class_name(name)) for name in sorted(catalog.entities)
        }

    def run(self) -> JsonObject:
        """Return the document that the generator reads."""
        for name, title in self._classes.items():
            entity = self._catalog.entities[name]
            placed = self._with_definitions(title, entity.enforced_schema)
            self._made[title] = self._object(placed, entity.fields)
        for tool in target_tools(self._catalog, NAME):
            stem = str(class_name(tool.name))
            self._define(f"{stem}Input", tool.enforced_schema, tool.caller_fields)
            if tool.returns is not None:
                schema = tool.returns.schema
                placed = self._with_definitions(stem, schema)
                said = self._with_references(placed, tool.returns.type)
                self._made[self._free(f"{stem}Output")] = said
        return {"$defs": self._made}

    def _define(self, name: str, schema: JsonObject, fields: tuple[Field, ...]) -> None:
        placed = self._with_definitions(name, schema)
        self._made[self._free(name)] = self._object(placed, fields)

    def _with_definitions(self, stem: str, schema: JsonObject) -> dict[str, Json]:
        """Return ``schema`` without ``$defs``: those of entities have a class, others get one."""
        placed = inline(schema)
        definitions = placed.get("$defs")
        if not is_object(definitions):
            return dict(placed)
        names = {
            name: self._classes.get(name) or self._free(f"{stem}{class_name(name)}")
            for name in definitions
        }
        for name, body in definitions.items():
            if name not in self._classes:
                self._made[names[name]] = _cleaned(_renamed(body, names))
        root = {k: v for k, v in placed.items() if k != "$defs"}
        renamed: dict[str, Json] = _renamed(root, names)
        return renamed

    def _free(self, name: str) -> str:
        taken, number = name, 2
        while taken in self._made or taken in self._classes.values():
            taken, number = f"{name}{number}", number + 1
        return taken

    def _object(self, schema: JsonObject, fields: tuple[Field, ...]) -> JsonObject:
        types = {field.name: field.type for field in fields}
        properties = schema.get("properties")
        if not is_object(properties):
            return {**_cleaned(schema)}
        said = {
            name: (
                self._with_references(each, types[name])
                if name in types
                else _cleaned(each)
            )
            for name, each in properties.items()
        }
        rest = {k: v for k, v in schema.items() if k != "properties"}
        return {**_cleaned(rest), "properties": said}

    def _with_references(self, schema: Json, type: Type) -> Any:
        """Return ``schema`` with references where its type has a name."""
        if not is_object(schema):
            return schema
        match type:
            case EntityType(name=name) if name in self._classes:
                return _reference(self._classes[name], schema)
            case RecordType() if schema.get("type") == "object":
                name = self._free(str(class_name(type.name)))
                self._made[name] = {}
                self._made[name] = self._object(
                    _without_property_text(schema), type.fields
                )
                return _reference(name, schema)
            case ListType(item=inner) if "items" in schema:
                return self._replaced(schema, "items", inner)
            case MapType(value=inner) if "additionalProperties" in schema:
                return self._replaced(schema, "additionalProperties", inner)
            case NullableType(inner=inner) if "anyOf" in schema:
                return self._nullable(schema, inner)
            case _:
                return _cleaned(schema)

    def _nullable(self, schema: JsonObject, inner: Type) -> JsonObject:
        branches = schema["anyOf"]
        if not isinstance(branches, list | tuple):
            return {**_cleaned(schema)}
        said = [
            (
                branch
                if branch == {"type": "null"}
                else self._with_references(branch, inner)
            )
            for branch in branches
        ]
        rest = {k: v for k, v in schema.items() if k != "anyOf"}
        return {**_cleaned(rest), "anyOf": said}

    def _replaced(self, schema: JsonObject, keyword: str, inner: Type) -> JsonObject:
        rest = {k: v for k, v in schema.items() if k != keyword}
        return {
            **_cleaned(rest),
            keyword: self._with_references(schema[keyword], inner),
        }


def _reference(name: str, schema: JsonObject) -> JsonObject:
    beside = {k: v for k, v in schema.items() if k in _BESIDE_REFERENCE}
    return {"$ref": f"#/$defs/{name}", **beside}


def _without_property_text(schema: JsonObject) -> JsonObject:
    """Remove from ``schema`` what describes the property that holds it."""
    return {k: v for k, v in schema.items() if k not in _BESIDE_REFERENCE}


def _renamed(node: Json, names: dict[str, str]) -> Any:
    if not is_object(node):
        return node
    made = {
        k: rewritten(k, v, "", lambda each, _: _renamed(each, names))
        for k, v in node.items()
    }
    name = str(made.get("$ref", "")).removeprefix("#/$defs/")
    return {**made, "$ref": f"#/$defs/{names[name]}"} if name in names else made


def _cleaned(node: Json) -> Any:
    """Remove from ``node`` what would name classes or print text of authors in other places."""
    if not is_object(node):
        return node
    return {
        k: rewritten(k, v, "", lambda each, _: _cleaned(each))
        for k, v in node.items()
        if k not in _DROPPED and not k.startswith("x-")
    }


def wire_names(node: Json) -> set[str]:
    """Return the names of all properties in ``node``."""
    if not is_object(node):
        return set()
    properties = node.get("properties")
    found = set(properties) if is_object(properties) else set[str]()
    return found.union(
        *(
            wire_names(subschema)
            for k, v in node.items()
            for subschema in subschemas(k, v)
        )
    )
