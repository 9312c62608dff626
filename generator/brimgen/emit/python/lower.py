"""Lower: a Catalog in, the modules of its Python package out, decided to the last character."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import STEP, Code, header, py
from brimgen.emit.imports import (
    exported,
    import_from,
    module_order,
    ordered_import,
)
from brimgen.emit.names import class_name, module_name
from brimgen.emit.python.attribute_cache import AttributeCache
from brimgen.emit.python.attributes import attribute_of, distinct
from brimgen.emit.python.binding import bound_class
from brimgen.emit.python.classes import (
    entity_class,
    input_class,
    is_fast,
    record_class,
)
from brimgen.emit.python.leaves import leaves_option
from brimgen.emit.python.listed import with_parts
from brimgen.emit.python.package import Module, Package, name_records, words
from brimgen.emit.python.presence import Counted
from brimgen.emit.python.records import is_record_fast, records_of
from brimgen.emit.python.scope import Scope
from brimgen.emit.python.validators import (
    bound_statement,
    fast_option,
    names_of,
    names_option,
    output_statement,
    schema_statement,
    validator,
)
from brimgen.emit.python.view import PyClass, PyEnum, PyModule, PyPackage
from brimgen.emit.python_text.displays import py_block
from brimgen.emit.python_text.docstrings import docstring
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    keyword,
    mapping,
    spread,
    subscript,
    tuple_of,
)
from brimgen.emit.python_text.statements import assigned, class_head
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog, EnumEntity, Tool
from brimgen.model.fields import Field
from brimgen.runtime import FRONT

_EXPORTED = ("TOOLS", "ContextError", "InputError", "Tools", "Violation")


def lower_package(catalog: Catalog) -> Package:
    """The names of everything, and which classes have a fast path: the largest such set."""
    package = Package(catalog)
    while True:
        package.own_attributes = AttributeCache()
        module = Module(package, Scope(""), package.records, package.own_attributes)
        records = tuple(
            replace(each, fast=each.fast and is_record_fast(each, module))
            for each in package.records
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


def lower_entities(catalog: Catalog, package: Package) -> PyModule:
    """The module of all entities, enums first."""
    files = entity_files(catalog)
    module = Module(
        package,
        package.scope,
        package.records,
        package.own_attributes,
        counted=package.counted.records,
    )
    enums = tuple(_enum(each, module) for each in catalog.enums.values())
    classes: list[PyClass] = []
    emitted: list[Code] = []
    for entity in catalog.entities.values():
        for record in name_records(entity, entity.enforced_schema, Scope("")):
            known = module.record(record.type)
            if known.name not in emitted:
                emitted.append(known.name)
                classes.append(record_class(known, module, entity.name))
        validated_by = _entity_validator(entity.name, module)
        classes.append(entity_class(entity, module, validated_by))
    return PyModule(
        header=_header(files[0] if len(files) == 1 else None, package.scope),
        documentation=docstring("The entities: what the tools take and give back."),
        enums=enums,
        classes=tuple(classes),
        imports=package.scope.imports,
        statements_before=package.scope.before,
        functions=package.scope.functions,
        statements_after=package.scope.after,
    )


def _header(file: str | None, scope: Scope, module: str = "") -> Code:
    shown = header(file, module=module)
    if not scope.exempt:
        return shown
    rules = [f"# pyright: {each}=false\n" for each in sorted(scope.exempt)]
    return Code(f"{shown}{''.join(rules)}")


def entity_files(catalog: Catalog) -> tuple[str, ...]:
    """The spec files of all entities, sorted."""
    files = {each.span.file for each in catalog.entities.values()}
    files |= {each.span.file for each in catalog.enums.values()}
    return tuple(sorted(files))


def _entity_validator(name: str, module: Module) -> Code:
    """Define the validator of an entity; return the name that it was given."""
    entity = module.package.entities[name]
    own = module.package.classes[name]
    options: list[Code] = [keyword("tool", py(name))]
    is_read = name in module.package.fast
    itself = module.package.readers[name].one if is_read else None
    fast = fast_option(entity.fields, entity.enforced_schema, module, itself)
    if fast is not None:
        options.append(fast)
    return module.scope.define_after(
        f"_{words(own)}",
        f"entity {name}",
        lambda known: validator(known, entity.enforced_schema, module, *options),
    )


def _enum(enum: EnumEntity, module: Module) -> PyEnum:
    kinds = {each.__class__ for each in enum.values}
    base = {"str": "StrEnum", "int": "IntEnum"}.get(
        kinds.pop().__name__ if len(kinds) == 1 else "", "Enum"
    )
    name = module.package.classes[enum.name]
    table = module.package.tables[enum.name]
    members = module.package.members[enum.name]
    kind = subscript(
        module.scope.standard("Mapping"), module.scope.standard("Any"), name
    )
    entries = [
        (py(value), attribute(name, member))
        for value, member in zip(enum.values, members, strict=True)
    ]
    return PyEnum(
        head=laid_out(class_head(name, module.scope.standard(base))),
        documentation=docstring(
            enum.description or f"The values of ``{enum.name}``.", indent=STEP
        ),
        members=tuple(
            laid_out(assigned(member, py(value)), STEP)
            for value, member in zip(enum.values, members, strict=True)
        ),
        table=laid_out(assigned(table, mapping(entries), kind)),
    )


def lower_tool(tool: Tool, package: Package) -> PyModule:
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
    classes = [record_class(each, module, tool.name) for each in records]
    module.prefix = ""
    fields = tool.caller_fields
    given = {each.name: attribute_of(each, module, hint) for each in fields}
    attributes = distinct(given.values())
    classes.append(input_class(tool, module, (input_name, hint), attributes))
    if len(fields) < len(tool.fields):
        given |= {
            each.name: attribute_of(each, module, hint) for each in tool.hidden_fields
        }
        attributes = distinct([given[each.name] for each in tool.fields])
        names = bound_name, hint, input_name
        classes.append(bound_class(tool, module, names, attributes))
    statements = _tool_statements(tool, module, fields)
    return PyModule(
        header=_header(tool.span.file, scope, module_name(tool.name)),
        documentation=docstring(
            f"The tool ``{tool.name}``: what a caller sends and its handler receives."
        ),
        classes=tuple(classes),
        imports=scope.imports,
        statements_before=scope.before,
        functions=scope.functions,
        statements_after=(*statements[:-1], *scope.after, statements[-1]),
    )


def _tool_statements(tool: Tool, module: Module, fields: Sequence[Field]) -> list[Code]:
    input_name, bound_name = names_of(tool)
    statements = [schema_statement("INPUT_SCHEMA", tool.input_schema, module)]
    if len(fields) < len(tool.fields):
        statements.append(bound_statement(tool, module))
    else:
        statements.append(Code("BOUND_SCHEMA = INPUT_SCHEMA"))
        statements.append(laid_out(assigned(bound_name, input_name)))
    if tool.returns is not None:
        statements.append(output_statement(tool.returns.schema, module))
    enforced = Code("INPUT_SCHEMA")
    if tool.enforced_schema != tool.input_schema:
        enforced = module.scope.unique("_CLOSED_SCHEMA")
        statements.append(schema_statement(enforced, tool.enforced_schema, module))
    objects = with_parts(fields) if tool.name in module.package.nested else ()
    options = [
        keyword("tool", py(tool.name)),
        names_option(objects, module),
        fast_option(objects, tool.enforced_schema, module),
        leaves_option(tool.enforced_schema, module),
    ]
    given = [each for each in options if each is not None]
    statements.append(validator("_INPUT", enforced, module, *given))
    return [*statements, _tool_object(tool, module)]


def _tool_object(tool: Tool, module: Module) -> Code:
    input_name, bound_name = names_of(tool)
    arguments: list[Code] = [
        py(tool.name),
        keyword("input_type", input_name),
        keyword("bound_type", bound_name),
        keyword("input_schema", Code("INPUT_SCHEMA")),
        keyword("bound_schema", Code("BOUND_SCHEMA")),
    ]
    if tool.returns is not None:
        arguments.append(keyword("output_schema", Code("OUTPUT_SCHEMA")))
    texts = (
        ("title", tool.title),
        ("description", tool.description),
        ("when_to_use", tool.when_to_use),
        ("version", tool.version),
    )
    arguments += [keyword(key, py(text)) for key, text in texts if text is not None]
    if tool.tags:
        arguments.append(keyword("tags", tuple_of([py(each) for each in tool.tags])))
    function = module.scope.runtime("Tool")
    return laid_out(assigned("TOOL", spread(function, *arguments)))


def lower_init(catalog: Catalog, package: Package) -> PyPackage:
    """The package's front: everything in it by name, loaded on first use.

    A class of the catalog goes before a name of the runtime, which stays in its own module.
    """
    homes = dict(FRONT)
    homes.update(dict.fromkeys(map(str, package.classes.values()), ".entities"))
    tools: dict[str, str] = {}
    for tool in catalog.tools:
        tools[tool.name] = f".tools.{module_name(tool.name)}"
        homes.update(dict.fromkeys(map(str, names_of(tool)), tools[tool.name]))
    homes = {name: homes[name] for name in sorted(homes)}
    by_home: dict[str, list[str]] = {}
    for name, home in homes.items():
        by_home.setdefault(home, []).append(name)
    return PyPackage(
        header=header(),
        type_imports=tuple(
            _import(home, by_home[home]) for home in sorted(by_home, key=module_order)
        ),
        tools=py_block(tools, after=",", indent=STEP),
        homes=py_block(homes, before="_HOMES = "),
        exported=exported([*_EXPORTED, *homes]),
    )


def _import(home: str, names: list[str]) -> Code:
    """The import of a module's names, which are sorted: so those of one tool are in order."""
    if home.startswith(".tools."):
        return ordered_import(home, names, indent=STEP)
    return import_from(home, names, indent=STEP)
