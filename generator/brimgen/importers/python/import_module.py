"""Import a Python module, without running it, as entities, enums and tools.

Dataclasses, TypedDicts and models of pydantic become entities, enums of constants become closed
lists. A class becomes the input of a tool if it is marked as one: by the base class ``ToolInput``,
by ``param_descriptions``, or by a name that ends with ``Input``. Functions become tools that call
them (`functions`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_CLASS_NOT_IMPORTED, IMPORT_NOT_PYTHON
from brimgen.frozen import replace
from brimgen.importers.draft import Draft
from brimgen.importers.names import snake_case
from brimgen.importers.python.functions import (
    Definition,
    aliases_of,
    functions_of,
    mark_of,
    parameters_of,
    read_functions,
    returned,
    tool_functions,
)
from brimgen.importers.python.reader import (
    ENUMS,
    TOOL,
    PythonPlaces,
    Reader,
    annotated_names,
    descriptions_of,
)
from brimgen.importers.python.types import (
    arguments_of,
    is_short,
    last_name,
    schema_of,
    short_forms,
)
from brimgen.model.json import Json

NAME = "python"
SUMMARY = "functions and classes of a Python file, which is not run"

_RUNNING = ("__call__", "call", "execute", "handle", "invoke", "run")
"""The methods of a class of arguments that answer its call."""


def read(name: str, text: str, diagnostics: Diagnostics) -> Iterator[Draft]:
    """The specs of the classes and functions of a module, in their order."""
    module = parse_module(name, text, diagnostics)
    if module is None:
        return
    reader = Reader(
        PythonPlaces(name, text),
        known_classes(module),
        diagnostics,
        aliases=aliases_of(module),
    )
    for statement in module.body:
        is_ours = (
            isinstance(statement, ast.ClassDef) and statement.name in reader.classes
        )
        if isinstance(statement, ast.ClassDef) and not is_ours:
            diagnostics.add(
                IMPORT_CLASS_NOT_IMPORTED, reader.span(statement), name=statement.name
            )
    tools = tool_functions(module, _handlers(module).values())
    for _, draft in read_classes(module, reader, tools):
        yield draft
    yield from read_functions(tools, name, reader)


def parse_module(name: str, text: str, diagnostics: Diagnostics) -> ast.Module | None:
    """The syntax of a module, which is not run; None, and a report, where it is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = getattr(problem, "lineno", None) or 1
        column = getattr(problem, "offset", None) or 1
        reason = (
            getattr(problem, "msg", None) or str(problem) or "it is nested too deeply"
        )
        span = Span(name, line, column, line, column + 1)
        diagnostics.add(IMPORT_NOT_PYTHON, span, reason=reason)
        return None


def known_classes(module: ast.Module) -> set[str]:
    """The names of the classes of a module that are read."""
    return {*_class_kinds(module)}


def read_classes(
    module: ast.Module, reader: Reader, tools: Collection[Definition] = ()
) -> Iterator[tuple[ast.ClassDef, Draft]]:
    """Each class that becomes a spec, with that spec, in order.

    ``tools`` are the functions that become tools; the classes of their arguments are entities.
    """
    kinds, handlers = _class_kinds(module), _handlers(module)
    marked = [node for node in functions_of(ast.walk(module)) if mark_of(node)]
    silent = {
        node.name
        for node in functions_of(module.body)
        if node in (*tools, *handlers.values()) or (marked and not node.decorator_list)
    }
    reader.left_out.module(module, silent)
    for function in marked:
        if function not in tools and function.name not in silent:
            reader.left_out.function(function)
    taken = {name for tool in tools for name in _names_in(tool.args)}
    by_name = {
        definition.name: definition
        for definition in _classes(module)
        if definition.name in kinds
    }
    for name, node in by_name.items():
        if kinds[name] == "enum":
            reader.enums[name] = reader.members(node) or {}
    for node in by_name.values():
        reader.left_out.class_(node)
        inherited = _inherited_fields(node, by_name, reader)
        is_tool = _is_tool(node) and node.name not in taken
        handler = handlers.get(node.name) if is_tool else None
        draft = _draft(node, kinds[node.name], reader, inherited, is_tool=is_tool)
        if draft is not None and handler is not None and handler.returns is not None:
            result = returned(handler, reader)
            if result is not None:
                document = {**draft.document, "returns": result}
                draft = replace(draft, document=document)
        if draft is not None:
            yield node, draft


def _classes(module: ast.Module) -> Iterator[ast.ClassDef]:
    """The classes at the top level of a module."""
    return (
        statement for statement in module.body if isinstance(statement, ast.ClassDef)
    )


def _class_kinds(module: ast.Module) -> dict[str, str]:
    """``enum``, ``model`` of pydantic, or ``class`` for each class that is read."""
    kinds: dict[str, str] = {}
    for node in _classes(module):
        bases = {last_name(base) for base in node.bases}
        decorators = {last_name(decorator) for decorator in node.decorator_list}
        if bases & set(ENUMS):
            kinds[node.name] = "enum"
        elif "dataclass" in decorators or bases & {"TypedDict", TOOL}:
            kinds[node.name] = "class"
        elif "BaseModel" in bases or any(
            kinds.get(str(base)) == "model" for base in bases
        ):
            kinds[node.name] = "model"
    return kinds


def _inherited_fields(
    node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], reader: Reader
) -> frozenset[str] | None:
    """The names of the fields that a class inherits; None where another file has them."""
    names: set[str] = set()
    seen: set[str] = set()
    parent = _parent(node, reader)
    while parent is not None and parent not in seen:
        seen.add(parent)
        if parent not in classes:
            return None
        names |= set(annotated_names(classes[parent]))
        parent = _parent(classes[parent], reader)
    return frozenset(names)


def _draft(
    node: ast.ClassDef,
    kind: str,
    reader: Reader,
    inherited: frozenset[str] | None,
    *,
    is_tool: bool,
) -> Draft | None:
    words = _description(node)
    span = reader.places.span(node)
    if kind == "enum":
        values = list(reader.enums[node.name].values())
        document: dict[str, Json] = {"type": "entity", "name": node.name, **words}
        document["enum"] = list(dict.fromkeys(values))
        if values:
            return Draft(node.name, span, document)
        reason = "it has no values"
        reader.left_out.report(node, "the list of values", node.name, reason)
        return None
    described = reader.texts(node)
    fields = reader.fields(node, described)
    own = annotated_names(node)
    # A field of another file may be any: `resolve` knows those that are not there.
    is_sure = inherited is not None
    if is_sure:
        field_names = [*own, *sorted(inherited or ())]
        reader.left_out.descriptions(node, described, field_names)
    if fields is None:
        return None
    parent = _parent(node, reader)
    inherits: dict[str, Json] = {"entity_ref": parent} if parent else {}
    texts: dict[str, Json] = {
        name: {"description": text}
        for name, text in described.items()
        if name not in own and (not is_sure or name in (inherited or ()))
    }
    is_open = _is_open(node)
    is_whole = is_short(fields) and not is_open
    if not is_whole and (texts or (inherits and is_tool)):
        # What is inherited is known by its types alone.
        for name in (name for name in fields if fields[name].type is None):
            reader.not_understood(f"the type of `{name}`", node.name, node)
        return None
    if not is_tool:
        document = {"type": "entity", "name": node.name, **words, **inherits}
        if not is_whole:
            document |= schema_of(fields, is_open=is_open)
        elif fields or texts or not parent:
            document["fields"] = short_forms(fields) | texts
        return Draft(node.name, span, document)
    name = _tool_name(node.name)
    document = {"type": "python_function", "name": name, **words}
    inline = arguments_of(fields)
    if inherits:
        inline = {"inline": short_forms(fields) | texts} if fields or texts else {}
    if inherits or fields:
        document["arguments"] = inherits | inline
    return Draft(name, span, document)


def _handlers(module: ast.Module) -> dict[str, Definition]:
    """The function that answers the calls of a class of arguments, by the name of that class.

    It takes an object of the class and nothing else, or is a method of the class.
    """
    found: dict[str, Definition] = {}
    for node in _classes(module):
        for method in functions_of(node.body):
            names = _types_taken(method, skipped=1)
            if not names and method.name in _RUNNING:
                names = [node.name]
            if len(names) == 1:
                found.setdefault(names[0], method)
    for function in functions_of(module.body):
        names = _types_taken(function)
        if len(names) == 1 and mark_of(function) is None:
            found.setdefault(names[0], function)
    inputs = {node.name for node in _classes(module) if _is_tool(node)}
    return {name: found[name] for name in found if name in inputs}


def _types_taken(node: Definition, skipped: int = 0) -> list[str]:
    """The names of the types of the parameters of a function, without the first ``skipped``."""
    taken = [*parameters_of(node)][skipped:]
    return [last_name(each.annotation) or "" for each, _ in taken if each.annotation]


def _names_in(node: ast.AST) -> Iterator[str]:
    """The names in a part of a module, and the words of its texts: annotations may be texts."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute):
            yield last_name(part) or ""
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield from re.findall(r"\w+", part.value)


def _is_open(node: ast.ClassDef) -> bool:
    """Whether a model of pydantic keeps fields that it does not declare."""
    return any(
        isinstance(part, ast.Assign)
        and last_name(part.targets[0]) == "model_config"
        and "allow" in ast.unparse(part.value)
        for part in node.body
    )


def _parent(node: ast.ClassDef, reader: Reader) -> str | None:
    """The class of this file that ``node`` inherits fields from."""
    names = [last_name(base) for base in node.bases]
    return next((name for name in names if name in reader.classes), None)


def _is_tool(node: ast.ClassDef) -> bool:
    bases = {last_name(base) for base in node.bases}
    named = node.name.endswith("Input") and node.name != "Input"
    return TOOL in bases or named or any(True for _ in descriptions_of(node))


def looks_like_tool(node: ast.ClassDef) -> bool:
    """Whether a class that is not read is named or described as the input of a tool."""
    return node.name != TOOL and _is_tool(node)


def _tool_name(name: str) -> str:
    stem = name.removesuffix("Input") or name
    return snake_case(stem) or name


def _description(node: ast.ClassDef) -> dict[str, Json]:
    text = ast.get_docstring(node)
    return {"description": text} if text and text.strip() else {}
