"""Lower entities, records and inputs to the views of their dataclasses."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.codecs.annotations import optional
from brimgen.emit.locals import free_name, host_parameters
from brimgen.emit.names import classes_of, field_attribute
from brimgen.emit.python.fields import default_of, fields_of
from brimgen.emit.python.leaves import leaves_option
from brimgen.emit.python.nesting import counts
from brimgen.emit.python.package import Module, PyRecord
from brimgen.emit.python.types import annotation
from brimgen.emit.python.view import PyBinder, PyClass, PyExtra
from brimgen.emit.python_text import joined, keyword, parameter
from brimgen.frozen import replace
from brimgen.model.catalog import Entity, Tool
from brimgen.model.fields import Caller
from brimgen.model.json import JsonObject
from brimgen.model.types import Field, NullableType, Type, UnionType

_NONE = Code("None")


def entity_class(entity: Entity, module: Module, schema: Code) -> PyClass:
    """The class of an entity, which reads itself by the schema that is called ``schema``."""
    name = module.package.classes[entity.name]
    counted = entity.name in module.package.counted.entities
    made = _class(
        module, entity.fields, "JsonEntity", name, entity.extra, counted=counted
    )
    return replace(
        made,
        kind="entity",
        owner=entity.name,
        name=name,
        source=_source(entity.name, schema, entity.enforced_schema, module),
        description=entity.description,
    )


def record_class(record: PyRecord, module: Module, owner: str) -> PyClass:
    """The class of a nested object: its owner reads it."""
    type = record.type
    made = _class(
        module,
        type.fields,
        "JsonObject",
        record.name,
        type.extra,
        counted=type in module.counted,
    )
    description = record.schema.get("description")
    return replace(
        made,
        kind="record",
        owner=owner,
        name=record.name,
        description=str(description) if description else None,
    )


def input_class(tool: Tool, module: Module, hint: str) -> PyClass:
    """The class of what a caller may send; ``hint`` begins the names of its aliases."""
    base = "JsonCall" if tool.hidden_fields else "JsonPlainCall"
    is_open = tool.enforced_schema is not tool.input_schema
    schema = Code("_SCHEMAS.enforced" if is_open else "_SCHEMAS.input")
    made = _class(
        module,
        tool.caller_fields,
        base,
        hint,
        tool.extra,
        counted=counts(tool.enforced_schema),
        around=tool.fields,
    )
    return replace(
        made,
        kind="input",
        owner=tool.name,
        name=classes_of(tool.name)[0],
        source=_source(tool.name, schema, tool.enforced_schema, module),
        description=tool.description,
    )


def bound_class(tool: Tool, module: Module, hint: str) -> PyClass:
    """The class of what the handler receives: the call and its hidden values."""
    made = _class(
        module,
        tool.fields,
        "JsonObject",
        hint,
        tool.extra,
        counted=counts(tool.enforced_schema),
    )
    input_class_name, class_name = classes_of(tool.name)
    module.scope.standard("Self")
    module.scope.runtime("bind_call")
    hosts: list[Code] = []
    given: list[Code] = []
    shown = {each.name: each.annotation for each in made.fields}
    for field, parameter_name in host_parameters(tool.fields):
        name = field_attribute(field)
        hosts.append(_host(field, shown[name], parameter_name, module))
        given.append(Code(f"{py(str(name))}: {parameter_name}"))
    return replace(
        made,
        kind="bound",
        owner=tool.name,
        name=class_name,
        source=_source(tool.name, Code("_SCHEMAS.bound"), tool.bound_schema, module),
        binder=PyBinder(
            call=input_class_name,
            hosts=joined(hosts) if hosts else None,
            given=joined(given) if given else None,
        ),
    )


def _host(field: Field, annotation: Code, local: Code, module: Module) -> Code:
    """A parameter for what the host program gives."""
    if field.required and field.default is None:
        return Code(f"{local}: {annotation}")
    default = default_of(field, module)
    is_union = isinstance(field.type, NullableType | UnionType) or default == _NONE
    if default is None:
        annotation, default, is_union = optional(annotation), _NONE, True
    return parameter(local, annotation, default, 8, is_union=is_union)


def _source(name: str, schema: Code, value: JsonObject, module: Module) -> Code:
    """The arguments of the class that say by which schema its objects are read."""
    leaves = leaves_option(value, module)
    arguments = [keyword("schema", schema), keyword("name", py(name))]
    return joined([*arguments, leaves] if leaves is not None else arguments)


def _class(
    module: Module,
    fields: Sequence[Field],
    base: str,
    hint: str,
    extra: Type | None,
    *,
    counted: bool,
    around: Sequence[Field] | None = None,
) -> PyClass:
    """What all classes have; ``counted`` says that a schema notices what was left out.

    ``around`` are all fields of a tool, of which the class may have some only.
    """
    module.scope.standard("dataclass")
    around = fields if around is None else around
    keeps_nulls = any(field.keeps_null for field in fields)
    keeps_absence = counted and any(
        isinstance(field.origin, Caller)
        and field.default is not None
        and field.default.value is not None
        for field in fields
    )
    if extra is not None or keeps_nulls or keeps_absence:
        module.scope.standard("field")
    further = None
    if extra is not None:
        module.scope.standard("Any")
        shown = annotation(extra, module, lambda: f"{hint}Extra")
        further = PyExtra(free_name("extra", around), shown)
    return PyClass(
        kind="",
        owner="",
        name=Code(hint),
        base=module.scope.runtime(base),
        source=None,
        description=None,
        fields=fields_of(fields, module, hint),
        extra=further,
        nulls=free_name("nulls", around) if keeps_nulls else None,
        absent=free_name("absent", around) if keeps_absence else None,
    )
