"""Hidden values in generated code: bound, handed on, and never shown."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

import pytest

from support.project import build

SPEC = """\
type: python_function
name: pay
description: Pays.
arguments:
  inline:
    amount: int
    token: { type: string, from_context: app.user.token, minLength: 20 }
    keys: { from_context: app.keys, fields: { a: int } }
    limit: { type: int, from_context: config.limit, default: 5 }
    note: { type: 'string?', llm: false }
    a_very_long_name_for_something_that_is_hidden_from_every_caller_of_it:
      { type: string, llm: false, default: x }
"""
SECRET = "hunter2-s3cr3t-and-long-enough"
CONTEXT: dict[str, Any] = {"app": {"user": {"token": SECRET}, "keys": {"a": 1}}}


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("hidden")
    return build(folder, {"a.yaml": SPEC}, targets=("python",)).tool("pay")


def test_a_bound_object_shows_what_the_caller_sent_only(tool: Any) -> None:
    call = tool.input_type.from_call({"amount": 3})
    bound = tool.bound_type.bind(call, CONTEXT, note=SECRET)
    assert (SECRET, 1, 5, SECRET) == (
        bound.token,
        bound.keys.a,
        bound.limit,
        bound.note,
    )
    assert "PayBound(amount=3)" == repr(bound)
    assert SECRET not in str([bound, {"bound": bound}])
    assert bound == tool.bound_type.bind(call, CONTEXT, note=SECRET)
    assert bound != tool.bound_type.bind(call, CONTEXT, note="other")


@pytest.mark.parametrize(
    "context",
    [
        {"app": {"user": {"token": SECRET[:19]}, "keys": {"a": 1}}},
        {"app": {"user": {"token": SECRET}, "keys": {"a": 1, SECRET: 2}}},
        {"app": {"user": {"token": SECRET}, "keys": SECRET}},
        {"app": {"user": {"token": [SECRET]}, "keys": {"a": 1}}},
        {"app": {"user": {"token": SECRET}}},
        {**CONTEXT, "config": {"limit": SECRET}},
    ],
)
def test_a_wrong_context_is_told_without_its_values(tool: Any, context: Any) -> None:
    call = tool.input_type.from_call({"amount": 3})
    with pytest.raises(LookupError) as caught:
        tool.bound_type.bind(call, context)
    shown = "".join(traceback.format_exception(caught.value))
    for text in (str(caught.value), repr(caught.value), shown):
        assert SECRET[:19] not in text


@pytest.mark.parametrize("name", ["token", "keys", "limit", "note"])
def test_a_caller_that_sends_it_is_refused_as_sending_something_unknown(
    tool: Any, name: str
) -> None:
    with pytest.raises(ValueError) as caught:
        tool.input_type.from_call({"amount": 3, name: "x"})
    [violation] = caught.value.violations
    assert (f"/{name}", "unknown") == (violation.pointer, violation.rule)
    assert 'expected "amount"' in caught.value.retry_message().replace("one of ", "")
    for hidden in {"token", "keys", "limit", "note"} - {name}:
        assert hidden not in caught.value.retry_message()
