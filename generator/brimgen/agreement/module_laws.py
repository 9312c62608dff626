"""Compare modules of the package that name tools with the specs: the service, handlers, prompts."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.bound_calls import PROMPTS
from brimgen.agreement.hint_laws import wanted_hints
from brimgen.agreement.report import Fault
from brimgen.emit.names import module_name
from brimgen.model.catalog import (
    Catalog,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody
from brimgen.model.types import ListType, NullableType

REQUESTS = "HTTP requests"
SERVICE = "service"
HANDLERS = "handlers"
SERVER = "MCP server"
RESOURCES = "resources"


def module_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield where these modules differ from the specs."""
    package = f"python/{catalog.project.package}"
    for name, faults in (
        ("service.py", _service_faults),
        ("handlers.py", _handler_faults),
        ("mcp_server.py", _server_faults),
        ("resources.py", _resource_faults),
        ("prompts.py", _prompt_faults),
    ):
        path = f"{package}/{name}"
        if path in files:
            try:
                tree = ast.parse(files[path])
            except (SyntaxError, ValueError):
                continue  # reported as a module that does not compile
            for tool, artifact, says in faults(catalog, tree):
                yield Fault(tool, artifact, path, says)
    for tool in catalog.tools:
        path = f"{package}/http/{module_name(tool.name)}.py"
        if isinstance(tool.body, HttpBody) and path in files:
            try:
                tree = ast.parse(files[path])
            except (SyntaxError, ValueError):
                continue
            for says in _request_faults(tool, tool.body, tree):
                yield Fault(tool, REQUESTS, path, says)


_ToolFaults = Iterator[tuple[Tool, str, str]]


def _assigned(tree: ast.Module, name: str) -> ast.expr | None:
    """What a module assigns to a name."""
    for node in tree.body:
        targets = (
            [node.target]
            if isinstance(node, ast.AnnAssign)
            else node.targets if isinstance(node, ast.Assign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and target.id == name:
                return (
                    node.value if isinstance(node, ast.AnnAssign | ast.Assign) else None
                )
    return None


def _keyword(call: ast.expr | None, name: str) -> ast.expr | None:
    if isinstance(call, ast.Call):
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
    return None


def _calls(node: ast.expr | None) -> dict[str, ast.Call]:
    """The calls of a dict, by their keys."""
    calls: dict[str, ast.Call] = {}
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Call):
                calls[str(key.value)] = value
    return calls


def _constants(node: ast.expr | None) -> list[Any]:
    """The constants of a tuple."""
    elements = node.elts if isinstance(node, ast.Tuple) else []
    return [element.value for element in elements if isinstance(element, ast.Constant)]


def _service_faults(catalog: Catalog, tree: ast.Module) -> _ToolFaults:
    plan = _assigned(tree, "PLAN")
    runs = _calls(_keyword(plan, "runs"))
    resources = _calls(_keyword(plan, "resources"))
    prompts = _constants(_keyword(plan, "prompts"))
    for tool in catalog.tools:
        if not (tool.enabled and tool.is_for("python")):
            continue
        if isinstance(tool.body, TemplateBody):
            if tool.name not in prompts:
                yield tool, SERVICE, "does not offer the prompt"
            continue
        calls = resources if isinstance(tool.body, ResourceBody) else runs
        call = calls.get(tool.name)
        if call is None:
            yield tool, SERVICE, "does not offer the tool"
        elif not _runs(tool, call):
            yield tool, SERVICE, f"runs {ast.unparse(call)}, which the spec does not say"


def _runs(tool: Tool, call: ast.Call) -> bool:
    """Whether a call says how a tool runs."""
    kind = call.func.id if isinstance(call.func, ast.Name) else ""
    constants = [
        argument.value for argument in call.args if isinstance(argument, ast.Constant)
    ]
    module = module_name(tool.name)
    match tool.body:
        case SqlBody(connection=connection):
            reads = _keyword(call, "reads") is not None
            return (
                kind == "Statement"
                and constants[:2] == [f".sql.{module}", connection]
                and constants[2:3] in [[count] for count in _row_counts(tool)]
                and reads is wanted_hints(tool).get("readOnlyHint", reads)
            )
        case HttpBody(secrets=secrets):
            own = _constants(call.args[1]) if len(call.args) > 1 else []
            return (kind, constants[:1], own) == (
                *("Request", [f".http.{module}"]),
                [*secrets],
            )
        case PythonBody(handler=handler) | ResourceBody(handler=handler):
            return kind == "Function" and constants[:1] == (
                [handler] if handler else []
            )
        case _:
            return True


def _row_counts(tool: Tool) -> tuple[str, ...]:
    """How many rows a statement may give, in the words of the service."""
    match tool.returns.type if tool.returns else None:
        case None:
            return ("none",)
        case ListType() | NullableType(inner=ListType()):
            return ("many",)
        case NullableType():
            return ("maybe",)
        case _:
            return ("one", "count", "page")


def _handler_faults(catalog: Catalog, tree: ast.Module) -> _ToolFaults:
    """Each tool has its own handler, and type checkers are shown the one that the spec names."""
    held: dict[str, str] = {}
    shown: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Name):
                    held[str(key.value)] = value.id
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Handlers":
            for keyword in node.keywords:
                shown[str(keyword.arg)] = ast.unparse(keyword.value)
    for tool in catalog.tools:
        body, name = tool.body, str(module_name(tool.name))
        if not isinstance(body, PythonBody | ResourceBody) or not tool.is_for(
            "handlers"
        ):
            continue
        if held.get(tool.name) != name:
            yield tool, HANDLERS, f"hold {held.get(tool.name)} for the tool"
        wanted = body.handler.replace(":", ".") if body.handler else None
        if name in shown and shown[name] != wanted:
            yield tool, HANDLERS, f"show {shown[name]}; the spec names {body.handler}"


def _server_faults(catalog: Catalog, tree: ast.Module) -> _ToolFaults:
    """The server wraps results that are not objects, because MCP takes objects only."""
    listed = _assigned(tree, "_WRAPPED")
    wrapped = _constants(listed)
    for tool in catalog.tools:
        if not isinstance(tool.body, PythonBody | SqlBody | HttpBody):
            continue
        kind = tool.returns.schema.get("type") if tool.returns else None
        is_offered = tool.enabled and tool.is_for("mcp")
        if listed is None and is_offered:
            yield tool, SERVER, "does not say which results it puts into an object"
        elif isinstance(kind, str) and is_offered:
            is_wrapped = tool.name in wrapped
            if is_wrapped is (kind == "object"):
                verb = "puts" if is_wrapped else "does not put"
                yield tool, SERVER, f"{verb} the result, of type {kind}, into an object"


def _request_faults(tool: Tool, body: HttpBody, tree: ast.Module) -> Iterator[str]:
    """The hosts, the timeout and the secrets of a request are those of the spec."""
    plan = _assigned(tree, "PLAN")
    hosts = _keyword(plan, "hosts")
    timeout = _keyword(plan, "timeout")
    secrets = _keyword(plan, "secrets")
    for key, found, wanted in (
        ("tool", _constant(_keyword(plan, "tool")), tool.name),
        ("hosts", _hosts(hosts), [str(host) for host in body.allowed_hosts]),
        ("timeout", _constant(timeout), body.timeout_ms / 1000),
        ("secrets", _constants(secrets), [*body.secrets]),
    ):
        if found != wanted:
            yield f"has the {key} {found}; the spec has {wanted}"


def _hosts(node: ast.expr | None) -> list[str]:
    """The hosts of a tuple of calls of ``Host``, as a spec writes them."""
    hosts: list[str] = []
    for element in node.elts if isinstance(node, ast.Tuple) else ():
        if isinstance(element, ast.Call) and element.args:
            port = _constant(_keyword(element, "port"))
            below = _constant(_keyword(element, "below"))
            host = str(_constant(element.args[0]))
            start, end = "*." if below else "", "" if port is None else f":{port}"
            hosts.append(f"{start}{host}{end}")
        else:
            hosts.append(ast.unparse(element))
    return hosts


def _constant(node: ast.expr | None) -> Any:
    return node.value if isinstance(node, ast.Constant) else None


def _prompt_faults(catalog: Catalog, tree: ast.Module) -> _ToolFaults:
    """The module has each prompt; what they render, calls show."""
    listed = _assigned(tree, "PROMPTS")
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    if isinstance(listed, ast.Call):
        names = [
            argument.id for argument in listed.args if isinstance(argument, ast.Name)
        ]
    prompts: set[Any] = set()
    for name in names:
        call = _assigned(tree, name)
        if isinstance(call, ast.Call) and call.args:
            prompts.add(_constant(call.args[0]))
    for tool in catalog.tools:
        is_prompt = isinstance(tool.body, TemplateBody) and tool.enabled
        if is_prompt and tool.is_for("prompts") and tool.name not in prompts:
            yield tool, PROMPTS, "does not have the prompt"


def _resource_faults(catalog: Catalog, tree: ast.Module) -> _ToolFaults:
    """Each resource has the path and the description of the spec."""
    resources = {
        call.args[0].value: call
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "Resource"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }
    for tool in catalog.tools:
        body = tool.body
        if not isinstance(body, ResourceBody) or not tool.enabled:
            continue
        call = resources.get(tool.name)
        if call is None:
            if tool.is_for("resources") and tool.is_for("python"):
                yield tool, RESOURCES, "does not have the resource"
            continue
        for key, wanted in (("path", body.path), ("description", tool.description)):
            found = _constant(_keyword(call, key))
            if (found or None) != (wanted or None):
                yield tool, RESOURCES, f"has the {key} {found!r}; the spec has {wanted!r}"
