"""Specs that are small and cost much: every one is judged in three seconds."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from support.cases import check

_FIELDS = "type: python_function\nname: costly\narguments:\n  inline:\n"
_PASTED = f"{_FIELDS}    type: object\n"


def _chain(keyword: str) -> str:
    """Twenty levels of two references each: a million alternatives."""
    twice = f"{keyword}: [{{$ref: '#/$defs/L%d'}}, {{$ref: '#/$defs/L%d'}}]"
    levels = "".join(f"      L{n}: {{{twice % (n + 1, n + 1)}}}\n" for n in range(20))
    head = f"{_PASTED}    properties: {{a: {{$ref: '#/$defs/L0', default: 5}}}}\n"
    return f"{head}    $defs:\n{levels}      L20: {{type: string}}\n"


def _many(form: str, count: int, between: str = ", ") -> str:
    return between.join(form.format(n) for n in range(count))


def _entity(name: str, *references: str) -> str:
    """An entity in JSON Schema, with a property for each reference to another one."""
    used = ", ".join(
        f"p{n}: {{$ref: '#/entities/{each}'}}" for n, each in enumerate(references)
    )
    return f"---\ntype: entity\nname: {name}\nproperties: {{x: {{type: string}}, {used}}}\n"


def _chained_entities(count: int) -> str:
    """Each refers to the next two: written out, the first has 2 ** (count / 2) parts."""
    return "".join(
        _entity(f"E{n}", *(f"E{each}" for each in (n + 1, n + 2) if each < count))
        for n in range(count)
    )


def _wide_entities(last: str) -> str:
    """Two levels of a hundred references each, and something that refers a hundred times more."""
    return _entity("A") + _entity("B", *["A"] * 100) + _entity("C", *["B"] * 100) + last


SPECS = {
    "chained entities": (_chained_entities(300), ["R329"]),
    "wide entities": (_wide_entities(_entity("D", *["C"] * 100)), ["R329"]),
    "wide returns": (
        _wide_entities(
            "---\ntype: python_function\nname: wide\nreturns:\n  type: object\n"
            f"  properties: {{{_many('p{}: {{entity_ref: B}}', 100)}}}\n"
        ),
        ["R329", "R329"],
    ),
    "anyOf": (_chain("anyOf"), ["R380"]),
    "oneOf": (_chain("oneOf"), ["R380"]),
    "allOf": (_chain("allOf"), ["R380"]),
    "enum": (f"{_FIELDS}    a: {{type: string, enum: [{_many('v{}', 10_000)}]}}\n", []),
    "numbers": (f"{_FIELDS}    a: {{type: int, enum: [{_many('{}', 10_000)}]}}\n", []),
    "entity": (f"type: entity\nname: E\nenum: [{_many('v{}', 10_000)}]\n", []),
    "unique": (
        f"{_FIELDS}    a: {{type: 'string[]', uniqueItems: true, "
        f"default: [{_many('v{}', 9_000)}]}}\n",
        [],
    ),
    "pattern": (
        f"{_FIELDS}    a: {{type: string, pattern: '{'(a|b)*' * 5_000}'}}\n",
        ["R344"],
    ),
    "brackets": (
        f"{_FIELDS}    a: {{type: string, pattern: '{'(' * 30_000}{')' * 30_000}'}}\n",
        ["R344"],
    ),
    "arguments": (_FIELDS + _many("    a{}: int\n", 5_000, ""), []),
    "required": (
        f"{_PASTED}    properties: {{a: {{type: string}}}}\n"
        f"    required: [{_many('a, v{}', 1)}, {_many('w{}', 1)}]\n",
        ["R379", "R379"],
    ),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_costly_spec_is_built_or_refused_within_seconds(
    name: str, tmp_path: Path
) -> None:
    text, codes = SPECS[name]
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "costly.yaml").write_text(text, encoding="utf-8")
    started = time.process_time()
    found = [each for each in check(specs) if each.rule.severity == "error"]
    assert time.process_time() - started < 3
    assert codes == [each.rule.code for each in found]
