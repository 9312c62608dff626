"""What is made of a tool is the same whatever other tools there are, and whichever came before.

Schemas, texts and entries of arguments are made once for all tools that have them: tools that
nearly agree must not get what is another's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from support.project import CONNECTIONS, EVERY_PROFILE, Built, build

TARGETS = ("python", "sql", "openai", "mcp", "anthropic", "gemini")
ARGUMENTS = {
    "plain": "int",
    "bounded": "{ type: int, minimum: 1 }",
    "bounded_otherwise": "{ type: int, minimum: 2 }",
    "with_default": "{ type: int, default: 1 }",
    "other_default": "{ type: int, default: 2 }",
    "optional": "{ type: int, required: false }",
    "nullable": "{ type: 'int?', default: null }",
    "nullable_default": "{ type: 'int?', default: 1 }",
    "described": "{ type: int, description: How many }",
    "described_otherwise": "{ type: int, description: 'How \"many\", é' }",
    "float_default": "{ type: float, default: 1 }",
    "float_default_too": "{ type: float, default: 1.0 }",
    "switch": "{ type: bool, default: true }",
    "text": "{ type: string, maxLength: 5 }",
    "text_with_default": "{ type: string, maxLength: 5, default: '1' }",
    "choices": "{ type: string, enum: ['1', '2'], default: '1' }",
    "number_choices": "{ type: int, enum: [1, 2], default: 1 }",
    "float_choices": "{ type: float, enum: [1.0, 2.0], default: 1.0 }",
    "decimal": "decimal",
    "exact": "{ type: decimal, precision: 10, scale: 2 }",
    "exact_otherwise": "{ type: decimal, precision: 10, scale: 3 }",
    "day": "date",
    "moment": "datetime",
    "lenient": "{ type: datetime, tz: assume-utc }",
    "zoned": "{ type: datetime, x-sql-type: timestamptz }",
    "identity": "uuid",
    "level": "Level",
    "list": "{ type: 'int[]', maxItems: 3 }",
    "optional_list": "{ type: 'int[]', maxItems: 3, required: false }",
    "texts": "string[]",
    "of_the_context": "{ type: int, from_context: app.limit }",
    "of_the_context_too": "{ type: int, from_context: app.most }",
    "of_the_host": "{ type: int, llm: false }",
}
"""What an argument is, some of them in the same words but one."""
RESULTS = ("string[]", "Row", "Row[]", "{ type: 'string[]', description: All of it }")
SHARED = {
    "level.yaml": "type: entity\nname: Level\nenum: [low, high]\n",
    "row.yaml": "type: entity\nname: Row\nfields:\n  a: string\n"
    "  rows: { type: 'Row[]', default: [] }\n",
}


_OF_ALL = {"T452", "L607", "L604", "T402", "T471"}
"""Rules that count tools."""


def _tools() -> dict[str, str]:
    """A spec file for each tool, by the name of the tool."""
    made: dict[str, str] = {}
    names = (
        "limit",
        "Limit",
        "a_very_long_name_of_a_limit_that_needs_a_line_for_itself",
    )
    for number, (what, said) in enumerate(ARGUMENTS.items()):
        returned = RESULTS[number % len(RESULTS)]
        for connection in (*CONNECTIONS, None):
            tool = f"{what}_of_{connection or 'python'}"
            name = names[(number + len(tool)) % len(names)]
            head = (
                f"name: {tool}\ndescription: It looks {what} up.\n"
                f"arguments:\n  inline:\n    {name}: {said}\n    shared: int\n"
                f"returns: {returned}\n"
            )
            made[tool] = f"type: python_function\n{head}"
            if connection is not None:
                columns = "a, rows" if "Row" in returned else "a"
                test = f"IN (:{name})" if "[]" in said else f"= :{name}"
                made[tool] = (
                    f"type: sql_function\nconnection: {connection}\n{head}sql: |\n"
                    f"  SELECT {columns} FROM t\n"
                    f"  WHERE shared = :shared AND b {test} AND c {test}\n"
                )
    return made


TOOLS = _tools()


def _forget() -> None:
    """Empty whatever remembers what earlier tools and builds made."""
    for name, module in [*sys.modules.items()]:
        if name.startswith(("brimgen.emit.", "brimgen.sql.")):
            for value in vars(module).values():
                clear = getattr(value, "cache_clear", None)
                if clear is not None:
                    clear()


def _built(folder: Path, tools: Mapping[str, str]) -> Built:
    _forget()
    files = {f"{name}.yaml": text for name, text in tools.items()}
    files |= SHARED
    options: Any = {"targets": TARGETS, "profiles": EVERY_PROFILE, "package": "shop"}
    return build(folder, files, **options)


def _by_tool(built: Built) -> dict[str, dict[str, list[str]]]:
    """All that a build says of each tool."""
    found: dict[str, dict[str, list[str]]] = {}

    def say(tool: str, where: str, what: str) -> None:
        found.setdefault(tool, {}).setdefault(where, []).append(what)

    for path, text in built.files.items():
        tool = Path(path).name.partition(".")[0]
        if tool in TOOLS:
            say(tool, path, text)
        elif path.endswith(".json"):
            for each in _objects(json.loads(text)):
                say(str(each["name"]), path, json.dumps(each))
    for loss in built.losses:
        say(loss.tool, "losses", repr(loss))
    for told in built.diagnostics:
        if told.rule.code not in _OF_ALL:
            words = f"{told.rule.code} {told.span} {told.message} {told.notes}"
            say(Path(told.span.file).stem, "messages", words)
    return found


def _objects(value: Any) -> Iterator[Any]:
    """The objects with the name of a tool in a list of all tools."""
    if isinstance(value, dict):
        if value.get("name") in TOOLS:
            yield value
            return
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _objects(each)


def test_a_tool_is_what_it_is_among_others(tmp_path: Path) -> None:
    """Those beside it differ from it in a word: without them it must be what it is with them."""
    together = _built(tmp_path / "all", TOOLS)
    assert [] == together.errors
    assert sorted(TOOLS) == [each.name for each in together.catalog.tools]
    assert len(set(TOOLS.values())) == len(TOOLS)
    among_others = _by_tool(together)
    for first in range(4):
        names = [*TOOLS][first::4]
        some = _by_tool(
            _built(tmp_path / str(first), {name: TOOLS[name] for name in names})
        )
        assert {name: among_others[name] for name in names} == {
            name: some[name] for name in names
        }
