"""Lower a catalog to the views of all modules of its Python package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import brimgen_runtime
from brimgen.emit.code import Code, py
from brimgen.emit.imports import (
    Import,
    ImportGroup,
    exported_names,
    in_order,
    module_order,
)
from brimgen.emit.module_header import ModuleHeader, module_header
from brimgen.emit.names import class_name, constant_name, module_name
from brimgen.emit.projection.json_values import is_same_json
from brimgen.emit.python.attributes import AttributeCache
from brimgen.emit.python.binding import bound_class
from brimgen.emit.python.classes import (
    entity_class,
    input_class,
    is_fast,
    is_record_fast,
    record_class,
    records_of,
)
from brimgen.emit.python.descriptors import descriptors_module
from brimgen.emit.python.fields import attribute_of, distinct
from brimgen.emit.python.leaves import leaves_option
from brimgen.emit.python.nesting import Counted, object_fields
from brimgen.emit.python.package import Module, Package, name_records
from brimgen.emit.python.scope import Scope
from brimgen.emit.python.validators import (
    bound_schema,
    expects_option,
    fast_option,
    names_of,
    output_schema,
    schema_literal,
    validator,
)
from brimgen.emit.python.view import (
    EntitySchema,
    PyClass,
    PyEntities,
    PyEnum,
    PyMember,
    PyPackage,
    PySchemas,
    PyTool,
)
from brimgen.emit.python_text import (
    attribute,
    joined,
    keyword,
    mapping,
    tuple_of,
)
from brimgen.emit.runtime_names import RUNTIME, home_of
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog, EnumEntity, Tool
from brimgen.model.json import JsonObject
from brimgen.model.targets import target_names

_FRONT = ("InputError", "Violation")
"""What every package offers of its runtime."""

_TOOLS = ".tools"
_OF_FRONT = {"TOOLS", "TYPE_CHECKING", "Tools"}
_TAKEN = {
    "descriptors",
    "entities",
    "mcp_server",
    "schemas",
    "tools",
    *_OF_FRONT,
    *target_names(),
}
"""Names of the front that are no tools: its own, and modules that targets write beside it."""


def lower_package(catalog: Catalog) -> Package:
    """The names of everything, and which classes have a fast path: the largest such set."""
    package = Package(catalog)
    while True:
        package.own_attributes = AttributeCache()
        module = Module(package, Scope(""), package.records, package.own_attributes)
        records = tuple(
            replace(record, fast=record.fast and is_record_fast(record, module))
            for record in package.records
        )
        fast = frozenset(
            name
            for name, entity in package.entities.items()
            if name in package.fast
            and is_fast(entity.fields, entity.enforced_schema, module)
        )
        if fast == package.fast and records == package.records:
            return package
        package.fast, package.records = fast, records


def lower_entities(catalog: Catalog, package: Package) -> PyEntities:
    """The module of all entities, enums first."""
    files = entity_files(catalog)
    module = Module(
        package,
        package.scope,
        package.records,
        package.own_attributes,
        counted=package.counted.records,
    )
    enums = tuple(_enum(enum, module) for enum in catalog.enums.values())
    classes: list[PyClass] = []
    emitted: list[Code] = []
    for entity in catalog.entities.values():
        for record in name_records(entity, entity.enforced_schema, Scope("")):
            module_record = module.record(record.type)
            if module_record.name not in emitted:
                emitted.append(module_record.name)
                classes.append(record_class(module_record, module, entity.name))
        validated_by = _entity_validator(entity.name, module)
        classes.append(entity_class(entity, module, validated_by))
    return PyEntities(
        header=_header(files[0] if len(files) == 1 else None, package.scope),
        enums=enums,
        classes=tuple(classes),
        imports=package.scope.imports,
        statements_before=package.scope.before,
        functions=package.scope.functions,
        statements_after=package.scope.after,
    )


def _header(file: str | None, scope: Scope, module: str = "") -> ModuleHeader:
    exempt = tuple(map(Code, sorted(scope.exempt)))
    return module_header(file, module=module, exempt=exempt)


def entity_files(catalog: Catalog) -> tuple[str, ...]:
    """The spec files of all entities, sorted."""
    files = {entity.span.file for entity in catalog.entities.values()}
    files |= {enum.span.file for enum in catalog.enums.values()}
    return tuple(sorted(files))


def _entity_validator(name: str, module: Module) -> Code:
    """Define the validator of an entity; return the name that it was given."""
    entity = module.package.entities[name]
    own = module.package.classes[name]
    options: list[Code] = [
        keyword("tool", py(name)),
        expects_option(entity.enforced_schema, (), module),
    ]
    is_read = name in module.package.fast
    itself = module.package.readers[name].one if is_read else None
    fast = fast_option(entity.fields, entity.enforced_schema, module, itself)
    if fast is not None:
        options.append(fast)
    schema: JsonObject | Code = entity.enforced_schema
    if is_same_json(schema, entity.schema):
        leaves = leaves_option(schema, module)
        options += [] if leaves is None else [leaves]
        schema = attribute(module.scope.schemas(), module.package.schema_names[name])
    return module.scope.define_after(
        f"_{constant_name(own)}",
        f"entity {name}",
        lambda constant: validator(constant, schema, module, *options),
    )


def lower_schemas(catalog: Catalog, package: Package) -> PySchemas:
    """The module of the schemas of entities, each after those that it names."""
    files = entity_files(catalog)
    return PySchemas(
        header=module_header(files[0] if len(files) == 1 else None),
        schemas=tuple(
            EntitySchema(package.schema_names[name], py(schema))
            for name, schema in package.schemas.in_order(package.schema_constant)
        ),
    )


def _enum(enum: EnumEntity, module: Module) -> PyEnum:
    kinds = {value.__class__ for value in enum.values}
    base = {"str": "StrEnum", "int": "IntEnum"}.get(
        kinds.pop().__name__ if len(kinds) == 1 else "", "Enum"
    )
    bases = [module.scope.standard(base)]
    if enum.name in module.package.open_enums:
        bases.insert(0, module.scope.runtime("OpenChoices"))
    name = module.package.classes[enum.name]
    table = module.package.tables[enum.name]
    members = module.package.members[enum.name]
    module.scope.mapping()
    entries = [
        (py(value), attribute(name, member))
        for value, member in zip(enum.values, members, strict=True)
    ]
    return PyEnum(
        owner=enum.name,
        name=name,
        base=joined(bases),
        description=enum.description,
        members=tuple(
            PyMember(member, py(value))
            for value, member in zip(enum.values, members, strict=True)
        ),
        table=table,
        entries=mapping(entries),
    )


def lower_tool(tool: Tool, package: Package) -> PyTool:
    """The module of one tool."""
    input_name, bound_name = names_of(tool)
    scope = Scope("..", (input_name, bound_name), package.imported)
    is_nested = tool.name in package.nested
    records = records_of(tool, package, scope) if is_nested else ()
    counted = Counted()
    if records:
        counted.walk_tool(tool)
    module = Module(
        package,
        scope,
        records,
        package.attributes,
        counted=counted.records,
    )
    hint = class_name(tool.name)
    classes = [record_class(record, module, tool.name) for record in records]
    module.prefix = ""
    fields = tool.caller_fields
    by_name = {field.name: attribute_of(field, module, hint) for field in fields}
    attributes = distinct(by_name.values())
    classes.append(input_class(tool, module, (input_name, hint), attributes))
    if len(fields) < len(tool.fields):
        by_name |= {
            hidden_field.name: attribute_of(hidden_field, module, hint)
            for hidden_field in tool.hidden_fields
        }
        attributes = distinct([by_name[field.name] for field in tool.fields])
        names = bound_name, hint, input_name
        classes.append(bound_class(tool, module, names, attributes))
    return _module(tool, module, classes)


def _module(tool: Tool, module: Module, classes: Sequence[PyClass]) -> PyTool:
    scope, fields, returns = module.scope, tool.caller_fields, tool.returns
    input_name, bound_name = names_of(tool)
    is_bound = len(fields) < len(tool.fields)
    schema = schema_literal(tool.input_schema, module, tool)
    bound = bound_schema(tool, module) if is_bound else None
    output = None if returns is None else output_schema(returns.schema, module, tool)
    closed = None
    if tool.enforced_schema != tool.input_schema:
        name = scope.unique("_CLOSED_SCHEMA")
        closed = name, schema_literal(tool.enforced_schema, module, tool)
    scope.take_all(("Tool", "Validator"))
    arguments = _validator_arguments(tool, module)
    return PyTool(
        header=_header(tool.span.file, scope, module_name(tool.name)),
        name=tool.name,
        classes=tuple(classes),
        input_class=input_name,
        bound_class=bound_name,
        input_schema=schema,
        bound_schema=bound,
        output_schema=output,
        closed_schema=closed,
        validator_arguments=arguments,
        title=tool.title,
        description=tool.description,
        when_to_use=tool.when_to_use,
        version=tool.version,
        tags=tuple_of([py(tag) for tag in tool.tags]) if tool.tags else None,
        imports=scope.imports,
        statements_before=scope.before,
        functions=scope.functions,
        statements_after=scope.after,
    )


def _validator_arguments(tool: Tool, module: Module) -> Code:
    """The arguments of the validator of the input, besides the schema."""
    is_nested = tool.name in module.package.nested
    objects = object_fields(tool.caller_fields) if is_nested else ()
    options = [
        keyword("tool", py(tool.name)),
        expects_option(tool.enforced_schema, objects, module),
        fast_option(objects, tool.enforced_schema, module),
        leaves_option(tool.enforced_schema, module),
    ]
    return joined([option for option in options if option is not None])


def lower_init(catalog: Catalog, package: Package) -> PyPackage:
    """The package's front: everything in it by name, loaded on first use.

    A class of the catalog goes before a name of the runtime, which stays in its own module, and
    both go before the module of a tool.
    """
    hides = any(tool.hidden_fields for tool in catalog.tools)
    front = (*_FRONT, "ContextError") if hides else _FRONT
    homes = dict.fromkeys(map(str, package.classes.values()), ".entities")
    tools: dict[str, str] = {}
    for tool in catalog.tools:
        tools[tool.name] = f".tools.{module_name(tool.name)}"
        homes.update(dict.fromkeys(map(str, names_of(tool)), tools[tool.name]))
    for home in tools.values():
        name = home.removeprefix(f"{_TOOLS}.")
        if name not in _TAKEN and name not in front:
            homes.setdefault(name, _TOOLS)
    if descriptors_module(catalog) is not None:
        homes["descriptors"] = ""
    homes = {name: homes[name] for name in sorted(homes)}
    offered = {name: home_of(name) for name in sorted(front) if name not in homes}
    return PyPackage(
        header=module_header(),
        runtime=py(".".join(brimgen_runtime.__version__.split(".")[:2])),
        type_imports=tuple(
            group for group in (_by_home(offered), _by_home(homes)) if group
        ),
        tools=py(tools),
        homes=py(
            {
                name: f"{home}.{name}" if home in ("", _TOOLS) else home
                for name, home in homes.items()
            }
        ),
        offered=py(
            {name: home.removeprefix(RUNTIME) for name, home in offered.items()}
        ),
        exported=exported_names(["TOOLS", "Tools", *offered, *homes]),
    )


def _by_home(homes: Mapping[str, str]) -> ImportGroup:
    """The imports of names by the modules that have them."""
    by_home: dict[str, list[str]] = {}
    for name, home in homes.items():
        by_home.setdefault(home, []).append(name)
    return tuple(
        Import(Code(home or "."), _names(home, by_home[home]))
        for home in sorted(by_home, key=module_order)
    )


def _names(home: str, names: list[str]) -> Code:
    """The names of a module, which are sorted: so those of one tool are in order."""
    return Code(", ".join(names if home.startswith(".tools.") else in_order(names)))
