"""What a build that leaves tools out is told of them, and how lists are made without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from brimgen import pipeline
from brimgen.diagnostics import Diagnostics
from brimgen.emit import LISTED
from brimgen.increment.lists import Listed, changed_list
from brimgen.increment.others import Others, others_of, packed_others, read_others
from brimgen.settings.load import Flags, load_settings

TOOL = """\
type: python_function
name: {name}
description: Find what fits.
{more}
returns: string[]
"""
MORE = {
    "plain": "arguments: { inline: { title: { type: string, description: A title } } }",
    "waives": "x-lint-ignore: { L604: so }",
    "spelled": 'title: "\\x41 title"',
    "inherits": "arguments: { entity_ref: Page }",
    "borrows": "arguments: { entity_ref: Shelf }",
}
ENTITIES = """\
type: entity
name: Page
fields: { offset: int }
---
type: entity
name: Shelf
fields: { place: { type: object, fields: { street: string } } }
---
type: python_function
name: among_entities
description: Find what fits.
"""
PROMPT = "---\nname: greet\ndescription: Greet somebody.\n---\nHello\n"


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Others:
    """What is told of the tools of a project that has one of each kind."""
    monkeypatch.chdir(tmp_path)
    specs = tmp_path / "specs"
    specs.mkdir()
    for name, more in MORE.items():
        (specs / f"{name}.yaml").write_text(TOOL.format(name=name, more=more))
    (specs / "entities.yaml").write_text(ENTITIES)
    (specs / "greet.md").write_text(PROMPT)
    settings = load_settings(Flags(), known_targets=[*LISTED], found=Diagnostics())
    made = pipeline.build(settings)
    assert not made.found.has_errors, [*made.found]
    homes = {f"specs/{name}" for name in ("greet.md", *(f"{it}.yaml" for it in MORE))}
    return others_of(made.catalog, made.sources, homes)


def test_told_of_are_tools_of_which_nothing_else_counts(others: Others) -> None:
    assert ["inherits", "plain"] == [*others.told]
    assert {"among_entities", "borrows", "greet", "spelled", "waives"} == {
        *others.rests
    }


def test_it_is_known_on_which_files_each_rests(others: Others) -> None:
    assert ("specs/entities.yaml", "specs/inherits.yaml") == others.sources("inherits")
    assert ("specs/borrows.yaml", "specs/entities.yaml") == others.sources("borrows")
    assert ("specs/greet.md",) == others.sources("greet")


def test_it_is_read_as_it_was_and_equal_ones_are_equal_bytes(others: Others) -> None:
    data = packed_others(others)
    again = read_others(data)
    assert (again.told, again.rests) == (others.told, others.rests)
    assert data == packed_others(again)


def listed(*tools: str, frame: tuple[str, str] = ("[\n", "\n]\n")) -> Listed:
    """A list of tools, a line each: the first letter is the name."""
    parts: dict[str, tuple[int, int]] = {}
    text = frame[0]
    for number, tool in enumerate(tools):
        text += ",\n" if number else ""
        parts[tool[0]] = len(text), len(text) + len(tool)
        text += tool
    return Listed(f"{text}{frame[1]}".encode(), parts)


@pytest.mark.parametrize(
    ("old", "new", "left", "whole"),
    [
        (["a1", "b1", "c1"], ["b22"], "ac", ["a1", "b22", "c1"]),
        (["a1", "b1", "c1"], [], "ac", ["a1", "c1"]),
        (["a1", "c1"], ["b2"], "ac", ["a1", "b2", "c1"]),
        (["a1", "b1"], ["c2", "d2"], "a", ["a1", "c2", "d2"]),
        (["b1"], ["a2"], "b", ["a2", "b1"]),
    ],
)
def test_a_list_gets_the_parts_of_tools_that_were_left_out(
    old: list[str], new: list[str], left: str, whole: list[str]
) -> None:
    made = changed_list("list.json", listed(*old), listed(*new), {*left})
    assert listed(*whole) == made


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (listed("a1", "b1"), listed("b2", frame=("{\n", "\n}\n")), "a"),
        (listed("a1", "b1"), listed("a2", "b2"), "a"),
        (listed("b1", "a1"), listed("c2"), "a"),
    ],
)
def test_a_list_that_is_not_as_it_was_is_a_doubt(
    old: Listed, new: Listed, left: str
) -> None:
    assert changed_list("list.json", old, new, {*left}) is None
