"""Binding: the function that gives a driver what it executes a statement with."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, fits, py
from brimgen.emit.expressions import Expression, called, displayed, laid_out
from brimgen.emit.names import attribute_name
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.rewrite import EMPTY, MARKS, ROW
from brimgen.emit.sql.rewritten import Rewritten
from brimgen.emit.sql.slots import Expansion, Slot
from brimgen.emit.sql.statements import Bound
from brimgen.emit.sql.types import SqlType
from brimgen.emit.sql.values import encoder
from brimgen.frozen import dataclass
from brimgen.sqltext.drivers import Driver


def chunks(text: Rewritten) -> list[str]:
    """The texts around expansions; there is one more of them than of expansions."""
    found = [""]
    for piece in text.pieces:
        if isinstance(piece, Expansion):
            found.append("")
        else:
            found[-1] = f"{found[-1]}{piece}"
    return found


def annotation(driver: Driver, text: Rewritten) -> Code:
    """What the function of a driver returns."""
    if text.expansions:
        return Code(f"tuple[str, {_values(driver)}]")
    if driver.percent and not text.order:
        return Code("None")
    return Code(_values(driver))


def _values(driver: Driver) -> str:
    return "tuple[object, ...]" if driver.positional else "dict[str, object]"


def body(bound: Bound, driver: Driver, text: Rewritten) -> list[Code]:
    """The lines of the function of a driver."""
    if not text.order:
        empty = "()" if driver.positional else "{}"
        return [] if driver.percent else [Code(f"return {empty}")]
    opening, closing = "()" if driver.positional else "{}"
    lists = list(dict.fromkeys(text.expansions))
    entries = _Entries(bound, driver.positional, lists).of(text.order)
    if not lists:
        return [displayed(f"return {opening}", entries, closing, 4)]
    lines = [_items_line(bound, slot, at) for at, slot in enumerate(lists)]
    lines += _expanded_text(bound, driver, text, lists)
    before = f"arguments: {_values(driver)} = {opening}"
    returned = Code("return text, arguments")
    return [*lines, displayed(before, entries, closing, 4), returned]


def _items_line(bound: Bound, slot: Slot, at: int) -> Code:
    function = encoder(bound.types[slot.name], bound.dialect.name)
    value = called("_encode.items", function, *_value(slot))
    return laid_out(value, before=f"items_{at} = ", indent=4)


def _value(slot: Slot) -> tuple[Code, Code]:
    return Code(f"bound.{attribute_name(slot.name)}"), py(slot.name)


def _expanded_text(
    bound: Bound, driver: Driver, text: Rewritten, lists: list[Slot]
) -> list[Code]:
    pairs = [f"({py(each.key)}, items_{lists.index(each)})" for each in text.expansions]
    empty = EMPTY.get(bound.dialect.name, EMPTY["mysql"])
    row = ROW.get(bound.dialect.name)
    return [
        Code("text = _expand.expanded("),
        Code(f"    SQL_{driver.name.upper()},"),
        Code("    ["),
        *(Code(f"        {each},") for each in pairs),
        Code("    ],"),
        Code(f"    {py(MARKS[driver.style])},"),
        Code(f"    {py(empty)},"),
        *([Code(f"    {py(row)},")] if row else []),
        Code(")"),
    ]


@dataclass(frozen=True, slots=True)
class _Entries:
    """Writes what is bound, a line each, at column 8 of the module.

    ``lists`` are those that are bound item by item.
    """

    bound: Bound
    positional: bool
    lists: Sequence[Slot]

    def of(self, order: Sequence[Slot]) -> list[str]:
        """The lines of ``order``."""
        types, dialect = self.bound.types, self.bound.dialect.name
        found: list[str] = []
        for slot in order:
            type = types[slot.name]
            if type.is_list:
                found.append(self._list(slot, type))
            else:
                found.append(self._laid_out(slot, type, encoder(type, dialect)))
        return found

    def _list(self, slot: Slot, type: SqlType) -> str:
        if slot in self.lists:
            return self._each_item(slot)
        typed = lists_of(self.bound.dialect.name) is Lists.TYPED
        expands = any(each.name == slot.name for each in self.lists)
        if slot.given and (typed or expands):
            return self._laid_out(slot, type, Code("_encode.given"))
        function = encoder(type, self.bound.dialect.name)
        if not typed:
            return self._laid_out(slot, type, function)
        value = called("_encode.items", function, *_value(slot))
        return laid_out(value, before=f"{py(slot.key)}: ", after=",", indent=8)

    def _each_item(self, slot: Slot) -> str:
        items = Code(f"items_{self.lists.index(slot)}")
        if self.positional:
            return f"*{items},"
        spread = called("_expand.spread", py(slot.key), items)
        return laid_out(spread, before="**", after=",", indent=8)

    def _laid_out(self, slot: Slot, type: SqlType, function: Expression) -> str:
        name = py(slot.name)
        key = name if slot.key == slot.name else py(slot.key)
        before = "" if self.positional else f"{key}: "
        if isinstance(function, Code):
            head = f"_encode.maybe({function}, " if type.nullable else f"{function}("
            flat = f"{before}{head}bound.{attribute_name(slot.name)}, {name}),"
            if fits(flat, 8):
                return flat
        if type.nullable:
            written = called("_encode.maybe", function, *_value(slot))
        elif isinstance(function, Code):
            written = called(function, *_value(slot))
        else:
            written = called("_encode.whole", function, *_value(slot))
        return laid_out(written, before=before, after=",", indent=8)
