"""A list that gets another name, and files that are no specs, where not everything is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.walks import Hike

TOOL = """\
type: python_function
name: {name}
description: "{said}"
arguments: {{ inline: {{ title: {{ type: string, description: A title }} }} }}
returns: string[]
"""


class Walker:
    """A project of a few tools, and the files that one edit after the other writes or removes."""

    def __init__(self, folder: Path, edits: list[dict[str, str | None]]) -> None:
        self.folder, self.specs = folder, folder / "specs"
        self._edits = iter(edits)
        self.specs.mkdir()
        (folder / "brimgen.yaml").write_text("targets: [python, docs, openai]\n")
        for name in ("find", "load", "count", "pack", "send"):
            self._write(f"{name}.yaml", TOOL.format(name=name, said="It helps."))

    def step(self) -> str:
        edit = next(self._edits)
        for name, text in edit.items():
            self._write(name, text)
        return ", ".join(edit)

    def _write(self, name: str, text: str | None) -> None:
        if text is None:
            (self.specs / name).unlink()
        else:
            (self.specs / name).write_text(text)


def test_a_list_that_gets_another_name_has_all_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index = TOOL.format(name="index", said="It takes the page of the list.")
    switched = f"enabled: false\n{index}"
    edits = [{"index.yaml": each} for each in (index, switched, index, None)]
    ways = Hike(Walker(tmp_path, edits), monkeypatch, capsys).walk(4)
    assert {"nothing": 0, "changed": 2, "whole": 3} == ways


def test_of_a_file_that_is_no_spec_nothing_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = TOOL.format(name="find", said="It really helps.")
    edits: list[dict[str, str | None]] = [
        {"more.yaml.txt": "so", "find.yaml": said},
        {"README.md": "so"},
        {"new.yaml": TOOL.format(name="new", said="It helps.")},
        {"more.yaml.txt": None, "new.yaml": None},
    ]
    ways = Hike(Walker(tmp_path, edits), monkeypatch, capsys).walk(4)
    assert {"nothing": 1, "changed": 3, "whole": 1} == ways
