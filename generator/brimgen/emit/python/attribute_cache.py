"""The attributes made for the tools of a package, found again for fields that say the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from brimgen.emit.python.scope import Imports
from brimgen.model.fields import Field
from brimgen.model.types import ScalarType

if TYPE_CHECKING:
    from brimgen.emit.python.attributes import PyAttribute

_Place: TypeAlias = tuple[str, int, int]

_MEANT: Callable[[Field], tuple[object, ...]] = attrgetter(
    *("type", "origin", "required", "zone", "wire_string")
)


class AttributeCache:
    """Attributes by their fields: by very schema and default, and by what these mean.

    Fields that were declared in the same words have one schema
    (`brimgen.resolve.fields.shared_fields`). Many others differ in words and bounds, which is
    little of what an attribute is.
    """

    __slots__ = ("_by_meaning", "_by_schema")

    def __init__(self) -> None:
        self._by_schema: dict[_Place, tuple[PyAttribute, Imports | None]] = {}
        self._by_meaning: dict[Hashable, tuple[PyAttribute, Imports | None]] = {}

    def same(self, field: Field) -> tuple[PyAttribute, Imports | None] | None:
        """The attribute of a field that says the same.

        Without names it is one of another module, and only its parts are of use.
        """
        known = self._by_schema.get((field.name, id(field.schema), id(field.default)))
        return (
            known if known is not None and _is_called(known[0].field, field) else None
        )

    def add_same(self, made: PyAttribute, names: Imports | None) -> None:
        """Keep an attribute for fields that say the same."""
        field = made.field
        place = field.name, id(field.schema), id(field.default)
        self._by_schema[place] = made, names

    def similar(
        self, field: Field, meaning: Hashable
    ) -> tuple[PyAttribute, Imports | None] | None:
        """The attribute of a field that differs in words and bounds at most; else as `same`."""
        known = self._by_meaning.get(meaning)
        if known is None or _MEANT(known[0].field) != _MEANT(field):
            return None
        return known

    def add_similar(
        self, made: PyAttribute, meaning: Hashable, names: Imports | None
    ) -> None:
        """Keep an attribute for fields that differ in words and bounds at most."""
        self._by_meaning[meaning] = made, names


def _is_called(known: Field, field: Field) -> bool:
    """Whether a field that has the name, the schema and the default of one that is known is that
    one at another place (`Field.called`): then all else of it is the very same, too.
    """
    return known is field or (
        known.type is field.type
        and known.description is field.description
        and known.origin is field.origin
        and known.zone is field.zone
        and known.required is field.required
        and known.wire_string is field.wire_string
    )


def meaning_of(field: Field, verdict: str) -> Hashable:
    """What a field says besides `_MEANT`; of what ``verdict`` says of a scalar, its choices.

    Equal values may differ in their literals, 1 and 1.0; texts tell them apart.
    """
    default, type = field.default, field.type
    given = None if default is None else (repr(default.value), default.text)
    if isinstance(type, ScalarType):
        choices = repr(type.choices) if type.choices else ""
        return field.name, given, type.scalar, choices
    return field.name, given, verdict
