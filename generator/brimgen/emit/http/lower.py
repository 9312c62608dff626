"""Lower: an HTTP tool in, the view of its module out."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, bracketed, fits, header, py, py_block
from brimgen.emit.expressions import Call, Expression, called, laid_out
from brimgen.emit.http.answers import decoding, validator
from brimgen.emit.http.decimals import decimal_places
from brimgen.emit.http.imports import Imports
from brimgen.emit.http.pieces import Pieces
from brimgen.emit.http.plans import plan
from brimgen.emit.http.requests import Building, shown
from brimgen.emit.http.types import Types
from brimgen.emit.http.view import HttpModule, HttpPackage
from brimgen.emit.locals import free_name, local_names
from brimgen.emit.names import bound_class, classes_of, module_name
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import Field, Host
from brimgen.model.http import HttpBody
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
    """The view of ``<package>/http/__init__.py``."""
    homes: dict[str, Json] = {each.name: f".{module_name(each.name)}" for each in tools}
    return HttpPackage(header=header(), tools=py_block(homes, after=",", indent=4))


def lower_tool(tool: Tool, catalog: Catalog) -> HttpModule:
    """The view of ``<package>/http/<tool>.py``."""
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
        title=Code(f'"""The request of `{tool.name}`, and its call."""'),
        records=decoded.records,
        alias=alias,
        shown=_constant("SHOWN: Final = ", py(shown(tool.body.url))),
        plan=plan(tool, tool.body, places, imports),
        build_head=_signature(
            "def build", [f"bound: {bound}", "secrets: Secrets = NO_SECRETS"], "Request"
        ),
        build_body=(*_checked(tool, imports), *build_body),
        invoke_head=heads[0],
        invoke_async_head=heads[1],
        request_head=heads[2],
        request_body=_request(tool, bound, given),
        made=_made(tool),
        run=_run("run"),
        run_async=_run("await run_async"),
        decode_head=decoded.head,
        decode_body=decoded.body,
        validator=validator(tool, catalog, imports),
        imports=imports.lines(),
    )


def _checked(tool: Tool, imports: Imports) -> tuple[Code, ...]:
    """The statement that refuses what is not bound, above all a call whose context is missing."""
    if not tool.fields:
        return ()
    kind = bound_class(tool.name, hides=bool(tool.hidden_fields))
    before = f"{imports.runtime('check_bound')}("
    return (bracketed(["bound", f'"{kind}"'], before=before, after=")", indent=4),)


def _alias(result: str, imports: Imports) -> tuple[tuple[Code, ...], str]:
    """A name for a type that is too long to be named in a head."""
    if fits(f") -> Result[{result}]:"):
        return (), result
    before = f"Value: {imports.name('TypeAlias')} = "
    return (_constant(before, py(result)),), "Value"


def _constant(before: str, value: Code) -> Code:
    """An annotated constant, whose value black puts in brackets where it is too long."""
    return Code(
        before + value if fits(before + value) else f"{before}(\n    {value}\n)"
    )


def _home(tool: Tool) -> str:
    return f"..tools.{module_name(tool.name)}"


def _signature(before: str, parameters: Sequence[str], result: str) -> Code:
    return bracketed(parameters, before=f"{before}(", after=f") -> {result}:")


def _hosts(tool: Tool) -> list[tuple[Field, Code, str]]:
    """The values that the host program gives: what ``bind`` calls them, and what ``invoke``."""
    own = set(_OWN)
    return [
        (each, name, _own_name(name, own))
        for each, name in zip(tool.fields, local_names(tool.fields), strict=True)
        if isinstance(each.origin, Host)
    ]


def _own_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _heads(tool: Tool, types: Types, result: str) -> tuple[Code, Code, Code]:
    """The heads of ``invoke``, ``invoke_async`` and ``_request``."""
    given, _ = classes_of(tool.name)
    hosts = [
        f"{own}: {types.parameter(field)}{'' if field.required else ' = None'}"
        for field, _, own in _hosts(tool)
    ]
    call = f"call: {given} | Sent"
    first = [call, "context: object = None", "*", *hosts]
    first.append("secrets: Secrets = NO_SECRETS")
    last = "options: Options = OPTIONS"
    plain = [*first, "transport: Transport | None = None", last]
    awaited = [*first, "transport: AsyncTransport | None = None", last]
    inner = [
        call,
        "context: object",
        "secrets: Secrets",
        *(["*"] if hosts else []),
        *hosts,
    ]
    return (
        _signature("def invoke", plain, f"Result[{result}]"),
        _signature("async def invoke_async", awaited, f"Result[{result}]"),
        _signature("def _request", inner, "Request"),
    )


def _made(tool: Tool) -> Code:
    """The statement that says how the request is made."""
    values = [Code(f"{own}={own}") for _, _, own in _hosts(tool)]
    arguments = Code("_request"), Code("call"), Code("context"), Code("secrets")
    made = called("partial", *arguments, *values)
    return laid_out(made, before="make = ", indent=4)


def _request(tool: Tool, bound: str, given: str) -> tuple[Code, ...]:
    """The body of ``_request``: decode, bind, build."""
    required: list[Expression] = [Code("call"), Code("context")]
    optional: list[Expression] = []
    for field, name, own in _hosts(tool):
        if field.required:
            required.append(Code(f"{name}={own}"))
        else:
            optional.append(Code(f"{py(str(name))}: {own}"))
    if optional:
        chosen = called("chosen", Call("{", tuple(optional), "}"))
        required.append(Call(f"**{chosen.head}", chosen.arguments))
    is_read = called("isinstance", Code("call"), Code(given))
    read = called(f"{given}.from_call", Code("call"))
    lines = [
        laid_out(is_read, before="if not ", after=":", indent=4),
        Code(f"    {laid_out(read, before='call = ', indent=8)}"),
        laid_out(called(f"{bound}.bind", *required), before="bound = ", indent=4),
        Code("return build(bound, secrets)"),
    ]
    return tuple(lines)


def _run(function: str) -> Code:
    arguments = [
        "PLAN",
        "make",
        "_decode",
        "secrets=secrets",
        "transport=transport",
        "options=options",
    ]
    made = called(function, *map(Code, arguments))
    return laid_out(made, before="return ", indent=4)
