"""Profiles: what a tool under `toolspec` must say, and that it then makes a valid ToolSpec."""

from __future__ import annotations

from pathlib import Path

from support.project import build

HEAD = "type: python_function\nname: echo\n"
PROFILE = "profiles: [toolspec]\n"
TEXTS = "description: Echoes text.\nwhen_to_use: Use for smoke tests\n"
INPUT = "arguments: {inline: {text: {type: string, description: What}}}\n"
RETURNS = "returns: {type: string, description: The text}\n"
WHOLE = HEAD + PROFILE + TEXTS + INPUT + RETURNS


def test_what_the_profile_accepts_validates(tmp_path: Path) -> None:
    entity = "type: entity\nname: Place\nfields: {lat: float}\n---\n"
    more = WHOLE.replace(
        "{text: {type: string, description: What}}",
        "{text: {type: 'Place?', description: What}, n: {type: 'int[]', description: N}}",
    )
    targets = ("python", "toolspec")
    spec = build(tmp_path, {"a.yaml": entity + more}, targets=targets).spec("echo")
    spec.validate()
    assert ["object", "array"] == [each.type for each in spec.inputs]
