"""Write the function that decodes a row into what a tool returns."""

from __future__ import annotations

from collections.abc import Callable

from brimgen.emit.annotations import annotation, named
from brimgen.emit.code import Code, py
from brimgen.emit.encoders import PLAIN_ENCODER, Encoders
from brimgen.emit.names import attribute_name, class_name, classes_of
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    compared,
    exploded,
    keyword,
    listed,
    mapping,
    spread,
    subscript,
)
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    parameter,
    returned,
    when,
)
from brimgen.emit.sql.module_names import Names
from brimgen.emit.sql.readers import (
    holds_record,
    plain_reader,
    read,
    reader,
    record_lines,
)
from brimgen.emit.sql.view import SqlFunction
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.fields import Field
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

_DOC = Code(
    '"""Return a row as it is declared. Raises ValueError where it is not so."""'
)
_CELLS = Code("cells = _decode.cells(row, columns)")
_IMPORTS = frozenset([("collections.abc", "Sequence"), (".", "_decode")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """The function ``decode``: its head, its body, and what a module with it has besides.

    ``imports`` are pairs of a source and a name, ``records`` the classes of rows and their parts,
    ``functions`` what reads parts, and ``encode`` what makes JSON of a row, where
    that needs to be told.
    """

    head: Code
    body: tuple[Code, ...]
    imports: frozenset[tuple[str, str]]
    records: tuple[tuple[Code, Code], ...] = ()
    functions: tuple[SqlFunction, ...] = ()
    encode: Code | None = None


class Decodings:
    """How rows are read in one catalog; types that many tools return are handled once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._made: dict[tuple[object, str], Decoding] = {}

    def of(self, tool: Tool) -> Decoding | None:
        """Return how rows of ``tool`` become what it returns; None where it returns nothing."""
        if tool.returns is None:
            return None
        type = row_type(tool.returns.type)
        # Of values with choices `1` and `true` are equal, but written in different ways.
        if isinstance(type, EntityType):
            key: tuple[object, str] = (EntityType, type.name)
        elif isinstance(type, ScalarType) and not type.choices:
            key = (ScalarType, type.scalar)
        else:
            return _decoding(type, self._catalog, tool.name)
        if key not in self._made:
            self._made[key] = _decoding(type, self._catalog, tool.name)
        return self._made[key]


def _decoding(type: Type, catalog: Catalog, tool: str) -> Decoding:
    """Return how rows of ``type`` are read in the module of a tool."""
    names = Names(catalog.leaves, [*classes_of(tool), *map(class_name, named(type))])
    entity = catalog.entities.get(type.name) if isinstance(type, EntityType) else None
    if entity is not None:
        result, lines = _entity(entity, names)
    elif isinstance(type, RecordType) and type.extra is None:
        result = annotation(type, names)
        lines = record_lines(type, names, inside=False)
    elif isinstance(type, RecordType):
        result = subscript(Code("dict"), Code("str"), names.standard("Any"))
        lines = [
            laid_out(
                returned(_document(type.fields, reader, names)), 4, has_always=True
            )
        ]
    elif _is_free(type):
        result = subscript(Code("dict"), Code("str"), names.standard("Any"))
        lines = [Code("return _decode.free(cells)")]
    else:
        result = annotation(type, names)
        only = spread(Code("_decode.only"), Code("cells"), reader(type, names))
        lines = [laid_out(returned(only), 4)]
    parameters = [
        parameter("row", Code("_decode.Row")),
        parameter("columns", Code("Sequence[str]"), Code("()")),
    ]
    head = laid_out(function("decode", parameters, result))
    names.imports.update(("typing", each) for each in names.records.words)
    encode, imports = _encoder(type, catalog)
    return Decoding(
        head=head,
        body=(_DOC, _CELLS, *lines),
        imports=_IMPORTS.union(names.imports, imports),
        records=tuple(names.records.classes.items()),
        functions=tuple(names.functions.values()),
        encode=encode,
    )


def _encoder(type: Type, catalog: Catalog) -> tuple[Code | None, set[tuple[str, str]]]:
    """Return what makes JSON of a row if its values do not tell it, with the imports it needs."""
    encoders = Encoders(catalog.leaves)
    encode = encoders.of(type)
    if encode == PLAIN_ENCODER:
        return None, set()
    imports = {(".._engine.encoders", each) for each in encoders.functions}
    imports |= {("..", "_leaves")} if encoders.uses_leaves else set()
    return encode, imports


def row_type(type: Type) -> Type:
    """Return the type of one row; a scalar that may be null stays nullable, an entity does not."""
    if isinstance(type, NullableType) and not isinstance(
        type.inner, ScalarType | EnumType
    ):
        return row_type(type.inner)
    if isinstance(type, ListType):
        return row_type(type.item) if isinstance(type.item, NullableType) else type.item
    return type


def _is_free(type: Type) -> bool:
    free = isinstance(type, ScalarType) and SCALARS[type.scalar].is_object
    return free or isinstance(type, JsonType | MapType)


def _entity(entity: Entity, names: Names) -> tuple[Code, list[Code]]:
    name = names.entity(entity.name)
    if any(holds_record(each.type) for each in entity.fields):
        document = _document(entity.fields, plain_reader, names)
        names.imports.add((".", "_entities"))
        from_dict = attribute(name, "from_dict")
        made = spread(Code("_entities.row"), from_dict, Code("document"))
        return name, [
            laid_out(assigned("document", document), 4, has_always=True),
            laid_out(returned(made), 4),
        ]
    direct = [each for each in entity.fields if not _has_own_value(each)]
    later = [each for each in entity.fields if _has_own_value(each)]
    given = [keyword(attribute_name(each.name), read(each, names)) for each in direct]
    made = exploded(name, *given) if given else spread(name)
    statement = assigned("found", made) if later else returned(made)
    lines = [laid_out(statement, 4, has_always=bool(given))]
    for field in later:
        key = py(field.name)
        value = spread(
            Code("_decode.required"), Code("cells"), key, reader(field.type, names)
        )
        target = attribute(Code("found"), attribute_name(field.name))
        has_cell = compared(spread(Code("cells.get"), key), "is not", Code("None"))
        lines.append(laid_out(when(has_cell), 4))
        lines.append(Code(f"    {laid_out(assigned(target, value), 8)}"))
    return name, [*lines, *([Code("return found")] if later else [])]


def _has_own_value(field: Field) -> bool:
    """Whether a missing cell leaves the default of the class in place."""
    return (
        not field.required
        and field.default is not None
        and field.default.value is not None
    )


def _document(
    fields: tuple[Field, ...],
    reader_of: Callable[[Type, Names], Code],
    names: Names,
) -> Code:
    optional = [py(each.name) for each in fields if not each.required]
    entries = [(py(each.name), reader_of(each.type, names)) for each in fields]
    arguments: list[Code] = [Code("cells"), mapping(entries, is_broken=bool(entries))]
    arguments += [listed(optional)] if optional else []
    return exploded(Code("_decode.document"), *arguments)
