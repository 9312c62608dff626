"""Lower the ``PLAN`` constant, which tells the runtime how to call a tool."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.http.number_places import Place
from brimgen.emit.imports import Imports
from brimgen.emit.python_text import (
    call,
    joined,
    keyword,
    tuple_of,
)
from brimgen.model.catalog import Tool
from brimgen.model.http import Encoding, ErrorMode, HttpBody, Retry
from brimgen_runtime.grammar.hosts import Host


def plan(
    tool: Tool,
    body: HttpBody,
    output: Code | None,
    decimals: Sequence[Place],
    imports: Imports,
) -> Code:
    """Return the arguments of ``PLAN`` that are not the default ones; ``output`` is a validator."""
    arguments: list[Code] = [Code(f"tool={py(tool.name)}")]
    hosts = [_host(allowed_host, imports) for allowed_host in body.allowed_hosts]
    arguments.append(Code(f"hosts={tuple_of(hosts)}"))
    if body.url.base is not None:
        arguments.append(Code(f"base={py(body.url.base)}"))
    arguments.append(Code(f"timeout={py(body.timeout_ms / 1000)}"))
    if body.retry != Retry():
        arguments.append(_retry(body.retry, imports))
    response = body.response
    if response.success_codes:
        arguments.append(Code(f"success_codes={_numbers(response.success_codes)}"))
    if tool.returns is None:
        arguments.append(Code("reads=None"))
    elif response.encoding is not Encoding.JSON:
        arguments.append(Code(f"reads={py(response.encoding.value)}"))
    if response.error_mode is ErrorMode.EMPTY:
        arguments.append(keyword("on_status", py("empty")))
    if output is not None:
        arguments.append(Code(f"output={output}"))
    if response.is_strict:
        arguments.append(Code("is_strict=True"))
    if decimals:
        arguments.append(Code(f"decimals={tuple_of([*map(_place, decimals)])}"))
    if body.secrets:
        arguments.append(Code(f"secrets={tuple_of([*map(py, body.secrets)])}"))
    return joined(arguments)


def _host(host: Host, imports: Imports) -> Code:
    arguments: list[Code] = [py(host.name)]
    if host.port is not None:
        arguments.append(Code(f"port={py(host.port)}"))
    if host.below:
        arguments.append(Code("below=True"))
    return call(imports.runtime("Host"), *arguments)


def _retry(retry: Retry, imports: Imports) -> Code:
    usual = Retry()
    arguments: list[Code] = []
    if retry.max_attempts != usual.max_attempts:
        arguments.append(Code(f"attempts={py(retry.max_attempts)}"))
    if retry.delay_ms != usual.delay_ms:
        arguments.append(Code(f"delay={py(retry.delay_ms / 1000)}"))
    if retry.max_delay_ms != usual.max_delay_ms:
        arguments.append(Code(f"max_delay={py(retry.max_delay_ms / 1000)}"))
    if retry.status_codes != usual.status_codes:
        arguments.append(Code(f"status_codes={_numbers(retry.status_codes)}"))
    if retry.any_method:
        arguments.append(Code("any_method=True"))
    return keyword("retry", call(imports.runtime("Retry"), *arguments))


def _place(place: Place) -> Code:
    return tuple_of([*map(py, place)])


def _numbers(numbers: Sequence[int]) -> Code:
    return tuple_of([*map(py, numbers)])
