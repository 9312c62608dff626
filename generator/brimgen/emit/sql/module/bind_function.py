"""Lower the function that binds the arguments of a statement for a driver."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.names import field_attribute
from brimgen.emit.python_text import subscript
from brimgen.emit.sql.bound_values import Expansion as ExpandedSlot
from brimgen.emit.sql.bound_values import Slot
from brimgen.emit.sql.driver_text import DriverText
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.module.parameter_text import bound_value
from brimgen.emit.sql.module.values import encoder, untyped_by
from brimgen.emit.sql.module.view import (
    BoundValue,
    ExpandedList,
    ExpandedPlace,
    Expansion,
)
from brimgen.emit.sql.rewrite import MARKS
from brimgen.emit.sql.statements import Bound, Param
from brimgen.emit.sql.types import SqlType
from brimgen.frozen import dataclass
from brimgen.sql.drivers import Driver

EMPTY = {
    "mysql": "(SELECT NULL FROM (SELECT 1) AS e WHERE 1 = 0)",
    "oracle": "(SELECT NULL FROM DUAL WHERE 1 = 0)",
}
ROW = {"oracle": "SELECT {} FROM DUAL"}
"""A query of one value, for databases that limit the number of items of IN."""


def chunks(text: DriverText) -> list[str]:
    """Return the texts around expansions; there is one more of them than of expansions."""
    texts = [""]
    for piece in text.pieces:
        if isinstance(piece, ExpandedSlot):
            texts.append("")
        else:
            texts[-1] = f"{texts[-1]}{piece}"
    return texts


def result_type(driver: Driver, text: DriverText) -> Code:
    """Return the annotation of the function's result."""
    if text.expansions:
        return Code(f"tuple[str, {_values_type(driver)}]")
    return arguments_type(driver, text)


def arguments_type(driver: Driver, text: DriverText) -> Code:
    """Return the annotation of the second argument of ``execute``."""
    return Code("None") if takes_nothing(driver, text) else _values_type(driver)


def _values_type(driver: Driver) -> Code:
    names = (
        ("tuple", "object", "...") if driver.positional else ("dict", "str", "object")
    )
    kind, *inner = map(Code, names)
    return subscript(kind, *inner)


def takes_nothing(driver: Driver, text: DriverText) -> bool:
    """Whether ``execute`` gets no arguments, so that a percent sign stays as it is."""
    return driver.percent and not text.order


def values(bound: Bound, driver: Driver, text: DriverText) -> Sequence[BoundValue]:
    """Return what a driver binds, in order."""
    lists = list(dict.fromkeys(text.expansions))
    return _Values(bound, driver, lists).of(text.order)


def expansion(bound: Bound, driver: Driver, text: DriverText) -> Expansion | None:
    """Return how lists get into the text for a driver; None where none does."""
    if not text.expansions:
        return None
    dialect = bound.dialect.name
    lists = list(dict.fromkeys(text.expansions))
    row = ROW.get(dialect)
    return Expansion(
        lists=[_expanded_list(bound, slot, at) for at, slot in enumerate(lists)],
        places=[
            ExpandedPlace(py(slot.key), _items(lists, slot)) for slot in text.expansions
        ],
        mark=py(MARKS[driver.style]),
        empty=py(EMPTY.get(dialect, EMPTY["mysql"])),
        row=None if row is None else py(row),
    )


def _expanded_list(bound: Bound, slot: Slot, at: int) -> ExpandedList:
    return ExpandedList(
        Code(f"items_{at}"),
        encoder(bound.types[slot.name], bound.dialect.name),
        field_attribute(bound.params[slot.name].field),
        py(slot.name),
    )


def _items(lists: Sequence[Slot], slot: Slot) -> Code:
    """Return the variable of the items of a list."""
    return Code(f"items_{lists.index(slot)}")


@dataclass(frozen=True, slots=True)
class _Values:
    """Makes the values that are bound; ``lists`` are those that are bound item by item."""

    bound: Bound
    driver: Driver
    lists: Sequence[Slot]

    def _encoder(self, type: SqlType) -> Code:
        dialect = self.bound.dialect.name
        return encoder(type, dialect, untyped_by(self.driver, dialect))

    def of(self, order: Sequence[Slot]) -> list[BoundValue]:
        """Return the values of ``order``."""
        params = self.bound.params
        return [
            (
                self._list(slot, param.type)
                if (param := params[slot.name]).type.is_list
                else self._value(slot, param)
            )
            for slot in order
        ]

    def _value(self, slot: Slot, param: Param) -> BoundValue:
        type, dialect = param.type, self.bound.dialect.name
        is_like_others = not untyped_by(self.driver, dialect) or (
            self._encoder(type) == encoder(type, dialect)
        )
        if is_like_others and slot.key == slot.name:
            return param.text.bound
        return self._encoded(slot, type)

    def _encoded(
        self, slot: Slot, type: SqlType, function: Code | None = None
    ) -> BoundValue:
        function = function or self._encoder(type)
        attribute = field_attribute(self.bound.params[slot.name].field)
        return bound_value(slot, attribute, function, nullable=type.nullable)

    def _list(self, slot: Slot, type: SqlType) -> BoundValue:
        typed = lists_of(self.bound.dialect.name) is Lists.TYPED
        if slot in self.lists:
            return self._items(slot, type, items=_items(self.lists, slot))
        expands = any(list_.name == slot.name for list_ in self.lists)
        if slot.given and (typed or expands):
            return self._encoded(slot, type, Code("_encode.given"))
        return self._items(slot, type) if typed else self._encoded(slot, type)

    def _items(
        self, slot: Slot, type: SqlType, items: Code | None = None
    ) -> BoundValue:
        attribute = field_attribute(self.bound.params[slot.name].field)
        encode = encoder(type, self.bound.dialect.name)
        return BoundValue(
            key=py(slot.key),
            items=items,
            encoded=Code(
                f"_encode.items({encode}, bound.{attribute}, {py(slot.name)})"
            ),
        )
