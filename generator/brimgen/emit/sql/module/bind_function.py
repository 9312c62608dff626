"""Lower what binds the arguments of a statement for a driver: `brimgen_runtime.sql._bind`."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.code import Code, py
from brimgen.emit.names import classes_of, field_attribute
from brimgen.emit.python_text import call, keyword, tuple_of
from brimgen.emit.sql.module.values import encoder
from brimgen.sql.dialects import DIALECTS, Lists
from brimgen.sql.drivers import Driver
from brimgen.sql.rewrite import MARKS, DriverText, Expansion, Slot, untyped_by
from brimgen.sql.statements import Bound, Param, origin

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
        if isinstance(piece, Expansion):
            texts.append("")
        else:
            texts[-1] = f"{texts[-1]}{piece}"
    return texts


def param(param: Param, dialect: str) -> Code:
    """Return the row of a parameter."""
    type, whence = param.type, origin(param.field)
    name, attribute = param.field.name, field_attribute(param.field)
    arguments = [py(name), py(type.word), encoder(type, dialect)]
    if type.nullable:
        arguments.append(keyword("nullable", py(True)))
    if whence != "caller":
        arguments.append(keyword("origin", py(whence)))
    if attribute != name:
        arguments.append(keyword("attribute", py(str(attribute))))
    if type.is_list and DIALECTS[dialect].lists is Lists.TYPED:
        arguments.append(keyword("empty", py(True)))
    return call("_bind.Param", *arguments)


def binder(
    bound: Bound,
    driver: Driver,
    text: DriverText,
    constant: Code,
    params: Iterable[str],
) -> Code:
    """Return the expression of what binds for a driver.

    ``constant`` has the text around lists, where the text has any. ``params`` are those that the
    module declares.
    """
    kind = classes_of(bound.tool.name)[1]
    if driver.percent and not text.order:
        return call("_bind.nothing", kind)
    name = "positional" if driver.positional else "named"
    order = [_slot(bound, driver, text, slot) for slot in text.order]
    declared = Code("PARAMS" if order else "()")
    if order == [*map(py, params)]:
        order = []
    if not text.expansions:
        return call(f"_bind.{name}", kind, declared, *order)
    dialect = bound.dialect.name
    lists = [
        constant,
        tuple_of([py(slot.key) for slot in text.expansions]),
        py(MARKS[driver.style]),
        py(EMPTY.get(dialect, EMPTY["mysql"])),
        *([py(ROW[dialect])] if dialect in ROW else []),
    ]
    around = call("_bind.Lists", *lists)
    return call(f"_bind.{name}_lists", kind, declared, around, *order)


def _slot(bound: Bound, driver: Driver, text: DriverText, slot: Slot) -> Code:
    arguments = [py(slot.name)]
    is_named = slot in text.expansions or not driver.positional
    if is_named and slot.key != slot.name:
        arguments.append(keyword("key", py(slot.key)))
    function = _encoder(bound, driver, text, slot)
    if function is not None:
        arguments.append(keyword("encode", function))
    if slot in text.expansions:
        arguments.append(keyword("expands", py(True)))
    return call("_bind.Slot", *arguments) if len(arguments) > 1 else arguments[0]


def _encoder(bound: Bound, driver: Driver, text: DriverText, slot: Slot) -> Code | None:
    """Return the encoder of a slot where it is another than that of its parameter."""
    dialect, type = bound.dialect.name, bound.params[slot.name].type
    if type.is_list:
        expands = any(each.name == slot.name for each in text.expansions)
        is_typed = DIALECTS[dialect].lists is Lists.TYPED
        is_asked = slot.given and (is_typed or expands)
        if is_asked and slot not in text.expansions:
            return Code("_encode.given")
        if is_typed or slot in text.expansions:
            return None
    function = encoder(type, dialect, untyped_by(driver, dialect))
    return None if function == encoder(type, dialect) else function
