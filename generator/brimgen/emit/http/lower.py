"""Lower an HTTP tool to the view of its module."""

from __future__ import annotations

from collections.abc import Sequence
from sys import maxsize

from brimgen.emit.code import Code, header, py
from brimgen.emit.codecs.annotations import named
from brimgen.emit.codecs.module_names import ModuleNames
from brimgen.emit.http.call_plan import plan
from brimgen.emit.http.decode_answer import result_type, validator
from brimgen.emit.http.number_places import decimal_places
from brimgen.emit.http.request_data import RequestData
from brimgen.emit.http.view import HttpModule, HttpPackage
from brimgen.emit.locals import host_parameters
from brimgen.emit.names import class_name, classes_of, module_name
from brimgen.emit.python_text import joined, mapping
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.http import HttpBody, url_text
from brimgen.model.json import Json

_TAKEN = frozenset(
    (
        *(
            "Any",
            "Arg",
            "Basic",
            "Bearer",
            "Decimal",
            "Final",
            "FormBody",
            "Hmac",
            "Host",
        ),
        *("HttpCall", "InputError", "JsonBody", "Key", "Literal", "MultipartBody"),
        *("NotRequired", "OAuth2", "Plan", "Retry", "Secret", "Template", "TextBody"),
        *("TypedDict", "UUID"),
    )
)
"""What a module may say itself: no entity and no record is called so."""
_OF_INVOKE = frozenset({"self", "secrets", "transport", "options"})
"""Parameters of `HttpCall.invoke`; those of ``bind`` are others already."""


def lower_package(tools: Sequence[Tool]) -> HttpPackage:
    """Return the view of ``<package>/http/__init__.py``."""
    homes: dict[str, Json] = {tool.name: f".{module_name(tool.name)}" for tool in tools}
    return HttpPackage(header=header(), homes=homes)


def lower_tool(tool: Tool, catalog: Catalog) -> HttpModule:
    """Return the view of ``<package>/http/<tool>.py``."""
    assert isinstance(tool.body, HttpBody)
    input_class, bound = classes_of(tool.name)
    entities = () if tool.returns is None else named(tool.returns.type)
    names = ModuleNames(
        catalog.leaves,
        _TAKEN,
        [input_class, bound, *map(class_name, entities)],
        longest_literal=maxsize,
    )
    fields = {field.name: field for field in tool.fields}
    places = decimal_places(tool.returns, catalog)
    result = result_type(tool, names)
    checks = None if tool.returns is None else validator(tool, tool.returns, names)
    names.standard("Final")
    for name in ("HttpCall", "Plan"):
        names.runtime(name)
    home = f"..tools.{module_name(tool.name)}"
    classes = [names.take(home, name) for name in (input_class, bound)]
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
        records=tuple(names.records.classes.values()),
        shown=py(url_text(tool.body.url)),
        plan=plan(tool, tool.body, checks, places, names),
        template=RequestData(fields, catalog, names).template(tool.body),
        call=joined(arguments),
        types=joined([*classes, result]),
        imports=names.lines(),
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
