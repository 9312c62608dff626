"""Lower: a tool with a statement in, the view of its Python module out."""

from __future__ import annotations

from brimgen.emit.code import Code, bracketed, fits, header, py
from brimgen.emit.expressions import called, displayed, imported, laid_out
from brimgen.emit.names import attribute_name, class_name, module_name
from brimgen.emit.sql.decoding import Decoding, decoding
from brimgen.emit.sql.drivers import Lists, lists_of
from brimgen.emit.sql.literals import text_literal, tuple_literal
from brimgen.emit.sql.rewrite import EMPTY, ROW, Rewritten
from brimgen.emit.sql.slots import Expansion, Slot
from brimgen.emit.sql.statements import Bound, origin
from brimgen.emit.sql.types import needed_by
from brimgen.emit.sql.values import encoder
from brimgen.emit.sql.view import SqlDriver, SqlModule
from brimgen.sqltext.drivers import Driver, Style

_MARKS = {
    Style.PYFORMAT: "%({})s",
    Style.FORMAT: "%s",
    Style.QMARK: "?",
    Style.NAMED: ":{}",
    Style.TEXT_CLAUSE: ":{}",
    Style.DOLLAR: "${}",
    Style.NUMERIC: "$",
}


def module(bound: Bound) -> SqlModule:
    """The view of ``<package>/sql/<tool>.py``."""
    decoder = decoding(bound.tool, bound.catalog) if bound.facts.gives_rows else None
    drivers = _drivers(bound)
    names = ["KIND", "PARAMS", "SOURCE"]
    for driver in drivers:
        names += [driver.constant, driver.function]
        names += [f"decode_{driver.suffix}"] if decoder else []
    names += ["decode"] if decoder else []
    exported = bracketed(
        [f'"{each}"' for each in sorted(names)], before="__all__ = [", after="]"
    )
    name = class_name(bound.tool.name)
    return SqlModule(
        header=header(bound.tool.span.file),
        title=Code(f'"""The statement of `{bound.tool.name}`, typed both ways."""'),
        imports=_imports(bound, decoder),
        typing_imports=(
            imported(f"..tools.{module_name(bound.tool.name)}", [f"{name}Bound"], 4),
        ),
        exported=exported,
        source=text_literal("SOURCE: Final = ", bound.statement.text),
        params=_params(bound),
        kind=Code(f"KIND: Final = {py(str(bound.facts.kind))}"),
        bound=Code(f"{name}Bound"),
        drivers=drivers,
        decode_head=decoder.head if decoder else None,
        decode_body=decoder.body if decoder else (),
        aliases=_aliases(drivers, decodes=decoder is not None),
    )


def _aliases(drivers: tuple[SqlDriver, ...], *, decodes: bool) -> tuple[Code, ...]:
    """The names under which a driver has what an earlier one has."""
    same = [each for each in drivers if each.like]
    found = [Code(f"{each.function}: Final = {each.like}") for each in same]
    if decodes:
        found += [Code(f"decode_{each.suffix}: Final = decode") for each in drivers]
    return tuple(found)


def _imports(bound: Bound, decoder: Decoding | None) -> tuple[Code, ...]:
    pairs = {("typing", "TYPE_CHECKING"), ("typing", "Final"), (".", "_encode")}
    pairs |= _leaf_imports(bound)
    if any(each.expansions for each in bound.texts.values()):
        pairs.add((".", "_expand"))
    if decoder is not None:
        pairs |= {("collections.abc", "Sequence"), (".", "_decode"), *decoder.imports}
        pairs |= {("..entities", name) for name in decoder.classes}
    found: dict[str, set[str]] = {}
    for source, name in pairs:
        found.setdefault(source, set()).add(name)
    lines = [
        imported(each, sorted(found[each], key=_import_order))
        for each in sorted(found)
        if not each.startswith(".")
    ]
    lines.append(Code(""))
    lines += [
        imported(each, sorted(found[each]))
        for each in ("..", "..entities", ".")
        if each in found
    ]
    return tuple(lines)


def _leaf_imports(bound: Bound) -> set[tuple[str, str]]:
    """What encoders of leaves call."""
    forms = [bound.types[each.name].leaf for each in bound.fields]
    functions = [
        text for form in forms if form for text in (form.dump, form.meant) if text
    ]
    return needed_by(["_leaf.dumped", *functions]) if functions else set()


def _import_order(name: str) -> tuple[bool, str]:
    return not name.isupper(), name


def _params(bound: Bound) -> Code:
    if not bound.fields:
        return Code("PARAMS: Final[tuple[_encode.Param, ...]] = ()")
    items: list[Code] = []
    for field in bound.fields:
        type = bound.types[field.name]
        arguments = [
            py(field.name),
            py(type.word),
            f"nullable={type.nullable}",
            f"origin={py(origin(field))}",
        ]
        flat = f"_encode.Param({', '.join(arguments)}),"
        if fits(flat, 4):
            items.append(Code(flat))
            continue
        param = called("_encode.Param", *map(Code, arguments))
        items.append(laid_out(param, after=",", indent=4))
    return Code("\n".join(displayed("PARAMS: Final = (", items, ")")))


def _drivers(bound: Bound) -> tuple[SqlDriver, ...]:
    found: list[SqlDriver] = []
    first: dict[object, SqlDriver] = {}
    for driver in bound.drivers:
        text = bound.texts[driver.name]
        mark = _MARKS[driver.style] if text.expansions else ""
        same = (text, mark, driver.positional, driver.percent and not text.order)
        like = first.get(same)
        view = _driver(bound, driver, text, like)
        first.setdefault(same, view)
        found.append(view)
    return tuple(found)


def _driver(
    bound: Bound, driver: Driver, text: Rewritten, like: SqlDriver | None
) -> SqlDriver:
    constant = Code(f"SQL_{driver.name.upper()}")
    before = f"{constant}: Final = "
    expands = bool(text.expansions)
    verb = "render" if expands else "bind"
    if like is not None:
        sql = Code(f"{before}{like.constant}")
    elif text.text == bound.statement.text:
        sql = Code(f"{before}SOURCE")
    elif text.text is not None:
        sql = text_literal(before, text.text)
    else:
        sql = tuple_literal(before, _chunks(text))
    taken = "text and arguments that" if expands else "what"
    doc = f"Return {taken} ``execute`` takes. Raises ValueError."
    if driver.percent and not text.order:
        doc = "Return None: ``execute`` takes no arguments, so that ``%`` is itself."
    return SqlDriver(
        suffix=Code(driver.name),
        constant=constant,
        like=like.function if like else None,
        sql=sql,
        function=Code(f"{verb}_{driver.name}"),
        annotation=_annotation(driver, text),
        doc=Code(f'"""{doc}"""'),
        body=tuple(_body(bound, driver, text)),
    )


def _chunks(text: Rewritten) -> list[str]:
    """The texts around expansions; there is one more of them than of expansions."""
    chunks = [""]
    for piece in text.pieces:
        if isinstance(piece, Expansion):
            chunks.append("")
        else:
            chunks[-1] = f"{chunks[-1]}{piece}"
    return chunks


def _annotation(driver: Driver, text: Rewritten) -> Code:
    values = "tuple[object, ...]" if driver.positional else "dict[str, object]"
    if text.expansions:
        return Code(f"tuple[str, {values}]")
    if driver.percent and not text.order:
        return Code("None")
    return Code(values)


def _body(bound: Bound, driver: Driver, text: Rewritten) -> list[Code]:
    if not text.order:
        empty = "()" if driver.positional else "{}"
        return [] if driver.percent else [Code(f"return {empty}")]
    opening, closing = "()" if driver.positional else "{}"
    lists = list(dict.fromkeys(text.expansions))
    lines = [_items_line(bound, slot, at) for at, slot in enumerate(lists)]
    if lines:
        lines += _expanded_text(bound, driver, text, lists)
    entries = [_entry(bound, driver, slot, lists) for slot in text.order]
    if not lists:
        return [*lines, *displayed(f"return {opening}", entries, closing, 4)]
    values = "tuple[object, ...]" if driver.positional else "dict[str, object]"
    before = f"arguments: {values} = {opening}"
    returned = Code("return text, arguments")
    return [*lines, *displayed(before, entries, closing, 4), returned]


def _items_line(bound: Bound, slot: Slot, at: int) -> Code:
    function = encoder(bound.types[slot.name], bound.dialect)
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
        Code(f"    {py(_MARKS[driver.style])},"),
        Code(f"    {py(empty)},"),
        *([Code(f"    {py(row)},")] if row else []),
        Code(")"),
    ]


def _entry(bound: Bound, driver: Driver, slot: Slot, lists: list[Slot]) -> Code:
    """One line of what is bound; at column 8 of the module."""
    if slot in lists:
        items = Code(f"items_{lists.index(slot)}")
        if driver.positional:
            return Code(f"*{items},")
        spread = called("_expand.spread", py(slot.key), items)
        return laid_out(spread, before="**", after=",", indent=8)
    type = bound.types[slot.name]
    function = encoder(type, bound.dialect)
    typed = type.is_list and lists_of(bound.dialect) is Lists.TYPED
    expands = type.is_list and any(each.name == slot.name for each in lists)
    if slot.given and (typed or expands):
        function = Code("_encode.given")
    elif typed:
        value = called("_encode.items", function, *_value(slot))
        return laid_out(value, before=f"{py(slot.key)}: ", after=",", indent=8)
    before = "" if driver.positional else f"{py(slot.key)}: "
    if isinstance(function, Code) and not type.nullable:
        flat = f"{before}{function}({', '.join(_value(slot))}),"
        if fits(flat, 8):
            return Code(flat)
    if type.nullable:
        value = called("_encode.maybe", function, *_value(slot))
    elif isinstance(function, Code):
        value = called(function, *_value(slot))
    else:
        value = called("_encode.whole", function, *_value(slot))
    return laid_out(value, before=before, after=",", indent=8)
