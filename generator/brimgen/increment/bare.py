"""Tools in; what builds that leave them out are told of them out: what counts for all at once.

That is who they are, what is offered of them and by whom, which classes their arguments have, and
what the function behind them is and returns. Such builds are those of other processes
(`brimgen.parallel`), and of what changed (`brimgen.increment.among`). The tests hold both against
builds of everything wherever a target or a rule looks at `Catalog.everyone`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from brimgen.diagnostics import Span, TextBlock
from brimgen.model.catalog import (
    Body,
    Identity,
    PythonBody,
    ResourceBody,
    Returns,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.fields import Caller, Field
from brimgen.model.http import HttpBody, Url
from brimgen.model.json import JsonObject
from brimgen.model.types import (
    EntityType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.named import NamedTuple

_NO_TEXT = TextBlock("", Span.at_file(""))
_NO_URL = Url("", ())

_Kind: TypeAlias = tuple[str, str | None]
"""What a tool is, and its handler, connection or method."""


_Place: TypeAlias = tuple[str, int, int, int, int]


class Bare(NamedTuple):
    """What is told of a tool, mostly in builtin types: whole tools took ten times as long to tell
    of, because each of their values is taken apart by a call.
    """

    name: str
    span: _Place
    kind: _Kind
    fields: tuple[Field, ...]
    schema: JsonObject
    extra: Type | None
    returns: Type | None
    description: str | None
    id: str | None
    enabled: bool
    is_switched_on: bool
    targets: tuple[str, ...] | None
    sources: tuple[str, ...]

    def tool(self) -> Tool:
        """The tool, as far as it is known."""
        span, returned = Span(*self.span), self.returns
        return Tool(
            name=self.name,
            span=span,
            body=_body(*self.kind),
            fields=self.fields,
            input_schema=self.schema,
            bound_schema={},
            extra=self.extra,
            returns=(
                None
                if returned is None
                else Returns(type=returned, schema={}, span=span)
            ),
            description=self.description,
            identity=Identity(id=self.id),
            enabled=self.enabled,
            is_switched_on=self.is_switched_on,
            targets=self.targets,
            sources=self.sources,
        )


def bare(tool: Tool) -> Bare:
    """What is told of ``tool``; resources and templates every build knows itself."""
    schema, is_python = tool.enforced_schema, isinstance(tool.body, PythonBody)
    return Bare(
        name=tool.name,
        span=_place(tool.span),
        kind=_kind(tool.body),
        fields=tuple([each for each in tool.fields if _counts(each)]),
        # Which keywords there are beside the fields says whether an object is counted.
        schema=schema if tool.extra is not None else dict.fromkeys(schema, True),
        extra=tool.extra,
        returns=tool.returns.type if tool.returns and is_python else None,
        description=tool.description if is_python else None,
        id=tool.identity.id,
        enabled=tool.enabled,
        is_switched_on=tool.is_switched_on,
        targets=tool.targets,
        sources=tool.sources,
    )


def _place(span: Span) -> _Place:
    return span.file, span.line, span.column, span.end_line, span.end_column


def _kind(body: Body) -> _Kind:
    match body:
        case PythonBody(handler):
            return "python", handler
        case SqlBody(connection=connection):
            return "sql", connection
        case HttpBody(method=method):
            return "http", method
        case ResourceBody() | TemplateBody():
            raise LookupError("every build knows it whole")
        case _:
            assert_never(body)


def _body(kind: str, said: str | None) -> Body:
    if kind == "python":
        return PythonBody(said)
    if kind == "sql":
        return SqlBody(_NO_TEXT, said or "")
    return HttpBody(method=said or "", url=_NO_URL)


def are_distinct(tools: Iterable[Tool]) -> bool:
    """Whether no two have one name, in any of its forms, or one id."""
    tools = tuple(tools)
    names = {each.name.casefold().replace("-", "_") for each in tools}
    ids = [each.identity.id for each in tools if each.identity.id is not None]
    return len(names) == len(tools) and len({*ids}) == len(ids)


def _counts(field: Field) -> bool:
    """Whether a package has a class for a field, or may have one that is called like it."""
    if field.type.__class__ is not ScalarType:
        if field.origin.__class__ is Caller and _has_class(field.type):
            return True
        if any(_counts(each) for each in _inner(field.type)):
            return True
    return not (field.name.isascii() and field.name.islower())


def _inner(type: Type) -> tuple[Field, ...]:
    """The fields of objects that have no name of their own."""
    match type:
        case RecordType(fields=fields, extra=extra):
            return fields if extra is None else (*fields, *_inner(extra))
        case ListType(item=inner) | MapType(value=inner) | NullableType(inner=inner):
            return _inner(inner)
        case _:
            return ()


def _has_class(type: Type) -> bool:
    """Whether a class of a package stands for values of ``type``, or for values in them."""
    match type:
        case EntityType() | RecordType():
            return True
        case ListType(item=inner) | MapType(value=inner) | NullableType(inner=inner):
            return _has_class(inner)
        case _:
            return False
