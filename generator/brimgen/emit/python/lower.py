"""Lower a catalog to the views of all modules of its Python package."""

from __future__ import annotations

import brimgen_runtime
from brimgen.emit.code import Code, header, py
from brimgen.emit.imports import exported_names, import_sections
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.emit.python.classes import (
    bound_class,
    entity_class,
    input_class,
    record_class,
)
from brimgen.emit.python.descriptors import descriptors_module
from brimgen.emit.python.nesting import Counted
from brimgen.emit.python.package import Module, Package, PyRecord, name_records
from brimgen.emit.python.scope import Scope
from brimgen.emit.python.view import (
    PyClass,
    PyEntities,
    PyEnum,
    PyMember,
    PyPackage,
    PyTool,
)
from brimgen.emit.python_text import (
    joined,
    tuple_of,
)
from brimgen.emit.runtime_names import RUNTIME, home_of
from brimgen.emit.schema_files import (
    ENFORCED_ENTITIES,
    ENTITIES,
    entity_files,
    file_stem,
    is_enforced_apart,
    tool_schemas,
)
from brimgen.model.catalog import Catalog, EnumEntity, Tool
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


def lower_entities(catalog: Catalog, package: Package) -> PyEntities:
    """The module of all entities, enums first."""
    files = entity_files(catalog)
    scope = package.scope
    module = Module(package, scope, package.records, package.counted.records)
    enums = tuple(_enum(enum, module) for enum in catalog.enums.values())
    classes: list[PyClass] = []
    emitted: list[Code] = []
    schemas: dict[Code, Code] = {}
    for entity in catalog.entities.values():
        for record in name_records(entity, entity.enforced_schema, Scope("")):
            module_record = module.record(record.type)
            if module_record.name not in emitted:
                emitted.append(module_record.name)
                classes.append(record_class(module_record, module, entity.name))
        is_apart = is_enforced_apart(entity)
        constant = Code("_ENFORCED" if is_apart else "_SCHEMAS")
        stem = py(ENFORCED_ENTITIES if is_apart else ENTITIES)
        schemas[constant] = stem
        scope.runtime("EntitySchemas")
        schema = Code(f"{constant}[{py(entity.name)}]")
        classes.append(entity_class(entity, module, schema))
    return PyEntities(
        header=header(files[0] if len(files) == 1 else None),
        enums=enums,
        classes=tuple(classes),
        imports=import_sections(scope.taken),
        statements_before=scope.before,
        schemas=schemas,
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
    members = module.package.members[enum.name]
    return PyEnum(
        owner=enum.name,
        name=name,
        base=joined(bases),
        description=enum.description,
        members=tuple(
            PyMember(member, py(value))
            for value, member in zip(enum.values, members, strict=True)
        ),
    )


def lower_tool(tool: Tool, package: Package) -> PyTool:
    """The module of one tool."""
    input_name, bound_name = classes_of(tool.name)
    scope = Scope("..", (input_name, bound_name), package.imported)
    records: tuple[PyRecord, ...] = ()
    counted = Counted()
    if tool.name in package.nested:
        named = name_records(tool, tool.enforced_schema, scope, package.records)
        records = tuple(named)
    if records:
        counted.walk_tool(tool)
    module = Module(package, scope, records, counted.records)
    scope.runtime("Tool")
    scope.runtime("ToolSchemas")
    for name in ("Any", "Mapping"):
        scope.standard(name)
    hint = class_name(tool.name)
    classes = [record_class(record, module, tool.name) for record in records]
    classes.append(input_class(tool, module, hint))
    if tool.hidden_fields:
        classes.append(bound_class(tool, module, hint))
    _, *parts = tool_schemas(tool)
    return PyTool(
        header=header(tool.span.file, module=module_name(tool.name)),
        name=tool.name,
        classes=tuple(classes),
        input_class=input_name,
        bound_class=bound_name,
        has_bound=bool(tool.hidden_fields),
        has_output=tool.returns is not None,
        schemas=joined(map(py, [file_stem(tool), *parts])),
        title=tool.title,
        description=tool.description,
        when_to_use=tool.when_to_use,
        version=tool.version,
        tags=tuple_of([py(tag) for tag in tool.tags]) if tool.tags else None,
        imports=import_sections(scope.taken),
        statements_before=scope.before,
    )


def lower_init(catalog: Catalog, package: Package) -> PyPackage:
    """The package's front: everything in it by name, loaded on first use.

    A class of the catalog goes before a name of the runtime, which stays in its own module, and
    both go before the module of a tool.
    """
    hides = any(tool.hidden_fields for tool in catalog.tools)
    front = (*_FRONT, "ContextError") if hides else _FRONT
    own = dict.fromkeys(map(str, package.classes.values()), ".entities")
    of_tools = {module_name(tool.name) for tool in catalog.tools} | {"descriptors"}
    if descriptors_module(catalog) is not None:
        own["descriptors"] = ".descriptors"
    homes: dict[str, str] = {}
    tools: dict[str, str] = {}
    for tool in catalog.tools:
        module, classes = module_name(tool.name), classes_of(tool.name)
        if module not in _TAKEN and module not in front:
            homes.setdefault(module, _TOOLS)
        tools[tool.name] = f"{_TOOLS}.{module}:{classes[0].removesuffix('Input')}"
        homes.update(dict.fromkeys(map(str, classes), f"{_TOOLS}.{module}"))
    homes |= {name: home.removesuffix(f".{name}") for name, home in own.items()}
    homes = {name: homes[name] for name in sorted(homes)}
    offered = {name: home_of(name) for name in sorted(front) if name not in homes}
    return PyPackage(
        header=header(),
        runtime=Code(".".join(brimgen_runtime.__version__.split(".")[:2])),
        type_imports=import_sections(
            (home or ".", name) for name, home in (offered | homes).items()
        ),
        tools=py(tools),
        homes=py({name: home for name, home in own.items() if name in of_tools}),
        offered=py(
            {name: home.removeprefix(RUNTIME) for name, home in offered.items()}
        ),
        exported=exported_names(["TOOLS", "Tools", *offered, *homes]),
    )
