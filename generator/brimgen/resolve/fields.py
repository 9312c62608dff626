"""Fields: a flat declaration in, a typed `Field` with its canonical schema out."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules import resolve as names_rules
from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.model.fields import Caller, Default, Field, Zone
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)
from brimgen.resolve.constraints import Constraints, read_constraints
from brimgen.resolve.context import read_origin
from brimgen.resolve.defaults import (
    Probe,
    read_default,
    read_enum,
    read_value,
    rejection,
)
from brimgen.resolve.digits import bound_digits, decimal_pattern, local_datetime
from brimgen.resolve.index import Index
from brimgen.resolve.inherit import FlatField, describe
from brimgen.resolve.schema import (
    SCALARS,
    amend,
    arrange,
    list_schema,
    nullable,
    object_schema,
)
from brimgen.resolve.types import Named, name_type
from brimgen.resolve.values import is_null, to_json
from brimgen.source.nodes import ListNode, ScalarNode
from brimgen.syntax.decls import FieldDecl, Text, TypeText

_LONGEST_NAME = 128
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_WORDS = re.compile(r"[^\W_]+")
_LITERALS = (Scalar.STRING, Scalar.INT, Scalar.BOOL, Scalar.SPLAT)


class Shapes(Protocol):
    """What fields need to know of entities: made by `brimgen.resolve.entities`."""

    def embed(self, name: str) -> JsonObject:
        """The schema of an entity where it is used; a recursive one is a `$ref`."""

    def complete(self, schema: JsonObject) -> JsonObject:
        """The schema with the `$defs` that its `$ref`s to recursive entities need."""

    def values(self, name: str) -> tuple[str | int | float, ...]:
        """The values of an enum entity."""

    def hidden(self, name: str) -> tuple[Field, ...]:
        """The fields of an entity that a caller cannot send."""

    def property(self, entity: str, name: str) -> Field | None:
        """A property of an entity that is written as JSON Schema."""


@dataclass(slots=True)
class RecordNames:
    """Names for nested objects, unique within one owner: ``GetOrders`` + ``ship_to``."""

    owner: str
    _taken: set[str] = field(default_factory=set)

    def claim(self, *path: str) -> str:
        """Return the class name that a path suggests, numbered where it is taken."""
        name = "".join(pascal(each) for each in (self.owner, *path))
        number, unique = 1, name
        while unique.casefold() in self._taken:
            number += 1
            unique = f"{name}{number}"
        self._taken.add(unique.casefold())
        return unique


def pascal(text: str) -> str:
    """Return ``ship_to`` as ``ShipTo``; letters that are large stay large."""
    return "".join(each[0].upper() + each[1:] for each in _WORDS.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where fields are made: for which owner, and what that place allows."""

    index: Index
    shapes: Shapes
    found: Diagnostics
    names: RecordNames
    closed: bool
    splat: bool = False
    inside_value: bool = False
    path: tuple[str, ...] = ()


@dataclass(slots=True)
class _Value:
    """One field in the making: its value (or the item of its list), then the whole."""

    named: Named | None
    type: Type
    schema: dict[str, Json]
    constraints: Constraints
    choices: tuple[Json, ...] | None = None
    has_null: bool = False


def make_field(flat: FlatField, frame: Frame) -> Field:
    """Return the field; where its type is unsound, one that admits anything.

    Everything that is wrong with it is reported; a part that is wrong is left out.
    """
    decl = flat.decl
    check_name(decl.name, frame.found)
    if flat.source is not None:
        base = frame.shapes.property(flat.source, flat.name)
        return _refine_property(flat, base, frame)
    text = decl.type
    assert text is not None
    admits_null = text.is_optional or _default_is_null(decl)
    value = _make_value(flat, text, frame, admits_null=admits_null)
    whole, schema = _wrap(value, decl, text.is_list, admits_null or value.has_null)
    probe = _probe(flat, value, text.is_list, schema, frame)
    default = _read_default(decl, probe, frame.found)
    made = Field(
        name=flat.name,
        type=whole,
        schema=_annotate(schema, decl, default, probe, frame.found),
        span=decl.name.span,
        required=is_required(decl, frame.found),
        default=default,
        description=text_of(decl, "description"),
        deprecated=_is_true(decl, "deprecated"),
        origin=read_origin(
            flat.name,
            decl.attribute("from_context"),
            decl.attribute("llm"),
            frame.found,
            inside_value=frame.inside_value,
        ),
        declared=flat.declared,
        precision=value.constraints.precision,
        scale=value.constraints.scale,
        zone=value.constraints.zone,
        wire_string=value.constraints.wire_string,
        bind_json=decl.attribute("bind") is not None,
    )
    return apply_descriptions(made, _foreign(flat), frame.found)


def _foreign(flat: FlatField) -> tuple[tuple[Text, Text], ...]:
    """The descriptions that nested fields have not taken already."""
    return () if flat.decl.fields is not None else flat.described


def check_name(name: Text, found: Diagnostics) -> None:
    """Report a name that JSON allows and nothing else can carry (language.md 1)."""
    text = name.value
    reason = None
    if not text:
        reason = "it is empty"
    elif len(text) > _LONGEST_NAME:
        reason = f"it has more than {_LONGEST_NAME} characters"
    elif _CONTROL.search(text):
        reason = "it has a control character"
    if reason is not None:
        shown = ascii(text[:40])[1:-1]
        found.add(rules.BAD_NAME, name.span, name=shown, reason=reason)


def is_required(decl: FieldDecl, found: Diagnostics) -> bool:
    """Return whether a value must be given: unless `default`, `required: false` or ``T?``."""
    default = decl.attribute("default")
    said = decl.attribute("required")
    if isinstance(said, ScalarNode) and isinstance(said.value, bool):
        if said.value and default is not None:
            found.add(rules.REQUIRED_WITH_DEFAULT, said.span, name=decl.name.value)
            return False
        return said.value
    return default is None and not (decl.type is not None and decl.type.is_optional)


def text_of(decl: FieldDecl, key: str) -> str | None:
    """Return the text of an attribute, or None."""
    node = decl.attribute(key)
    return node.text if isinstance(node, ScalarNode) else None


def apply_descriptions(
    made: Field, texts: tuple[tuple[Text, Text], ...], found: Diagnostics
) -> Field:
    """Return the field with texts at places inside its schema, by dotted keys."""
    for key, text in texts:
        schema = amend(made.schema, tuple(key.value.split(".")), text.value)
        if schema is None:
            shared = recursive_name(made.type)
            if shared is not None and "$ref" in str(made.schema):
                found.add(
                    names_rules.DESCRIPTION_OUT_OF_REACH,
                    key.span,
                    name=f"{made.name}.{key.value}",
                    entity=shared,
                )
            else:
                found.add(
                    names_rules.DESCRIPTION_OF_NOTHING,
                    key.span,
                    suggestions=did_you_mean(key.value, _inner_names(made.schema)),
                    name=f"{made.name}.{key.value}",
                )
            continue
        made = replace(made, schema=schema)
    return made


def recursive_name(kind: Type) -> str | None:
    """Return the name of the entity that a type is, lists and null aside."""
    match kind:
        case EntityType(name):
            return name
        case ListType(item) | NullableType(item):
            return recursive_name(item)
        case _:
            return None


def _inner_names(schema: Json) -> list[str]:
    if not isinstance(schema, dict):
        return []
    properties = schema.get("properties")
    if isinstance(properties, dict):
        return list(properties)
    options = schema.get("anyOf")
    inner = options[0] if isinstance(options, list) else schema.get("items")
    return _inner_names(inner)


def _default_is_null(decl: FieldDecl) -> bool:
    node = decl.attribute("default")
    return node is not None and is_null(node)


def _make_value(
    flat: FlatField, text: TypeText, frame: Frame, *, admits_null: bool
) -> _Value:
    decl = flat.decl
    if decl.fields is not None:
        constraints = read_constraints(
            decl, None, is_list=text.is_list, found=frame.found
        )
        record, schema = _make_record(flat, text, frame)
        return _Value(None, record, schema, constraints)
    named = name_type(text, frame.index, frame.found)
    if named is None:
        return _Value(None, JsonType(), {}, Constraints())
    constraints = read_constraints(decl, named, is_list=text.is_list, found=frame.found)
    value = _Value(named, named, {}, constraints)
    match named:
        case ScalarType(scalar):
            _fill_scalar(value, scalar, flat, frame, admits_null=admits_null)
        case EntityType(name):
            value.schema = dict(frame.shapes.embed(name))
            for hidden in frame.shapes.hidden(name):
                frame.found.add(
                    names_rules.HIDDEN_IN_VALUE, text.span, name=f"{name}.{hidden.name}"
                )
        case EnumType(name):
            value.schema = dict(frame.shapes.embed(name))
            value.choices = tuple(frame.shapes.values(name))
    value.schema |= constraints.value
    return value


def _make_record(
    flat: FlatField, text: TypeText, frame: Frame
) -> tuple[RecordType, dict[str, Json]]:
    path = (*frame.path, flat.name)
    inner = replace(frame, path=path, inside_value=True, splat=False)
    nested = tuple(FlatField(decl=each) for each in flat.decl.fields or ())
    described = describe(nested, flat.described, {}, frame.found)
    name = frame.names.claim(*path, *(("item",) if text.is_list else ()))
    fields = tuple(make_field(each, inner) for each in described)
    return RecordType(name, fields), object_schema(fields, closed=frame.closed)


def _fill_scalar(
    value: _Value, scalar: Scalar, flat: FlatField, frame: Frame, *, admits_null: bool
) -> None:
    decl, constraints = flat.decl, value.constraints
    if scalar is Scalar.SPLAT and not frame.splat:
        assert decl.type is not None
        frame.found.add(
            names_rules.SPLAT_OUTSIDE_PATH,
            decl.type.span,
            name=decl.type.name,
            field=flat.name,
        )
    value.schema = dict(SCALARS[scalar])
    if scalar is Scalar.DECIMAL and constraints.wire_string:
        value.schema = {"type": "string", "pattern": decimal_pattern(constraints)}
        constraints.value.clear()
    elif scalar is Scalar.DECIMAL:
        bound_digits(constraints)
    elif constraints.zone is Zone.ASSUME_UTC:
        value.schema = local_datetime()
    if constraints.enum is None:
        return
    probe = Probe(
        name=flat.name,
        named=value.named,
        is_list=False,
        nullable=admits_null and not (decl.type and decl.type.is_list),
        constraints=constraints,
    )
    value.choices, value.has_null = read_enum(
        constraints.enum.value, probe, frame.found
    )
    if value.choices is not None:
        value.schema["enum"] = list(value.choices)
        if scalar in _LITERALS:
            literals = tuple(
                each for each in value.choices if isinstance(each, str | int)
            )
            value.type = ScalarType(scalar, literals)


def _wrap(
    value: _Value, decl: FieldDecl, is_list: bool, admits_null: bool
) -> tuple[Type, dict[str, Json]]:
    whole, schema = value.type, arrange(value.schema)
    own_text = text_of(decl, "description") is not None
    if is_list:
        whole = ListType(whole)
        if decl.items is not None:
            schema = arrange({**schema, **_annotations(decl.items)})
        schema = arrange({**list_schema(schema), **value.constraints.items})
    elif value.constraints.items:
        schema = arrange({**schema, **value.constraints.items})
    if own_text and not is_list:
        schema.pop("description", None)
    if not admits_null:
        return whole, schema
    if isinstance(whole, JsonType):
        return whole, schema
    return NullableType(whole), nullable(schema)


def _annotations(decl: FieldDecl) -> dict[str, Json]:
    keys = ("title", "description", "deprecated", "examples")
    return {
        each.key.text: to_json(each.value)
        for each in decl.attributes
        if each.key.text in keys or each.key.text.startswith("x-")
    }


def _annotate(
    schema: JsonObject,
    decl: FieldDecl,
    default: Default | None,
    probe: Probe,
    found: Diagnostics,
) -> dict[str, Json]:
    said = _annotations(decl)
    if said.get("deprecated") is False:
        del said["deprecated"]
    examples = decl.attribute("examples")
    if isinstance(examples, ListNode):
        read = [read_value(each, "an example", probe, found) for each in examples.items]
        said["examples"] = [value for sound, value in read if sound]
    if default is not None and default.value is not None:
        said["default"] = default.value
    return arrange({**schema, **said})


def _probe(
    flat: FlatField, value: _Value, is_list: bool, schema: JsonObject, frame: Frame
) -> Probe:
    def reject(given: Json) -> str | None:
        if isinstance(value.type, JsonType):
            return None
        counted = {"minItems", "maxItems", "uniqueItems"}
        probed = {key: each for key, each in schema.items() if key not in counted}
        return rejection(frame.shapes.complete(probed), given)

    return Probe(
        name=flat.name,
        named=value.named,
        is_list=is_list,
        nullable=isinstance(value.type, JsonType)
        or (
            flat.decl.type is not None
            and (flat.decl.type.is_optional or _default_is_null(flat.decl))
        ),
        constraints=value.constraints,
        choices=value.choices,
        reject=reject,
    )


def _read_default(decl: FieldDecl, probe: Probe, found: Diagnostics) -> Default | None:
    node = decl.attribute("default")
    return None if node is None else read_default(node, probe, found)


def _is_true(decl: FieldDecl, key: str) -> bool:
    node = decl.attribute(key)
    return isinstance(node, ScalarNode) and node.value is True


def _refine_property(flat: FlatField, base: Field | None, frame: Frame) -> Field:
    """A JSON Schema property of an entity, as a tool inherits and refines it."""
    decl = flat.decl
    if base is None:
        return Field(name=flat.name, type=JsonType(), schema={}, span=decl.name.span)
    constraints = {
        each.key.text: to_json(each.value, frame.found)
        for each in decl.attributes
        if each.key.text
        not in (
            "required",
            "from_context",
            "llm",
            "bind",
            "precision",
            "scale",
            "wire",
            "tz",
        )
    }
    schema = arrange({**base.schema, **constraints})
    node = decl.attribute("default")
    default = base.default
    if node is not None:
        value = to_json(node)
        default = Default(value)
        reason = rejection(frame.shapes.complete(base.schema), value)
        if reason is not None:
            frame.found.add(
                rules.REJECTED_VALUE,
                node.span,
                what="the default",
                name=flat.name,
                reason=reason,
            )
    said = decl.attribute("required")
    required = base.required and node is None
    if isinstance(said, ScalarNode) and isinstance(said.value, bool):
        required = is_required(decl, frame.found)
        default = None if said.value else default
    refined = replace(
        base,
        schema=schema,
        span=decl.name.span,
        required=required,
        default=default,
        description=text_of(decl, "description") or base.description,
        declared=flat.declared,
        origin=read_origin(
            flat.name,
            decl.attribute("from_context"),
            decl.attribute("llm"),
            frame.found,
            inside_value=frame.inside_value,
        ),
        bind_json=decl.attribute("bind") is not None,
    )
    return apply_descriptions(refined, flat.described, frame.found)


def make_fields(flats: tuple[FlatField, ...], frame: Frame) -> tuple[Field, ...]:
    """Return the fields of an owner, in their order."""
    return tuple(make_field(each, frame) for each in flats)


def only_caller(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields that come from the caller."""
    return tuple(each for each in fields if isinstance(each.origin, Caller))


Reject = Callable[[Json], str | None]
