"""What the host program gives: the keywords of ``bind`` are the attributes, but for a few."""

from __future__ import annotations

import datetime as dt

import pytest

from support.project import Built, build

KEPT = [
    "key",
    "type",
    "value",
    "item",
    "each",
    "made",
    "found",
    "format",
    "Upper",
    "raw",
    "new",
    "map",
    "len",
    "to_int",
]
SUFFIXED = ["call", "context", "bind_call"]
LONG = "a_name_of_forty_characters_that_is_whole"
SPEC = f"""\
type: entity
name: Colour
enum: [red, green]
---
type: python_function
name: probe
description: Probe something.
arguments:
  inline:
    asked: string
{''.join(f'    {each}: {{type: string, llm: false}}{chr(10)}' for each in [*KEPT, *SUFFIXED])}
    {LONG}: {{type: date, llm: false}}
    {LONG}_and_more: {{type: "int[]", llm: false, default: [1]}}
    big: {{type: int, llm: false}}
    Big: {{type: int, from_context: app.big, maximum: 7}}
    big_: {{type: "Colour[]", from_context: app.colours}}
    days: {{type: "date[]", from_context: app.days}}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A tool whose host program gives it what is called as what methods say themselves."""
    made = build(
        tmp_path_factory.mktemp("hosts"), {"a.yaml": SPEC}, targets=("python",)
    )
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    return made


def test_what_is_given_arrives(built: Built) -> None:
    tool = built.tool("probe")
    given = {each: f"the {each}" for each in KEPT}
    given |= {f"{each}_": f"the {each}" for each in SUFFIXED}
    context = {"app": {"big": 3, "colours": ["red"], "days": ["2026-02-03"]}}
    day = dt.date(2026, 1, 2)
    call = tool.input_type("what")
    bound = tool.bound_type.bind(call, context, **given, **{LONG: day}, big=5)
    assert {each: f"the {each}" for each in [*KEPT, *SUFFIXED]} == {
        each: getattr(bound, each) for each in [*KEPT, *SUFFIXED]
    }
    colour = built.load("entities").Colour.RED
    assert (5, 3, [colour], [dt.date(2026, 2, 3)], day, [1]) == (
        bound.big,
        bound.Big,
        bound.big_,
        bound.days,
        getattr(bound, LONG),
        getattr(bound, f"{LONG}_and_more"),
    )
