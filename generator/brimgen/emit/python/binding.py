"""Lower the class that joins the arguments of a call with its hidden values, for a handler."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.schemas import has_reference, without_annotations
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.methods import arguments_of, decoded_value, encoder
from brimgen.emit.python.nesting import counts
from brimgen.emit.python.package import Module
from brimgen.emit.python.shape import Described, Shape, class_of, shape_of
from brimgen.emit.python.validators import validator
from brimgen.emit.python.view import PyBinder, PyClass, PyHidden
from brimgen.emit.python_text.pieces import attribute as attribute_piece
from brimgen.emit.python_text.pieces import (
    either,
    joined,
    keyword,
    literal,
)
from brimgen.emit.python_text.statements import parameter
from brimgen.model.catalog import Tool
from brimgen.model.fields import Context
from brimgen.model.json import JsonObject

_CALL, _NONE = Code("call"), Code("None")


def bind_nothing(name: Code, module: Module) -> PyBinder:
    """``bind`` of a tool that hides nothing from its caller."""
    module.scope.runtime("check_call")
    return PyBinder(call=name)


def bound_class(
    tool: Tool,
    module: Module,
    names: tuple[Code, str, Code],
    attributes: tuple[PyAttribute, ...],
) -> PyClass:
    """The class of what the handler receives: the call and its hidden values.

    ``names`` are its own, that of its aliases, and that of the class of the call.
    """
    name, hint, call = names
    shape = shape_of(
        module,
        attributes,
        tool.bound_schema,
        around=tool.fields,
        extra=tool.extra,
        counted=counts(tool.enforced_schema),
    )
    described = Described("bound", tool.name, None)
    binder = _binder(tool, shape, call)
    return class_of(name, described, shape, hint, encoder(shape), binder=binder)


def _binder(tool: Tool, shape: Shape, call: Code) -> PyBinder:
    module = shape.module
    module.scope.take_all(("check_call", "Self"))
    hidden: list[PyHidden] = []
    hosts: list[Code] = []
    values: list[Code] = []
    for attribute in shape.attributes:
        values.append(
            attribute.local
            if attribute.is_hidden
            else attribute_piece(_CALL, attribute.name)
        )
        if not attribute.is_hidden:
            continue
        if isinstance(attribute.field.origin, Context):
            context_validator = _context_validator(tool, attribute, module)
            path = ".".join(attribute.field.origin.path)
            key = "context", context_validator
            hidden.append(
                attribute.part(
                    key,
                    module.scope,
                    _resolve,
                    attribute,
                    path,
                    context_validator,
                    module,
                )
            )
        else:
            hosts.append(_host(attribute))
            if attribute.default is not None and not attribute.default.is_constant:
                hidden.append(PyHidden(attribute.local, attribute.default.expression))
    arguments = arguments_of(shape.attributes, values)
    further = (shape.extra[0] if shape.extra else None, shape.nulls, shape.absent)
    arguments += [
        keyword(name, attribute_piece(_CALL, name))
        for name in further
        if name is not None
    ]
    return PyBinder(
        call=call,
        hidden=tuple(hidden),
        reads_context=len(hosts) < len(tool.hidden_fields),
        hosts=joined(hosts) if hosts else None,
        arguments=joined(arguments),
    )


def _resolve(
    attribute: PyAttribute, path: str, validator: Code, module: Module
) -> PyHidden:
    """A value that is looked up in the context."""
    field = attribute.field
    default = None
    if field.default is not None:
        default = literal(field.default.value)
    elif not field.required:
        default = _NONE
    module.scope.runtime("context_value")
    is_optional = (
        attribute.default is not None and attribute.default.expression == _NONE
    )
    value, may_be_null = decoded_value(attribute, module)
    return PyHidden(
        name=attribute.local,
        path=py(path),
        validator=validator,
        default=default,
        value=value,
        may_be_none=is_optional or may_be_null,
    )


def _context_validator(tool: Tool, attribute: PyAttribute, module: Module) -> Code:
    key = "bare", attribute.verdict
    schema, has_references = attribute.part(
        key, module.scope, _deciding_schema, attribute
    )
    if has_references:
        schema = {
            **schema,
            "$defs": without_annotations(tool.bound_schema.get("$defs", {})),
        }
    return module.scope.define_after(
        f"_{attribute.local.strip('_').upper()}",
        f"context {attribute.local}",
        lambda name: validator(name, schema, module, keyword("tool", py(tool.name))),
    )


def _deciding_schema(attribute: PyAttribute) -> tuple[JsonObject, bool]:
    """What the schema of an attribute decides by, and whether it points elsewhere."""
    schema = without_annotations(attribute.field.schema)
    assert isinstance(schema, dict)
    return schema, has_reference(schema)


def _host(attribute: PyAttribute) -> Code:
    """A parameter for what the host program gives."""
    name, annotation = attribute.local, attribute.annotation
    default = attribute.default
    if default is None:
        return parameter(name, annotation)
    if default.is_constant:
        return parameter(name, annotation, default.expression)
    return parameter(name, either([annotation, _NONE]), _NONE)
