"""Find numbers in types: decimals, whose digits an answer keeps, and floats in arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, assert_never

from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Returns
from brimgen.model.scalars import SCALARS, ScalarRow
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
    UnionType,
)

Place: TypeAlias = tuple[str | None, ...]
"""Names of properties; None for any item of a list, or any property that is not named."""


def decimal_places(returns: Returns | None, catalog: Catalog) -> tuple[Place, ...]:
    """Return where a result has decimals. A recursive entity is one place, if it has any."""
    if returns is None:
        return ()
    search = _Search(catalog, _is_decimal)
    return tuple(dict.fromkeys(search.places(returns.type, set())))


def holds_floats(type: Type, catalog: Catalog) -> bool:
    """Whether values of a type have numbers that are decoded to floats."""
    return _holds(type, catalog, _is_float)


def _holds(type: Type, catalog: Catalog, wanted: Callable[[ScalarRow], bool]) -> bool:
    search = _Search(catalog, wanted, finds_all=False)
    return any(True for _ in search.places(type, set()))


def _is_decimal(row: ScalarRow) -> bool:
    return row.keeps_digits


def _is_float(row: ScalarRow) -> bool:
    return row.is_number and not (row.is_integer or row.keeps_digits)


@dataclass(frozen=True, slots=True)
class _Search:
    """Looks for scalars that are ``wanted``: all, or whether there are any."""

    catalog: Catalog
    wanted: Callable[[ScalarRow], bool]
    finds_all: bool = True

    def places(self, type: Type, within: set[str]) -> Iterator[Place]:
        """Return the places in a type that stands within these entities, or comes after them
        where one place is enough.
        """
        match type:
            case ScalarType(scalar) | LeafType(_, scalar):
                if self.wanted(SCALARS[scalar]):
                    yield ()
            case EntityType(name):
                yield from self._of_entity(name, within)
            case RecordType():
                yield from self._of_fields(type.fields, type.extra, within)
            case ListType(inner) | MapType(inner):
                yield from ((None, *place) for place in self.places(inner, within))
            case NullableType(inner):
                yield from self.places(inner, within)
            case EnumType() | UnionType() | JsonType():
                return
            case _:
                assert_never(type)

    def _of_entity(self, name: str, within: set[str]) -> Iterator[Place]:
        entity = self.catalog.entities[name]
        if not self.finds_all:
            if name not in within:
                within.add(name)
                yield from self._of_fields(entity.fields, entity.extra, within)
        elif name in within:
            yield ()  # A recursive entity has no end: all of it is one place.
        elif _holds(EntityType(name), self.catalog, self.wanted):
            # Entities lead to each other in millions of ways, most of them to no such scalar.
            yield from self._of_fields(entity.fields, entity.extra, {*within, name})

    def _of_fields(
        self, fields: Sequence[Field], extra: Type | None, within: set[str]
    ) -> Iterator[Place]:
        for field in fields:
            for place in self.places(field.type, within):
                yield (field.name, *place)
        if extra is not None:
            yield from ((None, *place) for place in self.places(extra, within))
