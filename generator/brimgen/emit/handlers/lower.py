"""Lower a catalog to the module of its handlers."""

from __future__ import annotations

import keyword

from brimgen.emit.code import Code, header, py
from brimgen.emit.codecs.annotations import annotation
from brimgen.emit.codecs.module_names import ModuleNames
from brimgen.emit.handlers.view import Check, Handler, HandlersModule
from brimgen.emit.imports import exported_names, import_sections
from brimgen.emit.names import class_name, classes_of, method_names, module_name
from brimgen.emit.python_text import (
    docstring,
    either,
    joined,
    parameter,
)
from brimgen.emit.runtime_names import home_of
from brimgen.model.catalog import Catalog, PythonBody, ResourceBody, Tool

RESERVED = frozenset(["mro", "runs", "self"])
"""What ``Handlers`` says itself: a tool of that name is registered with a ``_`` behind it."""
_OFFERED = ("CallContext", "NotFound", "ToolError", "current_call")
"""What the module passes on from the runtime, for handlers."""
_TAKEN = (
    *("Any", "Awaitable", "Decimal", "Handlers", "Literal", "NotRequired", "Protocol"),
    *("Callable", "TypeVar", "TypedDict", "UUID"),
    *_OFFERED,
    "TYPE_CHECKING",
)
_NEEDED = ("python", "handlers")


def handled(catalog: Catalog) -> tuple[Tool, ...]:
    """Return the tools that a function of the host program runs, and that takes their call."""
    return tuple(filter(_is_handled, catalog.tools))


def _is_handled(tool: Tool) -> bool:
    """Whether a function of the host program runs the tool, and takes its call."""
    body = tool.body
    takes_keywords = isinstance(body, PythonBody) and body.keywords
    is_function = isinstance(body, PythonBody | ResourceBody)
    return is_function and not takes_keywords and tool.is_for(*_NEEDED)


def lower(catalog: Catalog) -> HandlersModule:
    """Return the view of ``<package>/handlers.py``."""
    tools = handled(catalog)
    names = method_names([tool.name for tool in tools], RESERVED)
    protocols = [_protocol(tool) for tool in tools]
    classes = map(class_name, (*catalog.entities, *catalog.enums))
    bounds = [_bound(tool) for tool in tools]
    taken = {*_TAKEN, *protocols, *bounds}
    results = ModuleNames(catalog.leaves, taken, classes, dots=".")
    handlers = [_handler(tool, names[tool.name], results) for tool in tools]
    return HandlersModule(
        header=header(),
        imports=_imports(results),
        typing_imports=_typing_imports(tools, results),
        exported=exported_names(
            ["Handlers", *_OFFERED, *protocols, *results.records.classes]
        ),
        records=tuple(results.records.classes.values()),
        handlers=handlers,
        checks=_checks(tools, names),
    )


def _base(tool: Tool) -> str:
    return class_name(tool.name).removesuffix("_")


def _protocol(tool: Tool) -> Code:
    return Code(f"{_base(tool)}Handler")


def _bound(tool: Tool) -> Code:
    return classes_of(tool.name)[1]


def _handler(tool: Tool, name: Code, results: ModuleNames) -> Handler:
    result = _returned(tool, results)
    protocol = _protocol(tool)
    variable = Code(f"_{_base(tool)}T")
    return Handler(
        tool=Code(tool.name),
        key=py(tool.name),
        name=name,
        protocol=protocol,
        documentation=_documentation(tool),
        bound=_bound(tool),
        result=either([result, Code(f"Awaitable[{result}]")]),
        variable=variable,
        variable_name=py(str(variable)),
        parameter=parameter(name, f"{protocol} | None", "None", 8, is_union=True),
    )


def _documentation(tool: Tool) -> Code | None:
    if not tool.description:
        return None
    return docstring(tool.description, indent=4, of_protocol=True)


def _returned(tool: Tool, results: ModuleNames) -> Code:
    """Return the result type of a handler; a resource without one returns text or JSON."""
    if tool.returns is not None:
        return annotation(tool.returns.type, results)
    return Code("object" if isinstance(tool.body, ResourceBody) else "None")


def _imports(names: ModuleNames) -> tuple[Code, ...]:
    """Return the imports of the module, in groups that an empty line separates."""
    typing = ("TYPE_CHECKING", "Any", "Protocol", "TypeVar")
    return import_sections(
        [
            *(("collections.abc", name) for name in ("Awaitable", "Callable")),
            *(("typing", name) for name in typing),
            *((home_of(name), name) for name in _OFFERED),
            *names.taken,
        ]
    )


def _typing_imports(tools: tuple[Tool, ...], names: ModuleNames) -> tuple[Code, ...]:
    bounds = [(f".tools.{module_name(tool.name)}", _bound(tool)) for tool in tools]
    return import_sections([*names.for_types, *bounds])


def _checks(tools: tuple[Tool, ...], names: dict[str, Code]) -> tuple[Check, ...]:
    """Return the functions that make a type checker compare the handlers with their protocols.

    Each imports one module: how an import is sorted depends on whether there is such a module.
    """
    passed: dict[str, list[Code]] = {}
    for tool in tools:
        assert isinstance(tool.body, PythonBody | ResourceBody)
        module, _, name = (tool.body.handler or "").partition(":")
        parts = [*module.split("."), name]
        if module and not any(map(keyword.iskeyword, parts)) and parts[0] != "Handlers":
            argument = Code(f"{names[tool.name]}={module}.{name}")
            passed.setdefault(module, []).append(argument)
    return tuple(
        Check(
            name=Code(f"_checked_{number}"),
            module=Code(module),
            arguments=joined(passed[module]),
        )
        for number, module in enumerate(sorted(passed), 1)
    )
