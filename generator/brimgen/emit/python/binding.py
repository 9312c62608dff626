"""Binding: what a handler receives, as the class that joins a call with its hidden values."""

from __future__ import annotations

from brimgen.emit.code import Code, py
from brimgen.emit.python.attributes import PyAttribute
from brimgen.emit.python.decoding import decode_value
from brimgen.emit.python.encoding import to_dict
from brimgen.emit.python.lines import BODY, Lines
from brimgen.emit.python.methods import arguments_of, method
from brimgen.emit.python.package import Module
from brimgen.emit.python.presence import counts
from brimgen.emit.python.schemas import bare, has_reference
from brimgen.emit.python.shape import Shape, class_of, shape_of
from brimgen.emit.python.validators import validator
from brimgen.emit.python.view import PyClass
from brimgen.emit.python_text.pieces import attribute as attribute_piece
from brimgen.emit.python_text.pieces import (
    compared,
    either,
    keyword,
    literal,
    spread,
)
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    parameter,
    returned,
    when,
)
from brimgen.model.catalog import Tool
from brimgen.model.fields import Context
from brimgen.model.json import JsonObject
from brimgen.model.types import NullableType

_CLS, _CALL, _CONTEXT, _NONE = map(Code, ("cls", "call", "context", "None"))
_GIVEN_CONTEXT = parameter("context", Code("object"), _NONE)


def bind_nothing(name: Code, module: Module) -> Code:
    """``bind`` of a tool that hides nothing from its caller."""
    lines = Lines(BODY)
    _check_call(name, module, lines)
    lines.add(returned(_CALL))
    return method(
        function("bind", [_CLS, parameter("call", name), _GIVEN_CONTEXT], name),
        lines.text,
        "Return ``call`` itself: no argument is hidden from the caller.",
    )


def _check_call(name: Code, module: Module, lines: Lines) -> None:
    lines.add(spread(module.scope.runtime("check_call"), _CALL, name))


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
    text = f"What the handler of ``{tool.name}`` receives: call and context."
    methods = [_bind(tool, shape, call), to_dict(shape)]
    return class_of(name, text, shape, hint, methods)


def _bind(tool: Tool, shape: Shape, call: Code) -> Code:
    module = shape.module
    lines = Lines(BODY)
    _check_call(call, module, lines)
    hosts: list[Code] = []
    values = [
        (
            _hidden(tool, each, module, lines, hosts)
            if each.is_hidden
            else attribute_piece(_CALL, each.name)
        )
        for each in shape.attributes
    ]
    arguments = arguments_of(shape.attributes, values)
    further = (shape.extra[0] if shape.extra else None, shape.nulls, shape.absent)
    arguments += [
        keyword(each, attribute_piece(_CALL, each))
        for each in further
        if each is not None
    ]
    lines.add(returned(spread(_CLS, *arguments)))
    parameters: list[Code] = [_CLS, parameter("call", call), _GIVEN_CONTEXT]
    if hosts:
        parameters += [Code("*"), *hosts]
    return method(
        function("bind", parameters, module.scope.standard("Self")),
        lines.text,
        _documentation(bool(hosts), len(hosts) < len(tool.hidden_fields)),
    )


def _documentation(has_hosts: bool, has_context: bool) -> str:
    """What ``bind`` does, of a tool with hidden arguments."""
    if not has_context:
        return "Join a call with what the host program gives."
    given = " and what the host program gives" if has_hosts else ""
    return f"Join a call with its context{given}. Raises `ContextError`."


def _hidden(
    tool: Tool, attribute: PyAttribute, module: Module, lines: Lines, hosts: list[Code]
) -> Code:
    """The value of what no caller sends: ``lines`` find it, or it is among ``hosts``."""
    origin = attribute.field.origin
    if isinstance(origin, Context):
        known = _context_validator(tool, attribute, module)
        given = attribute, ".".join(origin.path), known, module
        lines.take([attribute.part(("context", known), module.scope, _resolve, *given)])
    else:
        hosts.append(_host(attribute, lines))
    return attribute.local


def _resolve(attribute: PyAttribute, path: str, validator: Code, module: Module) -> str:
    lines, field = Lines(BODY), attribute.field
    arguments: list[Code] = [_CONTEXT, py(path), validator]
    if field.default is not None:
        arguments.append(literal(field.default.value))
    elif not field.required:
        arguments.append(_NONE)
    found = spread(module.scope.runtime("context_value"), *arguments)
    lines.add(assigned(attribute.local, found))
    optional = attribute.default is not None and attribute.default.expression == _NONE
    if optional and not isinstance(field.type, NullableType):
        if not _is_plain(attribute, module):
            with lines.block(when(compared(attribute.local, "is not", _NONE))):
                decode_value(attribute, attribute.local, module, lines)
    else:
        decode_value(attribute, attribute.local, module, lines)
    return lines.text


def _is_plain(attribute: PyAttribute, module: Module) -> bool:
    """Whether a value of the attribute is decoded as it is."""
    probe = Lines(BODY)
    decode_value(attribute, attribute.local, module, probe)
    return not probe.text


def _context_validator(tool: Tool, attribute: PyAttribute, module: Module) -> Code:
    key = "bare", attribute.verdict
    schema, has_references = attribute.part(key, module.scope, _bare, attribute)
    if has_references:
        schema = {**schema, "$defs": bare(tool.bound_schema.get("$defs", {}))}
    return module.scope.define_after(
        f"_{attribute.local.strip('_').upper()}",
        f"context {attribute.local}",
        lambda name: validator(name, schema, module, keyword("tool", py(tool.name))),
    )


def _bare(attribute: PyAttribute) -> tuple[JsonObject, bool]:
    """What the schema of an attribute decides by, and whether it points elsewhere."""
    schema = bare(attribute.field.schema)
    assert isinstance(schema, dict)
    return schema, has_reference(schema)


def _host(attribute: PyAttribute, lines: Lines) -> Code:
    name, annotation = attribute.local, attribute.annotation
    default = attribute.default
    if default is None:
        return parameter(name, annotation)
    if default.is_constant:
        return parameter(name, annotation, default.expression)
    with lines.block(when(compared(attribute.local, "is", _NONE))):
        lines.add(assigned(attribute.local, default.expression))
    return parameter(name, either([annotation, _NONE]), _NONE)
