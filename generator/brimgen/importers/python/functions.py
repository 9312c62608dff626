"""Import the functions of a Python module as tools that call them, by their signatures.

In a module with functions that a server of FastMCP marks (``@mcp.tool``), these are its tools; in
any other, the public functions with a docstring.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import TypeAlias

import docstring_parser

from brimgen.diagnostics.rules import IMPORT_NOT_KEPT
from brimgen.frozen import dataclass
from brimgen.importers.draft import Draft
from brimgen.importers.names import name_keys
from brimgen.importers.python.reader import Reader
from brimgen.importers.python.types import (
    Field,
    NotUnderstood,
    arguments_of,
    constant,
    last_name,
    read_type,
)
from brimgen.importers.tool_lists import HINTS
from brimgen.model.json import Json

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_MARK = "tool"
_CONTEXT = "Context"
_GIVEN = re.compile(r"(?:Depends|Progress|Current\w+)\Z")
"""The functions of FastMCP that, as a default, stand for a value that the program gives."""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TEXTS = ("title", "description")


@dataclass(frozen=True, slots=True)
class _Words:
    """What a docstring says of a function, of its parameters by name, and of its result."""

    text: str | None
    parameters: Mapping[str, str]
    result: str | None


def functions_of(body: Iterable[ast.AST]) -> list[Definition]:
    """The functions among statements."""
    return [
        node
        for node in body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def mark_of(node: Definition) -> ast.expr | None:
    """The decorator that makes a function a tool of a server, or None."""
    marks = (mark for mark in node.decorator_list if last_name(mark) == _MARK)
    return next(marks, None)


def tool_functions(
    module: ast.Module, handlers: Collection[Definition]
) -> list[Definition]:
    """The functions that become tools; ``handlers`` answer the calls of classes of arguments."""
    functions = functions_of(module.body)
    if any(map(mark_of, functions_of(ast.walk(module)))):
        return [node for node in functions if mark_of(node)]
    return [
        node
        for node in functions
        if not node.name.startswith("_")
        and ast.get_docstring(node)
        and node not in handlers
    ]


def parameters_of(node: Definition) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    """The parameters that can be passed by name, each with its default."""
    arguments = node.args
    by_place = [*arguments.posonlyargs, *arguments.args]
    missing = [None] * (len(by_place) - len(arguments.defaults))
    defaults = zip(by_place, [*missing, *arguments.defaults], strict=True)
    yield from islice(defaults, len(arguments.posonlyargs), None)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def aliases_of(module: ast.Module) -> dict[str, ast.expr]:
    """The types that a module gives a name: ``Id = Annotated[int, Field(ge=1)]``."""
    aliases: dict[str, ast.expr] = {}
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                if last_name(node.annotation) != "TypeAlias":
                    continue
            case _:
                continue
        if isinstance(value, ast.Subscript | ast.Name | ast.Attribute | ast.BinOp):
            aliases[name] = value
    return aliases


def read_functions(
    tools: Sequence[Definition], file: str, reader: Reader
) -> Iterator[Draft]:
    """The specs of functions of ``file``; one with a part that is not understood is reported."""
    module = _module_of(file)
    if module is None and file.endswith(".py"):
        for node in tools[:1]:
            reason = "no program can import a file of that name"
            reader.left_out.report(node, "the handler", PurePath(file).name, reason)
    for node in tools:
        document: dict[str, Json] = {"type": "python_function"}
        words = _words_of(node)
        options = _options_of(node, reader)
        document |= name_keys(str(options.pop("name", node.name)))
        texts = {"description": words.text, **options}
        document |= {key: text for key in _TEXTS if (text := texts.pop(key, None))}
        if module is not None:
            document["handler"] = f"{module}:{node.name}"
        document["call"] = "keywords"
        document |= {key: options[key] for key in ("tags", "mcp") if key in options}
        fields = _fields(node, words, reader)
        if fields is None:
            continue
        if fields:
            document["arguments"] = arguments_of(fields)
        result = returned(node, reader, words.result)
        if result is not None:
            document["returns"] = result
        yield Draft(str(document["name"]), reader.span(node), document)


def returned(
    node: Definition, reader: Reader, description: str | None = None
) -> Json | None:
    """What a function returns, as ``returns`` of a spec: any value where nothing says what."""
    if node.returns is None:
        return _described({}, description or "What the function returns.")
    if isinstance(node.returns, ast.Constant) and node.returns.value is None:
        return None
    try:
        field = read_type(node.returns, reader.scope)
    except NotUnderstood as problem:
        reason = "any value may be returned"
        subject = "the type of the result"
        reader.left_out.report(
            problem.node, subject, node.name, reason, rule=IMPORT_NOT_KEPT
        )
        return _described({}, description or "What the function returns.")
    reader.ignored(field, node.name)
    field.description = description or field.description
    return field.short_form() if field.type else field.property_schema()


def _described(schema: dict[str, Json], description: str) -> Json:
    return {**schema, "description": description}


def _fields(node: Definition, words: _Words, reader: Reader) -> dict[str, Field] | None:
    """The arguments of a tool by name; None, and a report, where the function needs others."""
    arguments = node.args
    beyond = (arguments.vararg, arguments.kwarg, *arguments.posonlyargs)
    for parameter in filter(None, beyond):
        reader.not_understood("a parameter", node.name, parameter)
        return None
    fields: dict[str, Field] = {}
    for parameter, default in parameters_of(node):
        if _is_context(parameter.annotation):
            reason = "the program gives it, and not a caller"
            reader.left_out.report(parameter, f"`{parameter.arg}`", node.name, reason)
            continue
        if isinstance(default, ast.Call) and _GIVEN.match(last_name(default) or ""):
            reader.not_understood(
                f"the default of `{parameter.arg}`", node.name, default
            )
            return None
        field = _field(parameter, default, node.name, reader)
        field.description = field.description or words.parameters.get(parameter.arg)
        fields[parameter.arg] = field
    unknown = words.parameters.keys() - {each.arg for each, _ in parameters_of(node)}
    for name in sorted(unknown):
        reason = "the function has no such parameter"
        reader.left_out.report(node, f"the description of `{name}`", node.name, reason)
    return fields


def _field(
    parameter: ast.arg, default: ast.expr | None, owner: str, reader: Reader
) -> Field:
    field = Field(None, {})
    if parameter.annotation is not None:
        try:
            field = read_type(parameter.annotation, reader.scope)
        except NotUnderstood as problem:
            reason = "any value is taken"
            subject = f"the type of `{parameter.arg}`"
            reader.left_out.report(problem.node, subject, owner, reason)
    reader.ignored(field, parameter.arg)
    if isinstance(default, ast.Call) and last_name(default) == "Field":
        field.take_options(default)
    elif default is not None:
        # One that is no constant is left to the function, which is called without the argument.
        field.default, field.required = reader.value(default), False
    elif not field.default and field.required is None:
        field.required = True
    return field


def _is_context(annotation: ast.expr | None) -> bool:
    """Whether a parameter is FastMCP's context of the call, or may be."""
    if isinstance(annotation, ast.BinOp):
        return _is_context(annotation.left) or _is_context(annotation.right)
    if isinstance(annotation, ast.Subscript):
        is_optional = last_name(annotation.value) == "Optional"
        return _is_context(annotation.slice if is_optional else annotation.value)
    return annotation is not None and last_name(annotation) == _CONTEXT


def _words_of(node: Definition) -> _Words:
    """What a docstring in the style of Google, NumPy or Sphinx says."""
    text = ast.get_docstring(node)
    if not text:
        return _Words(None, {}, None)
    parsed = docstring_parser.parse(text)
    if not parsed.meta:
        return _Words(text, {}, None)
    parts = [parsed.description]
    for section in parsed.meta:
        is_read = isinstance(
            section, docstring_parser.DocstringParam | docstring_parser.DocstringReturns
        )
        if not is_read and section.description:
            kind, *subject = section.args
            title = " ".join((kind.capitalize(), *subject))
            parts.append(f"{title}: {section.description}")
    parameters = {
        each.arg_name: " ".join(each.description.split())
        for each in parsed.params
        if each.description
    }
    result = (parsed.returns and parsed.returns.description) or ""
    words = "\n\n".join(part.strip() for part in parts if part)
    return _Words(words or None, parameters, " ".join(result.split()) or None)


def _options_of(node: Definition, reader: Reader) -> dict[str, Json]:
    """What the decorator of a tool says: keys of a spec."""
    mark = mark_of(node)
    if not isinstance(mark, ast.Call):
        return {}
    options: dict[str, Json] = {}
    mcp: dict[str, Json] = {}
    given = [("name", each) for each in mark.args[:1]]
    for name, value in [*given, *((each.arg, each.value) for each in mark.keywords)]:
        read = constant(value)
        if name in ("name", *_TEXTS, "tags") and read:
            options |= {name: read[0]} if read[0] else {}
        elif name == "meta" and read:
            mcp["meta"] = read[0]
        elif name == "annotations":
            hints = _hints(value)
            mcp |= {HINTS[key]: hint for key, hint in hints.items() if key in HINTS}
            mcp |= {"title": hints["title"]} if hints.get("title") else {}
        else:
            reason = "a spec does not say this"
            reader.left_out.report(value, f"`{name}`", node.name, reason)
    return options | ({"mcp": mcp} if mcp else {})


def _hints(node: ast.expr) -> dict[str, Json]:
    """The annotations of a tool: a dictionary, or the keywords of ``ToolAnnotations``."""
    if isinstance(node, ast.Call):
        given = {each.arg: constant(each.value) for each in node.keywords}
        return {str(key): value[0] for key, value in given.items() if value}
    read = constant(node)
    return dict(read[0]) if read and isinstance(read[0], Mapping) else {}


def _module_of(file: str) -> str | None:
    """The name by which a program imports ``file``; None for what is no module."""
    path = PurePath(file)
    if path.suffix != ".py":
        return None
    parts = (
        [path.stem]
        if path.is_absolute() or ".." in path.parts
        else [*path.with_suffix("").parts]
    )
    if parts[0] == "src":
        parts = parts[1:]
    if parts[-1] == "__init__":
        parts = parts[:-1]
    is_module = bool(parts) and all(_IDENTIFIER.match(part) for part in parts)
    return ".".join(parts) if is_module else None
