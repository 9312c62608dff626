"""Lower the ``PLAN`` constant, which tells the runtime how to call a tool."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.http.module_imports import Imports
from brimgen.emit.http.number_places import Place
from brimgen.emit.python_text.pieces import (
    joined,
    keyword,
    spread,
    tuple_of,
)
from brimgen.model.catalog import Tool
from brimgen.model.http import Encoding, ErrorMode, HostPattern, HttpBody, Retry


def plan(
    tool: Tool,
    body: HttpBody,
    output: Code | None,
    decimals: Sequence[Place],
    imports: Imports,
) -> Code:
    """Return the arguments of ``PLAN`` that are not the default ones; ``output`` is a validator."""
    arguments: list[Code] = [keyword("tool", py(tool.name))]
    hosts = [_host(allowed_host, imports) for allowed_host in body.allowed_hosts]
    arguments.append(keyword("hosts", tuple_of(hosts)))
    if body.url.base is not None:
        arguments.append(keyword("base", py(body.url.base)))
    arguments.append(keyword("timeout", py(body.timeout_ms / 1000)))
    if body.retry != Retry():
        arguments.append(_retry(body.retry, imports))
    response = body.response
    if response.success_codes:
        arguments.append(keyword("success_codes", _numbers(response.success_codes)))
    if tool.returns is None:
        arguments.append(keyword("reads", Code("None")))
    elif response.encoding is not Encoding.JSON:
        arguments.append(keyword("reads", py(response.encoding.value)))
    if response.error_mode is ErrorMode.EMPTY:
        arguments.append(keyword("on_status", py("empty")))
    if output is not None:
        arguments.append(keyword("output", output))
    if response.is_strict:
        arguments.append(keyword("is_strict", Code("True")))
    if decimals:
        arguments.append(keyword("decimals", tuple_of([*map(_place, decimals)])))
    if body.secrets:
        arguments.append(keyword("secrets", tuple_of([*map(py, body.secrets)])))
    return joined(arguments)


def _host(host: HostPattern, imports: Imports) -> Code:
    arguments: list[Code] = [py(host.host)]
    if host.port is not None:
        arguments.append(keyword("port", py(host.port)))
    if host.below:
        arguments.append(keyword("below", Code("True")))
    return spread(imports.name("Host"), *arguments)


def _retry(retry: Retry, imports: Imports) -> Code:
    usual = Retry()
    arguments: list[Code] = []
    if retry.max_attempts != usual.max_attempts:
        arguments.append(keyword("attempts", py(retry.max_attempts)))
    if retry.delay_ms != usual.delay_ms:
        arguments.append(keyword("delay", py(retry.delay_ms / 1000)))
    if retry.max_delay_ms != usual.max_delay_ms:
        arguments.append(keyword("max_delay", py(retry.max_delay_ms / 1000)))
    if retry.status_codes != usual.status_codes:
        arguments.append(keyword("status_codes", _numbers(retry.status_codes)))
    if retry.any_method:
        arguments.append(keyword("any_method", Code("True")))
    return keyword("retry", spread(imports.name("Retry"), *arguments))


def _place(place: Place) -> Code:
    return tuple_of([*map(py, place)])


def _numbers(numbers: Sequence[int]) -> Code:
    return tuple_of([*map(py, numbers)])
