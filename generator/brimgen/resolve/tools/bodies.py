"""Read the body of a tool by its kind: SQL, prompt, resource or request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import assert_never

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.model.catalog import (
    Body,
    Entity,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
)
from brimgen.model.fields import Caller
from brimgen.model.paths import PathLiteral, PathVariable
from brimgen.model.project import Project
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    Field,
    JsonType,
    ListType,
    ScalarType,
    Type,
    UnionType,
)
from brimgen.resolve.fields.canonical_schema import visible
from brimgen.resolve.fields.types import kind_of, known_type
from brimgen.resolve.tools.ready import connection_of, max_rows, query_tables
from brimgen.source.nodes import Text
from brimgen.syntax.decls import ToolDecl, ToolKind
from brimgen.syntax.returns import LAST_ID

Segment = PathLiteral | PathVariable
_VARIABLE = re.compile(r"\{([^{}*]+)(\*?)\}")
_LITERAL = re.compile(r"[A-Za-z0-9._~!$&'()+,;=:@%-]+")
_FOREIGN_PLACEHOLDER = re.compile(r"<(?:\w+:)?(\w+)>")


def parse_path(path: Text, diagnostics: Diagnostics) -> tuple[Segment, ...] | None:
    """Return the segments of a path; None where it is not well formed, which is reported."""
    text = path.value
    if not text.startswith("/"):
        near = () if ":" in text else (f"/{text}",)
        _refuse(path.span, "it does not start with `/`", diagnostics, near)
        return None
    parts = text[1:].split("/")
    segments: list[Segment] = []
    names: set[str] = set()
    start = 1
    for position, part in enumerate(parts):
        place = _span_at(path, start, start + len(part))
        start += len(part) + 1
        segment = _parse_segment(place, part, diagnostics)
        if segment is None:
            continue
        if isinstance(segment, PathVariable):
            if segment.name in names:
                _refuse(place, f"`{{{segment.name}}}` stands twice", diagnostics)
                continue
            names.add(segment.name)
            if segment.rest and position != len(parts) - 1:
                _refuse(place, f"`{part}` does not stand last", diagnostics)
                continue
        segments.append(segment)
    return tuple(segments) if len(segments) == len(parts) else None


def _parse_segment(place: Span, part: str, diagnostics: Diagnostics) -> Segment | None:
    match = _VARIABLE.fullmatch(part)
    if match is not None:
        return PathVariable(match.group(1), rest=bool(match.group(2)))
    if part in (".", ".."):
        _refuse(place, f"a segment is `{part}`", diagnostics)
    elif not part:
        _refuse(place, "a segment is empty", diagnostics)
    elif "{" in part or "}" in part or "*" in part:
        _refuse(
            place, f"`{part}` is neither plain text nor one `{{name}}`", diagnostics
        )
    elif _LITERAL.fullmatch(part) is None:
        reason = f"`{part}` has characters that a path must encode"
        _refuse(place, reason, diagnostics, _intended_placeholder(part))
    else:
        return PathLiteral(part)
    return None


def _intended_placeholder(part: str) -> tuple[str, ...]:
    """The placeholder that a segment is in the words of other systems: ``<id>``, ``<int:id>``."""
    placeholder = _FOREIGN_PLACEHOLDER.fullmatch(part)
    return (f"{{{placeholder[1]}}}",) if placeholder else ()


def _refuse(
    place: Span, reason: str, diagnostics: Diagnostics, near: tuple[str, ...] = ()
) -> None:
    diagnostics.add(rules.BAD_PATH, place, suggestions=near, reason=reason)


def place_of(path: Text, name: str) -> Span:
    """Return the place of ``{name}`` in a path that is written on one line."""
    start = path.value.find(f"{{{name}")
    if start < 0:
        return path.span
    return _span_at(path, start + 1, start + 1 + len(name))


def _span_at(path: Text, start: int, end: int) -> Span:
    """The place of a part of a path, or of its `/` where the part is empty; the whole path where
    it is not written in one piece."""
    span = path.span
    extra = span.end_column - span.column - len(path.value)
    if span.line != span.end_line or extra not in (0, 2):
        return span
    column = span.column + extra // 2
    if start == end:
        start -= 1
    return Span(span.file, span.line, column + start, span.line, column + end)


def check_variables(
    path: Text,
    segments: tuple[Segment, ...],
    fields: tuple[Field, ...],
    diagnostics: Diagnostics,
    *,
    has_arguments: bool,
) -> None:
    """Report placeholders that are no arguments, or not of a kind that a path can carry."""
    by_name = {field.name: field for field in fields}
    for segment in segments:
        if isinstance(segment, PathLiteral):
            continue
        name, span = segment.name, place_of(path, segment.name)
        if not has_arguments:
            diagnostics.add(rules.PATH_WITHOUT_ARGUMENTS, span, name=name)
            return
        field = by_name.get(name)
        if field is None:
            near = did_you_mean(name, by_name)
            diagnostics.add(
                rules.UNDECLARED_PLACEHOLDER, span, suggestions=near, name=name
            )
        else:
            _check_field(field, segment, span, diagnostics)


def _check_field(
    field: Field, segment: PathVariable, span: Span, diagnostics: Diagnostics
) -> None:
    notes = [Note(field.span, "declared here")]
    if not isinstance(field.origin, Caller):
        diagnostics.add(rules.HIDDEN_PLACEHOLDER, span, notes=notes, name=field.name)
    elif isinstance(known_type(field.type), JsonType):
        return
    elif not _fits(field.type, segment):
        expected = "`string`, `splat` or `string[]`" if segment.rest else "a plain type"
        diagnostics.add(
            rules.BAD_PLACEHOLDER_TYPE,
            field.span,
            notes=[Note(span, "in the path")],
            name=field.name,
            expected=expected,
            actual=_type_text(field.type),
        )
    elif not field.required:
        diagnostics.add(rules.OPTIONAL_PLACEHOLDER, span, notes=notes, name=field.name)


def _fits(kind: Type, segment: PathVariable) -> bool:
    if segment.rest:
        inner = kind.item if isinstance(kind, ListType) else kind
        return isinstance(inner, ScalarType) and SCALARS[inner.scalar].is_text
    plain = known_type(kind)
    is_rest = isinstance(plain, ScalarType) and SCALARS[plain.scalar].is_path_rest
    return kind_of(kind) == "plain" and not is_rest


def _type_text(kind: Type) -> str:
    match kind:
        case ScalarType(scalar):
            return f"`{scalar.value}`"
        case ListType():
            return "a list"
        case _:
            return "an object"


_HANDLER = re.compile(
    r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*:[A-Za-z_][A-Za-z0-9_]*"
)


def make_body(
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    entities: Mapping[str, Entity],
    project: Project,
    diagnostics: Diagnostics,
) -> Body | None:
    """Return the body; None where a part is missing, which is reported.

    ``fields`` None means that the arguments are not known for certain: nothing is compared with
    them then.
    """
    for field in fields or ():
        if field.bind_json:
            _check_bind(decl, field, diagnostics)
    match decl.kind:
        case ToolKind.SQL:
            return _sql(decl, fields, project, diagnostics)
        case ToolKind.PYTHON:
            takes_keywords = "call" in decl.section.entries
            return PythonBody(*_handler(decl, diagnostics), takes_keywords)
        case ToolKind.HTTP:
            from brimgen.resolve.http.requests import make_request

            return make_request(decl, fields, entities, project, diagnostics)
        case ToolKind.TEMPLATE:
            from brimgen.resolve.prompts.prompts import read_messages

            return TemplateBody(read_messages(decl, fields, entities, diagnostics))
        case ToolKind.RESOURCE:
            return _resource(decl, fields, diagnostics)
        case _ as never:
            assert_never(never)


def gives_last_id(decl: ToolDecl) -> bool:
    """Whether a statement returns the id of the row that it adds."""
    type = None if decl.returns is None else decl.returns.type
    if type is None or type.name != LAST_ID or decl.kind is not ToolKind.SQL:
        return False
    return not (type.is_list or type.is_optional)


def _sql(
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    project: Project,
    diagnostics: Diagnostics,
) -> SqlBody | None:
    node, name = decl.section.scalar("connection"), connection_of(decl)
    if name not in project.connections and (node is not None or project.connections):
        span = node.span if node is not None else decl.name.span
        near = did_you_mean(name, project.connections)
        names = ", ".join(f"`{connection}`" for connection in project.connections)
        among = f": there are {names}" if names else ": none is configured"
        diagnostics.add(
            rules.UNKNOWN_CONNECTION,
            span,
            suggestions=near,
            name=name,
            among="" if near else among,
        )
        return None
    if decl.body is None:
        return None
    body = SqlBody(
        decl.body,
        name,
        strict=decl.section.value("strict", True),
        last_id=gives_last_id(decl),
        query_tables=query_tables(decl),
        max_rows=max_rows(decl),
    )
    if decl.section.entries.keys().isdisjoint(("choices", "variants", "keyset")):
        return body
    from brimgen.resolve.tools.sql import with_choices  # few tools have any

    return with_choices(body, decl, fields, diagnostics)


def _handler(
    decl: ToolDecl, diagnostics: Diagnostics
) -> tuple[str | None, Span | None]:
    """Return the handler of a tool and where it is named; None where it names none."""
    node = decl.section.scalar("handler")
    if node is None:
        return None, None
    if _HANDLER.fullmatch(node.text) is None:
        near = _intended_handler(node.text, decl.name.value)
        diagnostics.add(
            rules.BAD_HANDLER, node.span, suggestions=near, handler=node.text
        )
        return None, None
    return node.text, node.span


def _intended_handler(handler: str, name: str) -> tuple[str, ...]:
    """Suggest the handler for a path of a file or a dotted path; ``name`` is that of the tool."""
    module, _, function = handler.strip().removesuffix("()").partition(":")
    path = module.replace("\\", "/")
    if "/" in path or path.endswith(".py"):
        module = path.removesuffix(".py").strip("./").replace("/", ".")
        function = function or name
    elif not function:
        module, _, function = module.rpartition(".")
    intended = f"{module}:{function.lstrip(':')}".replace("-", "_")
    return (intended,) if _HANDLER.fullmatch(intended) else ()


def _resource(
    decl: ToolDecl, fields: tuple[Field, ...] | None, diagnostics: Diagnostics
) -> ResourceBody | None:
    path = decl.section.text("path")
    segments = None if path is None else parse_path(path, diagnostics)
    if path is None or segments is None:
        return None
    if fields is not None:
        check_variables(
            path,
            segments,
            fields,
            diagnostics,
            has_arguments=decl.arguments is not None,
        )
    in_path = {
        segment.name for segment in segments if isinstance(segment, PathVariable)
    }
    returned = decl.returns.type.name if decl.returns and decl.returns.type else None
    handler, span = _handler(decl, diagnostics)
    return ResourceBody(
        path=path.value,
        segments=segments,
        query=tuple(
            field.name for field in visible(fields or ()) if field.name not in in_path
        ),
        handler=handler,
        handler_span=span,
        mime_type=decl.mcp.word("mime_type")
        or ("text/markdown" if returned == "markdown" else None),
    )


def _check_bind(decl: ToolDecl, field: Field, diagnostics: Diagnostics) -> None:
    if decl.kind is not ToolKind.SQL:
        reason = "only SQL tools bind"
    elif kind_of(field.type) == "plain" or isinstance(
        known_type(field.type), UnionType
    ):
        reason = f"`{field.name}` is a plain value"
    else:
        return
    diagnostics.add(rules.BAD_BIND, field.span, value="json", reason=reason)
