"""Lower a catalog to one JSON Schema with a definition for each model class.

What the canonical schemas hold in place is put back under its name, so that an entity is one class
however many tools use it.
"""

from __future__ import annotations

from typing import Any

from brimgen.emit.models.scalars import scalar_schema
from brimgen.emit.names import class_name, classes_of, member_names
from brimgen.emit.projection import inline
from brimgen.emit.projection.tools import target_tools
from brimgen.model.catalog import Catalog, EnumEntity
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.schema.walk import is_object, rewritten, subschemas

NAME = "models"
_DROPPED = frozenset(["title", "$comment", "$schema", "$id", "examples"])
_CLASSES = frozenset(["date", "date-time", "uuid"])
"""Formats whose values have a class in every flavour that has classes for texts."""

_BESIDE_REFERENCE = frozenset(["description", "default"])


def lower(catalog: Catalog, flavour: str) -> JsonObject:
    """Return the definitions of all models: enums, entities, then the inputs of tools, what they
    run with where that is more, and the records that they return.
    """
    return _Lowering(catalog, flavour).run()


class _Lowering:
    def __init__(self, catalog: Catalog, flavour: str) -> None:
        self._catalog = catalog
        self._flavour = flavour
        self._definitions: dict[str, Json] = {}
        self._classes = {
            name: str(class_name(name)) for name in sorted(catalog.entities)
        }

    def run(self) -> JsonObject:
        """Return the document that the generator reads."""
        for name, enum in sorted(self._catalog.enums.items()):
            self._definitions[str(class_name(name))] = self._enum(enum)
        for name, title in self._classes.items():
            entity = self._catalog.entities[name]
            placed = self._with_definitions(title, entity.enforced_schema)
            self._definitions[title] = self._object(placed, entity.fields)
        for tool in target_tools(self._catalog, NAME):
            input_class, bound = map(str, classes_of(tool.name))
            self._define(input_class, tool.enforced_schema, tool.caller_fields)
            if tool.hidden_fields:
                self._define(bound, tool.bound_schema, tool.fields)
            if tool.returns is not None:
                schema = self._with_definitions(bound, tool.returns.schema)
                self._with_references(schema, tool.returns.type)
        return {"$defs": self._definitions}

    def _enum(self, enum: EnumEntity) -> JsonObject:
        """A class with the members that the class of the package has; JSON has its values."""
        names: list[Json] = [str(name) for name in member_names(enum)]
        is_class = self._flavour != "typed_dict"
        return {
            **_cleaned(enum.schema),
            "x-enum-varnames": names,
            "x-enum-field-as-literal": not is_class,
        }

    def _define(self, name: str, schema: JsonObject, fields: tuple[Field, ...]) -> None:
        placed = self._with_definitions(name, schema)
        self._definitions[self._free(name)] = self._object(placed, fields)

    def _with_definitions(self, stem: str, schema: JsonObject) -> dict[str, Json]:
        """Return ``schema`` without ``$defs``: those of entities have a class, others get one."""
        placed = inline(schema)
        definitions = placed.get("$defs")
        if not is_object(definitions):
            return dict(placed)
        names = {
            name: self._classes.get(name)
            or self._free(f"{stem}{str(class_name(name)).removeprefix(stem)}")
            for name in definitions
        }
        for name, body in definitions.items():
            if name not in self._classes:
                self._definitions[names[name]] = _cleaned(_renamed(body, names))
        root = {k: v for k, v in placed.items() if k != "$defs"}
        renamed: dict[str, Json] = _renamed(root, names)
        return renamed

    def _free(self, name: str) -> str:
        taken, number = name, 2
        while taken in self._definitions or taken in self._classes.values():
            taken, number = f"{name}{number}", number + 1
        return taken

    def _object(self, schema: JsonObject, fields: tuple[Field, ...]) -> JsonObject:
        types = {field.name: field.type for field in fields}
        properties = schema.get("properties")
        if not is_object(properties):
            return {**_cleaned(schema)}
        lowered = {
            name: (
                self._with_references(member, types[name])
                if name in types
                else _cleaned(member)
            )
            for name, member in properties.items()
        }
        rest = {k: v for k, v in schema.items() if k != "properties"}
        return {**_cleaned(rest), "properties": lowered}

    def _with_references(self, schema: Json, type: Type) -> Any:
        """Return ``schema`` with references where its type has a name."""
        if not is_object(schema):
            return schema
        match type:
            case EntityType(name=name) if name in self._classes:
                return _reference(self._classes[name], schema)
            case EnumType(name=name):
                return _reference(str(class_name(name)), schema)
            case ScalarType(choices=()) | LeafType():
                return _flat(scalar_schema(schema, type, self._flavour))
            case RecordType() if schema.get("type") == "object":
                name = self._free(str(class_name(type.name)))
                self._definitions[name] = {}
                self._definitions[name] = self._object(
                    _without_property_text(schema), type.fields
                )
                return _reference(name, schema)
            case ListType(item=inner) if "items" in schema:
                return self._replaced(schema, "items", inner)
            case MapType(value=inner) if "additionalProperties" in schema:
                return self._replaced(schema, "additionalProperties", inner)
            case NullableType(inner=inner) if "anyOf" in schema:
                return self._nullable(schema, inner)
            case NullableType(inner=ScalarType(choices=()) | LeafType() as inner):
                return _flat(scalar_schema(schema, inner, self._flavour))
            case _:
                return _cleaned(schema)

    def _nullable(self, schema: JsonObject, inner: Type) -> JsonObject:
        branches = schema["anyOf"]
        if not isinstance(branches, list | tuple):
            return {**_cleaned(schema)}
        lowered = [
            (
                branch
                if branch == {"type": "null"}
                else self._with_references(branch, inner)
            )
            for branch in branches
        ]
        rest = {k: v for k, v in schema.items() if k != "anyOf"}
        return {**_cleaned(rest), "anyOf": lowered}

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
    renamed = {
        k: rewritten(k, v, "", lambda subschema, _: _renamed(subschema, names))
        for k, v in node.items()
    }
    name = str(renamed.get("$ref", "")).removeprefix("#/$defs/")
    return {**renamed, "$ref": f"#/$defs/{names[name]}"} if name in names else renamed


def _cleaned(node: Json) -> Any:
    """Remove from ``node`` what would name classes or print text of authors in other places."""
    if not is_object(node):
        return node
    has_class = node.get("format") in _CLASSES
    dropped = _DROPPED | ({"default"} if has_class else {"format"})
    return {
        k: rewritten(k, v, "", lambda subschema, _: _cleaned(subschema))
        for k, v in node.items()
        if k not in dropped and not k.startswith("x-")
    }


def _flat(node: JsonObject) -> JsonObject:
    """Remove annotations from the schema of a scalar."""
    return {
        k: v for k, v in node.items() if k not in _DROPPED and not k.startswith("x-")
    }


def wire_names(node: Json) -> set[str]:
    """Return the names of all properties in ``node``."""
    if not is_object(node):
        return set()
    properties = node.get("properties")
    names = set(properties) if is_object(properties) else set[str]()
    return names.union(
        *(
            wire_names(subschema)
            for k, v in node.items()
            for subschema in subschemas(k, v)
        )
    )
