"""Lower prompts to the module that renders them."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, header, py
from brimgen.emit.imports import exported_names, import_sections
from brimgen.emit.lexical import lexical
from brimgen.emit.names import classes_of, module_name
from brimgen.emit.prompts.statements import Compiled, compile_template
from brimgen.emit.python_text import call, joined, tuple_of
from brimgen.emit.runtime_names import home_of
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, TemplateBody, Tool
from brimgen.model.types import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """The function that renders one message."""

    name: Code
    lines: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRow:
    """A prompt: the arguments of its ``Prompt``."""

    constant: Code
    name: Code
    input: Code
    bound: Code
    messages: Code
    arguments: Code | None
    title: Code | None
    description: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptsModule:
    """The view of ``<package>/prompts.py``; ``enabled`` are constants."""

    header: Code
    imports: Sequence[Code]
    exported: Code
    functions: Sequence[Function]
    prompts: Sequence[PromptRow]
    enabled: Code


def constant(tool: Tool) -> Code:
    """Return the name of a tool's constant."""
    name = module_name(tool.name).upper()
    return Code(f"{name}_" if name in ("PROMPTS", "UNDEFINED") else name)


def lower(tools: Sequence[Tool], catalog: Catalog) -> PromptsModule:
    """Return the view of ``<package>/prompts.py``; its table has the prompts that are enabled."""
    functions: list[Function] = []
    prompts: list[PromptRow] = []
    used: set[str] = set()
    for tool in tools:
        lowered = _functions(tool)
        for function, compiled in lowered:
            functions.append(Function(name=function, lines=compiled.lines))
            used |= compiled.used
        prompts.append(_prompt(tool, [name for name, _ in lowered], catalog))
    names = {"Prompt", "PromptError", "Prompts", "RenderedMessage"}
    if any(tool.caller_fields for tool in tools):
        names.add("Argument")
    names_of_all = ["PROMPTS", "PromptError", "RenderedMessage", *map(constant, tools)]
    return PromptsModule(
        header=header(),
        imports=import_sections(
            [
                ("collections.abc", "Mapping"),
                *(("typing", name) for name in ("Any", "Final")),
                *((home_of(name), name) for name in used | names),
                *(
                    (f".tools.{module_name(tool.name)}", name)
                    for tool in tools
                    for name in classes_of(tool.name)
                ),
            ]
        ),
        exported=exported_names(names_of_all),
        functions=functions,
        prompts=prompts,
        enabled=joined([constant(tool) for tool in tools if tool.enabled]),
    )


def _functions(tool: Tool) -> list[tuple[Code, Compiled]]:
    assert isinstance(tool.body, TemplateBody)
    always = _always(tool)
    base = module_name(tool.name).strip("_")
    return [
        (
            Code(f"_{base}_{number}_{message.role}"),
            compile_template(message.template.text, always),
        )
        for number, message in enumerate(tool.body.messages, 1)
    ]


def _always(tool: Tool) -> frozenset[str]:
    """Return the arguments that are in every call, and never null."""
    return frozenset(
        field.name
        for field in tool.fields
        if (field.required or _has_default(field)) and not field.may_be_null
    )


def _has_default(field: Field) -> bool:
    return field.default is not None and field.default.value is not None


def _prompt(tool: Tool, functions: Sequence[Code], catalog: Catalog) -> PromptRow:
    assert isinstance(tool.body, TemplateBody)
    input_class, bound = classes_of(tool.name)
    messages = [
        tuple_of([py(message.role), function])
        for message, function in zip(tool.body.messages, functions, strict=True)
    ]
    arguments = [
        call(Code("Argument"), *lexical(field, catalog).arguments(field.name))
        for field in tool.caller_fields
    ]
    title = tool.mcp.title or tool.title
    return PromptRow(
        constant=constant(tool),
        name=py(tool.name),
        input=input_class,
        bound=bound,
        messages=joined(messages),
        arguments=joined(arguments) if arguments else None,
        title=None if title is None else py(title),
        description=None if tool.description is None else py(tool.description),
    )
