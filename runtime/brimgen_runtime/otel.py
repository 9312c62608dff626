"""Spans of OpenTelemetry for calls: ``Service(on_call=span)``.

Needs ``opentelemetry-api`` (``pip install 'brimgen-runtime[otel]'``). Names and attributes are
those of the semantic conventions for generative AI (``execute_tool get_orders``) and for MCP. A
span is a child of the one that is current where the call was made: of an agent, or of the MCP
server, for which the SDK makes spans and takes the ``traceparent`` of its clients.
"""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from .service.records import CallRecord

_NAMES = {
    "tool": ("execute_tool", "gen_ai.tool.name"),
    "prompt": ("prompts/get", "gen_ai.prompt.name"),
    "resource": ("resources/read", "mcp.resource.name"),
}
_TOOL_TYPES = {"statement": "datastore", "request": "extension"}


def span(record: CallRecord) -> None:
    """Make the span of a call that has ended."""
    operation, key = _NAMES[record.kind]
    attributes = {key: record.name, "brimgen.outcome": record.code}
    if record.kind == "tool":
        attributes["gen_ai.operation.name"] = operation
        attributes["gen_ai.tool.type"] = _TOOL_TYPES.get(record.runs or "", "function")
        if record.description:
            attributes["gen_ai.tool.description"] = record.description
    session = record.caller.headers.get("mcp-session-id")
    if session:
        attributes["mcp.session.id"] = session
    made = trace.get_tracer("brimgen_runtime").start_span(
        f"{operation} {record.name}",
        kind=SpanKind.INTERNAL,
        attributes=attributes,
        start_time=record.started,
    )
    if record.error is not None:
        made.set_attribute("error.type", record.code)
        made.set_status(StatusCode.ERROR)
    made.end(record.started + int(record.seconds * 1e9))
