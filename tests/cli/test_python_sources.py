"""The setting `sources`: classes of Python modules are specs of the build, and never run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

Write = Callable[[str, str], Path]

WEATHER = '''\
"""Weather tools."""

from dataclasses import dataclass
from enum import StrEnum, auto
from typing import Annotated

from shop.entities import Place

raise RuntimeError("this module is never run")


class Unit(StrEnum):
    CELSIUS = auto()
    KELVIN = auto()


@dataclass
class Days:
    """Some days."""

    count: int

    def hours(self) -> int:
        return self.count * 24


class Helper:
    pass


@dataclass
class ForecastInput:
    """Tell the weather of the next days."""

    place: Place
    """Where."""
    days: Days
    unit: Annotated[Unit, "The unit"] = Unit.CELSIUS
    param_descriptions = {"days": "How long"}


def forecast(call: ForecastInput) -> str:
    return "rain"
'''
PLACE = "type: entity\nname: Place\nfields: { name: string }\n---\n"
PLAN = (
    "type: python_function\nname: plan\ndescription: Plan some days.\n"
    "arguments: { inline: { days: { type: Days, description: How many } } }\n"
)


@pytest.fixture
def write_module(write: Write) -> Callable[[str], Path]:
    """Write the module of a project whose specs and module need each other."""
    write("brimgen.yaml", "package: shop\nsources: [app/*.py]\n")
    write("specs/plan.yaml", PLACE + PLAN)

    def write_module(text: str) -> Path:
        return write("app/weather.py", text)

    write_module(WEATHER)
    return write_module


def test_classes_are_entities_and_tools_of_the_build(
    run: Run, write_module: Callable[[str], Path], project: Path
) -> None:
    ran = run("generate")
    assert (0, False) == (ran.code, "warning" in ran.err)
    schemas = project / "out/python/shop/schemas/tools"
    forecast = json.loads((schemas / "forecast.input.json").read_text())
    assert ["place", "days"] == forecast["required"]
    said = forecast["properties"]
    assert ["Where.", "How long", "The unit"] == [
        said[each]["description"] for each in ("place", "days", "unit")
    ]
    assert "celsius" == said["unit"]["default"]
    plan = json.loads((schemas / "plan.input.json").read_text())
    days = plan["$defs"][plan["properties"]["days"]["$ref"].removeprefix("#/$defs/")]
    assert "count" in days["properties"]
    answer = json.loads((schemas / "forecast.output.json").read_text())
    assert "string" == answer["type"]  # `forecast` returns it
    tool = project / "out/python/shop/tools/forecast.py"
    assert "Tell the weather of the next days." in tool.read_text()
    assert 0 == run("check").code


def test_a_changed_module_is_built_and_told_of(
    run: Run, write_module: Callable[[str], Path], project: Path
) -> None:
    run("generate")
    assert "0 files written" in run("generate").err
    write_module(WEATHER.replace('"The unit"', '"The scale"'))
    assert 3 == run("check").code
    assert 0 == run("generate").code
    schema = project / "out/python/shop/schemas/tools/forecast.input.json"
    assert "The scale" in schema.read_text()
    assert "forecast.input.json" in run("action", "--list", "app/weather.py").out
    assert 0 == run("generate", "--depfile", "build.d").code
    assert "app/weather.py" in (project / "build.d").read_text()


MISTAKES = [
    ("place: Place", "place: complex", "35:12: error[I707]"),
    ("place: Place", "place: Missing", "35:12: error[I707]"),
    ("count: int", "count: dict[int, int]", "21:12: error[I707]"),
    ('{"days"', '{"dasy"', "39:27: error[I707]"),
    ("param_descriptions =", "param_description =", "39:5: error[I707]"),
    ("class Days:", "class Days(Plaec):", "18:12: error[I707]"),
    ("class Helper:", "class HelperInput:", "27:7: warning[I714]"),
    ("class Days:", "class Place:", "specs/plan.yaml"),
    ("count: int", "count: int = 'é'; b: int = 'x'", "21:32: error"),
    ("raise RuntimeError(", "raise RuntimeError((", "9:19: error[I701]"),
]


@pytest.mark.parametrize(("right", "wrong", "told"), MISTAKES)
def test_what_no_spec_can_say_is_told_in_the_module(
    run: Run,
    write_module: Callable[[str], Path],
    project: Path,
    right: str,
    wrong: str,
    told: str,
) -> None:
    write_module(WEATHER.replace(right, wrong, 1))
    ran = run("generate", "--format", "concise")
    assert told in ran.err
    assert (project / "out").exists() == ("warning" in told)


def test_an_imported_class_that_is_no_entity_is_told_where_it_is_used(
    run: Run, write_module: Callable[[str], Path]
) -> None:
    write_module(WEATHER.replace("Place", "Plaec"))
    said = run("generate", "--format", "concise").err
    assert "app/weather.py:35:12: error[R" in said
    assert "did you mean `Place`" in said


INHERITING = '''\
from dataclasses import dataclass

from shop.entities import Place


@dataclass
class Town:
    name: str
    """The name."""


@dataclass
class Quarter(Town):
    number: int


@dataclass
class FindInput(Quarter):
    """Find all shops of a quarter, nearest first."""

    param_descriptions = {"name": "The town", "number": "Which quarter"}


@dataclass
class VisitInput(Place):
    """Go to a place and come back."""

    param_descriptions = {"name": "Where to go"}
'''


def test_inherited_fields_are_described_by_the_tool_that_inherits_them(
    run: Run, write_module: Callable[[str], Path], project: Path
) -> None:
    """From classes of the module and from entities of specs; each misspelling is told."""
    module = write_module(INHERITING)
    (project / "specs/plan.yaml").write_text(PLACE.removesuffix("---\n"))
    assert (0, "") == ((ran := run("generate")).code, ran.err.partition("error")[1])
    schemas = project / "out/python/shop/schemas"
    for tool, texts in (
        ("find", {"name": "The town", "number": "Which quarter"}),
        ("visit", {"name": "Where to go"}),
    ):
        said = json.loads((schemas / f"tools/{tool}.input.json").read_text())
        found = {k: v["description"] for k, v in said["properties"].items()}
        assert texts == found
    town = json.loads((schemas / "entities.json").read_text())["$defs"]["Town"]
    assert "The name." == town["properties"]["name"]["description"]
    for right, wrong, told in (
        ('"number": "W', '"nubmer": "W', "app/weather.py:21:47: error[I707]"),
        ('"name": "Where', '"naem": "Where', "app/weather.py:28:27: error[S230]"),
    ):
        module.write_text(INHERITING.replace(right, wrong))
        told_now = run("generate", "--format", "concise").err
        assert told in told_now
        assert "did you mean" in told_now


def test_a_sandbox_needs_the_modules_that_an_action_uses(
    run: Run, write_module: Callable[[str], Path], project: Path
) -> None:
    sandboxed = ("--with", "specs/plan.yaml", "--target", "python")
    ran = run("action", "app/weather.py", *sandboxed, "--depfile", "a.d")
    assert 0 == ran.code, ran.err
    assert (project / "out/python/shop/schemas/tools/forecast.input.json").exists()
    assert {"app/weather.py", "specs/plan.yaml"} <= {
        *(project / "a.d").read_text().replace("\\", " ").split()
    }
    (project / "app/weather.py").unlink()
    ran = run("action", "specs/plan.yaml")
    assert (True, 1) == ("O501" in ran.err, min(ran.code, 1))


def test_a_project_may_have_modules_alone(
    run: Run, write: Write, project: Path
) -> None:
    (project / "specs").rmdir()
    write("brimgen.yaml", "sources: [types.py]\n")
    text = "class AddInput(ToolInput):\n    'Add a book to the shelf.'\n"
    write("types.py", text)
    ran = run("generate")
    assert (0, False) == (ran.code, "warning" in ran.err)
    assert (project / "out/python/tools/tools/add.py").exists()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("[ap/*.py]", "`ap/*.py` of the setting `sources` fits no Python module"),
        ("[app/wether.py]", "did you mean `app/weather.py`"),
        ("[app]", "did you mean `app/*.py`"),
        ("[specs/plan.yaml]", "its name does not end in `.py`"),
        ("app/weather.py", "setting `sources` must be"),
        ("[1]", "setting `sources` must be"),
    ],
)
def test_a_setting_that_names_no_module_is_told(
    run: Run, write_module: Callable[[str], Path], write: Write, said: str, told: str
) -> None:
    write("brimgen.yaml", f"sources: {said}\n")
    ran = run("generate")
    assert (1, True) == (ran.code != 0, told in ran.err)
