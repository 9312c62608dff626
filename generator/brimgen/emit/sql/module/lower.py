"""Lower a tool with a statement to the view of its Python module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.emit.code import Code, header, py
from brimgen.emit.imports import import_sections
from brimgen.emit.names import classes_of, field_attribute, module_name
from brimgen.emit.python_text import call, lines_literal, mapping, tuple_of
from brimgen.emit.runtime_names import SQL_RUNTIME, home_of
from brimgen.emit.sql.module.bind_function import binder, chunks, param
from brimgen.emit.sql.module.decode_function import Decoding, Decodings
from brimgen.emit.sql.module.values import dumping, needed_by, text_literal
from brimgen.emit.sql.module.view import PageKey, QueryModule, SqlDriver, SqlModule
from brimgen.model.types import EntityType, ListType, NullableType
from brimgen.sql.checks.check_columns import row_type
from brimgen.sql.checks.run_checks import keyset_fields
from brimgen.sql.drivers import Driver
from brimgen.sql.effects import PlainInsert, plain_insert
from brimgen.sql.rewrite import MARKS, DriverText, is_untyped, untyped_by
from brimgen.sql.statements import Bound


def module(bound: Bound, decodings: Decodings) -> SqlModule:
    """Return the view of ``<package>/sql/<tool>.py``."""
    # The text of a call does not show whether it gives rows: then ``returns`` decides.
    silent = bound.facts.gives_rows is False
    decoder = None if silent else decodings.of(bound.tool)
    drivers = variant_drivers(bound) if bound.variants else _drivers(bound)
    copied = _copied(bound)
    statement = _statement(bound, decoder, copied)
    keys = _page_keys(bound) if decoder else ()
    methods = [*_METHODS[statement], *(_OF_PAGES if keys else ())]
    call_name, bound_name = classes_of(bound.tool.name)
    return SqlModule(
        header=header(bound.tool.span.file, module=module_name(bound.tool.name)),
        tool=Code(bound.tool.name),
        tool_name=py(bound.tool.name),
        bound_class=bound_name,
        imports=_imports(bound, decoder),
        call_class=call_name,
        source=text_literal((bound.body.written or bound.body.statement).text),
        params=[param(each, bound.dialect.name) for each in bound.params.values()],
        kind=py(str(bound.facts.kind)),
        drivers=drivers,
        records=[text for _, text in decoder.records] if decoder else (),
        functions=decoder.functions if decoder else (),
        decode=decoder.decode if decoder else None,
        statement=statement,
        methods=[Code(method) for method in methods],
        page_keys=keys,
        copied=() if statement != "Copied" or copied is None else [*map(py, copied)],
    )


def query(bound: Bound) -> QueryModule:
    """Return the view of the module of queries that the caller writes."""
    call_name, _ = classes_of(bound.tool.name)
    home = f"..tools.{module_name(bound.tool.name)}"
    pairs = [("typing", "Final"), (SQL_RUNTIME, "_query"), (home, call_name)]
    drivers = [driver.name for driver in bound.drivers if driver.name not in _UNGUARDED]
    return QueryModule(
        header=header(bound.tool.span.file, module=module_name(bound.tool.name)),
        tool=Code(bound.tool.name),
        imports=import_sections(pairs),
        call_class=call_name,
        dialect=py(bound.dialect.name),
        drivers=py(tuple(drivers)),
        tables=py(bound.body.query_tables),
        most=py(bound.body.max_rows),
    )


_UNGUARDED = frozenset({"sqlalchemy", "apsw"})
"""The drivers whose connections a service cannot make refuse writes."""
_ONE = ("run", "run_async")
_MANY = ("run_many", "run_many_async")
_COPYING = frozenset({"psycopg", "asyncpg"})
"""The drivers by which rows are copied."""
_METHODS: Mapping[Code, tuple[str, ...]] = {
    Code("Many"): ("iterate", "iterate_async", *_ONE),
    Code("One"): _ONE,
    Code("Maybe"): _ONE,
    Code("LastId"): _ONE,
    Code("Change"): (*_ONE, *_MANY),
    Code("Copied"): ("copy", "copy_async", *_ONE, *_MANY),
}
"""What runs a statement of each class of ``_run``."""
_OF_PAGES = ("page", "page_async")
"""What reads a list page by page."""


def _page_keys(bound: Bound) -> tuple[PageKey, ...]:
    """Return the keys of a statement that is read page by page."""
    if bound.tool.returns is None:
        return ()
    is_entity = isinstance(row_type(bound.tool.returns.type), EntityType)
    arguments = {field.name: field for field in bound.tool.fields}
    return tuple(
        PageKey(
            name=py(key.argument),
            argument=field_attribute(arguments[key.argument]),
            value=(
                Code(f"row.{field_attribute(field)}")
                if is_entity
                else Code(f"row[{py(field.name)}]")
            ),
        )
        for key, field in keyset_fields(bound)
    )


def _copied(bound: Bound) -> PlainInsert | None:
    """Return what COPY stores of a statement; None for one that it cannot stand for."""
    if bound.dialect.name != "postgres" or bound.variants:
        return None
    names = {driver.name for driver in bound.drivers}
    return plain_insert(bound.statement) if names & _COPYING else None


def _statement(
    bound: Bound, decoder: Decoding | None, copied: PlainInsert | None
) -> Code:
    """Return the class of ``_run`` that says what becomes of the rows."""
    if bound.body.last_id:
        return Code("LastId")
    if decoder is None or bound.tool.returns is None:
        return Code("Change" if copied is None else "Copied")
    match bound.tool.returns.type:
        case ListType() | NullableType(inner=ListType()):
            return Code("Many")
        case NullableType():
            return Code("Maybe")
        case _:
            return Code("One")


_ALWAYS = frozenset([("typing", "Final"), (SQL_RUNTIME, "_bind")])


_PAGING = frozenset(
    [
        ("dataclasses", "replace"),
        (home_of("InputError"), "InputError"),
        (SQL_RUNTIME, "_pages"),
    ]
)
"""The imports of a module whose list is read page by page."""


def _imports(bound: Bound, decoder: Decoding | None) -> tuple[Code, ...]:
    pairs = _ALWAYS | _leaf_imports(bound)
    if bound.params:
        pairs |= {(SQL_RUNTIME, "_encode")}
    if _binds_untyped(bound):
        pairs |= {(SQL_RUNTIME, "_untyped")}
    if decoder is not None:
        pairs |= decoder.imports
    pairs |= _PAGING if decoder and _page_keys(bound) else {(SQL_RUNTIME, "_run")}
    home = f"..tools.{module_name(bound.tool.name)}"
    return import_sections(
        [*pairs, *((home, name) for name in classes_of(bound.tool.name))]
    )


def _binds_untyped(bound: Bound) -> bool:
    """Whether a driver binds a value whose type the server infers."""
    dialect = bound.dialect.name
    return any(
        is_untyped(param.type, untyped_by(driver, dialect), dialect)
        for driver in bound.drivers
        for param in bound.params.values()
    )


def _leaf_imports(bound: Bound) -> set[tuple[str, str]]:
    """Return the imports that encoders of leaves need."""
    forms = [param.type.leaf for param in bound.params.values() if param.type.leaf]
    pairs = [(dumping(form), form.from_json) for form in forms]
    functions = [text for pair in pairs for text in pair if text]
    return needed_by(["_leaf.dumped", *functions]) if functions else set()


def variant_drivers(bound: Bound) -> tuple[SqlDriver, ...]:
    """Return the parts of the drivers of a statement with several texts."""
    drivers: list[SqlDriver] = []
    seen: list[tuple[object, SqlDriver]] = []
    for driver in bound.drivers:
        texts = [variant.texts[driver.name] for variant in bound.variants.values()]
        signature = (texts, MARKS[driver.style], driver.positional, driver.percent)
        like = next((view for earlier, view in seen if earlier == signature), None)
        view = _with_variants(bound, driver, like)
        if like is None:
            seen.append((signature, view))
        drivers.append(view)
    return tuple(drivers)


def _with_variants(bound: Bound, driver: Driver, like: SqlDriver | None) -> SqlDriver:
    name = driver.name
    writers: dict[Code, Code] = {}
    texts: list[tuple[Code, Code]] = []
    table: list[tuple[Code, Code]] = []
    for number, (key, variant) in enumerate(bound.variants.items()):
        text = variant.texts[name]
        constant = Code(f"_SQL_{name.upper()}_{number}")
        made = binder(variant, driver, text, constant, bound.params)
        writer = writers.setdefault(made, Code(f"_{name}_{len(writers)}"))
        texts.append((constant, _driver_text(text)))
        shown = py(None) if text.expansions else constant
        table.append((tuple_of([*map(py, key)]), tuple_of([shown, writer])))
    kind = classes_of(bound.tool.name)[1]
    return SqlDriver(
        name=Code(name),
        key=py(name),
        renders=True,
        constant=Code(f"SQL_{name.upper()}"),
        like=like,
        text=None,
        function=Code(f"render_{name}"),
        binder=call("_bind.chosen", kind, *_choice(bound), mapping(table)),
        writers=[(writer, made) for made, writer in writers.items()],
        variants=texts,
    )


def _choice(bound: Bound) -> Iterator[Code]:
    """Yield the attributes whose values choose the text, and those whose presence does."""
    fields = {field.name: field for field in bound.tool.fields}
    for names in (bound.body.choices, bound.compiled):
        yield tuple_of([py(str(field_attribute(fields[name]))) for name in names])


def _driver_text(text: DriverText) -> Code:
    """Return the text for a driver as a literal: one, or one for each part around its lists."""
    if text.text is not None:
        return text_literal(text.text)
    return tuple_of([*map(lines_literal, chunks(text))])


def _drivers(bound: Bound) -> tuple[SqlDriver, ...]:
    views: list[SqlDriver] = []
    seen: list[tuple[tuple[object, ...], SqlDriver]] = []
    for driver in bound.drivers:
        text = bound.texts[driver.name]
        mark = MARKS[driver.style] if text.expansions else ""
        signature = (text, mark, driver.positional, driver.percent and not text.order)
        like = next((view for earlier, view in seen if earlier == signature), None)
        view = _driver(bound, driver, text, like)
        if like is None:
            seen.append((signature, view))
        views.append(view)
    return tuple(views)


def _driver(
    bound: Bound, driver: Driver, text: DriverText, like: SqlDriver | None
) -> SqlDriver:
    verb = "render" if text.expansions else "bind"
    constant = Code(f"SQL_{driver.name.upper()}")
    return SqlDriver(
        name=Code(driver.name),
        constant=constant,
        like=like,
        text=_text(bound, text),
        function=Code(f"{verb}_{driver.name}"),
        key=py(driver.name),
        renders=bool(text.expansions),
        binder=binder(bound, driver, text, constant, bound.params),
    )


def _text(bound: Bound, text: DriverText) -> Code | None:
    """Return the text for a driver as a literal; None where it is that of the spec."""
    return None if text.text == bound.statement.text else _driver_text(text)
