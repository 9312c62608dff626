"""The house rules that no checker knows: layers, no circles, and no test with a clock."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from brimgen.model.targets import TARGETS

PACKAGE = Path(__file__).resolve().parents[1] / "generator" / "brimgen"
MODULES = tuple(
    sorted(
        path
        for path in PACKAGE.rglob("*.py")
        if "starter" not in path.relative_to(PACKAGE).parts
    )
)
LONGEST_MODULE = 900
LONGEST_FUNCTION = 80

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"frozen", "quiet", "diagnostics", "library"}),
    frozenset({"source", "patterns"}),
    frozenset({"model", "sql", "schema", "formatting"}),
    frozenset({"syntax", "editor", "judging", "identity"}),
    frozenset({"resolve", "lint", "importers", "starter"}),
    frozenset(
        {
            *("settings", "output", "emit", "contract", "build"),
            *("emitting", "stages"),
        }
    ),
    frozenset({"agreement"}),
    frozenset({"api", "cli", "languageserver", "__main__", "__init__"}),
)
"""The rooms, lowest layer first. A module imports from its own layer and from those below."""


def layer_of(room: str) -> int:
    return next(index for index, rooms in enumerate(LAYERS) if room in rooms)


def room_of(module: str) -> str:
    """``emit.python.view`` belongs to ``emit``."""
    return module.partition(".")[0] or "__init__"


def name_of(path: Path) -> str:
    """The dotted name of a module below ``brimgen``; the package itself is ``""``."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = frozenset(map(name_of, MODULES))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, module) of every import of brimgen in a module, lazy ones too."""
    folders = ["brimgen", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            above = folders[: len(folders) + 1 - node.level] if node.level else []
            start = ".".join([*above, *filter(None, [node.module])])
            names = [(f"{start}.{alias.name}", start) for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [(alias.name, alias.name) for alias in node.names]
        else:
            continue
        for whole, short in names:
            if short == "brimgen" or short.startswith("brimgen."):
                ours = whole.removeprefix("brimgen").removeprefix(".")
                outer = short.removeprefix("brimgen").removeprefix(".")
                yield node.lineno, ours if ours in NAMES else outer


def test_every_room_has_a_layer() -> None:
    rooms = {room_of(name) for name in NAMES}
    assert rooms - frozenset().union(*LAYERS) == set()


def test_imports_point_downwards() -> None:
    offences = [
        f"{path.relative_to(PACKAGE)}:{line}: must not import {name}"
        for path in MODULES
        for line, name in imports(path)
        if name and layer_of(room_of(name)) > layer_of(room_of(name_of(path)))
    ]
    assert offences == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    sorter = TopologicalSorter(
        {
            name_of(path): {name for _, name in imports(path)} - {name_of(path)}
            for path in MODULES
        }
    )
    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_target_sees_another() -> None:
    targets = {each.name for each in TARGETS if not each.files}
    for path in MODULES:
        mine = name_of(path).split(".")
        if mine[0] == "emit" and mine[1:2] and mine[1] in targets:
            for line, name in imports(path):
                theirs = name.split(".")
                other = theirs[0] == "emit" and theirs[1:2] and theirs[1] in targets
                assert not other or theirs[1] == mine[1], f"{path}:{line}"


def test_modules_and_functions_can_be_read() -> None:
    offences = []
    for path in MODULES:
        room = path.relative_to(PACKAGE)
        lines = path.read_bytes().count(b"\n")
        if lines > LONGEST_MODULE:
            offences.append(f"{room} has {lines} lines")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    offences.append(f"{room}:{node.lineno}: {node.name}, {length}")
    assert offences == []


def test_modules_say_what_they_are_for() -> None:
    assert [each for each in MODULES if not ast.get_docstring(tree_of(each))] == []


def test_no_test_depends_on_how_fast_the_machine_is() -> None:
    tests = Path(__file__).parent
    clocks = re.compile(
        r"\b(perf_counter|process_time|thread_time)(_ns)?\b|monotonic\(\) - [a-z]"
    )
    mine = Path(__file__).resolve()
    for file in sorted(tests.rglob("*.py")):
        if file.resolve() != mine:
            assert clocks.search(file.read_text(encoding="utf-8")) is None, file
