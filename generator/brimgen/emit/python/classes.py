"""Classes: entities, records and inputs as the views of their dataclasses."""

from __future__ import annotations

from brimgen.emit.code import STEP, Code
from brimgen.emit.python.attributes import PyAttribute, attributes_of
from brimgen.emit.python.binding import bind_nothing
from brimgen.emit.python.decoding import decoder
from brimgen.emit.python.encoding import encoder
from brimgen.emit.python.methods import (
    entity_reader,
    fast_path,
    has_judged_items,
    is_read_at_once,
    reader,
)
from brimgen.emit.python.package import Module, PyRecord, words
from brimgen.emit.python.presence import counts
from brimgen.emit.python.shape import Described, Shape, class_of, shape_of
from brimgen.emit.python.view import PyClass
from brimgen.frozen import replace
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Field
from brimgen.model.json import JsonObject


def entity_class(entity: Entity, module: Module, validator: Code) -> PyClass:
    """The class of an entity: it reads and writes itself, checked by ``validator``."""
    name = module.package.classes[entity.name]
    module.prefix = f"{words(name)}_"
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
    module.prefix = f"{words(name)}_"
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


def is_fast(
    fields: tuple[Field, ...], schema: JsonObject, module: Module, indent: int = STEP
) -> bool:
    """Whether the class of an object gets a fast path, given those that its package has.

    What is made at column ``indent`` to find that out can be used again there.
    """
    attributes = attributes_of(fields, module, "X")
    shape = Shape(module=module, attributes=attributes, schema=schema)
    return is_read_at_once(shape, indent)


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
    made = class_of(
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
        return made
    return replace(made, binder=bind_nothing(name, module))
