"""Tell how many objects and lists can stand in each other in the values of a type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from brimgen.emit.python.reading import SHALLOW
from brimgen.model.catalog import Entity
from brimgen.model.fields import Field
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)


class Heights:
    """The heights of types; None is that of entities that can hold themselves, and of what holds
    them.
    """

    __slots__ = ("_entities", "_known")

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self._entities = entities
        self._known: dict[str, int | None] = {}

    def of(self, type: Type) -> int | None:
        """The height of a type."""
        match type:
            case ScalarType():
                return SHALLOW if SCALARS[type.scalar].is_structured else 0
            case NullableType(inner):
                return self.of(inner)
            case ListType(inner) | MapType(inner):
                return _above(self.of(inner))
            case RecordType(fields=fields):
                return _above(self._highest(fields))
            case EntityType(name):
                if name not in self._known:
                    self._measure(name)
                return self._known[name]
            case JsonType():
                return SHALLOW
            case _:
                return 0

    def _measure(self, start: str) -> None:
        """Measure an entity and all that it holds.

        Iterative, because chains of entities may be longer than Python's stack. What is met again
        while it is measured holds itself, and so does what holds it.
        """
        path = {start: iter(self._held(start))}
        self._known[start] = None
        while path:
            name, waiting = next(reversed(path.items()))
            for each in waiting:
                if each not in self._known:
                    self._known[each] = None
                    path[each] = iter(self._held(each))
                    break
            else:
                del path[name]
                highest = self._highest(self._entities[name].fields)
                self._known[name] = _above(highest)

    def _held(self, name: str) -> Iterator[str]:
        """The entities that the fields of one name, in their order."""
        waiting = [field.type for field in reversed(self._entities[name].fields)]
        while waiting:
            match waiting.pop():
                case NullableType(inner) | ListType(inner) | MapType(inner):
                    waiting.append(inner)
                case RecordType(fields=fields):
                    waiting += [field.type for field in reversed(fields)]
                case EntityType(held):
                    yield held
                case _:
                    pass

    def _highest(self, fields: Iterable[Field]) -> int | None:
        found = [self.of(field.type) for field in fields]
        known = [each for each in found if each is not None]
        return max(known, default=0) if len(known) == len(found) else None

    def least(self, fields: Iterable[Field]) -> int:
        """The height of an object with these fields, but for those that have none."""
        found = (self.of(field.type) for field in fields)
        return 1 + max((each for each in found if each is not None), default=0)

    def is_endless(self, fields: Iterable[Field]) -> bool:
        """Whether an object with these fields has no height."""
        return any(self.of(field.type) is None for field in fields)


def _above(height: int | None) -> int | None:
    return None if height is None else height + 1
