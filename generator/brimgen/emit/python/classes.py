"""Classes: entities, records, inputs and bound inputs as the views of their dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from brimgen.emit.code import Code, bracketed, docstring, py
from brimgen.emit.locals import free_name
from brimgen.emit.python.attributes import (
    PyAttribute,
    absent_view,
    attributes_of,
    extra_view,
    field_view,
    nulls_view,
)
from brimgen.emit.python.decoding import decode, decode_value
from brimgen.emit.python.encoding import to_dict
from brimgen.emit.python.lines import Lines
from brimgen.emit.python.methods import (
    Shape,
    arguments_of,
    from_call,
    from_dict,
    method,
    readers,
)
from brimgen.emit.python.package import Module, PyRecord, words
from brimgen.emit.python.presence import counts
from brimgen.emit.python.schemas import bare, has_reference
from brimgen.emit.python.validators import validator
from brimgen.emit.python.view import PyClass, PyMethod
from brimgen.frozen import dataclass
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Caller, Context, Field, Host
from brimgen.model.json import JsonObject
from brimgen.model.types import NullableType, Type


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a class stands for: its name, its words, its fields and what it enforces.

    ``around`` are all fields of its tool, of which it may have some only; ``counted`` says that a
    schema notices what was left out.
    """

    name: Code
    documentation: str
    fields: tuple[Field, ...]
    schema: JsonObject
    extra: Type | None = None
    hint: str
    prefix: str
    around: tuple[Field, ...] = ()
    counted: bool = False
    validator: Code | None = None


def _shape(subject: Subject, module: Module) -> Shape:
    module.prefix = subject.prefix
    module.scope.standard("dataclass")
    module.scope.runtime("JsonObject")
    attributes = attributes_of(subject.fields, module, subject.hint)
    fields = subject.around or subject.fields
    extra = nulls = absent = None
    if subject.extra is not None:
        extra = free_name("extra", fields), subject.extra
    if any(each.keeps_null for each in attributes):
        nulls = free_name("nulls", fields)
    if subject.counted and any(each.keeps_absence for each in attributes):
        absent = free_name("absent", fields)
    return Shape(
        module=module,
        attributes=attributes,
        schema=subject.schema,
        extra=extra,
        nulls=nulls,
        absent=absent,
        validator=subject.validator,
    )


def _class(
    subject: Subject, shape: Shape, methods: Sequence[PyMethod | None]
) -> PyClass:
    fields = [field_view(each, shape.module.scope) for each in shape.attributes]
    if shape.extra is not None:
        fields.append(extra_view(*shape.extra, shape.module, subject.hint))
    if shape.nulls is not None:
        fields.append(nulls_view(shape.nulls, shape.module))
    if shape.absent is not None:
        fields.append(absent_view(shape.absent, shape.module))
    return PyClass(
        name=subject.name,
        documentation=docstring(subject.documentation, indent=4),
        fields=tuple(fields),
        methods=tuple(each for each in methods if each is not None),
    )


def entity_class(entity: Entity, module: Module, validator: Code) -> PyClass:
    """The class of an entity: it reads and writes itself, checked by ``validator``."""
    name = module.package.classes[entity.name]
    subject = Subject(
        name=name,
        documentation=entity.description or f"The entity ``{entity.name}``.",
        fields=entity.fields,
        schema=entity.enforced_schema,
        extra=entity.extra,
        hint=name,
        prefix=f"{words(name)}_",
        counted=entity.name in module.package.counted.entities,
        validator=validator,
    )
    shape = _shape(subject, module)
    public = [from_dict(shape), to_dict(shape)]
    is_listed = entity.name in module.package.listed.entities
    reading = readers(shape, name, is_listed=is_listed)
    return _class(subject, shape, [*public, *reading, decode(shape)])


def record_class(record: PyRecord, module: Module, owner: str) -> PyClass:
    """The class of a nested object: its owner reads it."""
    subject = Subject(
        name=record.name,
        documentation=_record_text(record, owner),
        fields=record.type.fields,
        schema=record.full_schema,
        extra=record.type.extra,
        hint=record.name,
        prefix=f"{words(record.name)}_",
        counted=record.type in module.package.counted.records,
    )
    shape = _shape(subject, module)
    public = [to_dict(shape)]
    is_listed = record.type in module.package.listed.records
    reading = readers(shape, record.name, is_listed=is_listed)
    return _class(subject, shape, [*public, *reading, decode(shape)])


def _record_text(record: PyRecord, owner: str) -> str:
    description = record.full_schema.get("description")
    return str(description) if description else f"A nested object of ``{owner}``."


def is_fast(fields: tuple[Field, ...], schema: JsonObject, module: Module) -> bool:
    """Whether the class of an object gets a fast path, given those that its package has."""
    attributes = attributes_of(fields, module, "X")
    shape = Shape(module=module, attributes=attributes, schema=schema)
    return bool(readers(shape, Code("X"), is_listed=False))


def input_class(tool: Tool, module: Module, names: tuple[Code, str]) -> PyClass:
    """The class of what a caller may send."""
    name, hint = names
    subject = Subject(
        name=name,
        documentation=tool.description or f"The input of ``{tool.name}``.",
        fields=tool.caller_fields,
        around=tool.fields,
        schema=tool.enforced_schema,
        extra=tool.extra,
        hint=hint,
        prefix="",
        counted=counts(tool.enforced_schema),
        validator=Code("_INPUT"),
    )
    shape = replace(_shape(subject, module), reads_itself=True)
    binding = [] if tool.hidden_fields else [_bind_nothing(name)]
    public = [from_dict(shape), from_call(shape), *binding, to_dict(shape)]
    return _class(subject, shape, [*public, decode(shape)])


def _bind_nothing(name: Code) -> PyMethod:
    return method(
        _signature(["cls", f"call: {name}", "context: object = None"], name),
        Code("        return call"),
        "Return ``call`` itself: no argument is hidden from the caller.",
    )


def _signature(parameters: list[str], result: str) -> Code:
    return bracketed(parameters, before="def bind(", after=f") -> {result}:", indent=4)


def bound_class(
    tool: Tool, module: Module, names: tuple[Code, str], call: Code
) -> PyClass:
    """The class of what the handler receives: the call and its hidden values."""
    name, hint = names
    subject = Subject(
        name=name,
        documentation=f"What the handler of ``{tool.name}`` receives: call and context.",
        fields=tool.fields,
        schema=tool.bound_schema,
        extra=tool.extra,
        hint=hint,
        prefix="",
        counted=counts(tool.enforced_schema),
    )
    shape = _shape(subject, module)
    methods = [_bind(tool, shape, call), to_dict(shape)]
    return _class(subject, shape, methods)


def _bind(tool: Tool, shape: Shape, call: Code) -> PyMethod:
    module = shape.module
    lines = Lines(8)
    hosts: list[str] = []
    given: list[tuple[PyAttribute, str]] = []
    for each in shape.attributes:
        match each.field.origin:
            case Context(path):
                _resolve(tool, each, ".".join(path), module, lines)
                value = each.local
            case Host():
                hosts.append(_host(each, lines))
                value = each.local
            case Caller():
                value = Code(f"call.{each.name}")
        given.append((each, value))
    arguments = arguments_of(given)
    if shape.extra is not None:
        arguments.append(f"{shape.extra[0]}=call.{shape.extra[0]}")
    if shape.nulls is not None:
        arguments.append(f"{shape.nulls}=call.{shape.nulls}")
    if shape.absent is not None:
        arguments.append(f"{shape.absent}=call.{shape.absent}")
    lines.call("return cls(", arguments)
    parameters = ["cls", f"call: {call}", "context: object = None"]
    if hosts:
        parameters += ["*", *hosts]
    return method(
        _signature(parameters, module.scope.standard("Self")),
        lines.text,
        "Join a call with what its context and its host program know.",
    )


def _resolve(
    tool: Tool, attribute: PyAttribute, path: str, module: Module, lines: Lines
) -> None:
    field = attribute.field
    validator = _context_validator(tool, attribute, module)
    arguments = ["context", py(path), validator]
    if field.default is not None:
        arguments.append(py(field.default.value))
    elif not field.required:
        arguments.append(py(None))
    function = module.scope.runtime("context_value")
    lines.call(f"{attribute.local} = {function}(", arguments)
    optional = attribute.default is not None and attribute.default.expression == "None"
    if optional and not isinstance(field.type, NullableType):
        if not _is_plain(attribute, module):
            with lines.block(f"if {attribute.local} is not None:"):
                decode_value(attribute, attribute.local, module, lines)
    else:
        decode_value(attribute, attribute.local, module, lines)


def _is_plain(attribute: PyAttribute, module: Module) -> bool:
    """Whether a value of the attribute is decoded as it is."""
    probe = Lines(8)
    decode_value(attribute, attribute.local, module, probe)
    return not probe.text


def _context_validator(tool: Tool, attribute: PyAttribute, module: Module) -> Code:
    schema = bare(attribute.field.schema)
    assert isinstance(schema, dict)
    if has_reference(schema):
        schema = {**schema, "$defs": bare(tool.bound_schema.get("$defs", {}))}
    return module.scope.define_after(
        f"_{attribute.local.strip('_').upper()}",
        f"context {attribute.local} {py(schema)}",
        lambda name: validator(name, schema, module, Code(f"tool={py(tool.name)}")),
    )


def _host(attribute: PyAttribute, lines: Lines) -> str:
    shown = f"{attribute.local}: {attribute.annotation}"
    default = attribute.default
    if default is None:
        return shown
    if default.argument.startswith("default="):
        return f"{shown} = {default.expression}"
    with lines.block(f"if {attribute.local} is None:"):
        lines.add(f"{attribute.local} = {default.expression}")
    return f"{shown} | None = None"
