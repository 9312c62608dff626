"""Names as long as they may be, and words that no docstring holds: laid out by black, typed."""

from __future__ import annotations

from pathlib import Path

import black
import pytest

from support.checkers import MYPY, RUFF, assert_clean
from support.project import Built, build

TARGETS = ("python", "handlers", "dispatch", "http", "mcp", "service", "server")
SPEC = """\
type: entity
name: ENTITY
fields: {city: string, next: ENTITY?, others: "ENTITY[]?", kinds: "ENUM[]?"}
---
type: entity
name: ENUM
enum: [red, green]
---
type: python_function
name: TOOL
description: 'Says "hi"'
handler: shop_backend.places:the_function_behind_it
arguments:
  inline:
    asked: string
    bytes: int?
    tuple: {type: int?, default: 3}
    host_moment: {type: datetime, llm: false, default: "2026-01-02T03:04:05+02:00"}
    host_key: {type: uuid, llm: false, default: 0190b7c4-0000-7000-8000-000000000000}
    host_places: {type: "ENTITY[]", llm: false, default: [{city: x}]}
    host_others: {type: "ENTITY[]", llm: false}
    host_place: {type: ENTITY, llm: false, default: {city: x}}
    host_kinds: {type: "ENUM[]?", llm: false}
    host_kind: {type: ENUM, llm: false, default: red}
    places: {type: "ENTITY[]", default: [{city: x}]}
    kinds: {type: "ENUM[]", default: [red], uniqueItems: true}
    kind: ENUM?
    seen: {type: "ENTITY[]", from_context: app.places}
returns: "ENTITY[]"
"""


@pytest.fixture(scope="module", params=[64, pytest.param(30, marks=pytest.mark.whole)])
def built(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Built:
    """A package whose entities, enums and tools have names of so many characters."""
    length: int = request.param
    spec = SPEC
    for word, name in (
        ("ENTITY", "PlaceOfTheWorld"),
        ("ENUM", "ColourOfTheWorld"),
        ("TOOL", "list_of_the_world"),
    ):
        spec = spec.replace(word, (name + "_as_long_as_a_name_can_be" * 2)[:length])
    made = build(tmp_path_factory.mktemp("long"), {"a.yaml": spec}, targets=TARGETS)
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    return made


def test_modules_with_long_names_are_laid_out_as_black_does(built: Built) -> None:
    mode = black.Mode()
    changed = [
        path
        for path, text in built.files.items()
        if path.endswith(".py") and text != black.format_str(text, mode=mode)
    ]
    assert [] == changed


@pytest.mark.whole
def test_mypy_and_ruff_find_nothing(built: Built) -> None:
    built.load("handlers")
    root = built.folder / "out" / "python"
    assert_clean(root, built.package, by=[MYPY, RUFF])


def test_quotes_in_a_description_arrive_in_the_docstring(built: Built) -> None:
    handlers = built.load("handlers")
    (protocol,) = (
        each for name, each in vars(handlers).items() if name.endswith("Handler")
    )
    assert 'Says "hi"' == protocol.__doc__


KINDS = (
    "{type: string}",
    "{type: string, required: false}",
    "string?",
    "{type: int, default: null}",
    "{type: int, default: 10}",
    '{type: "int[]", default: [1, 2]}',
    '{type: date, default: "2026-01-01"}',
    "datetime?",
    "{type: float, required: false}",
    "decimal?",
    "Place?",
    '{type: "Place[]", required: false}',
    "{type: string, enum: [ONE_LONG]}",
    "{type: string?, enum: [red, green], default: null}",
    '{type: string?, enum: ["r (e), d", "g{r}een"], required: false}',
    "{type: int?, enum: [7], required: false}",
    "{type: int?, enum: [1, 2, 3, 4], required: false}",
    "{type: int?, minimum: 1, maximum: 100, required: false}",
    "{type: string?, minLength: 3, required: false}",
    "bool?",
    "{type: uuid, required: false}",
    '"int[]?"',
    "{type: object, required: false}",
    "{type: string, from_context: app.user}",
    "{type: string, pattern: '^[a-z]+$', maxLength: 20, required: false}",
)
LENGTHS = range(22, 94)
PLACE = "type: entity\nname: Place\nfields: {city: string, floor: int?}\n"
TOOL_OF_KIND = """\
---
type: python_function
name: of_NUMBER
arguments:
  inline:
    NAME: KIND
"""


def name_of(length: int) -> str:
    return ("one_argument_" * 8)[:length]


def of_kind(kind: str) -> str:
    """A tool with one argument of a kind for each length of its name."""
    kind = kind.replace("ONE_LONG", "o" * 70)
    tools = [
        TOOL_OF_KIND.replace("NUMBER", f"{each}")
        .replace("NAME", name_of(each))
        .replace("KIND", kind)
        for each in LENGTHS
    ]
    return PLACE + "".join(tools)


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_names_of_any_length_are_laid_out_by_black(tmp_path: Path, kind: str) -> None:
    made = build(tmp_path, {"a.yaml": of_kind(kind)}, targets=("python", "json_schema"))
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    mode = black.Mode()
    changed = [
        path
        for path, text in made.files.items()
        if "/tools/of_" in path
        and path.endswith(".py")
        and text != black.format_str(text, mode=mode)
    ]
    assert [] == changed


@pytest.mark.parametrize("kind", [KINDS[3], KINDS[12], KINDS[13]])
def test_a_sole_name_or_choice_is_told_from_its_letters(
    tmp_path: Path, kind: str
) -> None:
    """A tuple of one item is none without its comma, however long that is."""
    made = build(tmp_path, {"a.yaml": of_kind(kind)}, targets=("python", "json_schema"))
    package = made.load()
    tools, InputError = package.TOOLS, package.InputError
    value = {KINDS[3]: 5, KINDS[12]: "o" * 70, KINDS[13]: "red"}[kind]
    for length in LENGTHS:
        name, tool = name_of(length), tools[f"of_{length}"]
        read = tool.input_type.from_dict
        assert {name: value} == read({name: value}).to_dict()
        if kind != KINDS[12]:
            assert {name: None} == read({name: None}).to_dict()
        with pytest.raises(InputError):
            read({name: "o"})
