"""Lower a catalog to the table of what its package can run."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, header, py
from brimgen.emit.codecs.annotations import annotation, optional
from brimgen.emit.codecs.encoders import RESULT_ENCODER, ResultEncoder
from brimgen.emit.codecs.module_names import ModuleNames
from brimgen.emit.imports import import_sections
from brimgen.emit.names import class_name, classes_of, method_names, module_name
from brimgen.emit.projection.described_tools import argument_aliases
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.annotations import annotations_of, statement_of
from brimgen.emit.python_text import call, docstring, is_docstring, tuple_of
from brimgen.emit.runtime_names import RUNTIME, home_of
from brimgen.emit.service.view import (
    ConnectionDrivers,
    ConnectionTarget,
    Runner,
    ServiceModule,
    ToolMethod,
)
from brimgen.model.catalog import (
    Catalog,
    Limits,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import ErrorMode, HttpBody, Literal
from brimgen.model.scalars import SCALARS
from brimgen.model.types import ListType, NullableType, ScalarType
from brimgen.sql.drivers import drivers_of

PACKAGE = "python"
"""A service runs the tools that the package has."""

SERVICE = "service"


RESERVED = frozenset(
    (
        *("aclose", "call", "close", "confirmation", "max_concurrency", "mro"),
        *("outcome", "outcomes"),
        *("plan", "prompt", "prompts", "read", "resources", "timeout", "tools"),
        *("unavailable", "value_of"),
        *("Any", "Decimal", "Literal", "RenderedMessage", "UUID", "bool", "bytes"),
        *("dict", "dt", "entities", "float", "int", "list", "method", "object", "str"),
        "tuple",
    )
)
"""What a service says itself, and what the types of its methods need: a tool of that name has a
method with ``_`` behind it."""

TAKEN = frozenset(
    (
        *(
            "Any",
            "AsyncService",
            "CallContext",
            "ContextError",
            "Database",
            "Databases",
        ),
        *(
            "Decimal",
            "Final",
            "Function",
            "Guard",
            "Http",
            "InputError",
            "Literal",
            "NotFound",
        ),
        *("NotRequired", "Outcome", "PLAN", "Plan", "RenderedMessage", "Request"),
        *("Service", "ServiceError", "SettingsError", "Statement", "TOOLS"),
        *("TYPE_CHECKING", "ToolError", "TypedDict", "UUID"),
    )
)
"""What the module says itself; an entity of that name is called by its module."""

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
    classes = map(class_name, (*catalog.entities, *catalog.enums))
    names = ModuleNames(catalog.leaves, TAKEN, classes, dots=".")
    encoders = ResultEncoder(names)
    tools = target_tools(catalog, PACKAGE, CALLABLE)
    resources = target_tools(catalog, PACKAGE, (ResourceBody,))
    prompts = target_tools(catalog, PACKAGE, (TemplateBody,))
    runs = [_runner(catalog, tool, encoders) for tool in tools]
    bundles = {bundle.name: bundle.limits for bundle in catalog.bundles}
    guards = [
        Runner(name=py(tool.name), call=call(Code("Guard"), *arguments))
        for tool in tools
        if (arguments := _guard(tool, bundles.get(tool.bundle or "", Limits())))
    ]
    resource_runs = [_runner(catalog, tool, encoders) for tool in resources]
    own_leaves = any(leaf.python is not None for leaf in catalog.leaves.values())
    if own_leaves:
        names.leaf_module()
    kinds = {_kind(tool) for tool in (*tools, *resources)}
    connections = _connections(catalog, tools)
    has_aliases = bool(argument_aliases(catalog))
    if has_aliases:
        names.take(".", "aliases")
    named = (*tools, *resources, *prompts)
    methods = _methods(named, catalog, names)
    return ServiceModule(
        header=header(),
        imports=_imports(names, kinds, sql=bool(connections), guards=bool(guards)),
        typing_imports=_typing_imports(named, names),
        records=tuple(names.records.classes.values()),
        methods=methods,
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
    names: ModuleNames, kinds: set[str], *, sql: bool, guards: bool
) -> tuple[Code, ...]:
    of_service = {
        "": ["async_service", "service"],
        ".databases": ["Database"] if sql else [],
        ".errors": ["ServiceError", "SettingsError"],
        ".guards": ["Confirmation", *(["Guard"] if guards else [])],
        ".outcome": ["Outcome"],
        ".plan": ["Plan", *kinds],
        ".records": ["CallRecord"],
        ".settings": ["Http"],
        ".statements": ["Databases"] if sql else [],
    }
    return import_sections(
        [
            *((home_of(name), name) for name in OFFERED),
            *(
                (f"{RUNTIME}.service{module}", name)
                for module, taken in of_service.items()
                for name in taken
            ),
            *(("typing", word) for word in ("Final", "TYPE_CHECKING")),
            (".", "TOOLS"),
            *names.taken,
        ]
    )


def _methods(
    tools: Sequence[Tool], catalog: Catalog, results: ModuleNames
) -> tuple[ToolMethod, ...]:
    """Return the methods of tools, resources and prompts."""
    classes = {*map(class_name, (*catalog.entities, *catalog.enums))}
    names = method_names([tool.name for tool in tools], RESERVED | classes)
    return tuple(
        ToolMethod(
            tool=py(tool.name),
            name=names[tool.name],
            renamed=py(str(name)) if (name := names[tool.name]) != tool.name else None,
            input_class=classes_of(tool.name)[0],
            result=_result(tool, results),
            documentation=_summary(tool.description),
        )
        for tool in tools
    )


def _summary(description: str | None) -> Code | None:
    """Return the first line of a description; the input class has all of it."""
    summary = (description or "").strip().partition("\n")[0].rstrip()
    return docstring(summary) if is_docstring(summary) else None


def _result(tool: Tool, results: ModuleNames) -> Code:
    """Return the type of what a method returns."""
    if isinstance(tool.body, TemplateBody):
        return Code("tuple[RenderedMessage, ...]")
    if tool.returns is not None:
        type = annotation(tool.returns.type, results)
        may_lack = (
            isinstance(tool.body, HttpBody)
            and tool.body.response.error_mode is ErrorMode.EMPTY
            and not isinstance(tool.returns.type, NullableType)
        )
        return optional(type) if may_lack else type
    match tool.body:
        case SqlBody():
            return Code("int")
        case ResourceBody():
            return Code("object")
        case _:
            return Code("None")


def _typing_imports(tools: Sequence[Tool], names: ModuleNames) -> tuple[Code, ...]:
    """Return what the methods of tools need for type checkers."""
    pairs = [(f"{RUNTIME}.service.methods", "method"), *names.for_types]
    if any(isinstance(tool.body, TemplateBody) for tool in tools):
        pairs.append((home_of("RenderedMessage"), "RenderedMessage"))
    pairs += [
        (f".tools.{module_name(tool.name)}", classes_of(tool.name)[0]) for tool in tools
    ]
    return import_sections(pairs)


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
        case HttpBody(secrets=secrets, url=url):
            arguments = [py(f".http.{module}")]
            if secrets:
                arguments.append(tuple_of([*map(py, secrets)]))
            if url.base is not None:
                arguments.append(Code(f"base={py(url.base)}"))
        case PythonBody(handler=handler) | ResourceBody(handler=handler):
            arguments = [py(handler)] if handler is not None else []
            if isinstance(tool.body, PythonBody) and tool.body.keywords:
                arguments.append(Code("keywords=True"))
            encoder = _encoder(tool, encoders)
            if encoder is not None:
                arguments.append(Code(f"encode={encoder}"))
        case TemplateBody():
            raise AssertionError("prompts are rendered, and do not run")
    return Runner(name=py(tool.name), call=call(Code(_kind(tool)), *arguments))


def _guard(tool: Tool, shared: Limits) -> list[Code]:
    """Return the arguments of the ``Guard`` of a tool; ``shared`` are the limits of its bundle."""
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
    own = tool.limits
    rates = ((tool.name, own), (f"bundle {tool.bundle}", shared))
    rated = [
        tuple_of([py(name), py(limits.calls_per_minute)])
        for name, limits in rates
        if limits.calls_per_minute is not None
    ]
    if rated:
        arguments.append(Code(f"rates={tuple_of(rated)}"))
    for name in ("max_request_bytes", "max_response_bytes", "timeout"):
        said = (getattr(own, name), getattr(shared, name))
        holds = [limit for limit in said if limit is not None]
        if holds:
            arguments.append(Code(f"{name}={py(min(holds))}"))
    return arguments


def _encoder(tool: Tool, encoders: ResultEncoder) -> Code | None:
    """Return what makes JSON of a result; None for a tool without one."""
    if tool.returns is not None:
        encoder = encoders.function(tool.returns.type)
    elif isinstance(tool.body, ResourceBody):
        encoder = RESULT_ENCODER
    else:
        return None
    if encoder == RESULT_ENCODER:
        encoders.import_plain()
    return encoder


def _rows(catalog: Catalog, tool: Tool) -> str:
    """Return what becomes of the rows of a statement, as `brimgen_runtime.service.plan` says it."""
    if tool.returns is None:
        return "none"
    if isinstance(tool.body, SqlBody) and tool.body.last_id:
        return "last_id"
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
