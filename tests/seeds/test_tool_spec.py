"""Seed 001: its code samples, unchanged but for their imports; its messages; every tool's spec."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.checkers import MYPY, assert_clean
from support.project import Built, build

CALCULATOR = """\
type: python_function
name: calculator
description: Performs arithmetic operations
when_to_use: Use when you must compute a numeric result
arguments:
  inline:
    operation: { type: string, description: add|sub|mul|div }
    a: { type: number, description: Left operand }
    b: { type: number, description: Right operand }
returns: { type: number, description: Result of the operation }
"""
PLACES = """\
type: entity
name: Coordinate
fields: { latitude: float, longitude: float }
---
type: python_function
name: locate
description: Finds places.
when_to_use: Use to find a place
arguments:
  inline:
    center: { type: Coordinate, description: Where }
    tags: { type: 'string[]', description: Which, required: false }
    limit: { type: 'int?', description: How many }
    day: { type: date, description: When }
    user: { type: string, from_context: app.user.id }
    note: { type: string, llm: false, default: none }
returns: { type: 'string[]', description: Names }
---
type: python_function
name: store
description: Stores a value.
when_to_use: Use to keep a value
arguments: { inline: { value: primitive, key: string } }
"""
PARAM = """\
from {package}.toolspec import ToolParam
ToolParam(name="query", type="string", description="SQL to execute", required=True)
"""
RETURN = """\
from {package}.toolspec import ToolReturn
ToolReturn(type="object", description="Query results as a JSON object")
"""
SPEC = """\
from {package}.toolspec import ToolSpec, ToolParam, ToolReturn

spec = ToolSpec(
    name="calculator",
    description="Performs arithmetic operations",
    when_to_use="Use when you must compute a numeric result",
    inputs=[
        ToolParam(name="operation", type="string", description="add|sub|mul|div", required=True),
        ToolParam(name="a", type="number", description="Left operand", required=True),
        ToolParam(name="b", type="number", description="Right operand", required=True),
    ],
    returns=ToolReturn(type="number", description="Result of the operation"),
)
spec.validate()
"""
ECHO = """\
from {package}.toolspec import BaseTool, ToolResponse
from {package}.toolspec import ToolSpec, ToolParam, ToolReturn

class EchoTool(BaseTool):
    spec = ToolSpec(
        name="echo",
        description="Echoes text back to the caller.",
        when_to_use="Use for basic echo or smoke testing",
        inputs=[ToolParam(name="text", type="string", description="Text to echo", required=True)],
        returns=ToolReturn(type="string", description="The echoed text"),
    )
    def __call__(self, *, text: str, **kwargs) -> ToolResponse:
        return ToolResponse(final_answer=True, observation=text)
"""
STRICT = """\
# Raises ValueError: missing required 'text', or wrong types, or extras.
EchoTool().spec.check_inputs({"text": 123})
"""
USE = """\

from {package} import TOOLS
from {package}.retries import CallOutcome, ToolCall, call_with_retries
from {package}.toolspec import spec_of

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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("seed")
    files = {"calculator.yaml": CALCULATOR, "places.yaml": PLACES}
    made = build(folder, files, targets=("python", "retries", "toolspec"))
    made.load()
    return made


def run(built: Built, *samples: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "samples"}
    for sample in samples:
        exec(sample.replace("{package}", built.package), namespace)
    return namespace


WRONG_PARTS = {
    "returns=None": "echo: returns must be a ToolReturn",
    "returns={'type': 'string'}": "echo: returns must be a ToolReturn",
    "returns=ToolReturn(type=['string'], description='x')": "unsupported type",
    "inputs=None": "echo: inputs must be a list of ToolParam",
    "inputs={}": "echo: inputs must be a list of ToolParam",
    "inputs=EchoTool.spec.inputs[0]": "echo: inputs must be a list of ToolParam",
    "inputs=[None]": "echo: null is no ToolParam",
    "inputs=[{'name': 'text'}]": 'echo: {"name": "text"} is no ToolParam',
    "inputs=[ToolParam(name=[], type='string', description='x')]": "without a name",
}


@pytest.mark.parametrize("part", WRONG_PARTS)
def test_a_wrong_part_of_a_spec_is_a_value_error_as_every_fault(
    built: Built, part: str
) -> None:
    made = "\nfrom dataclasses import replace\nspec = replace(EchoTool.spec, "
    spec = run(built, ECHO, f"{made}{part})")["spec"]
    for check in (spec.validate, spec.to_json):
        with pytest.raises(ValueError, match=re.escape(WRONG_PARTS[part])):
            check()
    if not part.startswith("returns=ToolReturn"):
        with pytest.raises(ValueError, match=re.escape(WRONG_PARTS[part])):
            spec.check_inputs({"text": "a"})


@pytest.mark.parametrize("sample", [PARAM, RETURN, SPEC, ECHO])
def test_N1_the_samples_run(built: Built, sample: str) -> None:
    run(built, sample)


def test_N1_the_strict_sample_raises(built: Built) -> None:
    with pytest.raises(ValueError, match=r"^echo\.text must be string, got integer$"):
        run(built, ECHO, STRICT)


def test_N3_the_messages_of_the_seed(built: Built) -> None:
    namespace = run(
        built, SPEC.replace('"b", type="number"', '"b", type="float"')[:-16]
    )
    with pytest.raises(ValueError, match=r"calculator\.b has unsupported type 'float'"):
        namespace["spec"].validate()
    twice = SPEC.replace('name="a"', 'name="query"').replace('name="b"', 'name="query"')
    with pytest.raises(ValueError, match="duplicate input 'query'"):
        run(built, twice)


def test_a_generated_tool_offers_the_spec_of_the_sample(built: Built) -> None:
    written = run(built, SPEC)["spec"]
    generated = built.spec("calculator")
    assert written == generated
    generated.validate()
    raw = {"operation": "add", "a": 1, "b": 2.5}
    assert raw is generated.check_inputs(raw)


def test_nested_and_hidden_arguments(built: Built) -> None:
    spec = built.spec("locate")
    spec.validate()
    assert [
        ("center", "object", True),
        ("tags", "array", False),
        ("limit", "integer", False),
        ("day", "string", True),
    ] == [(each.name, each.type, each.required) for each in spec.inputs]
    assert "array" == spec.returns.type
    raw = {"center": {"latitude": 1.0}, "day": "today", "user": "u1"}
    with pytest.raises(ValueError, match=r"^locate: unexpected 'user'$"):
        spec.check_inputs(raw)
    assert "user" not in json.dumps(spec.to_json())


def test_what_six_types_cannot_say_is_told(built: Built) -> None:
    with pytest.raises(ValueError) as caught:
        _ = built.spec("store")
    assert (
        "store.value has unsupported type 'boolean or number or string'; "
        "store returns unsupported type 'void'"
    ) == str(caught.value)


def test_N7_a_tool_runs_with_its_inputs_and_what_the_runtime_adds(built: Built) -> None:
    namespace = run(built, ECHO)
    seen: dict[str, Any] = {}

    class Noting(namespace["EchoTool"]):  # type: ignore[misc]
        def __call__(self, *, text: str, **kwargs: Any) -> Any:
            seen.update(kwargs)
            return super().__call__(text=text)

    tool = Noting()
    answer = tool(**tool.spec.check_inputs({"text": "hi"}), user="u1")
    assert (True, "hi") == (answer.final_answer, answer.observation)
    assert {"user": "u1"} == seen


BAD_SPECS = {
    "no spec": "spec = None",
    "another's": "spec = {'name': 'echo'}",
    "blank": "spec = dataclasses.replace(EchoTool.spec, when_to_use=' ')",
    "no inputs": "spec = dataclasses.replace(EchoTool.spec, inputs=[])",
}


@pytest.mark.parametrize("kind", BAD_SPECS)
def test_N7_no_instance_with_a_bad_spec_whatever_init_does(
    built: Built, kind: str
) -> None:
    source = (
        "import dataclasses\n"
        "class Bad(EchoTool):\n"
        f"    {BAD_SPECS[kind]}\n"
        "    def __init__(self, *parts: object) -> None:\n"
        "        self.parts = parts\n"
    )
    namespace = run(built, ECHO, source)
    for arguments in ((), (1, 2)):
        with pytest.raises((TypeError, ValueError)):
            namespace["Bad"](*arguments)


def test_an_init_without_super_does_no_harm_to_a_good_one(built: Built) -> None:
    source = "class Good(EchoTool):\n    def __init__(self, n):\n        self.n = n\n"
    assert 3 == run(built, ECHO, source)["Good"](3).n
    with pytest.raises(TypeError):
        run(built, ECHO)["EchoTool"](3)


def test_a_tool_without_a_call_is_abstract(built: Built) -> None:
    namespace = run(built, SPEC, f"from {built.package}.toolspec import BaseTool")
    lazy = type("Lazy", (namespace["BaseTool"],), {"spec": namespace["spec"]})
    with pytest.raises(TypeError, match="abstract"):
        lazy()


@pytest.mark.whole
def test_a_users_tool_passes_strict_type_checks(built: Built, tmp_path: Path) -> None:
    user = tmp_path / "user.py"
    typed = ECHO.replace("**kwargs)", "**kwargs: object)")
    user.write_text((typed + USE).replace("{package}", built.package))
    python = built.folder / "out" / "python"
    assert_clean(tmp_path, user.name, by=[MYPY], packages=python)


def test_an_entity_of_the_same_name_is_the_packages_own(tmp_path: Path) -> None:
    entity = "type: entity\nname: ToolSpec\nfields: { size: int }\n"
    made = build(
        tmp_path,
        {"a.yaml": entity, "b.yaml": CALCULATOR},
        targets=("python", "toolspec"),
    )
    package = made.load()
    assert 3 == package.ToolSpec(3).size
    assert "calculator" == made.spec("calculator").name
