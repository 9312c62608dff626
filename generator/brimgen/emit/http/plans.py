"""Plans: how a tool is called, as the constant that says it to the runtime."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.emit.code import Code, py
from brimgen.emit.expressions import Call, Expression, called, laid_out
from brimgen.emit.http.decimals import Place
from brimgen.emit.http.imports import Imports
from brimgen.model.catalog import Tool
from brimgen.model.http import Encoding, ErrorMode, HostPattern, HttpBody, Retry


def plan(
    tool: Tool, body: HttpBody, decimals: Sequence[Place], imports: Imports
) -> Code:
    """The statement that makes ``PLAN``; what is usual is left out."""
    arguments: list[Expression] = [Code(f"tool={py(tool.name)}")]
    hosts = [_host(each, imports) for each in body.allowed_hosts]
    arguments.append(_tuple("hosts=", hosts))
    arguments.append(Code(f"timeout={py(body.timeout_ms / 1000)}"))
    if body.retry != Retry():
        arguments.append(_retry(body.retry, imports))
    response = body.response
    if response.success_codes:
        arguments.append(Code(f"success_codes={_numbers(response.success_codes)}"))
    if tool.returns is None:
        arguments.append(Code("reads=None"))
    elif response.encoding is Encoding.TEXT:
        arguments.append(Code('reads="text"'))
    if response.error_mode is ErrorMode.EMPTY:
        arguments.append(Code('on_status="empty"'))
    if response.is_strict:
        arguments.append(Code("is_strict=True"))
    if decimals:
        arguments.append(_tuple("decimals=", map(_place, decimals)))
    if body.secrets:
        arguments.append(_tuple("secrets=", map(py, body.secrets)))
    return laid_out(called("Plan", *arguments), before="PLAN: Final = ")


def _host(host: HostPattern, imports: Imports) -> Expression:
    arguments: list[Expression] = [py(host.host)]
    if host.port is not None:
        arguments.append(Code(f"port={host.port}"))
    if host.below:
        arguments.append(Code("below=True"))
    return called(imports.name("Host"), *arguments)


def _retry(retry: Retry, imports: Imports) -> Call:
    usual = Retry()
    arguments: list[Expression] = []
    if retry.max_attempts != usual.max_attempts:
        arguments.append(Code(f"attempts={retry.max_attempts}"))
    if retry.delay_ms != usual.delay_ms:
        arguments.append(Code(f"delay={py(retry.delay_ms / 1000)}"))
    if retry.max_delay_ms != usual.max_delay_ms:
        arguments.append(Code(f"max_delay={py(retry.max_delay_ms / 1000)}"))
    if retry.status_codes != usual.status_codes:
        arguments.append(Code(f"status_codes={_numbers(retry.status_codes)}"))
    if retry.any_method:
        arguments.append(Code("any_method=True"))
    found = called(imports.name("Retry"), *arguments)
    return Call(f"retry={found.head}", found.arguments)


def _place(place: Place) -> Expression:
    return _tuple("", map(py, place)) if place else Code("()")


def _tuple(before: str, items: Iterable[Expression]) -> Call:
    made = tuple(items)
    return Call(f"{before}(", made, ",)" if len(made) == 1 else ")")


def _numbers(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(str, numbers))}{',' if len(numbers) == 1 else ''})"
