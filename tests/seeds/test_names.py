"""N11: an argument may be called what a keyword is called, in every target."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from brimgen.emit import EMITTERS
from support.project import Built, build

NAMES = (
    "title",
    "type",
    "properties",
    "default",
    "required",
    "enum",
    "description",
    "items",
    "additionalProperties",
    "$ref",
    "examples",
    "name",
)
INLINE = "".join(
    f"    '{name}': {{ type: string, description: What {number} says }}\n"
    for number, name in enumerate(NAMES)
)
SPEC = (
    "type: python_function\nname: probe\ndescription: Takes any name.\n"
    "when_to_use: Use to try names\n"
    f"arguments:\n  mode: complex\n  inline:\n{INLINE}"
    "returns: { type: string, description: Nothing much }\n"
)
NOT_PORTABLE = {"$ref"}
CALL = {name: f"value of {name}" for name in NAMES}


def _built(folder: Path, *targets: str, names: bool = True) -> Built:
    spec = SPEC
    if not names:
        for name in NOT_PORTABLE:
            [line] = [each for each in INLINE.splitlines() if f"'{name}'" in each]
            spec = spec.replace(f"{line}\n", "")
    return build(folder, {"a.yaml": spec}, targets=targets)


def _texts(value: Any) -> set[str]:
    """Every string of a JSON value, keys among them."""
    if isinstance(value, dict):
        return {text for each in value.values() for text in _texts(each)} | set(value)
    if isinstance(value, list):
        return {text for each in value for text in _texts(each)}
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize(
    "target", [each.name for each in EMITTERS if each.name not in ("sql", "models")]
)
def test_N11_every_name_and_its_description_survive(
    tmp_path: Path, target: str
) -> None:
    refuses = target in ("anthropic", "gemini", "openai", "mcp", "server")
    built = _built(tmp_path, target, names=not refuses)
    assert not built.diagnostics.has_errors, [
        each.message for each in built.diagnostics
    ]
    wanted = [each for each in NAMES if not (refuses and each in NOT_PORTABLE)]
    for path, text in built.files.items():
        if "probe" not in f"{path}{text}" or path.endswith(
            ("index.md", ".output.json", "losses.json")
        ):
            continue
        if path.endswith(".json"):
            told = _texts(json.loads(text))
            for name in wanted:
                assert name in told, (path, name)
                says = f"What {NAMES.index(name)} says"
                assert any(each.startswith(says) for each in told), (path, name)
        elif path.endswith(".md"):
            for name in wanted:
                assert f"| `{name}` | string | yes |  | What" in text


def test_N11_calls_carry_them_both_ways(tmp_path: Path) -> None:
    built = _built(tmp_path, "python", "toolspec")
    tool = built.tool("probe")
    call = tool.input_type.from_call(json.dumps(CALL))
    assert CALL == call.to_dict()
    spec = built.spec("probe")
    spec.validate()
    assert list(NAMES) == [each.name for each in spec.inputs]
    assert CALL is spec.check_inputs(CALL)
    for name in NAMES:
        rest = {key: each for key, each in CALL.items() if key != name}
        with pytest.raises(ValueError) as caught:
            tool.input_type.from_dict(rest)
        [violation] = caught.value.violations
        assert ("required", f"/{name}") == (violation.rule, violation.pointer)


def test_N11_statements_and_models_carry_them_too(tmp_path: Path) -> None:
    names = [each for each in NAMES if each.isidentifier()]
    inline = "".join(f"    '{each}': string\n" for each in names)
    columns = ", ".join(f":{each} AS c{number}" for number, each in enumerate(names))
    spec = (
        "type: sql_function\nname: probe\ndescription: Takes any name.\n"
        f"returns: object\narguments:\n  mode: complex\n  inline:\n{inline}"
        f"sql: SELECT {columns}\n"
    )
    targets = ("python", "sql", "models")
    built = build(tmp_path, {"a.yaml": spec}, targets=targets)
    assert not built.diagnostics.has_errors
    tool, module = built.tool("probe"), built.load("sql.probe")
    call = {each: f"value of {each}" for each in names}
    bound = tool.bound_type.bind(tool.input_type.from_dict(call), {})
    with sqlite3.connect(":memory:") as connection:
        rows = connection.execute(module.SQL_SQLITE3, module.bind_sqlite3(bound))
        assert [tuple(call.values())] == rows.fetchall()
    connection.close()
    module = built.load("models.pydantic")
    model = module.ProbeInput
    told = model.model_validate(call).model_dump(by_alias=True)
    assert call == told
    assert names == list(model.model_json_schema()["properties"])
