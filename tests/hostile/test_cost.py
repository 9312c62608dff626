"""Specs that want much work: the work on each is limited, or grows no faster than its text."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.cases import check
from support.work import grows_like_its_input

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


_WIDE = (("B", *["A"] * 100), ("C", *["B"] * 100))


def _wide_entities(last: str) -> str:
    """Two levels of a hundred references each, and something that refers a hundred times more."""
    return "".join([_entity("A"), *(_entity(*each) for each in _WIDE), last])


_CHAINS = {
    "chained entities": (lambda: _chained_entities(300), ["R329", "R329"]),
    "wide entities": (
        lambda: _wide_entities(_entity("D", *["C"] * 100)),
        [],
    ),
    "wide returns": (
        lambda: _wide_entities(
            "---\ntype: python_function\nname: wide\nreturns:\n  type: object\n"
            f"  properties: {{{_many('p{}: {{entity_ref: C}}', 100)}}}\n"
        ),
        [],
    ),
    "anyOf": (lambda: _chain("anyOf"), ["R329"]),
    "oneOf": (lambda: _chain("oneOf"), ["R329"]),
    "allOf": (lambda: _chain("allOf"), ["R329"]),
}
"""Specs whose parts, written out, are more than any machine can hold."""

_LONG: dict[str, tuple[Callable[[int], str], set[str]]] = {
    "enum": (
        lambda size: f"{_FIELDS}    a: {{type: string, enum: [{_many('v{}', size)}]}}\n",
        set(),
    ),
    "numbers": (
        lambda size: f"{_FIELDS}    a: {{type: int, enum: [{_many('{}', size)}]}}\n",
        set(),
    ),
    "entity": (
        lambda size: f"type: entity\nname: E\nenum: [{_many('v{}', size)}]\n",
        set(),
    ),
    "unique": (
        lambda size: (
            f"{_FIELDS}    a: {{type: 'string[]', uniqueItems: true, "
            f"default: [{_many('v{}', size)}]}}\n"
        ),
        set(),
    ),
    "pattern": (
        lambda size: f"{_FIELDS}    a: {{type: string, pattern: '{'(a|b)*' * size}'}}\n",
        {"R344"},
    ),
    "brackets": (
        lambda size: (
            f"{_FIELDS}    a: {{type: string, pattern: '{'(' * size}{')' * size}'}}\n"
        ),
        {"R344"},
    ),
    "arguments": (lambda size: _FIELDS + _many("    a{}: int\n", size, ""), set()),
    "required": (
        lambda size: (
            f"{_PASTED}    properties: {{a: {{type: string}}}}\n"
            f"    required: [{_many('w{}', size)}]\n"
        ),
        {"R379"},
    ),
}


def _codes(text: str, folder: Path) -> list[str]:
    specs = folder / "specs"
    specs.mkdir(exist_ok=True)
    (specs / "costly.yaml").write_text(text, encoding="utf-8")
    found = [each for each in check(specs) if each.rule.severity == "error"]
    return [each.rule.code for each in found]


@pytest.mark.parametrize("name", _CHAINS)
def test_a_spec_of_endless_parts_costs_little(name: str, tmp_path: Path) -> None:
    spec, codes = _CHAINS[name]
    assert codes == _codes(spec(), tmp_path)


def test_verify_ends_though_every_call_of_a_tool_is_too_large(tmp_path: Path) -> None:
    needed = f"required: [{_many('p{}', 100)}]\n"
    entities = [_entity("A"), *(_entity(*each) + needed for each in _WIDE)]
    tool = _FIELDS + _many("    a{}: C\n", 100, "")
    (tmp_path / "specs").mkdir()
    text = f"{''.join(entities)}---\n{tool}"
    (tmp_path / "specs/costly.yaml").write_text(text, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "verify", "--format", "concise"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr
    assert "costly: argument `a0`: every known value is too large" in ran.stdout


@pytest.mark.parametrize("name", _LONG)
def test_the_work_on_a_long_spec_grows_like_its_length(
    name: str, tmp_path: Path
) -> None:
    spec, codes = _LONG[name]

    def build(size: int) -> None:
        assert codes == {*_codes(spec(size), tmp_path)}

    assert grows_like_its_input(build, 1000)
