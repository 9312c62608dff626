"""Lower a catalog to the table of what its package can run."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, header, py
from brimgen.emit.codecs.encoders import RESULT_ENCODER, ResultEncoder
from brimgen.emit.imports import import_sections
from brimgen.emit.names import module_name
from brimgen.emit.projection.described_tools import argument_aliases
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.annotations import annotations_of, statement_of
from brimgen.emit.python_text import call, tuple_of
from brimgen.emit.runtime_names import RUNTIME, home_of
from brimgen.emit.service.view import (
    ConnectionDrivers,
    ConnectionTarget,
    Runner,
    ServiceModule,
)
from brimgen.model.catalog import (
    Catalog,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody, Literal
from brimgen.model.scalars import SCALARS
from brimgen.model.types import ListType, NullableType, ScalarType
from brimgen.sql.drivers import drivers_of

PACKAGE = "python"
"""A service runs the tools that the package has."""

SERVICE = "service"


OFFERED = (
    *("CallContext", "ContextError", "InputError", "NotFound", "ToolError"),
    "current_call",
)
"""What the module passes on from the runtime, for host programs and handlers."""


def can_run(catalog: Catalog) -> bool:
    """Whether the package has anything to run: by itself, or where the project names the service,
    with functions of the host program.
    """
    tools = target_tools(catalog, PACKAGE)
    is_asked = SERVICE in (catalog.project.targets or ())
    return any(is_asked or not _is_left_to_host(tool) for tool in tools)


def _is_left_to_host(tool: Tool) -> bool:
    return isinstance(tool.body, PythonBody) and tool.body.handler is None


def lower(catalog: Catalog) -> ServiceModule:
    """Return the view of ``<package>/service.py``."""
    encoders = ResultEncoder(catalog.leaves)
    tools = target_tools(catalog, PACKAGE, CALLABLE)
    resources = target_tools(catalog, PACKAGE, (ResourceBody,))
    prompts = target_tools(catalog, PACKAGE, (TemplateBody,))
    runs = [_runner(catalog, tool, encoders) for tool in tools]
    guards = [_guard(tool) for tool in tools if tool.confirm is not None]
    resource_runs = [_runner(catalog, tool, encoders) for tool in resources]
    own_leaves = any(leaf.python is not None for leaf in catalog.leaves.values())
    kinds = {_kind(tool) for tool in (*tools, *resources)}
    connections = _connections(catalog, tools)
    has_aliases = bool(argument_aliases(catalog))
    return ServiceModule(
        header=header(),
        imports=_imports(
            encoders,
            kinds,
            own=[
                *(["_leaves"] if own_leaves or encoders.uses_leaves else []),
                *(["aliases"] if has_aliases else []),
            ],
            sql=bool(connections),
            guards=bool(guards),
        ),
        runs=runs,
        resources=resource_runs,
        guards=guards,
        prompts=tuple_of([py(tool.name) for tool in prompts]) if prompts else None,
        connections=connections,
        targets=[
            ConnectionTarget(name=py(name), target=py(connection.target))
            for name, connection in sorted(catalog.project.connections.items())
            if connection.target is not None
        ],
        has_own_leaves=own_leaves,
        has_aliases=has_aliases,
    )


def _imports(
    encoders: ResultEncoder, kinds: set[str], *, own: list[str], sql: bool, guards: bool
) -> tuple[Code, ...]:
    package_names = ["TOOLS", *own]
    of_service = {
        "": ["async_service", "service"],
        ".databases": ["Database"] if sql else [],
        ".errors": ["ServiceError", "SettingsError"],
        ".guards": ["Guard"] if guards else [],
        ".outcome": ["Outcome"],
        ".plan": ["Plan", *kinds],
        ".settings": ["Http"],
        ".statements": ["Databases"] if sql else [],
    }
    return import_sections(
        [
            *((home_of(name), name) for name in {*OFFERED, *encoders.functions}),
            *(
                (f"{RUNTIME}.service{module}", name)
                for module, names in of_service.items()
                for name in names
            ),
            *((".", name) for name in package_names),
        ]
    )


def _kind(tool: Tool) -> str:
    """Return the class of `brimgen_runtime.service.plan` that says how a tool runs."""
    match tool.body:
        case SqlBody():
            return "Statement"
        case HttpBody():
            return "Request"
        case _:
            return "Function"


def _runner(catalog: Catalog, tool: Tool, encoders: ResultEncoder) -> Runner:
    module = module_name(tool.name)
    match tool.body:
        case SqlBody(connection=connection):
            arguments = [py(f".sql.{module}"), py(connection), py(_rows(catalog, tool))]
            if annotations_of(catalog, tool).read_only:
                arguments.append(Code("reads=True"))
        case HttpBody(secrets=secrets):
            arguments = [py(f".http.{module}")]
            if secrets:
                arguments.append(tuple_of([*map(py, secrets)]))
        case PythonBody(handler=handler) | ResourceBody(handler=handler):
            arguments = [py(handler)] if handler is not None else []
            encoder = _encoder(tool, encoders)
            if encoder is not None:
                arguments.append(Code(f"encode={encoder}"))
        case TemplateBody():
            raise AssertionError("prompts are rendered, and do not run")
    return Runner(name=py(tool.name), call=call(Code(_kind(tool)), *arguments))


def _guard(tool: Tool) -> Runner:
    arguments: list[Code] = []
    if tool.confirm is not None:
        pieces = [
            (
                py(piece.text)
                if isinstance(piece, Literal)
                else py((piece.name, *piece.path))
            )
            for piece in tool.confirm.question or ()
        ]
        arguments.append(Code(f"confirm={tuple_of(pieces)}"))
    return Runner(name=py(tool.name), call=call(Code("Guard"), *arguments))


def _encoder(tool: Tool, encoders: ResultEncoder) -> Code | None:
    """Return what makes JSON of a result; None for a tool without one."""
    if tool.returns is not None:
        encoder = encoders.function(tool.returns.type)
    elif isinstance(tool.body, ResourceBody):
        encoder = RESULT_ENCODER
    else:
        return None
    if encoder == RESULT_ENCODER:
        encoders.functions.add(str(encoder))
    return encoder


def _rows(catalog: Catalog, tool: Tool) -> str:
    """Return what becomes of the rows of a statement, as `brimgen_runtime.service.plan` says it."""
    if tool.returns is None:
        return "none"
    match tool.returns.type:
        case ScalarType(scalar) if SCALARS[scalar].is_integer and _counts(
            catalog, tool
        ):
            return "count"
        case ListType() | NullableType(inner=ListType()):
            return "many"
        case NullableType():
            return "maybe"
        case _:
            return "one"


def _counts(catalog: Catalog, tool: Tool) -> bool:
    facts = statement_of(catalog, tool)
    return facts is not None and facts.counts


def _connections(catalog: Catalog, tools: Sequence[Tool]) -> list[ConnectionDrivers]:
    names = {
        tool.body.connection
        for tool in tools
        if isinstance(tool.body, SqlBody) and tool.is_for("sql")
    }
    connections: list[ConnectionDrivers] = []
    for name in sorted(names):
        connection = catalog.project.connections.get(name)
        drivers = (
            drivers_of(connection.dialect, connection.drivers) if connection else ()
        )
        connections.append(
            ConnectionDrivers(name=py(name), drivers=tuple_of([*map(py, drivers)]))
        )
    return connections
