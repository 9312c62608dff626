"""Arguments called like what generated modules say themselves: typed, decoded, written again."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import json
import keyword
import random
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from brimgen.emit.names import attribute_name
from support.checkers import MYPY, assert_clean
from support.project import build

SHOP = Path(__file__).parents[2] / "out/python/shop"
MORE = "_1 _x0 _ __x _id _INPUT __doc__ __slots__ nulls absent extra seen_ X x$y 1x"
KINDS: Sequence[tuple[str, object]] = (
    ("int", 1.0),
    ("{type: string, minLength: 2, required: false}", "ab"),
    ("{type: int?, default: 7}", None),
    ("{type: decimal, precision: 5, scale: 2, required: false}", 1.25),
    ("date", "2026-01-18"),
    ("{type: string, pattern: '^[a-z]+$'}", "ab"),
    ("{type: 'date[]', required: false}", ["2026-01-18"]),
    ("float?", 1),
    ("object", {"a": [1]}),
    ("{type: object, default: {a: [1.5], b: {}}}", {"a": 1}),
    ("any", 1.5),
    ("{type: Place, required: false}", {"city": "x", "_id": 1}),
    ("'Place[]?'", [{"city": "x", "_id": 2}]),
    ("Colour?", "red"),
    ("{type: string, enum: [a, b], default: a}", "b"),
)
SCHEMAS: Sequence[tuple[Mapping[str, Any], object]] = (
    ({"enum": ["a", 1]}, 1.0),
    ({"anyOf": [{"const": "auto"}, {"type": "integer"}]}, "auto"),
    ({"anyOf": [{"type": "string"}, {"enum": [1, 2], "default": 2}]}, 2.0),
    ({"type": "object", "properties": {"_1": {"type": "integer"}}}, {"_1": 5.0}),
    ({"type": "array", "items": {"enum": [True, 3]}}, [3.0, True]),
)
HEAD = """\
type: entity
name: Place
fields: {city: string, _id: int}
---
type: entity
name: Colour
enum: [red, green]
"""


def _names() -> list[str]:
    """What stands in generated modules, and what Python has of its own, in an order of chance."""
    found = {*dir(builtins), *keyword.kwlist, *typing.__all__, *dataclasses.__all__}
    found |= {*dir(object), *dir(type), *MORE.split()}
    for path in (*SHOP.glob("*.py"), *SHOP.glob("tools/*.py"), *SHOP.glob("sql/g*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                    found.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.alias(name=name):
                    found.add(name.rpartition(".")[2])
    names = sorted(found - {"Place", "Colour"})
    random.Random(5).shuffle(names)
    return names


def _classes(names: Iterable[str], size: int) -> Iterator[list[str]]:
    """Names by the class, no two of which are one attribute."""
    made: dict[str, str] = {}
    for name in names:
        if len(made) == size or attribute_name(name) in made:
            yield list(made.values())
            made = {}
        made[attribute_name(name)] = name
    yield list(made.values())


def test_names_of_arguments_meet_no_name_of_a_module(tmp_path: Path, step: int) -> None:
    files, calls = {"head.yaml": HEAD}, dict[str, dict[str, Any]]()
    for number, names in enumerate(_classes(_names()[::step], 60)):
        given = [KINDS[(number + index) % len(KINDS)] for index in range(len(names))]
        inline = ", ".join(
            f"{json.dumps(name)}: {kind}"
            for name, (kind, _) in zip(names, given, strict=True)
        )
        head = f"type: python_function\nname: t{number}\ndescription: Do.\n"
        files[f"t{number}.yaml"] = f"{head}arguments: {{inline: {{{inline}}}}}\n"
        calls[f"t{number}"] = {
            name: value for name, (_, value) in zip(names, given, strict=True)
        }
        picked = [SCHEMAS[index % len(SCHEMAS)] for index in range(len(names))]
        schema = {
            "properties": {
                name: each for name, (each, _) in zip(names, picked, strict=True)
            },
            "required": names[::2],
        }
        head = head.replace("name: t", "name: j")
        arguments = json.dumps({"mode": "standard", "inline": schema})
        files[f"j{number}.yaml"] = f"{head}arguments: {arguments}\n"
        calls[f"j{number}"] = {
            name: value for name, (_, value) in zip(names, picked, strict=True)
        }
    built = build(tmp_path, files, targets=("python",))
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    for name, call in calls.items():
        kind = built.tool(name).input_type
        for sent in (call, {**call, "unknown": 1}):
            try:
                read = kind.from_dict(sent)
            except built.load().InputError as error:
                (only,) = error.violations
                assert ("unknown", False) == (only.rule, sent is call)
            else:
                assert sent is call and call == read.to_dict()
                assert read == kind.from_call(read.to_json())
                assert not any(each.startswith("_") for each in vars_of(read))
    if step == 1:
        assert_clean(tmp_path / "out/python", built.package, by=[MYPY])


def vars_of(made: Any) -> list[str]:
    """The attributes of an object."""
    return [each.name for each in dataclasses.fields(made)]
