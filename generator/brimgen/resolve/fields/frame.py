"""The context in which a field is made, and what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Protocol, TypeAlias

from brimgen.diagnostics import Diagnostics, Span
from brimgen.frozen import dataclass, field
from brimgen.model.fields import Zone
from brimgen.model.json import JsonObject
from brimgen.model.types import EntityType, EnumType, Field, LeafType, Type
from brimgen.resolve.fields.flat_field import FlatField
from brimgen.resolve.index import Index

_WORDS = re.compile(r"[^\W_]+")


Placed: TypeAlias = EntityType | EnumType | LeafType
"""What pasted JSON Schema may refer to by name."""


@dataclass(slots=True)
class RunCache:
    """Fields and return types that a run has made, for reuse; a run is of one project.

    ``declared`` has fields by everything that their declarations say. ``inherited`` has fields by
    the ``id`` of the declaration that an entity hands on; it keeps the declaration, so that no
    other object gets its ``id``. Both keys include the place: in a path, inside of a value.
    ``returned`` has return types by their names and marks.
    """

    declared: dict[Hashable, Field] = field(default_factory=dict[Hashable, Field])
    inherited: dict[tuple[int, bool, bool], tuple[FlatField, Field]] = field(
        default_factory=dict[tuple[int, bool, bool], tuple[FlatField, Field]]
    )
    returned: dict[tuple[str, bool, bool], tuple[Type, JsonObject]] = field(
        default_factory=dict[tuple[str, bool, bool], tuple[Type, JsonObject]]
    )


class Shapes(Protocol):
    """What fields need to know of entities: made by `brimgen.resolve.entities.entities`."""

    def embed(self, name: str) -> JsonObject:
        """The schema of an entity where it is used; a recursive one is a `$ref`."""
        ...

    def parts(self, schema: JsonObject) -> int:
        """How many parts a schema has."""
        ...

    def refuse(self, name: str, span: Span) -> None:
        """Report that the schema of ``name`` has too many parts."""
        ...

    def complete(self, schema: JsonObject) -> JsonObject:
        """The schema with the `$defs` that its `$ref`s to recursive entities need."""
        ...

    def values(self, name: str) -> tuple[str | int | float, ...]:
        """The values of an enum entity."""
        ...

    def hidden(self, name: str) -> tuple[Field, ...]:
        """The fields of an entity that a caller cannot send."""
        ...

    def property(self, entity: str, name: str) -> Field | None:
        """A property of an entity that is written as JSON Schema."""


@dataclass(slots=True)
class RecordNames:
    """Names for nested objects, unique within one owner: ``GetOrders`` + ``ship_to``."""

    owner: str
    _taken: set[str] = field(default_factory=set[str])

    def claim(self, *path: str) -> str:
        """Return the class name that a path suggests, numbered where it is taken."""
        name = "".join(pascal(part) for part in (self.owner, *path))
        number, unique = 1, name
        while unique.casefold() in self._taken:
            number += 1
            unique = f"{name}{number}"
        self._taken.add(unique.casefold())
        return unique


def pascal(text: str) -> str:
    """Return ``ship_to`` as ``ShipTo``; letters that are large stay large."""
    return "".join(word[0].upper() + word[1:] for word in _WORDS.findall(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The context in which fields are made: their owner, and what is allowed there.

    ``zone`` is what the project says of datetimes without an offset. Frames over the same entities
    may share a ``cache``.
    """

    index: Index
    shapes: Shapes
    diagnostics: Diagnostics
    names: RecordNames
    closed: bool
    zone: Zone = Zone.REQUIRED
    splat: bool = False
    inside_value: bool = False
    path: tuple[str, ...] = ()
    cache: RunCache = field(default_factory=RunCache)
