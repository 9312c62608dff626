"""Make the fields of an owner of their declarations."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial

from brimgen.diagnostics import rules
from brimgen.frozen import dataclass, replace
from brimgen.model.fields import Zone
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    LeafType,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
)
from brimgen.resolve.entities.inheritance import refine_property
from brimgen.resolve.fields.canonical_schema import (
    arrange,
    list_schema,
    nullable,
    object_schema,
)
from brimgen.resolve.fields.constraints import (
    Constraints,
    bound_digits,
    check_bounds,
    decimal_pattern,
    local_datetime,
    read_constraints,
)
from brimgen.resolve.fields.defaults import (
    Probe,
    read_default_and_examples,
    read_enum,
    respelled,
    why_undecided,
)
from brimgen.resolve.fields.descriptions import apply_descriptions, describe, text_of
from brimgen.resolve.fields.frame import (
    FlatField,
    Frame,
    check_name,
    default_is_null,
    is_required,
    origin_of,
)
from brimgen.resolve.fields.types import PLAIN, STAND_IN, Named, name_type
from brimgen.resolve.values import field_annotations, identity, item_annotations
from brimgen.syntax.decls import FieldDecl, TypeText
from brimgen.syntax.reader import is_true

_EXCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
"""The bound of a type that an author's bound makes needless."""
_GIVEN = frozenset({"default", "examples"})


@dataclass(slots=True)
class _Value:
    """One field in the making: its value (or the item of its list), then the whole."""

    named: Named | None
    type: Type
    schema: dict[str, Json]
    constraints: Constraints
    choices: Mapping[Hashable, Json] | None = None
    has_null: bool = False
    sound: bool = True


def make_field(flat: FlatField, frame: Frame) -> Field:
    """Return the field; one whose type is wrong becomes a string, so that targets are silent.

    Everything that is wrong with it is reported; a part that is wrong is left out.
    """
    check_name(flat.decl.name, frame.diagnostics)
    if flat.source is not None:
        base = frame.shapes.property(flat.source, flat.name)
        return refine_property(flat, base, frame)
    field = _make_typed(flat, flat.decl, frame)
    if not flat.described or flat.decl.fields is not None:  # nested fields took them
        return field
    return apply_descriptions(field, flat.described, frame)


def _make_typed(flat: FlatField, decl: FieldDecl, frame: Frame) -> Field:
    text = decl.type
    assert text is not None
    admits_null = text.is_optional or default_is_null(decl)
    value = _make_value(flat, text, frame, admits_null=admits_null)
    field_type, schema = _wrap(value, decl, text.is_list, admits_null or value.has_null)
    words = field_annotations(decl)
    default = None
    if not decl.attributes.keys().isdisjoint(_GIVEN):
        probe = _probe(flat, value, text, schema, frame)
        default = read_default_and_examples(decl, probe, words, frame.diagnostics)
    if words:
        schema |= words
    is_embedded = is_true(decl.attribute("embed"))
    if is_embedded:
        _check_embed(decl, field_type, frame)
    return Field(
        name=flat.name,
        type=field_type,
        schema=arrange(schema),
        span=decl.name.span,
        required=is_required(decl, frame.diagnostics),
        default=default,
        description=text_of(decl, "description"),
        deprecated=is_true(decl.attribute("deprecated")),
        origin=origin_of(decl, frame.diagnostics, inside_value=frame.inside_value),
        declared=flat.declared,
        precision=value.constraints.precision,
        scale=value.constraints.scale,
        zone=value.constraints.zone,
        wire_string=value.constraints.wire_string,
        bind_json="bind" in decl.attributes,
        embed=is_embedded,
    )


def _check_embed(decl: FieldDecl, type: Type, frame: Frame) -> None:
    """Report `embed` where no columns can be an entity."""
    inner = type.inner if isinstance(type, NullableType) else type
    if frame.path not in (("result",), ("result", "item")):
        reason = "only fields of `returns` are columns of a row"
    elif not isinstance(inner, EntityType) and inner is not STAND_IN:
        reason = f"`{decl.name.value}` is no entity"
    else:
        return
    span = decl.attributes["embed"].key.span
    frame.diagnostics.add(rules.BAD_EMBED, span, reason=reason)


def _make_value(
    flat: FlatField, text: TypeText, frame: Frame, *, admits_null: bool
) -> _Value:
    decl = flat.decl
    if decl.fields is not None:
        constraints = read_constraints(
            decl, None, is_list=text.is_list, diagnostics=frame.diagnostics
        )
        record, schema = _make_record(flat, text, frame)
        return _Value(None, record, schema, constraints)
    named = name_type(text, frame.index, frame.diagnostics)
    if named is None:
        return _Value(
            None,
            STAND_IN,
            dict(SCALARS[STAND_IN.scalar].schema),
            Constraints(),
            sound=False,
        )
    constraints = read_constraints(
        decl, named, is_list=text.is_list, diagnostics=frame.diagnostics
    )
    is_zoned = isinstance(named, ScalarType) and SCALARS[named.scalar].has_zone
    if is_zoned and "tz" not in decl.attributes:
        constraints.zone = frame.zone
    value = _Value(named, named, {}, constraints)
    match named:
        case ScalarType(scalar):
            _fill_scalar(value, scalar, flat, frame, admits_null=admits_null)
        case EntityType(name):
            value.schema = dict(frame.shapes.embed(name))
            for hidden in frame.shapes.hidden(name):
                frame.diagnostics.add(
                    rules.HIDDEN_IN_VALUE, text.span, name=f"{name}.{hidden.name}"
                )
        case EnumType(name):
            value.schema = dict(frame.shapes.embed(name))
            value.choices = {
                identity(shape): shape for shape in frame.shapes.values(name)
            }
        case LeafType(name, scalar):
            value.schema = dict(frame.index.leaves[name].schema)
            _fill_choices(value, scalar, flat, frame, admits_null=admits_null)
    value.schema |= constraints.value
    return value


def _make_record(
    flat: FlatField, text: TypeText, frame: Frame
) -> tuple[RecordType, dict[str, Json]]:
    path = (*frame.path, flat.name)
    inner = replace(frame, path=path, inside_value=True, splat=False)
    nested = tuple(
        FlatField(decl=field)
        for field in flat.decl.fields or ()
        if field.type is not None  # else it was reported when it was read
    )
    described = describe(nested, flat.described, {}, frame.diagnostics)
    name = frame.names.claim(*path, *(("item",) if text.is_list else ()))
    fields = tuple(make_field(child, inner) for child in described)
    return RecordType(name, fields), object_schema(fields)


def _fill_scalar(
    value: _Value, scalar: Scalar, flat: FlatField, frame: Frame, *, admits_null: bool
) -> None:
    decl, constraints, row = flat.decl, value.constraints, SCALARS[scalar]
    if not frame.splat and row.is_path_rest:
        assert decl.type is not None
        frame.diagnostics.add(
            rules.SPLAT_OUTSIDE_PATH,
            decl.type.span,
            name=decl.type.name,
            field=flat.name,
        )
    value.schema = dict(row.schema)
    for exclusive, bound in _EXCLUSIVE.items():
        if exclusive in constraints.value:
            value.schema.pop(bound, None)
    if constraints.exact_bounds and row.keeps_digits:
        check_bounds(constraints, decl, frame.diagnostics)
    if row.keeps_digits and constraints.wire_string:
        value.schema = {"type": "string", "pattern": decimal_pattern(constraints)}
    elif row.keeps_digits:
        bound_digits(constraints)
    elif constraints.zone is Zone.ASSUME_UTC:
        value.schema = local_datetime()
    _fill_choices(value, scalar, flat, frame, admits_null=admits_null)
    if value.choices is not None and row.has_literals:
        literals = tuple(
            choice for choice in value.choices.values() if isinstance(choice, str | int)
        )
        value.type = ScalarType(scalar, literals)


def _fill_choices(
    value: _Value, scalar: Scalar, flat: FlatField, frame: Frame, *, admits_null: bool
) -> None:
    """The values of an `enum`, which are those of ``scalar``, and of the leaf if it is one's."""
    decl, constraints = flat.decl, value.constraints
    if constraints.enum is None:
        return
    of_leaf = dict(value.schema)

    def reject(candidate: Json) -> str | None:
        if not isinstance(value.named, LeafType):
            return None
        from brimgen.judging.rejection import rejection

        return rejection(of_leaf, candidate)

    probe = Probe(
        name=flat.name,
        named=PLAIN[scalar],
        is_list=False,
        nullable=admits_null and not (decl.type and decl.type.is_list),
        constraints=constraints,
        reject=reject,
    )
    value.choices, value.has_null = read_enum(
        constraints.enum.value, probe, frame.diagnostics
    )
    if value.choices is None:
        return
    if SCALARS[scalar].has_zone or isinstance(value.named, LeafType):
        value.choices = respelled(value.choices, constraints, value.named, flat, frame)
    value.schema["enum"] = list(dict.fromkeys(value.choices.values()))


def _wrap(
    value: _Value, decl: FieldDecl, is_list: bool, admits_null: bool
) -> tuple[Type, dict[str, Json]]:
    """The type and the schema of the whole; the keys of its outermost mapping in any order."""
    field_type, schema = value.type, value.schema
    if is_list:
        field_type = ListType(field_type)
        if decl.items is not None:
            schema |= item_annotations(decl.items)
        schema = list_schema(arrange(schema))
    elif "description" in decl.attributes:
        schema.pop("description", None)
    schema |= value.constraints.items
    if not admits_null:
        return field_type, schema
    return NullableType(field_type), nullable(arrange(schema))


def _probe(
    flat: FlatField, value: _Value, text: TypeText, schema: JsonObject, frame: Frame
) -> Probe:
    def reject(candidate: Json) -> str | None:
        if not value.sound:
            return None
        counted = {"minItems", "maxItems", "uniqueItems"}
        probed = {key: member for key, member in schema.items() if key not in counted}
        from brimgen.judging.rejection import rejection

        return rejection(frame.shapes.complete(arrange(probed)), candidate)

    return Probe(
        name=flat.name,
        named=value.named,
        is_list=text.is_list,
        nullable=not value.sound or text.is_optional or default_is_null(flat.decl),
        constraints=value.constraints,
        choices=value.choices,
        reject=reject,
        why_undecided=partial(why_undecided, schema, frame),
        notes=flat.trail,
    )


def make_fields(flats: tuple[FlatField, ...], frame: Frame) -> tuple[Field, ...]:
    """Return the fields of an owner, in their order."""
    return tuple([make_field(flat, frame) for flat in flats])
