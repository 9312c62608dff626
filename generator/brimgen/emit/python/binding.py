"""Lower the class that joins the arguments of a call with its hidden values, for a handler."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.encoders import RESULT_ENCODER, HiddenEncoder
from brimgen.emit.codecs.schemas import has_reference, without_annotations
from brimgen.emit.locals import free_name
from brimgen.emit.python.attributes import NONE, PyAttribute
from brimgen.emit.python.methods import arguments_of, encoder
from brimgen.emit.python.nesting import counts
from brimgen.emit.python.package import Module
from brimgen.emit.python.shape import Described, Shape, class_of, shape_of
from brimgen.emit.python.types import decoded
from brimgen.emit.python.validators import validator
from brimgen.emit.python.view import PyBinder, PyClass, PyHidden
from brimgen.emit.python_text import attribute as attribute_piece
from brimgen.emit.python_text import (
    compared,
    conditional,
    joined,
    keyword,
    parameter,
)
from brimgen.model.catalog import Tool
from brimgen.model.fields import Context
from brimgen.model.json import JsonObject
from brimgen.model.types import NullableType, UnionType

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
    raw = free_name("raw", tool.fields)
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
        if not isinstance(attribute.field.origin, Context):
            hosts.append(_host(attribute))
        checked_by = _hidden_validator(tool, attribute, module)
        key = "hidden", checked_by, raw
        hidden.append(
            attribute.part(
                key, module.scope, _hidden, attribute, checked_by, raw, module
            )
        )
    arguments = arguments_of(shape.attributes, values)
    further = (shape.extra[0] if shape.extra else None, shape.nulls, shape.absent)
    arguments += [
        keyword(name, attribute_piece(_CALL, name))
        for name in further
        if name is not None
    ]
    return PyBinder(
        call=call,
        raw=raw,
        hidden=tuple(hidden),
        hosts=joined(hosts) if hosts else None,
        arguments=joined(arguments),
    )


def _hidden(
    attribute: PyAttribute, validator: Code, raw: Code, module: Module
) -> PyHidden:
    """A value that is looked up in the context, or that the host program gives."""
    field, local = attribute.field, attribute.local
    default = attribute.default
    is_optional = default is not None and default.expression == _NONE
    if isinstance(field.origin, Context):
        function = "context_value"
        arguments = [Code("context"), py(".".join(field.origin.path)), validator]
        needs_default = field.default is not None or not field.required
    else:
        function = "host_value"
        arguments = [local, py(field.name), validator]
        needs_default = default is not None and (is_optional or not default.is_constant)
    if needs_default:
        wire = field.default
        arguments.append(_NONE if wire is None else py(wire.value))
    encode = _hidden_encoder(attribute, module)
    if encode is not None:
        arguments.append(keyword("encode", encode))
    inner = field.type.inner if isinstance(field.type, NullableType) else field.type
    value = decoded(inner, raw, module, field)
    stays = value == raw
    if is_optional or inner is not field.type:
        value = conditional(_NONE, compared(raw, "is", _NONE), value)
    return PyHidden(
        name=local,
        function=module.scope.runtime(function),
        arguments=joined(arguments),
        value=None if stays else value,
    )


def _hidden_encoder(attribute: PyAttribute, module: Module) -> Code | None:
    """What makes JSON of a hidden value, where its class alone does not say how."""
    field = attribute.field
    reads_json = isinstance(field.origin, Context)
    encoders = HiddenEncoder(module.package.leaves, reads_json=reads_json)
    encode = encoders.function(field.type, field)
    if encode == RESULT_ENCODER:
        return None
    for name in encoders.functions:
        module.scope.runtime(name)
    if encoders.uses_leaves:
        module.scope.leaves()
    return module.scope.define_after(
        f"_{attribute.local.strip('_').upper()}_JSON",
        f"json {attribute.local}",
        lambda name: Code(f"{name} = {encode}"),
    )


def _hidden_validator(tool: Tool, attribute: PyAttribute, module: Module) -> Code:
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
        f"hidden {attribute.local}",
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
        return Code(f"{name}: {annotation}")
    if default.is_constant:
        is_union = isinstance(attribute.field.type, NullableType | UnionType)
        is_union = is_union or default is NONE
        expression = default.expression
        return parameter(name, annotation, expression, 8, is_union=is_union)
    return parameter(name, f"{annotation} | None", "None", 8, is_union=True)
