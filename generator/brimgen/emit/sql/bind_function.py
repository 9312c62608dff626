"""Write the function that binds the arguments of a statement for a driver."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.names import attribute_name
from brimgen.emit.python_text.layout import laid_out, laid_out_item
from brimgen.emit.python_text.pieces import (
    attribute,
    entry,
    exploded,
    listed,
    spread,
    starred,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text.statements import assigned
from brimgen.emit.sql.bound_values import Expansion, Slot
from brimgen.emit.sql.driver_text import DriverText
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.literals import display_lines
from brimgen.emit.sql.parameter_text import encoded
from brimgen.emit.sql.rewrite import MARKS
from brimgen.emit.sql.statements import Bound, Param
from brimgen.emit.sql.types import SqlType
from brimgen.emit.sql.values import encoder, untyped_by
from brimgen.frozen import dataclass
from brimgen.sqltext.drivers import Driver

EMPTY = {
    "mysql": "(SELECT NULL FROM (SELECT 1) AS e WHERE 1 = 0)",
    "oracle": "(SELECT NULL FROM DUAL WHERE 1 = 0)",
}
ROW = {"oracle": "SELECT {} FROM DUAL"}
"""A query of one value, for databases that take only so many items on the right of IN."""


def chunks(text: DriverText) -> list[str]:
    """Return the texts around expansions; there is one more of them than of expansions."""
    found = [""]
    for piece in text.pieces:
        if isinstance(piece, Expansion):
            found.append("")
        else:
            found[-1] = f"{found[-1]}{piece}"
    return found


def annotation(driver: Driver, text: DriverText) -> Code:
    """Return the annotation of the function's result."""
    if text.expansions:
        return subscript(Code("tuple"), Code("str"), _values(driver))
    if driver.percent and not text.order:
        return Code("None")
    return _values(driver)


def _values(driver: Driver) -> Code:
    names = (
        ("tuple", "object", "...") if driver.positional else ("dict", "str", "object")
    )
    kind, *inner = map(Code, names)
    return subscript(kind, *inner)


def body(bound: Bound, driver: Driver, text: DriverText) -> list[Code]:
    """Return the lines of the function for a driver."""
    if not text.order:
        empty = "()" if driver.positional else "{}"
        return [] if driver.percent else [Code(f"return {empty}")]
    opening, closing = "()" if driver.positional else "{}"
    lists = list(dict.fromkeys(text.expansions))
    entries = _Entries(bound, driver, lists).of(text.order)
    if not lists:
        return [display_lines(f"return {opening}", entries, closing, indent=4)]
    lines = [_items_line(bound, slot, at) for at, slot in enumerate(lists)]
    lines += _expanded_text(bound, driver, text, lists)
    before = f"arguments: {_values(driver)} = {opening}"
    returned = Code("return text, arguments")
    return [*lines, display_lines(before, entries, closing, indent=4), returned]


def _items_line(bound: Bound, slot: Slot, at: int) -> Code:
    function = encoder(bound.types[slot.name], bound.dialect.name)
    value = spread(Code("_encode.items"), function, *_value(slot))
    return laid_out(assigned(f"items_{at}", value), 4)


def _value(slot: Slot) -> tuple[Code, Code]:
    return attribute(Code("bound"), attribute_name(slot.name)), py(slot.name)


def _expanded_text(
    bound: Bound, driver: Driver, text: DriverText, lists: list[Slot]
) -> list[Code]:
    pairs = [
        tuple_of([py(each.key), Code(f"items_{lists.index(each)}")])
        for each in text.expansions
    ]
    empty = EMPTY.get(bound.dialect.name, EMPTY["mysql"])
    row = ROW.get(bound.dialect.name)
    arguments = [
        Code(f"SQL_{driver.name.upper()}"),
        listed(pairs, is_broken=True),
        py(MARKS[driver.style]),
        py(empty),
        *([py(row)] if row else []),
    ]
    made = exploded(Code("_expand.expanded"), *arguments)
    return [laid_out(assigned("text", made), 4, has_always=True)]


@dataclass(frozen=True, slots=True)
class _Entries:
    """Writes the values that are bound, one per line, at column 8 of the module.

    ``lists`` are those that are bound item by item.
    """

    bound: Bound
    driver: Driver
    lists: Sequence[Slot]

    def _encoder(self, type: SqlType) -> Code:
        dialect = self.bound.dialect.name
        return encoder(type, dialect, untyped_by(self.driver, dialect))

    def of(self, order: Sequence[Slot]) -> list[Code]:
        """Return the lines of ``order``."""
        params = self.bound.params
        return [
            (
                self._list(slot, param.type)
                if (param := params[slot.name]).type.is_list
                else self._value(slot, param)
            )
            for slot in order
        ]

    def _value(self, slot: Slot, param: Param) -> Code:
        shared = encoder(param.type, self.bound.dialect.name)
        is_shared = self._encoder(param.type) == shared
        if is_shared and slot.key == slot.name and not self.driver.positional:
            return param.text.bound
        return self._encoded(slot, param.type)

    def _encoded(self, slot: Slot, type: SqlType, function: Code | None = None) -> Code:
        key = None if self.driver.positional else slot.key
        function = function or self._encoder(type)
        return encoded(slot.name, key, function, nullable=type.nullable)

    def _list(self, slot: Slot, type: SqlType) -> Code:
        if slot in self.lists:
            return self._each_item(slot)
        typed = lists_of(self.bound.dialect.name) is Lists.TYPED
        expands = any(each.name == slot.name for each in self.lists)
        if slot.given and (typed or expands):
            return self._encoded(slot, type, Code("_encode.given"))
        if not typed:
            return self._encoded(slot, type)
        function = encoder(type, self.bound.dialect.name)
        value = spread(Code("_encode.items"), function, *_value(slot))
        return laid_out_item(entry(py(slot.key), value), 8)

    def _each_item(self, slot: Slot) -> Code:
        items = Code(f"items_{self.lists.index(slot)}")
        if self.driver.positional:
            return laid_out_item(starred("*", items), 8)
        made = spread(Code("_expand.spread"), py(slot.key), items)
        return laid_out_item(starred("**", made), 8)
