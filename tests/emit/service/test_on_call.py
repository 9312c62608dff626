"""What the host program learns of each call: a record, and spans of OpenTelemetry."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

from support.project import Built, build

SPEC = """\
type: python_function
name: add
description: Add numbers.
arguments: {inline: {numbers: "int[]"}}
returns: int
---
type: resource
name: page
path: /pages/{n}
arguments: {inline: {n: int}}
returns: string
---
type: template_function
name: ask
description: Ask.
arguments: {inline: {topic: string}}
messages: [{role: user, content: "Tell me about {{ topic }}"}]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("on_call"),
        {"a.yaml": SPEC},
        targets=("python", "service", "prompts", "resources", "mcp", "server"),
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


def _handlers() -> dict[str, Any]:
    return {"add": lambda call: sum(call.numbers), "page": lambda call: f"# {call.n}"}


def test_each_call_is_told_once_whatever_became_of_it(built: Built) -> None:
    records: list[Any] = []
    module = built.load("service")
    before = time.time_ns()
    with module.Service(handlers=_handlers(), on_call=records.append) as service:
        service.outcome("add", {"numbers": [1, 2]})
        service.outcome("add", {"numbers": "secret words"})
        service.outcome("nothing")
        service.call("ask", {"topic": "tea"})
        service.call("page", {"n": 1})
    assert [
        ("add", "tool", "function", "ok"),
        ("add", "tool", "function", "invalid_arguments"),
        ("nothing", "tool", None, "unknown_tool"),
        ("ask", "prompt", None, "ok"),
        ("page", "resource", "function", "ok"),
    ] == [(each.name, each.kind, each.runs, each.code) for each in records]
    assert all(before <= each.started <= time.time_ns() for each in records)
    assert all(each.seconds >= 0 for each in records)
    assert "Add numbers." == records[0].description
    assert isinstance(records[0], module.CallRecord)
    assert records[0].error is None
    assert isinstance(records[1].error, module.InputError)


def test_a_hook_that_fails_costs_no_call(
    built: Built, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(record: Any) -> None:
        raise SystemExit(record.name)

    service = built.load("service").Service(handlers=_handlers(), on_call=fail)
    assert 3 == service.call("add", {"numbers": [1, 2]})
    assert "on_call failed: RuntimeError" in caplog.text


class Provider(trace.TracerProvider):
    """Keeps the spans that are made."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def get_tracer(self, *_: Any, **__: Any) -> trace.Tracer:
        return Tracer(self.spans)


class Span(NonRecordingSpan):
    """A span that can be looked at."""

    def __init__(self, name: str, given: dict[str, Any]) -> None:
        number = id(self)
        super().__init__(SpanContext(number, number, False, TraceFlags(1)))
        self.parent = trace.get_current_span(given.get("context"))
        self.name, self.kind = name, given["kind"]
        self.attributes = dict(given["attributes"] or {})
        self.start, self.stop = given.get("start_time"), None
        self.status = trace.StatusCode.UNSET

    def set_attribute(self, key: str, value: Any) -> None:
        self.attributes[key] = value

    def set_status(self, status: Any, description: Any = None) -> None:
        self.status = status

    def end(self, end_time: Any = None) -> None:
        self.stop = end_time


class Tracer(trace.Tracer):
    """Makes spans."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans

    def start_span(self, name: str, **given: Any) -> trace.Span:  # type: ignore[override]
        self._spans.append(Span(name, given))
        return self._spans[-1]

    def start_as_current_span(self, *_: Any, **__: Any) -> Any:
        raise AssertionError("not used")


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    made = Provider()
    monkeypatch.setattr(trace, "get_tracer", lambda *_, **__: made.get_tracer())
    yield made


def test_spans_follow_the_conventions(built: Built, provider: Provider) -> None:
    from brimgen_runtime.otel import span

    parent = NonRecordingSpan(SpanContext(1, 2, False, TraceFlags(1)))
    service = built.load("service").Service(handlers=_handlers(), on_call=span)
    with trace.use_span(parent):
        service.outcome("add", {"numbers": [1, 2]})
    service.outcome("add", {})
    good, bad = provider.spans
    assert ("execute_tool add", trace.SpanKind.INTERNAL) == (good.name, good.kind)
    assert {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "add",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.description": "Add numbers.",
        "brimgen.outcome": "ok",
    } == good.attributes
    assert parent is good.parent
    assert good.start <= (good.stop or 0)
    assert trace.StatusCode.UNSET == good.status
    assert "invalid_arguments" == bad.attributes["error.type"]
    assert trace.StatusCode.ERROR == bad.status
