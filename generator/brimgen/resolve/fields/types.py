"""Find the type that a text names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brimgen.diagnostics import Diagnostics, did_you_mean, rules
from brimgen.model.scalars import ALIASES, SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.index import Index
from brimgen.syntax.decls import TypeText
from brimgen_runtime.grammar.variables import Kind

Named = ScalarType | EntityType | EnumType | LeafType
_WORDS = tuple(ALIASES)

PLAIN: Mapping[Scalar, ScalarType] = {scalar: ScalarType(scalar) for scalar in Scalar}
"""The type that each scalar word names: always the same object."""

STAND_IN = ScalarType(Scalar.STRING)
"""Takes the place of a type that was refused, so that its field is still there."""

UNKNOWN = JsonType()
"""Takes the place of a refused type of a result; recognized by identity."""


def known_type(kind: Type | None) -> Type | None:
    """Return a type without null; a stand-in, recognized by identity, is `JsonType`."""
    match kind:
        case NullableType(inner):
            return known_type(inner)
        case ListType(item) if item is STAND_IN:
            return ListType(JsonType())
        case _:
            return JsonType() if kind is STAND_IN else kind


def kind_of(type: Type) -> Kind:
    """Return the kind of the values of a type."""
    match known_type(type):
        case ListType(item):
            is_plain = kind_of(item) in ("plain", "any")
            return "list of plain" if is_plain else "list"
        case ScalarType(scalar) if SCALARS[scalar].is_array:
            return "any list"
        case ScalarType(scalar) if SCALARS[scalar].is_structured:
            return "object"
        case EntityType() | RecordType() | MapType():
            return "object"
        case JsonType() | UnionType():
            return "any"
        case _:
            return "plain"


def name_type(
    text: TypeText, index: Index, diagnostics: Diagnostics, *, also: Iterable[str] = ()
) -> Named | None:
    """Return what ``text.name`` names, without list and optional marks; None where it is unsound.

    Exact type word, exact entity or leaf, then type word in another case with a warning. ``also``
    are further words that a suggestion may name.
    """
    named = _lookup(text, index, diagnostics)
    if named is None:
        if not index.doubts(text.name):
            diagnostics.add(
                rules.UNKNOWN_TYPE,
                text.name_span,
                suggestions=brimgen_types(text.name, returns="void" in also)
                or did_you_mean(
                    text.name, [*_WORDS, *index.type_names, *index.doubtful, *also]
                ),
                name=text.name,
            )
        return None
    if text.is_list and isinstance(named, ScalarType) and _is_array(named.scalar):
        diagnostics.add(rules.NESTED_LIST, text.span, name=text.name)
        return None
    return named


def _lookup(text: TypeText, index: Index, diagnostics: Diagnostics) -> Named | None:
    name = text.name
    if name in ALIASES:
        return PLAIN[ALIASES[name]]
    if name in index.objects:
        return EntityType(name)
    if name in index.enums:
        return EnumType(name)
    if name in index.leaves:
        return LeafType(name, index.leaves[name].scalar)
    word = name.casefold()
    if word in ALIASES and name not in index.doubtful:
        if text.is_list and _is_array(ALIASES[word]):
            return PLAIN[ALIASES[word]]
        diagnostics.add(rules.TYPE_CASE, text.name_span, name=name, word=word)
        return PLAIN[ALIASES[word]]
    return None


def _is_array(scalar: Scalar) -> bool:
    return SCALARS[scalar].is_array


_BY_FOREIGN_NAME: Mapping[str, str] = {
    word: scalar.value for scalar, row in SCALARS.items() for word in row.foreign_names
}
_NOTHING = frozenset({"none", "null", "nil", "unit", "nothing", "undefined"})


def brimgen_types(word: str, *, returns: bool = False) -> tuple[str, ...]:
    """Return the type word for a type name of another language, or nothing.

    In ``returns`` of a tool, a word for no value is ``void``.
    """
    folded = word.casefold()
    if folded in _NOTHING:
        return ("void",) if returns else ()
    return (_BY_FOREIGN_NAME[folded],) if folded in _BY_FOREIGN_NAME else ()
