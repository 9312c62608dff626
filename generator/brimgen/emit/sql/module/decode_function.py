"""Lower the function that decodes a row into what a tool returns."""

from __future__ import annotations

from functools import partial

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import annotation, named
from brimgen.emit.codecs.encoders import RESULT_ENCODER, ResultEncoder
from brimgen.emit.names import class_name, classes_of
from brimgen.emit.python_text import call, keyword, listed, mapping, subscript
from brimgen.emit.runtime_names import SQL_RUNTIME
from brimgen.emit.sql.module.readers import (
    Names,
    cell_reader,
    embedded_entity,
    embedded_reader,
    holds_record,
    nullable_names,
    plain_reader,
    reader,
    record,
)
from brimgen.emit.sql.module.view import Decode
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    JsonType,
    MapType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.sql.checks.check_columns import row_type

_IMPORTS = frozenset([(SQL_RUNTIME, "_rows")])


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """The function ``decode``, and what a module with it has besides.

    ``imports`` are pairs of a source and a name, ``records`` the classes of rows and their parts,
    ``functions`` what reads parts.
    """

    decode: Decode
    imports: frozenset[tuple[str, str]]
    records: tuple[tuple[Code, Code], ...] = ()
    functions: tuple[tuple[Code, Code], ...] = ()


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
    encode = ResultEncoder(names).function(type)
    return Decoding(
        decode=replace(decode, encode=None if encode == RESULT_ENCODER else encode),
        imports=_IMPORTS.union(names.taken, names.for_types),
        records=tuple(names.records.classes.items()),
        functions=tuple(names.functions.items()),
    )


def _decode(type: Type, catalog: Catalog, names: Names) -> Decode:
    """Return what makes ``decode`` of rows of ``type``."""
    entity = catalog.entities.get(type.name) if isinstance(type, EntityType) else None
    read = partial(cell_reader, names=names)
    if entity is not None:
        return Decode(result=names.entity(entity.name), decode=_entity(entity, names))
    if isinstance(type, RecordType) and type.extra is None:
        result = annotation(type, names)
        for field in type.fields:
            if field.embed:
                embedded = catalog.entities[embedded_entity(field)]
                names.functions[embedded_reader(field)] = _entity(embedded, names)
        arguments = [result, *record(type.fields, read)]
        return Decode(result=result, decode=call("_rows.record", *arguments))
    if isinstance(type, RecordType) or _is_free(type):
        result = subscript(Code("dict"), Code("str"), names.standard("Any"))
        if not isinstance(type, RecordType):
            return Decode(result=result, decode=Code("_rows.FREE"))
        arguments = [result, *record(type.fields, read)]
        return Decode(result=result, decode=call("_rows.record", *arguments))
    single = call("_rows.single", reader(type, names))
    return Decode(result=annotation(type, names), decode=single)


def _is_free(type: Type) -> bool:
    free = isinstance(type, ScalarType) and SCALARS[type.scalar].is_object
    return free or isinstance(type, JsonType | MapType)


def _entity(entity: Entity, names: Names) -> Code:
    name = names.entity(entity.name)
    if any(holds_record(field.type) for field in entity.fields):
        members = record(entity.fields, lambda field: plain_reader(field.type, names))
        return call("_rows.through_json", name, *members)
    readers = [(py(field.name), cell_reader(field, names)) for field in entity.fields]
    nullable = nullable_names(entity.fields)
    kept = [keyword("nullable", listed(nullable))] if nullable else []
    return call("_rows.entity", name, mapping(readers), *kept)
