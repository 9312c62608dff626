"""Lower the function that decodes a row into what a tool returns."""

from __future__ import annotations

from collections.abc import Callable

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import annotation, named
from brimgen.emit.codecs.encoders import RESULT_ENCODER, ResultEncoder
from brimgen.emit.locals import free_name
from brimgen.emit.names import class_name, classes_of
from brimgen.emit.python_text import call, joined, listed, mapping, subscript
from brimgen.emit.runtime_names import SQL_RUNTIME, home_of
from brimgen.emit.sql.module.module_names import Names
from brimgen.emit.sql.module.readers import (
    cell,
    embedded_entity,
    embedded_reader,
    given_cell,
    holds_record,
    nullable_names,
    plain_reader,
    reader,
    record_body,
)
from brimgen.emit.sql.module.view import (
    Decode,
    EntityBody,
    SqlFunction,
)
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    JsonType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)

_IMPORTS = frozenset([("collections.abc", "Sequence"), (SQL_RUNTIME, "_decode")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """The function ``decode``, and what a module with it has besides.

    ``imports`` are pairs of a source and a name, ``records`` the classes of rows and their parts,
    ``functions`` what reads parts.
    """

    decode: Decode
    imports: frozenset[tuple[str, str]]
    records: tuple[tuple[Code, Code], ...] = ()
    functions: tuple[SqlFunction, ...] = ()


class Decodings:
    """How rows are read in one catalog; types that many tools return are handled once."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._decodings: dict[tuple[object, str], Decoding] = {}

    def of(self, tool: Tool) -> Decoding | None:
        """Return how rows of ``tool`` become what it returns; None where it returns nothing."""
        if tool.returns is None:
            return None
        type = row_type(tool.returns.type)
        # Types with choices are not shared: `1` and `true` are equal, but are written differently.
        if isinstance(type, EntityType):
            key: tuple[object, str] = (EntityType, type.name)
        elif isinstance(type, ScalarType) and not type.choices:
            key = (ScalarType, type.scalar)
        else:
            return _decoding(type, self._catalog, tool.name)
        if key not in self._decodings:
            self._decodings[key] = _decoding(type, self._catalog, tool.name)
        return self._decodings[key]


def _decoding(type: Type, catalog: Catalog, tool: str) -> Decoding:
    """Return how rows of ``type`` are read in the module of a tool."""
    names = Names(catalog.leaves, [*classes_of(tool), *map(class_name, named(type))])
    decode = _decode(type, catalog, names)
    names.imports.update(("typing", word) for word in names.records.words)
    encode, imports = _encoder(type, catalog)
    return Decoding(
        decode=replace(decode, encode=encode),
        imports=_IMPORTS.union(names.imports, imports),
        records=tuple(names.records.classes.items()),
        functions=tuple(names.functions.values()),
    )


def _decode(type: Type, catalog: Catalog, names: Names) -> Decode:
    """Return the function ``decode`` for rows of ``type``."""
    entity = catalog.entities.get(type.name) if isinstance(type, EntityType) else None
    if entity is not None:
        body = _entity(entity, names)
        return Decode(result=body.name, entity=body)
    if isinstance(type, RecordType) and type.extra is None:
        result = annotation(type, names)
        for field in type.fields:
            if field.embed:
                _add_embedded(field, catalog, names)
        return Decode(result=result, record=record_body(type, names, in_json=False))
    if isinstance(type, RecordType) or _is_free(type):
        fields = type.fields if isinstance(type, RecordType) else None
        return Decode(
            result=subscript(Code("dict"), Code("str"), names.standard("Any")),
            document=None if fields is None else _document(fields, reader, names),
        )
    return Decode(result=annotation(type, names), reader=reader(type, names))


def _encoder(type: Type, catalog: Catalog) -> tuple[Code | None, set[tuple[str, str]]]:
    """Return the encoder of a row if it needs one of its own, with the imports of the encoder."""
    encoders = ResultEncoder(catalog.leaves)
    encode = encoders.function(type)
    if encode == RESULT_ENCODER:
        return None, set()
    imports = {(home_of(function), function) for function in encoders.functions}
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


def _entity(entity: Entity, names: Names) -> EntityBody:
    name = names.entity(entity.name)
    if any(holds_record(field.type) for field in entity.fields):
        document = _document(entity.fields, plain_reader, names)
        names.imports.add((SQL_RUNTIME, "_entities"))
        return EntityBody(name=name, document=document)
    nullable = [py(field.name) for field in entity.fields if field.keeps_null]
    return EntityBody(
        name=name,
        cells=[
            cell(field, names) for field in entity.fields if not _has_own_value(field)
        ],
        optional=[
            given_cell(field, names) for field in entity.fields if _has_own_value(field)
        ],
        nulls=free_name("nulls", entity.fields),
        nullable=joined(nullable) if nullable else None,
    )


def _add_embedded(field: Field, catalog: Catalog, names: Names) -> None:
    """Add the function that reads the entity of a field from cells of a row, once."""
    entity = catalog.entities[embedded_entity(field)]
    name = embedded_reader(field)
    if name not in names.functions:
        body = _entity(entity, names)
        names.functions[name] = SqlFunction(name=name, result=body.name, entity=body)


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
    """The call that makes a dict of cells."""
    optional = [py(field.name) for field in fields if not field.required]
    members = mapping(
        [(py(field.name), reader_of(field.type, names)) for field in fields]
    )
    nullable = nullable_names(fields)
    return call(
        "_decode.document",
        Code("cells"),
        members,
        *([listed(optional)] if optional else []),
        *([] if nullable is None else [Code(f"[{nullable}]")]),
    )
