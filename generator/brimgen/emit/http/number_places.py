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
    return tuple(dict.fromkeys(search.places(returns.type, ())))


def holds_floats(type: Type, catalog: Catalog) -> bool:
    """Whether values of a type have numbers that are decoded to floats."""
    return any(True for _ in _Search(catalog, _is_float).places(type, ()))


def _is_decimal(row: ScalarRow) -> bool:
    return row.keeps_digits


def _is_float(row: ScalarRow) -> bool:
    return row.is_number and not (row.is_integer or row.keeps_digits)


@dataclass(frozen=True, slots=True)
class _Search:
    """Looks for scalars that are ``wanted``; ``is_first``: a recursive entity may count."""

    catalog: Catalog
    wanted: Callable[[ScalarRow], bool]
    is_first: bool = True

    def places(self, type: Type, within: tuple[str, ...]) -> Iterator[Place]:
        """Return the places in a type that stands within these entities."""
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

    def _of_entity(self, name: str, within: tuple[str, ...]) -> Iterator[Place]:
        if name not in within:
            entity = self.catalog.entities[name]
            yield from self._of_fields(entity.fields, entity.extra, (*within, name))
        elif self.is_first:
            # A recursive entity has no end: all of it is one place.
            search = _Search(self.catalog, self.wanted, is_first=False)
            yield from [() for _ in search.places(EntityType(name), ())][:1]

    def _of_fields(
        self, fields: Sequence[Field], extra: Type | None, within: tuple[str, ...]
    ) -> Iterator[Place]:
        for field in fields:
            for place in self.places(field.type, within):
                yield (field.name, *place)
        if extra is not None:
            yield from ((None, *place) for place in self.places(extra, within))
