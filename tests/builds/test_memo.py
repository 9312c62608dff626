"""What a memo knows is not made again, and whatever it does not know for certain is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.build import memo
from brimgen.build.cache import read_entry, write_entry
from brimgen.cli import run as cli
from brimgen.emit import python
from brimgen.emit.artifact import Artifact, ToolFiles
from brimgen.model.catalog import Tool
from brimgen.model.project import Project as Configured
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
    """A project with a cache of its own; of which tools a run makes Python."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.specs, self.out = folder, folder / "specs", folder / "out"
        self.cache = folder / "cache"
        self.made: list[str] = []
        self._capsys = capsys

    def run(self, *arguments: str) -> tuple[int, list[str]]:
        """The exit code, and the tools that were made."""
        self.made.clear()
        self.code = cli.run(list(arguments))
        self.said = told(self._capsys.readouterr().err)
        return self.code, sorted(self.made)

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.specs / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))

    def add(self, name: str, text: str) -> None:
        (self.specs / name).write_text(text)

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
    """Whether a build without a cache says the same and, if it is sound, makes the same files."""
    warm, said = tree(project.out), (project.code, project.said)
    shutil.rmtree(project.cache)
    if project.code == 0:
        shutil.rmtree(project.out)
    project.run("generate")
    return said == (project.code, project.said) and warm == tree(project.out)


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


def test_a_new_entity_with_the_name_of_a_class_changes_the_tool_that_has_it(
    project: Project,
) -> None:
    size = "    size: { type: object, fields: { wide: float } }\n"
    project.edit("nails.yaml", "  inline:\n", f"  inline:\n{size}")
    project.run("generate")
    module = (project.out / "python/tools/tools/nails.py").read_text()
    [name] = re.findall(r"class (\w*Size)\b", module)
    project.add("size.yaml", f"type: entity\nname: {name}\nfields: {{ a: int }}\n")
    project.run("generate")
    assert 0 == project.code
    assert module != (project.out / "python/tools/tools/nails.py").read_text()
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


def rewrite(file: Path, change: Callable[[Any], Any]) -> None:
    """Change what an intact file of the cache says."""
    write_entry(str(file), change(read_entry(str(file))))


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_memo_counts_as_absent(project: Project, name: str) -> None:
    rewrite(project.memo, STRANGE[name])
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


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (TOOL.format(name="masts", entity="Page"), 1),
        (TOOL.format(name="Masts", entity="Page"), 1),
        (TOOL.format(name="oars", entity="Pages"), 1),
        ("type: entity\nname: Mast\nfields: { high: int }\n", 0),
        ("type: entity\nname: Mast\nfields: { inner: Mast? }\n", 0),
        ("type: [", 1),
    ],
)
def test_another_spec_that_concerns_all(project: Project, more: str, code: int) -> None:
    project.add("another.yaml", more)
    project.run("generate")
    assert code == project.code
    assert is_as_cold(project)


BUNDLE = "type: bundle\nname: box\nslug: box\n"
PLACE = "bundle: box\nslug: thing\nversion: 1.0.0\n"
NUMBER = "id: 01890a5d-ac96-774b-bcce-b302099a8057\n"


@pytest.mark.parametrize("claim", [PLACE, NUMBER])
def test_two_specs_with_one_claim_are_told(project: Project, claim: str) -> None:
    project.add("box.yaml", BUNDLE)
    project.add("lamps.yaml", TOOL.format(name="lamps", entity="Page") + claim)
    project.run("generate")
    assert 0 == project.code
    project.add("masts.yaml", TOOL.format(name="masts", entity="Page") + claim)
    assert (1, []) == project.run("generate")
    assert is_as_cold(project)


def test_a_statement_in_a_file_of_its_own_is_read(project: Project) -> None:
    project.add("rows.sql", "SELECT 1 AS one\n")
    project.add(
        "rows.yaml",
        "type: sql_function\nname: rows\ndescription: Give one.\nhandler: rows.sql\n"
        "returns: int\n",
    )
    project.run("generate")
    assert 0 == project.code
    project.edit("rows.sql", "1", "2")
    project.run("generate")
    assert is_as_cold(project)


def test_a_fact_that_does_not_say_its_value_is_no_key(project: Project) -> None:
    class Secret:
        pass

    known = memo.Memo(
        str(project.cache), project.specs, project.out, "program", Configured()
    )
    tool: Any = "a tool"
    for fact in (Secret(), [Secret()], 10**5000):
        part = ToolFiles(tool, (fact,), lambda: (Artifact("a", "b"),))
        for _ in range(2):
            assert [1] == known.files_to_write(
                "python",
                part,
                lambda: [1],  # type: ignore[list-item]
                lambda files, target, sources: True,
            )
