"""What a handler knows of its call: who called, how long it may take, whether somebody waits."""

from __future__ import annotations

import logging
import time

import pytest

from brimgen_runtime.calls.call_context import (
    CallContext,
    CallEnded,
    Caller,
    current_call,
    running,
)


def test_a_handler_finds_the_call_it_runs_for() -> None:
    call = CallContext("look", Caller(headers={"x-user": "ada"}))
    with running(call):
        assert current_call() is call
    assert "(no call)" == current_call().tool


def test_a_handler_that_asks_is_stopped_when_its_time_is_up() -> None:
    call = CallContext("look", deadline=time.monotonic() + 100)
    call.check()
    assert 99 < (call.remaining or 0) <= 100
    late = CallContext("look", deadline=time.monotonic() - 1)
    assert 0 == late.remaining
    with pytest.raises(CallEnded, match="look took too long"):
        late.check()
    assert CallContext("look").remaining is None


def test_a_handler_that_asks_is_stopped_when_nobody_waits() -> None:
    call = CallContext("look")
    with pytest.raises(KeyError), running(call):
        raise KeyError
    assert call.cancelled
    with pytest.raises(CallEnded, match="look was cancelled"):
        call.check()


def test_without_a_client_a_log_message_goes_to_the_log_of_the_program(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        CallContext("look").log("notice", "half way", rows=3)
        CallContext("look").progress(1, 2)
    (record,) = caplog.records
    assert ("look: half way", logging.INFO) == (record.getMessage(), record.levelno)


def test_a_file_that_names_no_address_gets_one() -> None:
    call = CallContext("look")
    call.attach(b"\x89PNG", "image/png")
    call.attach("a,b", "text/csv", uri="shop:///report.csv")
    uris = [each.uri for each in call.attachments]
    assert ["attachment:look/1", "shop:///report.csv"] == uris
