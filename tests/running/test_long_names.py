"""Names as long as they may be, and words that no docstring holds: laid out by black, typed."""

from __future__ import annotations

import subprocess
import sys

import black
import pytest

from support.project import Built, build

TARGETS = ("python", "handlers", "dispatch", "http", "mcp", "server")
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


@pytest.fixture(scope="module", params=[30, 64])
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
    assert [] == [each.message for each in made.found if each.rule.severity == "error"]
    return made


def test_black_changes_nothing(built: Built) -> None:
    mode = black.Mode()
    changed = [
        path
        for path, text in built.files.items()
        if path.endswith(".py") and text != black.format_str(text, mode=mode)
    ]
    assert [] == changed


def test_mypy_and_ruff_find_nothing(built: Built) -> None:
    built.load("handlers")
    root = built.folder / "out" / "python"
    for tool in (
        ["mypy", "--strict", "--config-file=", built.package],
        ["ruff", "check", "--isolated", "--no-cache", built.package],
    ):
        command = [sys.executable, "-m", *tool]
        ran = subprocess.run(
            command, cwd=root, capture_output=True, text=True, check=False
        )
        told = [x for x in ran.stdout.splitlines() if "_backend" not in x]
        assert 0 == ran.returncode, told


def test_words_arrive(built: Built) -> None:
    handlers = built.load("handlers")
    (protocol,) = (
        each for name, each in vars(handlers).items() if name.endswith("Handler")
    )
    assert 'Says "hi"' == protocol.__doc__
