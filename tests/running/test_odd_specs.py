"""Specs that once made a package that does not import: kept, so that they stay mended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from brimgen.model.project import Project
from running.packages import (
    errors,
    imported,
    link,
    standard_spec,
    write_package,
)
from support.checkers import PYRIGHT
from support.project import build

HEADER = "type: python_function\nname: odd\ndescription: An odd tool.\narguments:\n"


@pytest.mark.parametrize("word", ["string", "bool", "int", "date", "object"])
def test_an_optional_hidden_argument(tmp_path: Path, word: str) -> None:
    spec = HEADER + (
        "  inline:\n"
        f"    seen: {{ type: {word}, from_context: app.x, required: false }}\n"
        "    b: int\n"
    )
    tool = build(tmp_path, {"odd.yaml": spec}).tool("odd")
    bound = tool.bound_type.bind(tool.input_type.from_dict({"b": 1}), {})
    assert (1, None) == (bound.b, bound.seen)


@pytest.mark.parametrize("fields", ["{ mro: int, x: int }", "{ x: int, mro: int }"])
def test_a_name_that_every_class_has(tmp_path: Path, fields: str) -> None:
    tool = build(tmp_path, {"odd.yaml": f"{HEADER}  inline: {fields}\n"}).tool("odd")
    with pytest.raises(TypeError):
        tool.input_type(x=1)
    call = {"x": 1, "mro": 2}
    assert call == tool.input_type.from_dict(call).to_dict()


@pytest.mark.parametrize(
    "name",
    [
        "Any",
        "Context",
        "ContextError",
        "DICT",
        "InputError",
        "IntEnum",
        "Json",
        "KIND",
        "Mapping",
        "PARAMS",
        "SOURCE",
        "Sequence",
        "TOOL",
        "Tool",
        "Tools",
        "TypeAlias",
        "FastPathMiss",
        "Validator",
    ],
)
@pytest.mark.parametrize("form", ["fields: { x: int }", "enum: [a, b]"])
def test_an_entity_by_the_name_of_something_else(
    tmp_path: Path, name: str, form: str
) -> None:
    spec = (
        f"type: entity\nname: {name}\n{form}\n---\n"
        "type: sql_function\nname: odd\ndescription: An odd tool.\n"
        f"arguments: {{ inline: {{ x: int }} }}\nreturns: {name}Row\n"
        "sql: SELECT :x AS own\n---\n"
        f"type: entity\nname: {name}Row\nfields: {{ own: {name} }}\n"
    )
    built = build(tmp_path, {"odd.yaml": spec})
    assert not built.diagnostics.has_errors
    tool = built.tool("odd")
    assert {"x": 1} == tool.input_type.from_dict({"x": 1}).to_dict()
    value, cell = ({"x": 1}, '{"x": 1}') if "fields" in form else ("a", "a")
    row = built.load("sql.odd").decode_sqlite3({"own": cell})
    assert {"own": value} == row.to_dict()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "enum": [1e300]},
        {"type": "integer", "default": 1e300},
        {"const": 1e300},
        {"enum": [1e300, True]},
        {"type": ["integer", "string"]},
        {"type": "integer", "multipleOf": 10**20},
    ],
)
def test_an_integer_that_is_written_as_a_float_is_what_its_text_says(
    tmp_path: Path, schema: dict[str, object]
) -> None:
    whole = {"type": "integer", "default": 1e300}
    inner = {"type": "object", "properties": {"n": whole, "v": schema}}
    root = {"properties": {"v": schema, "inner": {**inner, "maxProperties": 1}}}
    catalog, found = link([standard_spec("odd", None, root)], Project(package="odd"))
    assert [] == errors(found)
    folder = write_package(catalog, tmp_path)
    with imported(folder, "odd") as package:
        for sent in (1e300, 10**300):
            read = package.OddInput.from_dict({"v": sent, "inner": {"v": sent}})
            assert (10**300, 10**300) == (read.v, read.inner.v)
            assert read == package.OddInput.from_call(read.to_json())


@pytest.mark.whole
def test_strict_pyright_has_nothing_to_say_of_odd_names_and_many_arguments(
    tmp_path: Path,
) -> None:
    """Capitals are no constants; pyright gives up at some forty optional arguments."""
    names = "{ type: 'string[]', default: [a] }"
    spec = f"{HEADER}  inline: {{ ID: int, URL: string, _id: Id, names: {names} }}\n"
    spec += "---\ntype: entity\nname: Id\nfields: { _x0: int }\n"
    many = "".join(f"    day{number}: date?\n" for number in range(44))
    wide = HEADER.replace("odd", "wide") + f"  inline:\n{many}"
    built = build(tmp_path, {"odd.yaml": spec, "wide.yaml": wide})
    sent = {"ID": 1, "URL": "u", "_id": {"_x0": 2}}
    read = built.tool("odd").input_type.from_dict(sent)
    assert (1, "u", ["a"]) == (read.ID, read.URL, read.names)
    assert 2 == read.field_id.field_x0
    config = {"include": ["out/python"], "typeCheckingMode": "strict"}
    (built.folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", *PYRIGHT]
    done = subprocess.run(command, cwd=built.folder, capture_output=True, text=True)
    assert 0 == done.returncode, done.stdout


NAMED = """\
type: sql_function
name: exception
description: Find one.
arguments: { inline: { x: int, u: { type: string, from_context: app.u } } }
sql: SELECT :x AS y WHERE :u = 'a'
---
type: http_function
name: tool
description: Get one.
arguments: { inline: { x: int } }
request: { method: GET, urlTemplate: "https://a.example.com/${x}" }
allowedHosts: [a.example.com]
"""


def test_tools_called_like_builtins_and_calls_that_are_not_bound(
    tmp_path: Path,
) -> None:
    """Every target calls the classes of a tool alike; what they take is asked of strangers."""
    built = build(tmp_path, {"odd.yaml": NAMED})
    assert not built.diagnostics.has_errors
    find, get = built.tool("exception"), built.tool("tool")
    bind = built.load("sql.exception").bind_sqlite3
    make = built.load("http.tool").build
    call = find.input_type.from_dict({"x": 1})
    bound = find.bound_type.bind(call, {"app": {"u": "a"}})
    assert {"x": 1, "u": "a"} == bind(bound)
    asked = make(get.bound_type.bind(get.input_type.from_dict({"x": 1})))
    assert "https://a.example.com/1" == asked.url
    for work, given in (
        (bind, call),
        (make, {"x": 1}),
        (find.bound_type.bind, {"x": 1}),
        (get.bound_type.bind, call),
    ):
        with pytest.raises(
            TypeError, match=r"expected \w+, got \w+: \w+\.\w+ makes one"
        ):
            work(given)
