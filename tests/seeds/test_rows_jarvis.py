"""Seed 003: rows of its table that no other test says in full, by the words of their checks."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from support.project import build

HEAD = (
    "type: python_function\nname: probe\ndescription: A probe.\narguments:\n  inline:\n"
)
SCALARS = ("string", "int", "float", "bool", "date", "datetime")
SPELLINGS = ("{}", "array<{}>", "array[{}]", "{}[]")


def test_J1_twenty_four_spellings_of_twelve_schemas(tmp_path: Path) -> None:
    words = [each.format(word) for each in SPELLINGS for word in SCALARS]
    assert 24 == len(set(words))
    text = "".join(f'    a{number}: "{word}"\n' for number, word in enumerate(words))
    built = build(tmp_path, {"p.yaml": HEAD + text})
    assert not built.diagnostics.has_errors
    properties = built.schema("probe.input")["properties"]
    schemas = [json.dumps(properties[f"a{number}"]) for number in range(24)]
    assert 12 == len(set(schemas))
    assert schemas[6:12] == schemas[12:18] == schemas[18:24]


@pytest.mark.parametrize(
    "text", ["array<array<int>>", "int[][]", "array<>", "[]", "array<foo>", "array<int"]
)
def test_J1_what_is_no_type(text: str, tmp_path: Path) -> None:
    [error] = build(tmp_path, {"p.yaml": f'{HEAD}    a: "{text}"\n'}).diagnostics
    assert ("error", 6) == (error.rule.severity, error.span.line)


FIELDS = """\
    on: date
    at: { type: "datetime[]", required: false }
    size: { type: int, default: 3 }
    deep: { type: object, required: false }
"""
CALLS: dict[str, dict[str, Any]] = {
    "valid": {"on": "2026-01-18", "at": ["2026-01-18T05:00:00Z"], "deep": {"a": [1]}},
    "with nulls": {"on": "2026-01-18", "at": None, "size": None},
    "wrong dates": {"on": "tomorrow", "at": ["2026-01-18T05:00:00Z", "2026-99-99"]},
    "strange": {"size": "3", "extra": [{"x": None}]},
    "empty": {},
}


@pytest.mark.parametrize("name", CALLS)
def test_J6_arguments_are_as_they_were(name: str, tmp_path: Path) -> None:
    tool = build(tmp_path, {"p.yaml": HEAD + FIELDS}, targets=("python",)).tool("probe")
    call = CALLS[name]
    before = copy.deepcopy(call)
    verdicts = []
    for read in (tool.input_type.from_dict, tool.input_type.from_call):
        try:
            made = read(call)
            made.at, made.deep = ["changed"], {"changed": True}
            verdicts.append(True)
        except ValueError:
            verdicts.append(False)
        assert before == call
    expected = {"valid": [True, True], "with nulls": [False, True]}
    assert expected.get(name, [False, False]) == verdicts
