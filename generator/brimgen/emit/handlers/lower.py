"""Lower: a catalog in, the module of its handlers out."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from brimgen.emit.annotations import annotation
from brimgen.emit.code import (
    Code,
    bracketed,
    docstring,
    fits,
    header,
    parameter,
    py,
)
from brimgen.emit.encoders import PLAIN_ENCODER, Encoders
from brimgen.emit.expressions import called, laid_out
from brimgen.emit.handlers.results import Results
from brimgen.emit.handlers.view import Check, Handler, HandlersModule
from brimgen.emit.imports import exported, import_from, module_order
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.model.catalog import Catalog, PythonBody, ResourceBody, Tool

RESERVED = frozenset(
    [
        *("disabled", "enabled", "invoke", "invoke_async", "load", "mro", "self"),
        *("TOOLS", "runs", "super"),
    ]
)
"""What ``Handlers`` says itself: a tool of that name is registered with a ``_`` behind it."""
_TAKEN = (
    *("Any", "Awaitable", "Decimal", "Handlers", "Literal", "NotRequired", "Protocol"),
    *("Registry", "Slot", "ToolError", "TypeVar", "TypedDict", "UUID", "TOOLS"),
    "TYPE_CHECKING",
)
_NEEDED = ("python", "handlers")


def handled(catalog: Catalog) -> tuple[Tool, ...]:
    """The tools that a function of the host program runs."""
    return tuple(filter(_is_handled, catalog.tools))


def _is_handled(tool: Tool) -> bool:
    """Whether a function of the host program runs the tool."""
    return isinstance(tool.body, PythonBody | ResourceBody) and tool.is_for(*_NEEDED)


def lower(catalog: Catalog) -> HandlersModule:
    """The view of ``<package>/handlers.py``."""
    tools = handled(catalog)
    names = method_names(tools)
    protocols = [_protocol(tool) for tool in tools]
    classes = map(class_name, (*catalog.entities, *catalog.enums))
    bounds = [_bound(tool) for tool in tools]
    results = Results(catalog.leaves, [*_TAKEN, *protocols, *bounds], classes)
    handlers = tuple(_handler(tool, names[tool.name], results) for tool in tools)
    encoders = Encoders(catalog.leaves)
    slots = _slots(tools, encoders)
    own_leaves = any(each.python is not None for each in catalog.leaves.values())
    return HandlersModule(
        header=header(),
        imports=_imports(tools, results, encoders, own_leaves=own_leaves),
        typing_imports=_typing_imports(tools, results),
        exported=exported(
            ["Handlers", "ToolError", *protocols, *results.records.classes]
        ),
        records=tuple(results.records.classes.values()),
        handlers=handlers,
        slots=slots,
        given=tuple(
            _given(names[tool.name], protocol)
            for tool, protocol in zip(tools, protocols, strict=True)
        ),
        passed=tuple(Code(f"{py(tool.name)}: {names[tool.name]},") for tool in tools),
        leaves=Code("_leaves.PARSERS" if own_leaves else "None"),
        checks=_checks(tools, names),
    )


def method_names(tools: Iterable[Tool]) -> dict[str, Code]:
    """The method that registers each tool's handler, and the keyword of it."""
    found: dict[str, Code] = {}
    for tool in tools:
        name = module_name(tool.name)
        while name in RESERVED or name in found.values():
            name = Code(f"{name}_")
        found[tool.name] = name
    return found


def _base(tool: Tool) -> str:
    return class_name(tool.name).removesuffix("_")


def _protocol(tool: Tool) -> Code:
    return Code(f"{_base(tool)}Handler")


def _bound(tool: Tool) -> Code:
    return classes_of(tool.name)[1]


def _given(name: Code, protocol: Code) -> Code:
    shown = parameter(name, Code(f"{protocol} | None"), Code("None"), indent=8)
    return Code(f"{shown},")


def _kept(line: str) -> Code:
    return Code(line if fits(line) else f"{line}  # fmt: skip")


def _handler(tool: Tool, method: Code, results: Results) -> Handler:
    returned = _returned(tool, results)
    call = bracketed(
        ["self", f"call: {_bound(tool)}", "/"],
        before="def __call__(",
        after=f") -> {_awaited(returned)}: ...",
        indent=4,
    )
    variable = Code(f"_{_base(tool)}T")
    return Handler(
        protocol=_protocol(tool),
        text=docstring(
            tool.description or f"What runs ``{tool.name}``.",
            indent=4,
            of_protocol=True,
        ),
        call=call,
        variable=_kept(f'{variable} = TypeVar("{variable}", bound={_protocol(tool)})'),
        method=bracketed(
            ["self", f"handler: {variable}", "/"],
            before=f"def {method}(",
            after=f") -> {variable}:",
            indent=4,
        ),
        registered=laid_out(
            called("self._register", py(tool.name), Code("handler")),
            before="return ",
            indent=8,
        ),
        method_text=Code(
            f'"""Register the handler of ``{tool.name}``; a decorator."""'
        ),
    )


def _awaited(returned: Code) -> Code:
    """A result or what is awaited for it, behind the arrow of a method on several lines."""
    plain, later = f"{returned} | Awaitable[{returned}]", f"Awaitable[{returned}]"
    if fits(f") -> {plain}: ...", 4):
        return Code(plain)
    if fits(plain, 8):
        return Code(f"(\n        {plain}\n    )")
    if not fits(f"| {later}", 8):
        later = f"Awaitable[\n            {returned}\n        ]"
    return Code(f"(\n        {returned}\n        | {later}\n    )")


def _returned(tool: Tool, results: Results) -> Code:
    """What a handler returns; a resource that says nothing of it returns text or JSON."""
    if tool.returns is not None:
        return annotation(tool.returns.type, results)
    return Code("object" if isinstance(tool.body, ResourceBody) else "None")


def _slots(tools: tuple[Tool, ...], encoders: Encoders) -> Code:
    lines: list[str] = []
    for tool in tools:
        assert isinstance(tool.body, PythonBody | ResourceBody)
        handler = tool.body.handler
        arguments: list[str] = [] if handler is None else [py(handler)]
        if tool.returns is not None:
            arguments.append(f"encode={encoders.of(tool.returns.type)}")
        elif isinstance(tool.body, ResourceBody):
            arguments.append(f"encode={PLAIN_ENCODER}")
        if not tool.enabled:
            arguments.append("is_switched_on=False")
        slot = bracketed(
            arguments, before=f"{py(tool.name)}: Slot(", after="),", indent=4, sole=""
        )
        overlong = any(not fits(line) for line in slot.split("\n"))
        lines.append(f"    {slot}{'  # fmt: skip' if overlong else ''}\n")
    return Code(f"_SLOTS = {{\n{''.join(lines)}}}")


def _imports(
    tools: tuple[Tool, ...], results: Results, encoders: Encoders, *, own_leaves: bool
) -> tuple[Code, ...]:
    """The imports of the module, in groups that an empty line parts."""
    encodes = any(each.returns or isinstance(each.body, ResourceBody) for each in tools)
    words = results.words | results.records.words
    lines = [Code("import datetime as dt")] if "dt" in words else []
    lines.append(Code("from collections.abc import Awaitable"))
    lines += [Code("from decimal import Decimal")] if "Decimal" in words else []
    typing = {"Protocol", "TypeVar"} | words & {
        "Any",
        "Literal",
        "NotRequired",
        "TypedDict",
    }
    typing |= {"TYPE_CHECKING"}
    lines.append(import_from("typing", typing))
    lines += [Code("from uuid import UUID")] if "UUID" in words else []
    lines.append(Code(""))
    uses_leaves = own_leaves or results.uses_leaves or encoders.uses_leaves
    own = ["TOOLS", *(["_leaves"] if uses_leaves else [])]
    lines.append(import_from(".", own))
    if encoders.functions:
        lines.append(import_from("._engine.encoders", encoders.functions))
    lines.append(import_from("._engine.handlers", {"Registry", "Slot"}))
    lines.append(import_from("._engine.results", {"ToolError"}))
    if encodes:
        lines.append(import_from("._runtime", ["to_json_value"]))
    return tuple(lines)


def _typing_imports(tools: tuple[Tool, ...], results: Results) -> tuple[Code, ...]:
    lines = [Code("from . import entities")] if results.uses_entities_module else []
    if results.entities:
        lines.append(import_from(".entities", results.entities, indent=4))
    lines += [
        import_from(f".tools.{module_name(tool.name)}", {_bound(tool)}, indent=4)
        for tool in sorted(tools, key=lambda each: module_order(module_name(each.name)))
    ]
    return tuple(lines)


def _checks(tools: tuple[Tool, ...], names: dict[str, Code]) -> tuple[Check, ...]:
    """The functions by which a type checker holds the handlers of the specs to their protocols.

    Each imports one module: how an import is sorted depends on whether there is such a module.
    """
    passed: dict[str, list[Code]] = {}
    for tool in tools:
        assert isinstance(tool.body, PythonBody | ResourceBody)
        module, _, function = (tool.body.handler or "").partition(":")
        parts = [*module.split("."), function]
        if module and not any(map(keyword.iskeyword, parts)) and parts[0] != "Handlers":
            line = Code(f"{names[tool.name]}={module}.{function},")
            passed.setdefault(module, []).append(line)
    ignored = "# type: ignore[import-not-found, import-untyped, unused-ignore]"
    return tuple(
        Check(
            name=Code(f"_checked_{number}"),
            module=Code(f"import {module}  {ignored}"),
            arguments=tuple(passed[module]),
        )
        for number, module in enumerate(sorted(passed), 1)
    )
