"""Import a Python module, without running it, as entities, enums and tools.

Dataclasses and TypedDicts become entities, enums of constants become closed lists. A class becomes
the input of a tool if it is marked as one: by the base class ``ToolInput``, by
``param_descriptions``, or by a name that ends with ``Input``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_CLASS_NOT_IMPORTED, IMPORT_NOT_PYTHON
from brimgen.importers.draft import Draft
from brimgen.importers.names import snake_case
from brimgen.importers.python.fields import Reader, annotated_names, last_name
from brimgen.importers.python.places import PythonPlaces
from brimgen.importers.python.unmapped import DESCRIPTIONS, ENUMS, TOOL
from brimgen.model.json import Json

NAME = "python"
SUMMARY = "dataclasses, TypedDicts and enums of a Python file, which is not run"


def read(name: str, text: str, diagnostics: Diagnostics) -> Iterator[Draft]:
    """The specs of the classes of a module, in their order."""
    module = parse_module(name, text, diagnostics)
    if module is None:
        return
    reader = Reader(PythonPlaces(name, text), known_classes(module), diagnostics)
    for statement in module.body:
        is_ours = (
            isinstance(statement, ast.ClassDef) and statement.name in reader.classes
        )
        if isinstance(statement, ast.ClassDef) and not is_ours:
            diagnostics.add(
                IMPORT_CLASS_NOT_IMPORTED, reader.span(statement), name=statement.name
            )
    for _, draft in read_classes(module, reader):
        yield draft


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
    return {
        definition.name
        for definition in _classes(module)
        if _class_kind(definition) is not None
    }


def read_classes(
    module: ast.Module, reader: Reader
) -> Iterator[tuple[ast.ClassDef, Draft]]:
    """Each class that becomes a spec, with that spec, in order."""
    reader.left_out.module(module)
    by_name = {definition.name: definition for definition in _classes(module)}
    classes = by_name.values()
    for node in classes:
        if _class_kind(node) == "enum":
            reader.enums[node.name] = reader.members(node) or {}
    for node in classes:
        if _class_kind(node) is not None:
            reader.left_out.class_(node)
            draft = _draft(node, reader, _inherited_fields(node, by_name, reader))
            if draft is not None:
                yield node, draft


def _classes(module: ast.Module) -> Iterator[ast.ClassDef]:
    """The classes at the top level of a module."""
    return (
        statement for statement in module.body if isinstance(statement, ast.ClassDef)
    )


def _class_kind(node: ast.ClassDef) -> str | None:
    """``enum``, ``class`` for what has fields, or None."""
    bases = {last_name(base) for base in node.bases}
    if bases & set(ENUMS):
        return "enum"
    decorators = {
        last_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        for decorator in node.decorator_list
    }
    is_class = "dataclass" in decorators or bases & {"TypedDict", TOOL}
    return "class" if is_class else None


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
    node: ast.ClassDef, reader: Reader, inherited: frozenset[str] | None
) -> Draft | None:
    meaning = _class_kind(node)
    if meaning is None:
        return None
    words = _description(node)
    span = reader.places.span(node)
    if meaning == "enum":
        values = list(reader.enums[node.name].values())
        document: dict[str, Json] = {"type": "entity", "name": node.name, **words}
        document["enum"] = list(dict.fromkeys(values))
        if values:
            return Draft(node.name, span, document, kind="entity")
        reader.left_out.empty(node)
        return None
    described = reader.texts(node, DESCRIPTIONS)
    fields = reader.fields(node, described or {})
    own = annotated_names(node)
    # A field of another file may be any: `resolve` knows those that are not there.
    is_sure = inherited is not None
    if is_sure:
        field_names = [*own, *sorted(inherited or ())]
        reader.left_out.descriptions(node, described or {}, field_names)
    if fields is None:
        return None
    for name, text in (described or {}).items():
        if name not in own and (not is_sure or name in (inherited or ())):
            fields[name] = {"description": text}
    parent = _parent(node, reader)
    if not _is_tool(node, described):
        document = {"type": "entity", "name": node.name, **words}
        inherits: dict[str, Json] = {"entity_ref": parent} if parent else {}
        document |= inherits | ({"fields": fields} if fields or not parent else {})
        return Draft(node.name, span, document, kind="entity")
    name = _tool_name(node.name)
    document = {"type": "python_function", "name": name, **words}
    arguments: dict[str, Json] = {"entity_ref": parent} if parent else {}
    if fields:
        arguments["inline"] = fields
    if arguments:
        document["arguments"] = arguments
    return Draft(name, span, document)


def _parent(node: ast.ClassDef, reader: Reader) -> str | None:
    """The class of this file that ``node`` inherits fields from."""
    names = [last_name(base) for base in node.bases]
    return next((name for name in names if name in reader.classes), None)


def _is_tool(node: ast.ClassDef, described: Mapping[str, str] | None) -> bool:
    bases = {last_name(base) for base in node.bases}
    named = node.name.endswith("Input") and node.name != "Input"
    return TOOL in bases or described is not None or named


def looks_like_tool(node: ast.ClassDef, reader: Reader) -> bool:
    """Whether a class that is not read is named or described as the input of a tool."""
    return node.name != TOOL and _is_tool(node, reader.texts(node, DESCRIPTIONS))


def _tool_name(name: str) -> str:
    stem = name.removesuffix("Input") or name
    return snake_case(stem) or name


def _description(node: ast.ClassDef) -> dict[str, Json]:
    text = ast.get_docstring(node)
    return {"description": text} if text and text.strip() else {}
