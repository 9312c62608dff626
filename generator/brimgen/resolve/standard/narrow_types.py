"""Find the narrowest Python type that holds every value a schema accepts.

The type is never wrong: where a schema accepts what no narrower type holds, it is `JsonType`.
`allOf` and `$ref` add to what stands beside them; `anyOf` and `oneOf` give a union where all
options are plain; a recursive `$ref` is `JsonType`, unless it is the entity itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass, field
from brimgen.model.json import Json, is_list, is_object
from brimgen.model.scalars import OF_JSON_FORMAT, OF_JSON_TYPE
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    MapType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.resolve.fields.frame import Frame, Placed
from brimgen.resolve.standard.defaults import (
    ANY,
    PLAIN,
    as_default,
    choices_of,
    merge,
    of_values,
    or_null,
    union,
)
from brimgen.schema.walk import (
    Schema,
    is_conditional_part,
    levels,
    target_of,
)
from brimgen_runtime.grammar.schema_parts import (
    at_pointer,
    has_inner_identifier,
    is_null_schema,
    same_value_subschemas,
)
from brimgen_runtime.schema.json_pointer import escape_step

_DEPTH = 24
_BUDGET = 1000
_MOST_STEPS = 20_000
_SAID = frozenset({"default", "deprecated", "description"})


@dataclass(slots=True)
class TypeFinder:
    """Finds the types of one document.

    ``entities`` are the types of schemas that were put in the place of a reference to an entity, by
    ``id``. ``own_name`` is the entity that the root is, if it is one.
    """

    frame: Frame
    root: Schema
    spans: Mapping[str, Span]
    entities: Mapping[int, Placed] = field(default_factory=dict[int, Placed])
    own_name: str | None = None
    _open: list[str] = field(default_factory=list[str])
    _spent: int = 0
    _steps: int = 0
    _has_inner_identifier: bool | None = None
    _places: dict[int, Span] = field(default_factory=dict[int, Span])

    def __post_init__(self) -> None:
        for pointer, span in self.spans.items():
            schema = at_pointer(self.root, pointer)
            if isinstance(schema, dict):
                self._places[id(schema)] = span

    def fields(self) -> tuple[Field, ...]:
        """Return the properties of the root as fields."""
        return self._fields(self.root, ())

    def extra(self) -> Type | None:
        """Return the type of further properties of the root; None where there are none."""
        return self._extra(self.root, ("extra",))

    def type_of(self, schema: Json, path: tuple[str, ...]) -> Type:
        """Return the type of the values that ``schema`` accepts."""
        self._steps += 1
        if self._spent > _BUDGET or self._steps > _MOST_STEPS or len(path) > _DEPTH:
            return ANY
        if not isinstance(schema, dict):
            return ANY
        if id(schema) in self.entities:
            return self.entities[id(schema)]
        choices = choices_of(schema)
        if choices is not None:
            return of_values(choices)
        kind = schema.get("type")
        if isinstance(kind, str):
            return self._type_of_kind(kind, schema, path)
        if isinstance(kind, list):
            return self._type_of_kinds(kind, schema, path)
        joined = self._type_of_joined_object(schema, path)
        if joined is not None:
            return joined
        return next(
            (
                of_part
                for of_part in self._types_of_parts(schema, path)
                if of_part != ANY
            ),
            ANY,
        )

    def _type_of_kind(self, kind: str, schema: Schema, path: tuple[str, ...]) -> Type:
        match kind:
            case "object":
                return self._type_of_object(schema, path)
            case "array":
                return self._type_of_array(schema, path)
            case "string":
                form = (kind, str(schema.get("format")))
                return ScalarType(OF_JSON_FORMAT.get(form, OF_JSON_TYPE[kind]))
            case "null":
                return ANY
            case _:
                return ScalarType(PLAIN[kind])

    def _type_of_kinds(
        self, kinds: list[Json], schema: Schema, path: tuple[str, ...]
    ) -> Type:
        names = [str(kind) for kind in kinds if kind != "null"]
        if not names:
            return ANY
        if len(names) == 1:
            inner = self._type_of_kind(names[0], schema, path)
        else:
            inner = union([ScalarType(PLAIN[name]) for name in names if name in PLAIN])
            if any(name not in PLAIN for name in names):
                inner = ANY
        return or_null(inner) if "null" in kinds else inner

    def _types_of_parts(self, schema: Schema, path: tuple[str, ...]) -> Iterator[Type]:
        ref = schema.get("$ref")
        if isinstance(ref, str):
            yield self._type_of_reference(ref, path)
        all_of = schema.get("allOf")
        if isinstance(all_of, list):
            for part in all_of:
                yield self.type_of(part, path)
        for key in ("anyOf", "oneOf"):
            options = schema.get(key)
            if isinstance(options, list):
                yield self._type_of_options(options, path)

    def _type_of_options(self, options: list[Json], path: tuple[str, ...]) -> Type:
        non_null = [
            option
            for option in options
            if option is not False and not is_null_schema(option)
        ]
        has_null = any(map(is_null_schema, options))
        if not non_null:
            return ANY
        if len(non_null) == 1:
            inner = self.type_of(non_null[0], path)
        else:
            inner = merge([self.type_of(option, path) for option in non_null])
        return or_null(inner) if has_null else inner

    def _type_of_reference(self, ref: str, path: tuple[str, ...]) -> Type:
        if ref == "#" and self.own_name is not None:
            return EntityType(self.own_name)
        if ref in self._open or ref == "#":
            return ANY
        self._open.append(ref)
        try:
            return self.type_of(self._target({"$ref": ref}), path)
        finally:
            self._open.pop()

    def _type_of_array(self, schema: Schema, path: tuple[str, ...]) -> Type:
        items = schema.get("items")
        if "prefixItems" in schema or not isinstance(items, dict):
            return ScalarType(OF_JSON_TYPE["array"])
        item = self.type_of(items, (*path, "item"))
        return ScalarType(OF_JSON_TYPE["array"]) if item == ANY else ListType(item)

    def _type_of_object(self, schema: Schema, path: tuple[str, ...]) -> Type:
        if self._properties(schema):
            name = self.frame.names.claim(*self.frame.path, *path)
            fields = self._fields(schema, path)
            return RecordType(name, fields, self._extra(schema, (*path, "extra")))
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict) and "patternProperties" not in schema:
            value = self.type_of(extra, (*path, "value"))
            if value != ANY:
                return MapType(value)
        return ScalarType(OF_JSON_TYPE["object"])

    def _type_of_joined_object(
        self, schema: Schema, path: tuple[str, ...]
    ) -> Type | None:
        """The record of an object whose properties are in several levels; else None."""
        joined = list(self._levels(schema))
        references = [str(level["$ref"]) for level in joined if "$ref" in level]
        if (
            sum("properties" in level for level in joined) < 2
            or any(id(level) in self.entities for level in joined)
            or any(ref == "#" or ref in self._open for ref in references)
        ):
            return None
        kinds = _common_kinds(joined)
        if kinds - {"null"} != {"object"}:
            return None
        self._open += references
        try:
            record = self._type_of_object(schema, path)
        finally:
            del self._open[len(self._open) - len(references) :]
        return or_null(record) if "null" in kinds else record

    def _levels(self, schema: Json) -> Iterator[Schema]:
        return levels(schema, self._target)

    def _properties(self, schema: Schema) -> dict[str, list[Json]]:
        by_name: dict[str, list[Json]] = {}
        for level in self._levels(schema):
            properties = level.get("properties")
            if isinstance(properties, dict):
                for name, subschema in properties.items():
                    by_name.setdefault(name, []).append(subschema)
        return {name: value for name, value in by_name.items() if False not in value}

    def _extra(self, schema: Schema, path: tuple[str, ...]) -> Type | None:
        joined = list(self._levels(schema))
        conditional = any(
            is_conditional_part(part, level)
            for level in joined
            for part in same_value_subschemas(level)
        )
        for level in joined:
            extra = level.get("additionalProperties")
            patterns = level.get("patternProperties")
            if extra is False and not patterns:
                return None
            if isinstance(extra, dict) and not patterns:
                return self.type_of(extra, path)
        if schema.get("unevaluatedProperties") is not False or conditional:
            return ANY
        return ANY if any(self._opens(level, schema) for level in joined) else None

    def _opens(self, level: Schema, schema: Schema) -> bool:
        """Whether a level may admit properties that it does not name."""
        return (
            "patternProperties" in level
            or level.get("additionalProperties", False) is not False
            or (level is not schema and "unevaluatedProperties" in level)
            or "$dynamicRef" in level
            or ("$ref" in level and not isinstance(self._target(level), dict))
        )

    def _target(self, schema: Schema) -> Json:
        """What a schema refers to; None where that cannot be followed with certainty."""
        if self._has_inner_identifier is None:  # few schemas refer
            self._has_inner_identifier = has_inner_identifier(self.root)
        return None if self._has_inner_identifier else target_of(schema, self.root)

    def _fields(self, schema: Schema, path: tuple[str, ...]) -> tuple[Field, ...]:
        required = {
            name
            for level in self._levels(schema)
            if is_list(names := level.get("required"))
            for name in names
        }
        fields: list[Field] = []
        for name, options in self._properties(schema).items():
            self._spent += 1
            span = self._span(options, (*path, name))
            fields.append(self._field(name, options, name in required, span, path))
        return tuple(fields)

    def _span(self, options: list[Json], path: tuple[str, ...]) -> Span:
        """The place of a property: its own, or that of the argument which it is a part of."""
        own_spans = [
            self._places[id(option)] for option in options if id(option) in self._places
        ]
        outer = f"/properties/{escape_step(path[0])}"
        return own_spans[0] if own_spans else self.spans.get(outer, self.spans[""])

    def _field(
        self,
        name: str,
        options: list[Json],
        required: bool,
        span: Span,
        path: tuple[str, ...],
    ) -> Field:
        whole: Json = options[0] if len(options) == 1 else {"allOf": options}
        kind = self.type_of(whole, (*path, name))
        schema: Schema = next(filter(is_object, options), dict[str, Json]())
        said = self._annotations(whole)
        text = said.get("description")
        default = None
        if "default" in said and not required:
            default = as_default(said["default"])
        return Field(
            name=name,
            type=kind,
            schema=schema,
            span=span,
            required=required,
            default=default,
            description=text if isinstance(text, str) else None,
            deprecated=said.get("deprecated") is True,
        )

    def _annotations(self, whole: Json) -> Schema:
        """What a schema says of a property beside its rules: what is nearest wins."""

        def target(level: Schema) -> Json:
            return None if level["$ref"] == "#" else self._target(level)

        said: Schema = {}
        for level in levels(whole, target):
            said = {key: level[key] for key in _SAID & level.keys()} | said
        return said


def _common_kinds(levels: list[Schema]) -> set[str]:
    """The JSON types that every level admits which names types; none where no level does."""
    named = [
        {kind} if isinstance(kind, str) else set(map(str, kind))
        for level in levels
        if isinstance(kind := level.get("type"), str | list)
    ]
    return set[str].intersection(*named) if named else set()
