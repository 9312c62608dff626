"""The limits of tools and bundles: what is refused, for whom, and when to come back."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

SPEC = """\
type: bundle
name: notes
limits: {calls_per_minute: 3, timeout: 60, max_retries: 1}
---
type: python_function
name: add
description: Add a note.
bundle: notes
limits: {calls_per_minute: 2, max_request_bytes: 20, timeout: 0.2}
arguments: {inline: {text: string}}
returns: string
---
type: python_function
name: wipe
description: Delete the notes.
bundle: notes
---
type: sql_function
name: rename
description: Rename notes. Writes to notes.
limits: {max_response_bytes: 30}
arguments: {inline: {name: string}}
returns: string
sql: UPDATE notes SET name = :name RETURNING name
---
type: http_function
name: fetch
description: Fetch a note.
bundle: notes
allowedHosts: [notes.example.com]
request: {urlTemplate: "https://notes.example.com/", retry: {maxAttempts: 5}}
returns: string
"""


class Clock:
    """The seconds that a test says have gone by."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("limits"),
        {"a.yaml": SPEC},
        targets=("python", "sql", "http", "service", "mcp", "server"),
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("brimgen_runtime.service.guards.monotonic", clock)
    return clock


def _service(built: Built, **given: Any) -> Any:
    handlers = {"add": lambda call: call.text, "wipe": lambda _: None}
    module = built.load("service")
    return module.Service(handlers={**handlers, **given}, partial=True)


def test_too_many_calls_are_busy_and_told_when_to_come_back(
    built: Built, clock: Clock
) -> None:
    service = _service(built)
    assert "ok" == service.outcome("add", {"text": "a"}).code
    clock.now += 10
    assert "ok" == service.outcome("add", {"text": "b"}).code
    outcome = service.outcome("add", {"text": "c"})
    assert ("busy", 503) == (outcome.code, outcome.status)
    assert outcome.text.endswith("Try again in 50 seconds.")
    assert 50 == outcome.to_dict()["error"]["retry_after"] == outcome.error.retry_after
    clock.now += 50
    assert "ok" == service.outcome("add", {"text": "c"}).code
    assert "busy" == service.outcome("add", {"text": "d"}).code


def test_the_tools_of_a_bundle_share_its_calls(built: Built, clock: Clock) -> None:
    service = _service(built)
    assert "ok" == service.outcome("wipe").code
    for _ in range(2):
        clock.now += 10
        assert "ok" == service.outcome("add", {"text": "a"}).code
    assert 50 == service.outcome("add", {"text": "b"}).error.retry_after
    assert 40 == service.outcome("wipe").error.retry_after


def test_one_caller_does_not_use_up_the_calls_of_another(
    built: Built, clock: Clock
) -> None:
    service = _service(built)
    made = built.load("service").CallContext
    caller = type(made("add").caller)

    def code(subject: str) -> str:
        context = made("add", caller(claims={"client_id": "app", "sub": subject}))
        outcome = service.outcome("add", {"text": "a"}, call_context=context)
        return str(outcome.code)

    assert ["ok", "ok", "busy"] == [code("ada") for _ in range(3)]
    assert ["ok", "ok", "busy"] == [code("bob") for _ in range(3)]


def test_arguments_beyond_the_limit_are_refused_before_anything_runs(
    built: Built, clock: Clock
) -> None:
    called: list[Any] = []
    service = _service(built, add=called.append)
    outcome = service.outcome("add", {"text": "é" * 10})
    assert ("request_too_large", 413) == (outcome.code, outcome.status)
    assert "its arguments have 32 bytes, 20 are allowed" in outcome.text
    assert [] == called
    service.outcome("add", {"text": "a" * 8})
    assert ["a" * 8] == [call.text for call in called]


def test_a_result_beyond_the_limit_changes_nothing(
    built: Built, tmp_path: Path
) -> None:
    path = tmp_path / "notes.db"
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE notes (name); INSERT INTO notes VALUES (0);")
    service = built.load("service").Service(
        connections={"default": str(path)}, partial=True
    )
    outcome = service.outcome("rename", {"name": "n" * 40})
    assert ("response_too_large", 502) == (outcome.code, outcome.status)
    assert outcome.text.endswith("42 bytes, 30 are allowed. Ask for less.")
    assert "n" * 28 == service.call("rename", {"name": "n" * 28})
    assert [("n" * 28,)] == connection.execute("SELECT name FROM notes").fetchall()
    connection.close()


def test_a_call_has_the_time_that_its_spec_gives_it(built: Built) -> None:
    from threading import Event

    hangs = Event()
    service = _service(built, add=lambda _: hangs.wait(20))
    assert "timeout" == service.outcome("add", {"text": "a"}).code
    hangs.set()


def test_a_request_is_tried_again_no_more_often_than_its_bundle_allows(
    built: Built,
) -> None:
    module = built.load("http.fetch")
    assert 2 == module.PLAN.retry.attempts


def test_limits_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    spec = """\
type: python_function
name: add
description: Add.
limits: {max_retries: 2, timeout: 0, calls_per_minute: 1.5, maxCallsPerMinutes: 2}
"""
    found = build(tmp_path, {"a.yaml": spec})
    assert ["unknown-key", "wrong-kind", "wrong-kind", "unknown-key"] == found.slugs
