"""Write the statements that define the schemas of a module and their validators."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Block, Code, py
from brimgen.emit.codecs.schemas import (
    MAPPINGS,
    items_of,
    without_null,
)
from brimgen.emit.names import classes_of
from brimgen.emit.python.expects import expected_lines
from brimgen.emit.python.leaves import leaves_option
from brimgen.emit.python.package import Module
from brimgen.emit.python.view import PyBoundSchema
from brimgen.emit.python_text import (
    call,
    keyword,
    mapping,
    tuple_of,
)
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject, is_list
from brimgen.model.types import (
    EntityType,
    Field,
    ListType,
    NullableType,
    ScalarType,
    Type,
)
from brimgen_runtime.schema.errors import escape


def schema_literal(schema: JsonObject, module: Module, tool: Tool) -> Code:
    """A schema as it is assigned to a constant; it names the schemas of the tool's entities."""
    module.scope.mapping()
    package = module.package
    if tool.entities_read:
        named = package.schemas.named(
            schema, tool.entities_read, package.imported_constant
        )
        if named is not schema:
            module.scope.schemas()
            return py(named)
    properties = schema.get("properties")
    if isinstance(properties, MAPPINGS):
        items = package.properties(properties)
        text = Block(f"{{{', '.join(items)}}}")
        schema = {**schema, "properties": text}
    return py(schema)


def output_schema(schema: JsonObject, module: Module, tool: Tool) -> Code:
    """The schema of a result, written once for all tools that say the same of it."""
    if tool.entities_read:
        return schema_literal(schema, module, tool)
    outputs = module.package.outputs
    output = outputs.get(id(schema))
    if output is None:
        output = outputs[id(schema)] = schema_literal(schema, module, tool)
    module.scope.mapping()
    return output


def bound_schema(tool: Tool, module: Module) -> PyBoundSchema:
    """The input schema and what is hidden, or the whole where that is not it."""
    caller_schema, bound = tool.input_schema, tool.bound_schema
    sent, every = caller_schema.get("properties"), bound.get("properties")
    if not (isinstance(sent, MAPPINGS) and isinstance(every, MAPPINGS)):
        return PyBoundSchema(whole=schema_literal(bound, module, tool))
    hidden = {key: value for key, value in every.items() if key not in sent}
    merged = {**caller_schema, "properties": {**sent, **hidden}}
    if "required" in bound:
        merged["required"] = bound["required"]
    if merged != bound:
        return PyBoundSchema(whole=schema_literal(bound, module, tool))
    is_same = merged.get("required") == caller_schema.get("required")
    return PyBoundSchema(
        hidden=tuple(map(Code, module.package.properties(hidden))),
        required=None if is_same else py(bound["required"]),
    )


def validator(
    name: str, schema: JsonObject | Code, module: Module, *options: Code
) -> Code:
    """``name = Validator(schema, ...)``; a schema that is `Code` is the name of one."""
    if not isinstance(schema, Code):
        leaves = leaves_option(schema, module)
        options = (*options, leaves) if leaves is not None else options
        schema = py(schema)
    validator_call = call(module.scope.runtime("Validator"), schema, *options)
    return Code(f"{name} = {validator_call}")


def fast_option(
    fields: Sequence[Field],
    schema: JsonObject,
    module: Module,
    itself: Code | None = None,
) -> Code | None:
    """``fast={pointer: reader}``: what the slow path may take for granted of objects.

    ``itself`` is the reader of the whole, if it has one.
    """
    checks: dict[str, Code] = {}
    if itself is not None:
        checks[str(schema.get("$ref", "#"))[1:]] = itself
    for field in fields:
        if isinstance(field.type, ListType):
            property_schema = _property(schema, field.name)
            place = f"/properties{escape(field.name)}"
            _find_checks(field.type, property_schema, place, module, checks)
    if not checks:
        return None
    entries = [(py(pointer), check) for pointer, check in checks.items()]
    return keyword("fast", mapping(entries))


def _property(schema: JsonObject, name: str) -> JsonObject:
    """What a schema says of one property; the empty schema where it says nothing."""
    properties = schema.get("properties")
    property_schema = properties.get(name) if isinstance(properties, MAPPINGS) else None
    return property_schema if isinstance(property_schema, MAPPINGS) else {}


def _find_checks(
    type: Type, schema: JsonObject, place: str, module: Module, checks: dict[str, Code]
) -> None:
    """The readers of items: a single object is tested as quickly as it is read."""
    while isinstance(type, ListType):
        type, schema, place = type.item, items_of(schema), f"{place}/items"
        reader = None if "$ref" in schema else module.reader(type, schema)
        if reader is not None:
            checks[place] = reader


def expects_option(schema: JsonObject, fields: Sequence[Field], module: Module) -> Code:
    """``expects=(("…",),)``: what a retry message says; it calls objects by their classes."""
    names: dict[str, str] = {}
    for field in fields:
        if isinstance(field.type, ScalarType):
            continue
        place = f"/properties{escape(field.name)}"
        _find_names(field.type, field.schema, place, module, names)
    lines = expected_lines(schema, names, module.package.argument_texts)
    literals = [tuple_of([py(item) for item in line]) for line in lines]
    return keyword("expects", tuple_of(literals))


def _find_names(
    type: Type, schema: JsonObject, place: str, module: Module, names: dict[str, str]
) -> None:
    match type:
        case EntityType(name) if "$ref" not in schema:
            names[place] = str(module.package.classes[name])
        case ListType(item):
            _find_names(item, items_of(schema), f"{place}/items", module, names)
        case NullableType(inner):
            options = schema.get("anyOf")
            inner_schema = without_null(schema)
            if is_list(options) and inner_schema in options:
                place = f"{place}/anyOf/{options.index(inner_schema)}"
            _find_names(inner, inner_schema, place, module, names)
        case _:
            pass


def names_of(tool: Tool) -> tuple[Code, Code]:
    """The classes of a tool: its input, and what its handler receives."""
    return classes_of(tool.name)
