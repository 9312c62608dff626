"""Write the types that the schema of its database gives a tool into the spec.

Only the value of ``returns`` and missing types are written; whatever else stands in the file,
comments too, stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from brimgen.diagnostics import Diagnostics, Span
from brimgen.frozen import replace
from brimgen.model.project import Connection
from brimgen.resolve.index import Index
from brimgen.resolve.statements.complete_tool import complete, known_of
from brimgen.resolve.statements.left_to_schema import row_word, untyped
from brimgen.resolve.tools.bodies import connection_of
from brimgen.source.nodes import ListNode, ScalarNode
from brimgen.sqlschema.known_schema import known_schema
from brimgen.syntax.decls import FieldDecl, ReturnsDecl, ToolDecl, ToolKind, TypeText

_PLAIN = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_NO_TEXT = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_ALONE = re.compile(r"""(?P<before>\s*)(["']?)\w+\2\s*:\s*""")
"""A key of block style whose value begins on its line."""
_LISTED = re.compile(r"(\s*-\s+)name\s*:")
_RETURNS = re.compile(r"(?m)^\s*[\"']?(?:returns|return_shape|outputSchema)[\"']?\s*:")


class Edit(NamedTuple):
    """A part of a text, and what takes its place."""

    start: int
    end: int
    text: str


class Written(NamedTuple):
    """What is written into the spec of one tool: ``what`` names it for people."""

    what: tuple[str, ...]
    edits: tuple[Edit, ...]


def written_types(
    decl: ToolDecl,
    index: Index,
    connections: Mapping[str, Connection],
    diagnostics: Diagnostics,
) -> Written:
    """Return what ``decl`` leaves to the schema, written out; what is not known is reported."""
    if decl.kind is not ToolKind.SQL:
        return Written((), ())
    asked = _with_returns(decl, connections)
    before = diagnostics.errors
    completed = complete(asked, index, connections, diagnostics)
    if diagnostics.errors > before:
        return Written((), ())
    names, edits = list[str](), list[Edit]()
    fields = (
        {field.name.value: field for field in completed.arguments.fields}
        if completed.arguments
        else {}
    )
    for name in untyped(decl):
        edit = _type_edit(decl.file.text, fields[name])
        if edit is not None:
            edits.append(edit)
            names.append(f"argument `{name}`")
    is_left = row_word(asked, index) and (
        decl.returns is None or not decl.returns.content
    )
    if (
        is_left
        and completed.returns is not None
        and (completed.returns.content or completed.returns.type)
    ):
        edits.append(_returns_edit(decl, completed.returns))
        names.append("returns")
    return Written(tuple(names), tuple(sorted(edits)))


def _with_returns(decl: ToolDecl, connections: Mapping[str, Connection]) -> ToolDecl:
    """The declaration with `returns: rows` (or `row`) where it gives rows and says nothing."""
    connection = connections.get(connection_of(decl))
    schema = None if connection is None else known_schema(connection)
    if (
        decl.returns is not None
        or decl.body is None
        or connection is None
        or schema is None
    ):
        return decl
    head = _lines(decl.file.text, decl.span)
    inferred = known_of(decl, schema, connection.dialect).inferred
    if not inferred.gives_rows or _RETURNS.search(head):
        return decl
    span = decl.name.span
    word = "row" if inferred.at_most_one else "rows"
    optional = word == "row" and not inferred.at_least_one
    returns = ReturnsDecl(span=span, type=TypeText(word, False, optional, span))
    return replace(decl, returns=returns)


def _lines(text: str, span: Span) -> str:
    return "\n".join(text.split("\n")[span.line - 1 : span.end_line])


def _offset(text: str, line: int, column: int) -> int:
    """The offset of a place, which counts from one."""
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + column - 1


def _returns_edit(decl: ToolDecl, returns: ReturnsDecl) -> Edit:
    text = decl.file.text
    if decl.returns is None:
        at = decl.arguments.span.end_line if decl.arguments else decl.name.span.line
        name = _offset(text, decl.name.span.line, 1)
        alone = _ALONE.match(text, name)
        before = alone["before"] if alone else ""
        start = _offset(text, min(at, text.count("\n")) + 1, 1)
        block = "".join(f"{before}{line}\n" for line in _block(returns))
        return Edit(start, start, block)
    span = decl.returns.span
    start = _offset(text, span.line, span.column)
    end = _offset(text, span.end_line, span.end_column)
    line = text.rfind("\n", 0, start) + 1
    alone = _ALONE.fullmatch(text, line, start)
    if returns.content is None or alone is None:
        return Edit(start, end, _flow(returns))
    # A comment behind the value stays on the line of the key.
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    comment = text[end:stop].strip()
    block = "".join(
        f"\n{alone['before']}{block_line}" for block_line in _block(returns)[1:]
    )
    start = start if comment else len(text[:start].rstrip(" "))
    return Edit(start, stop, f"{comment}{block}")


def _block(returns: ReturnsDecl) -> list[str]:
    """``returns`` in lines, from its key on."""
    if returns.content is None:
        return [f"returns: {_flow(returns)}"]
    fields = [f"    {_key(field)}: {_type(field)}" for field in returns.content.fields]
    return ["returns:", f"  type: {_object(returns)}", "  fields:", *fields]


def _flow(returns: ReturnsDecl) -> str:
    """``returns`` on one line, without its key."""
    if returns.content is None:
        return "" if returns.type is None else returns.type.name
    fields = ", ".join(
        f"{_key(field)}: {_type(field, flow=True)}" for field in returns.content.fields
    )
    return f"{{ type: {_quoted(_object(returns))}, fields: {{ {fields} }} }}"


def _object(returns: ReturnsDecl) -> str:
    return f"object{'[]' * returns.is_list}{'?' * returns.is_optional}"


def _key(field: FieldDecl) -> str:
    return _scalar(field.name.value)


def _scalar(text: str) -> str:
    """A text as YAML reads it back."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _NO_TEXT
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _quoted(word: str) -> str:
    """A type in flow style, where brackets mean something else."""
    return f'"{word}"' if "[" in word else word


def _type(field: FieldDecl, *, flow: bool = False) -> str:
    parts = _parts(field)
    if len(parts) > 1:
        return f"{{ {', '.join(parts)} }}"
    word = _word(field)
    return _quoted(word) if flow else word


def _parts(field: FieldDecl) -> Sequence[str]:
    """The keys of a field with its type: the type, and the values of an enum."""
    values = field.attribute("enum")
    labels = values.items if isinstance(values, ListNode) else ()
    listed = ", ".join(
        _scalar(label.text) for label in labels if isinstance(label, ScalarNode)
    )
    parts = [f"type: {_quoted(_word(field))}"]
    return [*parts, f"enum: [{listed}]"] if labels else parts


def _word(field: FieldDecl) -> str:
    type = field.type
    assert type is not None
    return f"{type.name}{'[]' * type.is_list}{'?' * type.is_optional}"


def _type_edit(text: str, field: FieldDecl) -> Edit | None:
    """Give an argument its type: in the braces that it has, or before its first key."""
    span = field.name.span
    start = _offset(text, span.end_line, span.end_column)
    empty = re.compile(r"[\"']?\s*:[ \t]*(\{\s*\})").match(text, start)
    if empty is not None:
        return Edit(*empty.span(1), _type(field, flow=True))
    own_attributes = [
        attribute
        for attribute in field.attributes.values()
        if attribute.key.span != span
    ]
    first = min((attribute.key.span for attribute in own_attributes), default=None)
    if first is None:
        return _listed_edit(text, start, field)
    at = _offset(text, first.line, first.column)
    line = text.rfind("\n", 0, at) + 1
    parts = [
        part for part in _parts(field) if not part.startswith("enum") or _is_new(field)
    ]
    is_block = not text[line:at].strip()
    separator = f"\n{text[line:at]}" if is_block else ", "
    return Edit(at, at, "".join(f"{part}{separator}" for part in parts))


def _listed_edit(text: str, end: int, field: FieldDecl) -> Edit | None:
    """Give an argument of the list form, which has only its name, its type below that."""
    item = _LISTED.match(text, text.rfind("\n", 0, end) + 1)
    if item is None or text[end : end + 1] not in ("\n", ""):
        return None
    indent = " " * len(item[1])
    return Edit(end, end, "".join(f"\n{indent}{part}" for part in _parts(field)))


def _is_new(field: FieldDecl) -> bool:
    """Whether the values of an enum come from the schema, and not from the author."""
    entry = field.attributes.get("enum")
    return entry is not None and entry.key.span == field.name.span


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return ``text`` with its edits, which do not overlap."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
