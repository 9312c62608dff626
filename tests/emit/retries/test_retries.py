"""The retries target: calls that are tried again are there where a project asks for them."""

from __future__ import annotations

from pathlib import Path

from support.project import build

TOOL = """\
type: python_function
name: double
arguments:
  inline:
    n: int
"""


def test_a_wrong_call_is_tried_again_where_the_project_asks(tmp_path: Path) -> None:
    built = build(tmp_path / "a", {"a.yaml": TOOL}, targets=("python", "retries"))
    replies = iter([{"n": "two"}, {"n": 2}])
    outcome = built.load("retries").call_with_retries(
        lambda _: [{"name": "double", "arguments": next(replies)}],
        lambda call: 2 * call.input.n,
        tools=built.load().TOOLS,
    )
    assert (True, 1, 4) == (outcome.accepted, len(outcome.refusals), outcome.value)
    plain = build(tmp_path / "b", {"a.yaml": TOOL}, targets=("python",))
    assert [] == [path for path in plain.files if "retr" in path]
