"""available_commands: the grammar of seed 003 and what it cannot say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from brimgen.emit.commands import EMITTER
from support.made import catalog, complaints, emitted, tool
from support.project import build

FILE = "commands/available_commands.json"
SEED = {
    "command_name": "get_calendar_events",
    "description": "Read calendar events.",
    "parameters": [
        {"name": "resolved_datetimes", "type": "array<datetime>", "required": False}
    ],
}
SPEC = """\
type: python_function
name: get_calendar_events
description: Read calendar events.
arguments:
  inline:
    resolved_datetimes: { type: array<datetime>, required: false }
"""


def parameters(inline: str, folder: Path) -> Any:
    spec = f"type: python_function\nname: find\narguments:\n  inline: {{{inline}}}\n"
    built = build(folder, {"a.yaml": spec}, targets=("commands",))
    assert [] == built.codes
    [command] = built.json(FILE)
    return command["parameters"]


@pytest.mark.parametrize("word", ["string", "int", "float", "bool", "date", "datetime"])
def test_every_word_of_the_grammar(tmp_path: Path, word: str) -> None:
    assert [
        {"name": "a", "type": word, "required": True},
        {"name": "b", "type": f"array<{word}>", "required": True},
    ] == parameters(f"a: {word}, b: '{word}[]'", tmp_path)


@pytest.mark.parametrize(
    ("inline", "type"),
    [
        ("a: decimal", "float"),
        ("a: uuid", "string"),
        ("a: 'int?'", "int"),
        ("a: {type: 'date[]', required: false, default: null}", "array<date>"),
    ],
)
def test_what_has_a_word_all_the_same(tmp_path: Path, inline: str, type: str) -> None:
    [made] = parameters(inline, tmp_path)
    assert type == made["type"]


UNSAYABLE: dict[str, Any] = {
    "object": {"type": "object"},
    "matrix": {"type": "array", "items": {"type": "array"}},
    "any list": {"type": "array"},
    "tuple": {
        "type": "array",
        "prefixItems": [{"type": "string"}],
        "items": {"type": "string"},
    },
    "union": {"type": ["string", "integer"]},
    "nullable with a default": {"type": ["string", "null"], "default": "a"},
    "objects": {"type": "array", "items": {"type": "object"}},
    "reference": {"$ref": "#/$defs/x"},
}


@pytest.mark.parametrize("kind", UNSAYABLE)
def test_a_tool_that_cannot_be_declared_is_left_out_with_a_warning(kind: str) -> None:
    schema = {"type": "object", "properties": {"x": UNSAYABLE[kind]}}
    made = catalog(tool("matrix", schema), tool("ping"))
    assert ["ping"] == [each["command_name"] for each in emitted(EMITTER, made)[FILE]]
    assert [
        (
            "T470",
            10,
            "target commands: `matrix` is left out: the grammar has no type for `x`",
        )
    ] == complaints(EMITTER, made)


def test_hidden_arguments_and_tools_that_are_off_are_left_out(tmp_path: Path) -> None:
    hidden = SPEC + "    user: { type: object, from_context: app.user }\n"
    off = SPEC.replace("get_calendar", "off") + "enabled: false\n"
    built = build(tmp_path, {"a.yaml": hidden, "b.yaml": off}, targets=("commands",))
    assert [SEED] == built.json(FILE)
    assert "user" not in built.files[FILE]
