"""Lower an HTTP tool to the view of its module."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, header, py
from brimgen.emit.http.call_plan import plan
from brimgen.emit.http.decode_answer import decoding
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.number_places import decimal_places
from brimgen.emit.http.request_data import RequestData
from brimgen.emit.http.types import Types
from brimgen.emit.http.view import HttpModule, HttpPackage
from brimgen.emit.locals import host_parameters
from brimgen.emit.names import classes_of, module_name
from brimgen.emit.python_text import joined, mapping
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.http import HttpBody, url_text
from brimgen.model.json import Json

_ALWAYS = ("Final", "HttpCall", "Plan")
_OF_INVOKE = frozenset({"self", "secrets", "transport", "options"})
"""Parameters of `HttpCall.invoke`; those of ``bind`` are others already."""


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
    places = decimal_places(tool.returns, catalog)
    decoded = decoding(tool, catalog, types)
    for name in _ALWAYS:
        imports.name(name)
    home = f"..tools.{module_name(tool.name)}"
    classes = [imports.of(home, name) for name in classes_of(tool.name)]
    arguments = [
        *classes,
        Code("PLAN"),
        Code("TEMPLATE"),
        Code("__name__"),
        *_renamed(tool),
    ]
    return HttpModule(
        header=header(tool.span.file, module=module_name(tool.name)),
        tool=Code(tool.name),
        records=decoded.records,
        begins_with_class=decoded.begins_with_class,
        shown=py(url_text(tool.body.url)),
        plan=plan(tool, tool.body, decoded.validator, places, imports),
        template=RequestData(fields, catalog, imports).template(tool.body),
        call=joined(arguments),
        types=joined([*classes, decoded.result]),
        imports=imports.lines(),
    )


def _renamed(tool: Tool) -> list[Code]:
    """Return what `HttpCall` is told of arguments that are called like a parameter of `invoke`."""
    hosts = {str(name) for _, name in host_parameters(tool.fields)}
    renamed: list[tuple[Code, Code]] = []
    for name in sorted(hosts & _OF_INVOKE):
        own = f"{name}_"
        while own in hosts:
            own += "_"
        renamed.append((py(own), py(name)))
    return [mapping(renamed)] if renamed else []
