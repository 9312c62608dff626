"""Lower a tool with a statement to the view of its Python module."""

from __future__ import annotations

from functools import lru_cache

from brimgen.emit.code import Code, header, py
from brimgen.emit.imports import exported, import_from
from brimgen.emit.names import bound_class, classes_of, module_name
from brimgen.emit.python_text.docstrings import docstring
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import spread
from brimgen.emit.python_text.statements import assigned, parameter
from brimgen.emit.python_text.statements import function as function_of
from brimgen.emit.sql.bind_function import annotation, body, chunks
from brimgen.emit.sql.decode_function import Decoding
from brimgen.emit.sql.driver_text import DriverText
from brimgen.emit.sql.literals import display_lines, text_literal, tuple_literal
from brimgen.emit.sql.rewrite import MARKS
from brimgen.emit.sql.statements import Bound
from brimgen.emit.sql.types import needed_by
from brimgen.emit.sql.values import is_untyped, untyped_by
from brimgen.emit.sql.view import SqlDriver, SqlModule
from brimgen.sqltext.drivers import Driver


def module(bound: Bound) -> SqlModule:
    """Return the view of ``<package>/sql/<tool>.py``."""
    # Of a statement that tells nothing of its rows, such as a call, the author knows better.
    silent = bound.facts.gives_rows is False
    decoder = None if silent else bound.decodings.of(bound.tool)
    drivers = _drivers(bound)
    names = ["KIND", "PARAMS", "SOURCE"]
    for driver in drivers:
        names += [driver.constant, driver.function]
        names += [f"decode_{driver.suffix}"] if decoder else []
    if decoder:
        names += ["decode", *(name for name, _ in decoder.records)]
        names += ["encode"] if decoder.encode else []
    _, kind = classes_of(bound.tool.name)
    return SqlModule(
        header=header(bound.tool.span.file, module=module_name(bound.tool.name)),
        title=docstring(f"The statement of `{bound.tool.name}`, typed both ways."),
        imports=_imports(bound, decoder),
        typing_imports=(
            import_from(f"..tools.{module_name(bound.tool.name)}", [kind], indent=4),
        ),
        exported=_exported(tuple(names)),
        source=text_literal("SOURCE: Final = ", bound.statement.text),
        params=_params(bound),
        kind=Code(f"KIND: Final = {py(str(bound.facts.kind))}"),
        drivers=drivers,
        records=tuple(text for _, text in decoder.records) if decoder else (),
        functions=decoder.functions if decoder else (),
        decode_head=decoder.head if decoder else None,
        decode_body=decoder.body if decoder else (),
        aliases=_aliases(drivers, decoder),
    )


@lru_cache(maxsize=256)
def _exported(names: tuple[str, ...]) -> Code:
    """Return what a module exports; the result is cached, as many modules export the same."""
    return exported(names)


def _aliases(
    drivers: tuple[SqlDriver, ...], decoder: Decoding | None
) -> tuple[Code, ...]:
    """Return the names by which a driver reuses what an earlier one defines, and the encoder of
    rows.
    """
    same = [each for each in drivers if each.like]
    found = [Code(f"{each.function}: Final = {each.like}") for each in same]
    if decoder is not None:
        found += [Code(f"decode_{each.suffix}: Final = decode") for each in drivers]
        if decoder.encode:
            encode = assigned("encode", decoder.encode, Code("Final"))
            found.append(laid_out(encode))
    return tuple(found)


_ALWAYS = frozenset(
    [("typing", "TYPE_CHECKING"), ("typing", "Final"), (".", "_encode")]
)


def _imports(bound: Bound, decoder: Decoding | None) -> tuple[Code, ...]:
    pairs = _ALWAYS | _leaf_imports(bound)
    if bound.params:
        pairs |= {(".._runtime", "check_bound")}
    if any(each.expansions for each in bound.texts.values()):
        pairs |= {(".", "_expand")}
    if _binds_untyped(bound):
        pairs |= {(".", "_untyped")}
    if decoder is not None:
        pairs |= decoder.imports
    return _import_lines(pairs)


def _binds_untyped(bound: Bound) -> bool:
    """Whether a driver binds a value whose type the server infers."""
    dialect = bound.dialect.name
    return any(
        is_untyped(param.type, untyped_by(driver, dialect), dialect)
        for driver in bound.drivers
        for param in bound.params.values()
    )


@lru_cache(maxsize=256)
def _import_lines(pairs: frozenset[tuple[str, str]]) -> tuple[Code, ...]:
    """Return the imports of pairs of a source and a name; cached, as many modules share them."""
    found: dict[str, set[str]] = {}
    for source, name in pairs:
        found.setdefault(source, set()).add(name)
    lines = [
        import_from(each, found[each])
        for each in sorted(found)
        if not each.startswith(".")
    ]
    lines.append(Code(""))
    lines += [
        import_from(each, found[each])
        for each in ("..", ".._engine.encoders", ".._runtime", "..entities", ".")
        if each in found
    ]
    return tuple(lines)


def _leaf_imports(bound: Bound) -> set[tuple[str, str]]:
    """Return the imports that encoders of leaves need."""
    forms = [each.type.leaf for each in bound.params.values() if each.type.leaf]
    functions = [text for form in forms for text in (form.dump, form.meant) if text]
    return needed_by(["_leaf.dumped", *functions]) if functions else set()


def _params(bound: Bound) -> Code:
    if not bound.params:
        return Code("PARAMS: Final[tuple[_encode.Param, ...]] = ()")
    items = [each.text.declared for each in bound.params.values()]
    return display_lines("PARAMS: Final = (", items, ")")


def _drivers(bound: Bound) -> tuple[SqlDriver, ...]:
    found: list[SqlDriver] = []
    seen: list[tuple[tuple[object, ...], SqlDriver]] = []
    for driver in bound.drivers:
        text = bound.texts[driver.name]
        mark = MARKS[driver.style] if text.expansions else ""
        same = (text, mark, driver.positional, driver.percent and not text.order)
        like = next((view for each, view in seen if each == same), None)
        view = _driver(bound, driver, text, like)
        if like is None:
            seen.append((same, view))
        found.append(view)
    return tuple(found)


def _driver(
    bound: Bound, driver: Driver, text: DriverText, like: SqlDriver | None
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
        sql = tuple_literal(before, chunks(text))
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
        head=laid_out(
            function_of(
                f"{verb}_{driver.name}",
                [parameter("bound", classes_of(bound.tool.name)[1])],
                annotation(driver, text),
            )
        ),
        doc=Code(f'"""{doc}"""'),
        body=() if like else (*_checked(bound), *body(bound, driver, text)),
    )


def _checked(bound: Bound) -> tuple[Code, ...]:
    """Return the statement that refuses what is not bound, such as a call without its context."""
    if not bound.params:
        return ()
    kind = bound_class(bound.tool.name, hides=bool(bound.tool.hidden_fields))
    checked = spread(Code("check_bound"), Code("bound"), py(str(kind)))
    return (laid_out(checked, 4),)
