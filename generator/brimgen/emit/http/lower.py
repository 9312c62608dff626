"""Lower an HTTP tool to the view of its module."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, fits, header, py, py_block
from brimgen.emit.http.build_request import Building
from brimgen.emit.http.call_plan import plan
from brimgen.emit.http.decimal_places import decimal_places
from brimgen.emit.http.decode_answer import decoding, validator
from brimgen.emit.http.expand_templates import Pieces
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.types import Types
from brimgen.emit.http.view import HttpModule, HttpPackage
from brimgen.emit.locals import free_name, local_names
from brimgen.emit.names import bound_class, classes_of, module_name
from brimgen.emit.python_text.docstrings import docstring
from brimgen.emit.python_text.layout import laid_out
from brimgen.emit.python_text.pieces import (
    attribute,
    awaited,
    either,
    keyword,
    mapping,
    negated,
    spread,
    starred,
    subscript,
)
from brimgen.emit.python_text.statements import (
    assigned,
    function,
    parameter,
    returned,
    when,
)
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import Field, Host
from brimgen.model.http import HttpBody, url_text
from brimgen.model.json import Json

_ALWAYS = (
    "Any",
    "AsyncTransport",
    "Final",
    "NO_SECRETS",
    "OPTIONS",
    "Options",
    "Plan",
    "Request",
    "Result",
    "Secrets",
    "Sent",
    "Transport",
    "partial",
    "run",
    "run_async",
)
_OWN = frozenset(
    {
        *("secrets", "transport", "options", "make", "bound"),
        *(
            "PLAN",
            "_decode",
            "_request",
            "build",
            "chosen",
            "partial",
            "run",
            "run_async",
        ),
    }
)


def lower_package(tools: Sequence[Tool]) -> HttpPackage:
    """Return the view of ``<package>/http/__init__.py``."""
    homes: dict[str, Json] = {each.name: f".{module_name(each.name)}" for each in tools}
    return HttpPackage(header=header(), tools=py_block(homes, after=",", indent=4))


def lower_tool(tool: Tool, catalog: Catalog) -> HttpModule:
    """Return the view of ``<package>/http/<tool>.py``."""
    assert isinstance(tool.body, HttpBody)
    imports = Imports()
    types = Types(catalog.leaves, imports)
    fields = {each.name: each for each in tool.fields}
    pieces = Pieces(fields, types, imports, free_name("nulls", tool.fields))
    build_body = Building(tool.body, pieces).written()
    places = decimal_places(tool.returns, catalog)
    decoded = decoding(tool, types, has_decimals=bool(places))
    alias, result = _alias(decoded.result, imports)
    heads = _heads(tool, types, result)
    if any(not each.required for each, _, _ in _hosts(tool)):
        imports.name("chosen")
    for name in _ALWAYS:
        imports.name(name)
    given, bound = (imports.of(_home(tool), each) for each in classes_of(tool.name))
    return HttpModule(
        header=header(tool.span.file, module=module_name(tool.name)),
        title=docstring(f"The request of `{tool.name}`, and its call."),
        records=decoded.records,
        begins_with_class=decoded.begins_with_class,
        alias=alias,
        shown=laid_out(assigned("SHOWN", py(url_text(tool.body.url)), Code("Final"))),
        plan=plan(tool, tool.body, places, imports),
        build_head=_build_head(bound),
        build_body=(*_checked(tool, imports), *build_body),
        invoke_head=heads[0],
        invoke_async_head=heads[1],
        request_head=heads[2],
        request_body=_request(tool, bound, given),
        made=_made(tool),
        run=laid_out(returned(spread(Code("run"), *_RUN)), 4),
        run_async=laid_out(returned(awaited(spread(Code("run_async"), *_RUN))), 4),
        decode_head=decoded.head,
        decode_body=decoded.body,
        validator=validator(tool, catalog, imports),
        imports=imports.lines(),
    )


def _build_head(bound: Code) -> Code:
    return laid_out(function("build", [parameter("bound", bound), _SECRETS], _REQUEST))


def _checked(tool: Tool, imports: Imports) -> tuple[Code, ...]:
    """Return the statement that refuses what is not bound, such as a call without its context."""
    if not tool.fields:
        return ()
    kind = bound_class(tool.name, hides=bool(tool.hidden_fields))
    checked = spread(imports.runtime("check_bound"), Code("bound"), py(str(kind)))
    return (laid_out(checked, 4),)


def _alias(result: Code, imports: Imports) -> tuple[tuple[Code, ...], Code]:
    """Return a name for a type that is too long for the head of a function."""
    if fits(f") -> Result[{result}]:"):
        return (), result
    kind = imports.name("TypeAlias")
    return (laid_out(assigned("Value", py(str(result)), kind)),), Code("Value")


def _home(tool: Tool) -> str:
    return f"..tools.{module_name(tool.name)}"


def _hosts(tool: Tool) -> list[tuple[Field, Code, Code]]:
    """Return the values from the host program: their names in ``bind``, and those in
    ``invoke``.
    """
    own = set(_OWN)
    return [
        (each, name, _own_name(name, own))
        for each, name in zip(tool.fields, local_names(tool.fields), strict=True)
        if isinstance(each.origin, Host)
    ]


def _own_name(name: Code, taken: set[str]) -> Code:
    while name in taken:
        name = Code(f"{name}_")
    taken.add(name)
    return name


_NONE, _REQUEST, _OBJECT = Code("None"), Code("Request"), Code("object")
_SECRETS = parameter("secrets", Code("Secrets"), Code("NO_SECRETS"))
_CONTEXT = parameter("context", _OBJECT, _NONE)
_OPTIONS = parameter("options", Code("Options"), Code("OPTIONS"))
_RUN = (
    *(Code("PLAN"), Code("make"), Code("_decode")),
    *(keyword(each, Code(each)) for each in ("secrets", "transport", "options")),
)


def _transport(kind: str) -> Code:
    return parameter("transport", either([Code(kind), _NONE]), _NONE)


def _heads(tool: Tool, types: Types, result: Code) -> tuple[Code, Code, Code]:
    """Return the heads of ``invoke``, ``invoke_async`` and ``_request``."""
    given, _ = classes_of(tool.name)
    hosts = [
        parameter(own, types.parameter(field), None if field.required else _NONE)
        for field, _, own in _hosts(tool)
    ]
    star = Code("*")
    call = parameter("call", either([given, Code("Sent")]))
    first = [call, _CONTEXT, star, *hosts, _SECRETS]
    plain = [*first, _transport("Transport"), _OPTIONS]
    awaited = [*first, _transport("AsyncTransport"), _OPTIONS]
    inner = [
        call,
        parameter("context", _OBJECT),
        parameter("secrets", Code("Secrets")),
        *([star] if hosts else []),
        *hosts,
    ]
    value = subscript(Code("Result"), result)
    return (
        laid_out(function("invoke", plain, value)),
        laid_out(function("invoke_async", awaited, value, is_async=True)),
        laid_out(function("_request", inner, _REQUEST)),
    )


def _made(tool: Tool) -> Code:
    """Return the statement that describes how the request is made."""
    values = [keyword(own, own) for _, _, own in _hosts(tool)]
    arguments = Code("_request"), Code("call"), Code("context"), Code("secrets")
    made = spread(Code("partial"), *arguments, *values)
    return laid_out(assigned("make", made), 4)


def _request(tool: Tool, bound: Code, given: Code) -> tuple[Code, ...]:
    """Return the body of ``_request``: decode, bind, build."""
    call = Code("call")
    arguments: list[Code] = [call, Code("context")]
    optional: list[tuple[Code, Code]] = []
    for field, name, own in _hosts(tool):
        if field.required:
            arguments.append(keyword(name, own))
        else:
            optional.append((py(str(name)), own))
    if optional:
        arguments.append(starred("**", spread(Code("chosen"), mapping(optional))))
    is_read = spread(Code("isinstance"), call, given)
    read = spread(attribute(given, "from_call"), call)
    made = spread(attribute(bound, "bind"), *arguments)
    return (
        laid_out(when(negated(is_read)), 4),
        Code(f"    {laid_out(assigned('call', read), 8)}"),
        laid_out(assigned("bound", made), 4),
        Code("return build(bound, secrets)"),
    )
