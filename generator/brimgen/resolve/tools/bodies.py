"""Check what a tool runs, renders or serves against its arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import assert_never

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules.resolve import tools as rules
from brimgen.model.catalog import (
    Body,
    Entity,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
)
from brimgen.model.paths import PathVariable
from brimgen.model.project import Project
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    Field,
    JsonType,
    ListType,
    MapType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.resolve.fields.canonical_schema import visible
from brimgen.resolve.fields.type_lookup import known_type
from brimgen.resolve.tools.options import is_false
from brimgen.source.nodes import MapNode, ScalarNode
from brimgen.syntax.decls import ToolDecl, ToolKind

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
            return PythonBody(*_handler(decl, diagnostics))
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


def connection_of(decl: ToolDecl) -> str:
    """Return the name of the connection that a statement is for."""
    node = decl.option("connection")
    return node.text if isinstance(node, ScalarNode) else "default"


def _sql(
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    project: Project,
    diagnostics: Diagnostics,
) -> SqlBody | None:
    node, name = decl.option("connection"), connection_of(decl)
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
    body = SqlBody(decl.body, name, strict=not is_false(decl.option("strict")))
    if not any(map(decl.option, ("choices", "variants", "keyset"))):
        return body
    from brimgen.resolve.tools.sql_choices import with_choices  # few tools have any

    return with_choices(body, decl, fields, diagnostics)


def _handler(
    decl: ToolDecl, diagnostics: Diagnostics
) -> tuple[str | None, Span | None]:
    """Return the handler of a tool and where it is named; None where it names none."""
    node = decl.option("handler")
    if not isinstance(node, ScalarNode):
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
    if decl.path is None:
        return None
    from brimgen.resolve.tools.resource_paths import check_variables, parse_path

    segments = parse_path(decl.path, diagnostics)
    if segments is None:
        return None
    if fields is not None:
        check_variables(
            decl.path,
            segments,
            fields,
            diagnostics,
            has_arguments=decl.arguments is not None,
        )
    in_path = {
        segment.name for segment in segments if isinstance(segment, PathVariable)
    }
    mcp = decl.option("mcp")
    mime = mcp.get("mime_type") if isinstance(mcp, MapNode) else None
    returned = decl.returns.type.name if decl.returns and decl.returns.type else None
    mime_type = mime.text if isinstance(mime, ScalarNode) else None
    handler, span = _handler(decl, diagnostics)
    return ResourceBody(
        path=decl.path.value,
        segments=segments,
        query=tuple(
            field.name for field in visible(fields or ()) if field.name not in in_path
        ),
        handler=handler,
        handler_span=span,
        mime_type=mime_type or ("text/markdown" if returned == "markdown" else None),
    )


def _check_bind(decl: ToolDecl, field: Field, diagnostics: Diagnostics) -> None:
    if decl.kind is not ToolKind.SQL:
        reason = "only SQL tools bind"
    elif not _is_structured(field.type):
        reason = f"`{field.name}` is a plain value"
    else:
        return
    diagnostics.add(rules.BAD_BIND, field.span, value="json", reason=reason)


def _is_structured(kind: Type) -> bool:
    match known_type(kind):
        case ScalarType(scalar):
            return SCALARS[scalar].is_structured
        case EntityType() | RecordType() | ListType() | MapType() | JsonType():
            return True
        case _:
            return False
