"""A user's tool, as seed 001 writes one, passes strict type checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.checkers import MYPY, assert_clean
from support.project import build

SPEC = """\
type: python_function
name: calculator
description: Performs arithmetic operations
when_to_use: Use when you must compute a numeric result
arguments: { inline: { a: { type: number, description: Left operand } } }
returns: { type: number, description: Result of the operation }
"""
USE = """\
from {package} import TOOLS
from {package}.retries import CallOutcome, ToolCall, call_with_retries
from {package}.toolspec import BaseTool, ToolResponse, spec_of


class EchoTool(BaseTool):
    spec = spec_of(TOOLS["calculator"])

    def __call__(self, *, text: str, **kwargs: object) -> ToolResponse:
        return ToolResponse(final_answer=True, observation=text)


def dispatch(call: ToolCall) -> int:
    return len(call.name)


def outcome() -> int:
    ended: CallOutcome[int] = call_with_retries(
        lambda messages: None, dispatch, tools=TOOLS
    )
    return ended.value


answer: ToolResponse = EchoTool()(text="a")
checked: dict[str, object] = spec_of(TOOLS["calculator"]).check_inputs({})
"""


@pytest.mark.whole
def test_a_users_tool_passes_strict_type_checks(tmp_path: Path) -> None:
    made = build(tmp_path, {"a.yaml": SPEC}, targets=("python", "retries", "toolspec"))
    (tmp_path / "user.py").write_text(USE.replace("{package}", made.package))
    assert_clean(tmp_path, "user.py", by=[MYPY], packages=made.out / "python")
