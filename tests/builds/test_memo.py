"""What a memo knows is not made again, and whatever it does not know for certain is."""

from __future__ import annotations

import json
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.build import memo
from brimgen.build.states import STARTED
from brimgen.cli import run as cli
from brimgen.emit import python
from brimgen.emit.artifact import Artifact, ToolFiles
from brimgen.model.catalog import Tool
from support.builds import told, tree

ENTITIES = """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, minimum: 0 }
---
type: entity
name: Line
fields:
  number: int
"""
TOOL = """\
type: python_function
name: {name}
description: Find every {name} that fits.
arguments:
  entity_ref: {entity}
  inline:
    title: string
    lines: Line[]
returns: string[]
"""


class Project:
    """A project with a cache of its own, and the tools of which each run makes Python."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.specs, self.out = folder, folder / "specs", folder / "out"
        self.cache = folder / "cache"
        self.made: list[str] = []
        self._capsys = capsys

    def run(self, *arguments: str) -> tuple[int, list[str]]:
        """The exit code, and the tools that were made."""
        self.made.clear()
        code = cli.run(list(arguments))
        self.said = told(self._capsys.readouterr().err)
        return code, sorted(self.made)

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.specs / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    @property
    def memo(self) -> Path:
        [found] = self.cache.glob("*.memo")
        return found


@pytest.fixture
def project(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Project:
    """Three tools, two of one entity, that were generated before."""
    made = Project(tmp_path, capsys)
    made.specs.mkdir()
    (tmp_path / "brimgen.yaml").write_text("targets: [python, json_schema, docs]\n")
    (made.specs / "entities.yaml").write_text(ENTITIES)
    for name, entity in (("lamps", "Page"), ("masts", "Page"), ("nails", "Line")):
        text = TOOL.format(name=name, entity=entity)
        (made.specs / f"{name}.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRIMGEN_CACHE", str(made.cache))
    lower = python.lower_tool

    def lower_tool(tool: Tool, package: Any) -> Any:
        made.made.append(tool.name)
        return lower(tool, package)

    monkeypatch.setattr(python, "lower_tool", lower_tool)
    assert (0, ALL) == made.run("generate")
    return made


ALL = ["lamps", "masts", "nails"]


def is_as_cold(project: Project) -> bool:
    """Whether the output folder, and what was said, is that of a build without a cache."""
    warm, said = tree(project.out), project.said
    shutil.rmtree(project.out)
    shutil.rmtree(project.cache)
    assert (0, ALL) == project.run("generate")
    return (warm, said) == (tree(project.out), project.said)


def test_only_the_changed_tool_is_made(project: Project) -> None:
    project.edit("lamps.yaml", "Find", "Look for")
    assert (0, ["lamps"]) == project.run("generate")
    assert is_as_cold(project)


def test_check_makes_only_the_changed_tool_too(project: Project) -> None:
    project.edit("lamps.yaml", "Find", "Look for")
    assert (3, ["lamps"]) == project.run("check")
    assert (0, ["lamps"]) == project.run("generate")
    assert (0, []) == project.run("check")


def test_tools_that_a_changed_entity_is_part_of_are_made(project: Project) -> None:
    project.edit("entities.yaml", "minimum: 0", "minimum: -1")
    assert (0, ["lamps", "masts"]) == project.run("generate")
    assert is_as_cold(project)


def test_an_entity_that_is_read_otherwise_changes_tools_that_only_name_it(
    project: Project,
) -> None:
    """Two of the three tools have a list of lines, and the third the fields of one besides."""
    project.edit(
        "entities.yaml", "number: int", "number: { type: int, description: N }"
    )
    assert (0, ALL) == project.run("generate")
    assert is_as_cold(project)


def test_a_new_tool_leaves_the_others(project: Project) -> None:
    text = TOOL.format(name="oars", entity="Page")
    (project.specs / "oars.yaml").write_text(text)
    assert (0, ["oars"]) == project.run("generate")
    (project.specs / "oars.yaml").unlink()
    assert (0, []) == project.run("generate")
    assert is_as_cold(project)


def test_a_lost_file_is_made_again(project: Project) -> None:
    file = project.out / "python/tools/tools/masts.py"
    text = file.read_bytes()
    file.unlink()
    assert (0, ["masts"]) == project.run("generate")
    assert text == file.read_bytes()


def test_an_edited_file_is_kept_and_replaced_by_force(project: Project) -> None:
    file = project.out / "python/tools/tools/masts.py"
    text = file.read_bytes()
    file.write_bytes(text + b"# by hand\n")
    assert (3, ["masts"]) == project.run("generate")
    assert "O520" in project.said
    assert (0, ["masts"]) == project.run("generate", "--force")
    assert text == file.read_bytes()


def test_a_run_of_one_target_keeps_what_is_known_of_the_others(
    project: Project,
) -> None:
    assert (0, []) == project.run("generate", "--target", "docs")
    assert (0, []) == project.run("generate")


@pytest.mark.parametrize("setting", ["closed: false", "tz: assume-utc"])
def test_other_settings_make_all(project: Project, setting: str) -> None:
    with (project.folder / "brimgen.yaml").open("a") as stream:
        stream.write(f"{setting}\n")
    assert (0, ALL) == project.run("generate")
    assert is_as_cold(project)


def test_another_version_makes_all(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memo, "__version__", "0.0.0")
    assert (0, ALL) == project.run("generate")


def test_a_changed_template_or_module_makes_all(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = memo.program_states()
    assert any(path.endswith("python/module.py.j2") for path in states)
    changed = {path: [1, 2, 3, 4] for path in states}
    monkeypatch.setattr(memo, "program_states", lambda: changed)
    assert (0, ALL) == project.run("generate")
    assert (0, []) == project.run("generate")


def test_a_program_that_changes_while_it_runs_uses_no_memo(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    young = {"templates/a.j2": [1, 2, STARTED, STARTED]}
    monkeypatch.setattr(memo, "program_states", lambda: young)
    before = project.memo.read_bytes()
    assert (0, ALL) == project.run("generate")
    assert (0, ALL) == project.run("generate")
    assert before == project.memo.read_bytes()


def other_out(value: Any) -> Any:
    return {**value, "out": "/another/folder"}


def each_row(change: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    def changed(value: Any) -> Any:
        for by_key in value["targets"].values():
            for rows in by_key.values():
                rows[:] = [change(row) for row in rows]
        return value

    return changed


STRANGE: dict[str, Callable[[Any], Any]] = {
    "a list": lambda value: [value],
    "null": lambda value: None,
    "no targets": lambda value: {"out": value["out"]},
    "targets are a list": lambda value: {**value, "targets": []},
    "of another folder": other_out,
    "rows are short": each_row(lambda row: row[:2]),
    "rows are texts": each_row(lambda row: "abc"),
    "a hash is a number": each_row(lambda row: [row[0], row[1], 5]),
    "another hash": each_row(lambda row: [row[0], row[1], "0" * 64]),
    "another size": each_row(lambda row: [row[0], row[1] + 1, row[2]]),
    "a path that leaves": each_row(lambda row: [f"../{row[0]}", *row[1:]]),
}


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_memo_counts_as_absent(project: Project, name: str) -> None:
    _, _, text = project.memo.read_bytes().partition(b"\n")
    data = json.dumps(STRANGE[name](json.loads(text))).encode()
    checksum = b"%08x%08x" % (zlib.crc32(data), zlib.adler32(data))
    project.memo.write_bytes(checksum + b"\n" + data)
    assert (0, ALL) == project.run("generate")
    assert (0, []) == project.run("generate")


@pytest.mark.parametrize("data", [b"", b"\xff", b"0" * 16, b"[" * 5000])
def test_a_damaged_memo_counts_as_absent(project: Project, data: bytes) -> None:
    project.memo.write_bytes(data)
    assert (0, ALL) == project.run("generate")
    assert (0, []) == project.run("generate")


def test_a_cache_that_others_can_enter_is_not_read(project: Project) -> None:
    project.cache.chmod(0o755)
    before = project.memo.read_bytes()
    assert (0, ALL) == project.run("generate")
    assert before == project.memo.read_bytes()


def test_a_fact_that_does_not_say_its_value_is_no_key(project: Project) -> None:
    class Secret:
        pass

    known = memo.Memo(str(project.cache), project.out, "program")
    tool: Any = "a tool"
    for fact in (Secret(), [Secret()], 10**5000):
        part = ToolFiles(tool, (fact,), lambda: (Artifact("a", "b"),))
        for _ in range(2):
            assert [1] == known.changed(
                "python",
                part,
                lambda: [1],  # type: ignore[list-item]
                lambda files, target, sources: True,
            )
