"""Find one type that holds all values of an enum or all alternatives."""

from __future__ import annotations

from brimgen.model.json import Json
from brimgen.model.scalars import OF_JSON_TYPE
from brimgen.model.types import (
    JsonType,
    NullableType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.standard.subschemas import Schema
from brimgen.resolve.values import exact_integer, fits, is_number

PLAIN = {
    kind: OF_JSON_TYPE[kind] for kind in ("string", "integer", "number", "boolean")
}
ANY = JsonType()


def choices_of(schema: Schema) -> list[Json] | None:
    """Return the closed list of values of a schema (`const` is one of one), or None."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return list(values) if isinstance(values, list) and values else None


def of_values(values: list[Json]) -> Type:
    """The type of a closed list of values."""
    present = [value for value in values if value is not None]
    parts: list[Type] = []
    for scalar, group in (
        (Scalar.STRING, [value for value in present if isinstance(value, str)]),
        (Scalar.BOOL, [value for value in present if isinstance(value, bool)]),
        (Scalar.INT, [value for value in present if fits(Scalar.INT, value)]),
        (Scalar.FLOAT, [value for value in present if is_number(value)]),
    ):
        if scalar is Scalar.FLOAT:
            if any(not fits(Scalar.INT, value) for value in group):
                parts = [part for part in parts if not _is_int(part)]
                parts.append(ScalarType(Scalar.FLOAT))
        elif group:
            unique = dict.fromkeys(
                exact_integer(value) if scalar is Scalar.INT else value
                for value in group
            )
            parts.append(ScalarType(scalar, tuple(unique)))  # type: ignore[arg-type]
    if not present or any(isinstance(value, list | dict) for value in present):
        return ANY
    inner = merge(parts)
    return or_null(inner) if len(present) < len(values) else inner


def _is_int(kind: Type) -> bool:
    return isinstance(kind, ScalarType) and kind.scalar is Scalar.INT


def merge(kinds: list[Type]) -> Type:
    """Return the type of values that have one of ``kinds``."""
    plain: list[Type] = []
    has_null = False
    for kind in kinds:
        if isinstance(kind, NullableType):
            has_null = True
            kind = kind.inner
        plain.extend(kind.options if isinstance(kind, UnionType) else (kind,))
    unique = [option for i, option in enumerate(plain) if option not in plain[:i]]
    if len(unique) == 1:
        inner = unique[0]
    else:
        scalars = [
            option
            for option in unique
            if isinstance(option, ScalarType) and option.scalar in PLAIN.values()
        ]
        inner = union(scalars) if len(scalars) == len(unique) else ANY
    return or_null(inner) if has_null else inner


def union(options: list[ScalarType]) -> Type:
    """Return the union of plain scalars: one option for each, with joined choices."""
    by_scalar: dict[Scalar, ScalarType] = {}
    for option in options:
        earlier = by_scalar.get(option.scalar)
        if earlier is None:
            by_scalar[option.scalar] = option
        else:
            both = bool(earlier.choices and option.choices)
            joined = (
                tuple(dict.fromkeys(earlier.choices + option.choices)) if both else ()
            )
            by_scalar[option.scalar] = ScalarType(option.scalar, joined)
    if Scalar.FLOAT in by_scalar:
        by_scalar.pop(Scalar.INT, None)
    parts = tuple(by_scalar.values())
    if not parts:
        return ANY
    return parts[0] if len(parts) == 1 else UnionType(parts)


def or_null(inner: Type) -> Type:
    """Return the type that admits null as well."""
    return inner if isinstance(inner, JsonType | NullableType) else NullableType(inner)
