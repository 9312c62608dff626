"""Write the schemas of the module of a tool."""

from __future__ import annotations

from brimgen.emit.code import Block, Code, py
from brimgen.emit.codecs.schemas import MAPPINGS
from brimgen.emit.python.package import Module
from brimgen.emit.python.view import PyBoundSchema
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject


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
    """The schema of a result, laid out once for all tools that say the same of it."""
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
