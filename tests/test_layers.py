"""The house rules that no checker knows: who may import whom, and how large a room may be."""

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
LONGEST_ROOM = 400
LONGEST_FUNCTION = 50

COPIED = (
    "dispatchruntime/",
    "geminiruntime/",
    "runtime/",
    "serverruntime/",
    "serviceruntime/",
    "storeruntime/",
)
"""Rooms that are copied into generated packages: they import their neighbours, relatively."""

EVERYWHERE = {"frozen"}
"""Rooms that all but the copied ones may import."""

GROUND = {"diagnostics"}
AUTHORS_VALUES = {"source.document", "source.nodes"}
MODEL = {"model", *GROUND}
EMIT = {
    "emit.account",
    "emit.artifact",
    "emit.chosen_targets",
    "emit.code",
    "emit.indented",
    "emit.codecs",
    "emit.python_text",
    "emit.locals",
    "emit.module_header",
    "emit.names",
    "emit.placed",
    "emit.render",
    "emit.template_lines",
    "emit.projection",
    *MODEL,
}
MORE: dict[str, set[str]] = {
    "bundles": {"emit.implementation"},
    "commands": {"runtime"},
    "dispatch": {"dispatchruntime"},
    "docs": {"emit.markdown"},
    "flexigpt": {"emit.implementation"},
    "gemini": {"geminiruntime"},
    "handlers": {"emit.imports"},
    "http": {"emit.imports", "runtime"},
    "json_schema": {"emit.entity_schemas"},
    "mcp": {"emit.protocol"},
    "models": {"quiet"},
    "prompts": {"emit.imports", "emit.lexical"},
    "python": {
        *("emit.carried", "emit.entity_schemas", "emit.imports"),
        *("judging", "runtime"),
    },
    "resources": {"emit.imports", "emit.lexical"},
    "server": {"emit.protocol", "serverruntime"},
    "service": {
        "emit.imports",
        "emit.protocol",
        "runtime",
        "serviceruntime",
        "sqltext",
    },
    "sql": {
        *("emit.imports", "quiet", "runtime"),
        *("sqlschema", "sqltext"),
    },
    "store": {"storeruntime"},
}
"""What a target sees besides what all targets see; most targets see nothing else."""

TARGET_ROOMS = {
    f"emit.{each.name}": {*EMIT, *MORE.get(each.name, set())}
    for each in TARGETS
    if not each.files
}
"""The rule for the folder of each target."""

FRONT = {
    "settings.load",
    "settings.colour",
    "settings.formats",
    "settings.values",
    "pipeline",
}

# Each room and the rooms it may look at (its own is understood). The longest name that fits
# counts, so `emit.python` has its own law beside that of `emit`.
LAW: dict[str, set[str]] = {
    "": set(),
    "diagnostics": {"storeruntime.rule_messages"},
    "sqltext": GROUND,
    "sqlschema": {"sqltext", *MODEL},
    "source": {"storeruntime.hidden_characters", *GROUND},
    "syntax": {"model.targets", "source", "storeruntime.headers", *GROUND},
    "editor": {"syntax", *GROUND},
    "formatting": {"source", *GROUND},
    "languageserver": {
        "",
        "editor",
        "emit",
        "formatting",
        "pipeline",
        "settings.load",
        "source",
        "sqltext",
        *MODEL,
    },
    "model": {"storeruntime.hosts", *GROUND},
    "model.targets": {"model.templates"},
    "runtime": set(),
    "serverruntime": {"runtime", "serviceruntime"},
    "serviceruntime": {"runtime"},
    "dispatchruntime": {"runtime", "serviceruntime"},
    "geminiruntime": set(),
    "storeruntime": {"runtime"},
    "library": set(),
    "lint": {"lint.options", "sqltext", *MODEL},
    "lint.options": GROUND,
    "patterns": {"runtime"},
    "judging": {"patterns", "runtime", *MODEL},
    "resolve": {
        "judging",
        "patterns",
        "sqlschema",
        "sqltext",
        "syntax",
        "runtime",
        "storeruntime",
        *AUTHORS_VALUES,
        *MODEL,
    },
    "contract": {"lint.options", "lint.run_checks", *MODEL},
    "contract.tree_files": set(),
    "emit": {"emit.custom", *TARGET_ROOMS, *EMIT},
    **TARGET_ROOMS,
    "emit.account": MODEL,
    "emit.artifact": {"emit.account", *MODEL},
    "emit.chosen_targets": {"model.targets", *MODEL},
    "emit.catalog_view": {"judging", "patterns", "emit.protocol", *EMIT},
    "emit.custom": {
        "emit.catalog_view",
        "emit.custom.mistakes",
        "emit.markdown",
        "emit.template_lines",
        "sqltext",
        *EMIT,
    },
    "emit.custom.mistakes": GROUND,
    "emit.markdown": {"emit.code"},
    "emit.losses": EMIT,
    "emit.tokens": EMIT,
    "emit.code": {"emit.indented", *MODEL},
    "emit.server_needs": MODEL,
    "emit.handler_paths": MODEL,
    "emit.indented": set(),
    "emit.implementation": MODEL,
    "emit.imports": {"emit.code", "emit.placed", "emit.python_text", "runtime", *MODEL},
    "emit.carried": {"emit.artifact", "emit.code", "runtime", *MODEL},
    "emit.codecs": {"emit.code", "emit.names", "emit.python_text", *MODEL},
    "emit.lexical": {"emit.code", "emit.python_text", *MODEL},
    "emit.python_text": {"emit.code", *MODEL},
    "emit.locals": {"emit.code", "emit.names", *MODEL},
    "emit.names": {"emit.code", *MODEL},
    "emit.placed": {"emit.code", "emit.python_text", *MODEL},
    "emit.module_header": {"emit.code"},
    "emit.template_lines": {"emit.code", "emit.placed", "emit.python_text"},
    "emit.render": {
        "build.cache",
        "build.states",
        "emit.code",
        "emit.indented",
        "emit.placed",
        "emit.python_text",
        "emit.template_lines",
        *MODEL,
    },
    "emit.entity_schemas": {"emit.projection", *MODEL},
    "emit.projection": {"judging", *EMIT},
    "emit.protocol": {"sqltext", *EMIT},
    "identity": MODEL,
    "importers": {
        *("source", "syntax", "resolve", "runtime", "sqlschema", "sqltext"),
        "storeruntime.requests",
        *MODEL,
    },
    "output": GROUND,
    "frozen": set(),
    "unswept": set(),
    "quiet": set(),
    "composing": {"importers.python.build_sources", "source", *GROUND},
    "built": {"emitting", "output", "source", *MODEL},
    "stages": {
        "emit.artifact",
        "identity",
        "lint.options",
        "source",
        "syntax",
        *MODEL,
    },
    "inferring": {
        "built",
        "composing",
        "resolve",
        "settings.load",
        "source",
        "syntax",
        *MODEL,
    },
    "emitting": {
        "emit.carried",
        "emit.artifact",
        "emit.custom.mistakes",
        "emit.server_needs",
        "emit.losses",
        "emit.tokens",
        "output.plan",
        *MODEL,
    },
    "build": {"build.cache", "settings.colour", "source.module_files"},
    "build.cache": set(),
    "build.memo": {
        "",
        "build",
        "build.cache",
        "build.inference_memo",
        "emit.artifact",
        "output.plan",
        *MODEL,
    },
    "build.inference_memo": {"build", "build.cache", "sqlschema", *MODEL},
    "build.record": {"build", "build.cache", "built", "output"},
    "settings": set(),
    "settings.colour": set(),
    "settings.formats": set(),
    "settings.configuration": {"source", *GROUND},
    "settings.setting_errors": {"source.nodes", *GROUND},
    "settings.values": {"settings.setting_errors", "source.nodes", "sqltext", *MODEL},
    "settings.connections": {
        "settings.schema_files",
        "settings.values",
        "source.nodes",
        "sqltext",
        *MODEL,
    },
    "settings.schema_files": {
        "settings.values",
        "settings.setting_errors",
        "source.nodes",
        *MODEL,
    },
    "settings.descriptors": {"settings.values", "source.nodes", *MODEL},
    "settings.server": {"settings.values", "source.nodes", *MODEL},
    "settings.sources": {
        "settings.setting_errors",
        "settings.values",
        "source.module_files",
        "source.nodes",
        *GROUND,
    },
    "settings.lint": {"settings.values", "lint.options", "source.nodes", *GROUND},
    "settings.lock_file": {"identity"},
    "settings.templates": {
        "output.paths",
        "settings.connections",
        "settings.setting_errors",
        "settings.values",
        "source.nodes",
        *MODEL,
    },
    "settings.load": {
        "identity",
        "lint.options",
        "output.folder",
        "output.system_folders",
        "settings.configuration",
        "settings.connections",
        "settings.descriptors",
        "settings.formats",
        "settings.lint",
        "settings.server",
        "settings.sources",
        "settings.lock_file",
        "settings.templates",
        "settings.values",
        "settings.setting_errors",
        "source.files",
        *AUTHORS_VALUES,
        *MODEL,
    },
    "pipeline": {
        "",
        "composing",
        "build.memo",
        "built",
        "settings.load",
        "source",
        "syntax",
        "resolve",
        "identity",
        "lint",
        "emit",
        "emit.artifact",
        "emit.custom",
        "emit.handler_paths",
        "emit.tokens",
        "emitting",
        "output",
        "stages",
        "unswept",
        *MODEL,
    },
    "agreement": {
        "emit.account",
        "emit.names",
        "patterns",
        *MODEL,
    },
    "cli": {
        "",
        "agreement",
        "build",
        "build.record",
        "built",
        "contract",
        "contract.tree_files",
        "editor",
        "emit",
        "emit.custom.mistakes",
        "formatting",
        "importers",
        "inferring",
        "languageserver",
        "model.targets",
        "output",
        "settings.configuration",
        "source.document",
        "source.files",
        "source.module_files",
        *FRONT,
        *GROUND,
    },
    "__main__": {"build", "cli"},
}
ROOMS = sorted(
    each.relative_to(PACKAGE).as_posix()
    for each in PACKAGE.rglob("*.py")
    if "starter" not in each.parts
)
MODULES = {
    ".".join(each.relative_to(PACKAGE.parent).with_suffix("").parts)
    for each in PACKAGE.rglob("*")
    if each.is_dir() or each.suffix == ".py"
}


def room_of(module: str, law: dict[str, set[str]] = LAW) -> str:
    """The longest name in the law that ``module`` (without ``brimgen.``) belongs to."""
    parts = module.split(".")
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    found = next((name for name in names if name in law), None)
    return "" if found is None else found


def module_of(room: str) -> str:
    """``emit/python/__init__.py`` is ``emit.python``."""
    name = room.removesuffix(".py").replace("/", ".")
    return "" if name == "__init__" else name.removesuffix(".__init__")


@cache
def tree_of(room: str) -> ast.Module:
    """The syntax of a module."""
    return ast.parse((PACKAGE / room).read_text(encoding="utf-8"))


def imports(room: str) -> Iterator[tuple[int, str]]:
    """(line, module) of every import of brimgen in a room, lazy ones too."""
    for node in ast.walk(tree_of(room)):
        if isinstance(node, ast.ImportFrom) and node.level:
            if node.level > room.count("/") or not room.startswith(COPIED):
                yield node.lineno, "?relative"
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield node.lineno, whole if whole in MODULES else str(node.module)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)


def allowed(module: str, target: str) -> bool:
    """Whether ``module`` may import ``target``."""
    room = room_of(module)
    other = room_of(target)
    if room == other:
        return True
    if other in EVERYWHERE:
        return f"{room}/" not in COPIED
    names = (target, *(target.rpartition(".")[:1]), other)
    prefixes = {
        ".".join(target.split(".")[:end])
        for end in range(len(target.split(".")), 0, -1)
    }
    return any(name in LAW[room] for name in (*names, *prefixes))


def test_modules_import_only_what_their_layer_may() -> None:
    offences = [
        f"{room}:{line}: {module_of(room) or 'brimgen'} must not import {name}"
        for room in ROOMS
        for line, name in imports(room)
        if name == "?relative"
        or (
            (name == "brimgen" or name.startswith("brimgen."))
            and not allowed(
                module_of(room), name.removeprefix("brimgen").removeprefix(".")
            )
        )
    ]
    assert [] == offences


def test_no_target_sees_another() -> None:
    for room, seen in TARGET_ROOMS.items():
        assert set() == seen & (TARGET_ROOMS.keys() - {room})


def test_the_law_names_rooms_that_exist() -> None:
    missing = [
        name
        for name in LAW
        if name
        and not (PACKAGE / name.replace(".", "/")).is_dir()
        and not (PACKAGE / f"{name.replace('.', '/')}.py").is_file()
    ]
    assert [] == missing


def test_the_law_has_no_circles() -> None:
    done: set[str] = set()

    def visit(room: str, path: tuple[str, ...]) -> None:
        assert room not in path, " -> ".join((*path, room))
        if room not in done:
            for other in {room_of(each) for each in LAW[room]} - {room, ""}:
                visit(other, (*path, room))
            done.add(room)

    for room in LAW:
        visit(room, ())


def imported_modules(room: str) -> set[str]:
    """The modules of brimgen that a room imports anywhere, also for type checkers alone."""
    ours = {f"brimgen.{module_of(each)}".rstrip(".") for each in ROOMS}
    folders = ["brimgen", *room.split("/")[:-1]]
    found: set[str] = set()
    for node in ast.walk(tree_of(room)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = folders[: len(folders) + 1 - node.level] if node.level else []
            start = ".".join([*above, *filter(None, [node.module])])
            wholes = [f"{start}.{alias.name}" for alias in node.names]
            found.update(whole if whole in ours else start for whole in wholes)
    modules = {each.removeprefix("brimgen").lstrip(".") for each in found & ours}
    return modules - {module_of(room)}


def test_no_modules_import_each_other_in_a_circle() -> None:
    sorter = TopologicalSorter(
        {module_of(room): imported_modules(room) for room in ROOMS}
    )
    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


VERDICTS = {
    ("emit.python.lower", "emit.sql"): False,
    ("emit.python.lower", "syntax.decls"): False,
    ("emit.python.lower", "source.nodes"): False,
    ("emit.python.lower", "model.types"): True,
    ("emit.python.lower", "emit.code"): True,
    ("model.types", "diagnostics.span"): True,
    ("model.types", "emit.code"): False,
    ("syntax.reader", "model.types"): False,
    ("resolve.link", "source.nodes"): True,
    ("resolve.link", "source.compose"): False,
    ("output.plan", "emit.artifact"): False,
    ("cli.console.report", "source.document"): True,
    ("emit.python.view", "frozen"): True,
    ("runtime.context", "frozen"): False,
}


def test_the_law_says_no_where_it_must() -> None:
    assert VERDICTS == {each: allowed(*each) for each in VERDICTS}


def test_modules_and_functions_stay_small() -> None:
    offences = [
        f"{room} has {lines} lines"
        for room in ROOMS
        if (lines := (PACKAGE / room).read_bytes().count(b"\n")) > LONGEST_ROOM
    ]
    for room in ROOMS:
        for node in ast.walk(tree_of(room)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    offences.append(
                        f"{room}:{node.lineno}: {node.name}, {length} lines"
                    )
    assert [] == offences


def test_modules_say_what_they_are_for() -> None:
    assert [] == [room for room in ROOMS if not ast.get_docstring(tree_of(room))]


def test_no_module_has_a_name_that_says_nothing() -> None:
    empty = {"utils", "helpers", "common", "base", "manager"}
    assert [] == [room for room in ROOMS if Path(room).stem in empty]


def test_the_page_of_the_house_names_every_room() -> None:
    page = (PACKAGE.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    ours = [each for each in PACKAGE.iterdir() if not each.name.startswith("_")]
    rooms = [f"{each.name}/" for each in ours if any(each.glob("*"))]
    rooms += [each.name for each in ours if each.suffix == ".py"]
    assert [] == [each for each in rooms if each not in page]


def test_where_a_line_lives_leads_to_rooms() -> None:
    page = (PACKAGE.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    table = page.partition("## Where does a line live?")[2].partition("\n## ")[0]
    said = re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", table)
    assert len(said) > 20
    assert [] == [each for each in said if not (PACKAGE / each).exists()]


def test_json_pointers_are_escaped_in_one_place_of_each_room() -> None:
    escaped = [room for room in ROOMS if '"~1"' in (PACKAGE / room).read_text("utf-8")]
    assert [
        "model/json_pointer.py",
        "runtime/_runtime/errors.py",
        "runtime/_runtime/references.py",  # which alone reads pointers
        "storeruntime/schema_parts.py",
    ] == escaped


def test_no_test_depends_on_how_fast_the_machine_is() -> None:
    tests = Path(__file__).parent
    clocks = re.compile(
        r"\b(perf_counter|process_time|thread_time)(_ns)?\b|monotonic\(\) - [a-z]"
    )
    mine = Path(__file__).resolve()
    for file in sorted(tests.rglob("*.py")):
        if file.resolve() != mine:
            assert clocks.search(file.read_text(encoding="utf-8")) is None, file
