"""Lower an HTTP tool to the view of its module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from brimgen.emit.code import Code, fits, header, py
from brimgen.emit.http.build_request import Building
from brimgen.emit.http.call_plan import plan
from brimgen.emit.http.decode_answer import decoding
from brimgen.emit.http.expand_templates import Pieces
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.number_places import decimal_places
from brimgen.emit.http.types import Types
from brimgen.emit.http.view import Alias, HttpModule, HttpPackage
from brimgen.emit.locals import free_name, host_parameters
from brimgen.emit.names import bound_class, classes_of, module_name
from brimgen.emit.python_text import (
    joined,
    mapping,
    parameter,
)
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.http import HttpBody, url_text
from brimgen.model.json import Json
from brimgen.model.types import Field

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
            "not_none",
            "partial",
            "run",
            "run_async",
        ),
    }
)


def lower_package(tools: Sequence[Tool]) -> HttpPackage:
    """Return the view of ``<package>/http/__init__.py``."""
    homes: dict[str, Json] = {tool.name: f".{module_name(tool.name)}" for tool in tools}
    return HttpPackage(header=header(), homes=homes)


def lower_tool(tool: Tool, catalog: Catalog) -> HttpModule:
    """Return the view of ``<package>/http/<tool>.py``."""
    assert isinstance(tool.body, HttpBody)
    imports = Imports()
    types = Types(catalog, imports)
    fields = {field.name: field for field in tool.fields}
    pieces = Pieces(fields, types, imports, free_name("nulls", tool.fields))
    request = Building(tool.body, pieces).parts()
    places = decimal_places(tool.returns, catalog)
    decoded = decoding(tool, catalog, types, has_decimals=bool(places))
    alias, result = _alias(decoded.result, imports)
    hosts = _hosts(tool)
    parameters = [
        (
            Code(f"{own}: {types.parameter(field)}")
            if field.required
            else parameter(own, types.parameter(field), "None", 4, is_union=True)
        )
        for field, _, own in hosts
    ]
    if any(not field.required for field, _, _ in hosts):
        imports.name("not_none")
    for name in _ALWAYS:
        imports.name(name)
    if tool.fields:
        imports.runtime("check_bound")
    call_class, bound = (
        imports.of(_home(tool), name) for name in classes_of(tool.name)
    )
    bound_name = bound_class(tool.name, hides=bool(tool.hidden_fields))
    return HttpModule(
        header=header(tool.span.file, module=module_name(tool.name)),
        tool=Code(tool.name),
        records=decoded.records,
        begins_with_class=decoded.begins_with_class,
        alias=alias,
        shown=py(url_text(tool.body.url)),
        plan=plan(tool, tool.body, decoded.validator, places, imports),
        call_class=call_class,
        bound=bound,
        is_checked=bool(tool.fields),
        bound_name=py(str(bound_name)),
        request=request,
        hosts=parameters,
        passed=joined([Code(f"{own}={own}") for _, _, own in hosts]),
        taken=joined(parameters),
        bound_with=_bound_with(hosts),
        result=result,
        decode=decoded.decode,
        imports=imports.lines(),
    )


def _alias(result: Code, imports: Imports) -> tuple[Alias | None, Code]:
    """Return a name for a type that is too long for the head of a function."""
    if fits(f") -> Result[{result}]:"):
        return None, result
    return Alias(imports.name("TypeAlias"), py(str(result))), Code("Value")


def _home(tool: Tool) -> str:
    return f"..tools.{module_name(tool.name)}"


_Hosts: TypeAlias = list[tuple[Field, Code, Code]]
"""The values from the host program: their names in ``bind``, and those in ``invoke``."""


def _hosts(tool: Tool) -> _Hosts:
    taken = set(_OWN)
    return [
        (field, name, _own_name(name, taken))
        for field, name in host_parameters(tool.fields)
    ]


def _own_name(name: Code, taken: set[str]) -> Code:
    while name in taken:
        name = Code(f"{name}_")
    taken.add(name)
    return name


def _bound_with(hosts: _Hosts) -> Code | None:
    """Return how the values from the host program are bound; None where there are none."""
    arguments = [Code(f"{name}={own}") for field, name, own in hosts if field.required]
    optional = [
        (py(str(name)), own) for field, name, own in hosts if not field.required
    ]
    if optional:
        arguments.append(Code(f"**not_none({mapping(optional)})"))
    return joined(arguments) if arguments else None
