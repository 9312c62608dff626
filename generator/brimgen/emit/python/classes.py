"""Lower entities, records and inputs to the views of their dataclasses."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.emit.names import constant_name
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.binding import bind_nothing
from brimgen.emit.python.fields import attributes_of
from brimgen.emit.python.methods import (
    decoder,
    encoder,
    entity_reader,
    fast_path,
    has_judged_items,
    is_read_at_once,
    reader,
)
from brimgen.emit.python.nesting import counts
from brimgen.emit.python.package import Module, Package, PyRecord, name_records
from brimgen.emit.python.scope import Scope
from brimgen.emit.python.shape import Described, Shape, class_of, shape_of
from brimgen.emit.python.validators import fast_option
from brimgen.emit.python.view import PyClass
from brimgen.frozen import replace
from brimgen.model.catalog import Entity, Tool
from brimgen.model.json import JsonObject
from brimgen.model.types import Field


def entity_class(entity: Entity, module: Module, validator: Code) -> PyClass:
    """The class of an entity: it reads and writes itself, checked by ``validator``."""
    name = module.package.classes[entity.name]
    module.prefix = f"{constant_name(name)}_"
    shape = shape_of(
        module,
        attributes_of(entity.fields, module, name),
        entity.enforced_schema,
        around=entity.fields,
        extra=entity.extra,
        counted=entity.name in module.package.counted.entities,
        validator=validator,
    )
    decoding, encoding = decoder(shape), encoder(shape)
    reading = entity_reader(shape, entity.name)
    return class_of(
        name,
        Described("entity", entity.name, entity.description),
        shape,
        name,
        encoding,
        decoder=decoding,
        reader=reading,
    )


def record_class(record: PyRecord, module: Module, owner: str) -> PyClass:
    """The class of a nested object: its owner reads it."""
    name, type = record.name, record.type
    module.prefix = f"{constant_name(name)}_"
    shape = shape_of(
        module,
        attributes_of(type.fields, module, name),
        record.full_schema,
        around=type.fields,
        extra=type.extra,
        counted=type in module.counted,
    )
    decoding, encoding = decoder(shape), encoder(shape)
    reading = reader(shape, record.reader) if record.is_called else None
    description = record.full_schema.get("description")
    text = str(description) if description else None
    return class_of(
        name,
        Described("record", owner, text),
        shape,
        name,
        encoding,
        decoder=decoding,
        reader=reading,
    )


def is_fast(fields: tuple[Field, ...], schema: JsonObject, module: Module) -> bool:
    """Whether the class of an object gets a fast path, given the fast paths of its package."""
    attributes = attributes_of(fields, module, "X")
    shape = Shape(module=module, attributes=attributes, schema=schema)
    return is_read_at_once(shape)


def input_class(
    tool: Tool,
    module: Module,
    names: tuple[Code, str],
    attributes: tuple[PyAttribute, ...],
) -> PyClass:
    """The class of what a caller may send; ``names`` are its own and that of its aliases."""
    name, hint = names
    shape = shape_of(
        module,
        attributes,
        tool.enforced_schema,
        around=tool.fields,
        extra=tool.extra,
        counted=counts(tool.enforced_schema),
        validator=Code("_INPUT"),
        reads_itself=True,
    )
    fast = fast_path(shape)
    decoding, encoding = decoder(shape), encoder(shape)
    py_class = class_of(
        name,
        Described("input", tool.name, tool.description),
        shape,
        hint,
        encoding,
        fast=fast,
        refuses_items=has_judged_items(shape),
        reads_calls=True,
        decoder=decoding,
    )
    if len(attributes) < len(tool.fields):
        return py_class
    return replace(py_class, binder=bind_nothing(name, module))


def is_record_fast(record: PyRecord, module: Module) -> bool:
    """Whether the class of a record gets a fast path, given the fast paths of its module."""
    return is_fast(record.type.fields, record.full_schema, module)


def records_of(tool: Tool, package: Package, scope: Scope) -> tuple[PyRecord, ...]:
    """The records of a tool; each says if it has a fast path, and if its reader is called."""
    records = tuple(name_records(tool, tool.enforced_schema, scope, package.records))
    while records:
        module = Module(package, Scope(".."), records, package.attributes)
        slow: list[PyRecord] = []
        calls: list[set[Code]] = []
        for record in records:
            module.called = set()
            if record.fast and not is_record_fast(record, module):
                slow.append(record)
            calls.append(module.called)
        if not slow:
            return _called(tool, module, calls)
        records = tuple(
            replace(record, fast=False) if record in slow else record
            for record in records
        )
    return records


def _called(
    tool: Tool, module: Module, calls: Sequence[set[Code]]
) -> tuple[PyRecord, ...]:
    """The records of a tool, each with whether the tool calls its reader.

    ``calls`` are the readers that each of the records calls, if it is read itself.
    """
    called = module.called = set()
    if not is_fast(tool.caller_fields, tool.enforced_schema, module):
        called.clear()
    fast_option(tool.caller_fields, tool.enforced_schema, module)
    for record, own_calls in zip(
        reversed(module.records), reversed(calls), strict=True
    ):
        if record.reader in called:
            called |= own_calls
    return tuple(
        replace(record, is_called=record.reader in called) for record in module.records
    )
