"""Long chains in specs: built, or refused by a diagnostic, and never a RecursionError."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hostile.test_text_everywhere import ALL
from support.project import build

LONG = 1000


def entities(count: int, last: str, each: Callable[[int], str]) -> str:
    documents = [f"type: entity\nname: E{n}\n{each(n)}\n" for n in range(count - 1)]
    documents += [f"type: entity\nname: E{count - 1}\n{last}\n"]
    documents += [
        "type: python_function\nname: probe\ndescription: Look at it.\n"
        "arguments: { inline: { a: E0 } }\nreturns: E0\n"
    ]
    return "---\n".join(documents)


def chain(count: int, kind: str) -> str:
    leaf = "fields: { a: int }"
    return entities(
        count, leaf, lambda n: f'fields: {{ next: "{kind.format(f"E{n + 1}")}" }}'
    )


def standard(link: Callable[[Mapping[str, Any]], Any]) -> str:
    steps: dict[str, Any] = {
        f"D{n}": link({"$ref": f"#/$defs/D{n + 1}"}) for n in range(LONG)
    }
    steps[f"D{LONG}"] = {"type": "string"}
    properties = {"a": {"$ref": "#/$defs/D0"}}
    schema = {"type": "object", "properties": properties, "$defs": steps}
    arguments = f"arguments: {{ mode: standard, inline: {json.dumps(schema)} }}\n"
    return f"type: python_function\nname: probe\ndescription: Look.\n{arguments}"


def split(text: str) -> dict[str, str]:
    """Files of less than a mebibyte."""
    documents = text.split("---\n")
    return {
        f"{n}.yaml": "---\n".join(documents[n : n + 100])
        for n in range(0, len(documents), 100)
    }


TEMPLATE = "---\ntype: template_function\nname: p\ndescription: d\n" + (
    "arguments: { inline: { a: string } }\n---\n"
)
QUERY = "type: sql_function\nname: s\ndescription: d\nreturns: object[]\n" + (
    "arguments: { inline: { a: int } }\nsql: "
)
CASES: dict[str, tuple[dict[str, str], set[str]]] = {
    "entities": (split(chain(LONG, "{}")), {"R329"}),
    "lists of entities": (split(chain(LONG, "{}[]")), {"R329"}),
    "optional entities": (split(chain(LONG, "{}?")), {"R329"}),
    "inheritance": (
        split(
            entities(
                LONG,
                "fields: { a: int }",
                lambda n: f"entity_ref: E{n + 1}\nfields: {{ f{n}: int }}",
            )
        ),
        {"R315"},
    ),
    "references": ({"a.yaml": standard(lambda ref: ref)}, {"R329"}),
    "allOf": ({"a.yaml": standard(lambda ref: {"allOf": [ref]})}, {"R329"}),
    "anyOf": (
        {"a.yaml": standard(lambda ref: {"anyOf": [ref, {"type": "null"}]})},
        {"R329"},
    ),
    "items": (
        {"a.yaml": standard(lambda ref: {"type": "array", "items": ref})},
        {"R329"},
    ),
    "properties": (
        {"a.yaml": standard(lambda ref: {"type": "object", "properties": {"n": ref}})},
        set(),
    ),
    "brackets of SQL": (
        {"a.yaml": f"{QUERY}SELECT {'(' * 5000}:a{')' * 5000} AS x\n"},
        set(),
    ),
    "conditions of SQL": (
        {"a.yaml": f"{QUERY}SELECT a FROM t WHERE {'NOT ' * 5000}a = :a\n"},
        set(),
    ),
    "queries in queries": (
        {"a.yaml": f"{QUERY}{'SELECT * FROM (' * 900}SELECT :a AS x{') q' * 900}\n"},
        set(),
    ),
    "brackets of a prompt": (
        {"a.md": f"{TEMPLATE}{{{{ {'(' * 5000}args.a{')' * 5000} }}}}\n"},
        {"R393"},
    ),
    "sums of a prompt": (
        {"a.md": f"{TEMPLATE}{{{{ {'args.a ~ ' * 3000}1 }}}}\n"},
        set(),
    ),
    "filters of a prompt": (
        {"a.md": f"{TEMPLATE}{{{{ args.a{' | upper' * 3000} }}}}\n"},
        {"R393"},
    ),
    "conditions of a prompt": (
        {"a.md": TEMPLATE + "{% if args.a %}" * 300 + "x" + "{% endif %}" * 300},
        {"R393"},
    ),
    "lists of lists": (
        {
            "a.yaml": "type: python_function\nname: probe\narguments: { inline: { a: "
            f"'{'array<' * 500}int{'>' * 500}' }} }}\n"
        },
        {"S224"},
    ),
}


SLOW = ("properties", "sums of a prompt")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(each, marks=pytest.mark.whole if each in SLOW else ())
        for each in CASES
    ],
)
def test_a_long_chain_is_built_or_refused(case: str, tmp_path: Path) -> None:
    files, codes = CASES[case]
    diagnostics = build(tmp_path, files, targets=ALL).diagnostics
    assert codes == {
        each.rule.code for each in diagnostics if each.rule.severity == "error"
    }


@pytest.mark.whole
def test_entities_of_sixty_levels_are_built_for_all_targets(tmp_path: Path) -> None:
    made = build(tmp_path, split(chain(60, "{}")), targets=ALL)
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    value: dict[str, Any] = {"a": 1}
    for _ in range(59):
        value = {"next": value}
    call = made.tool("probe").input_type.from_dict({"a": value})
    assert {"a": value} == call.to_dict()


@pytest.mark.whole
def test_a_circle_of_many_entities_is_built_for_all_targets(tmp_path: Path) -> None:
    circle = entities(
        120, "fields: { next: E0? }", lambda n: f"fields: {{ next: E{n + 1}? }}"
    )
    made = build(tmp_path, split(circle), targets=ALL)
    assert [] == [
        each.message for each in made.diagnostics if each.rule.severity == "error"
    ]
    input_type = made.tool("probe").input_type
    sent: dict[str, Any] = {}
    for _ in range(80):
        sent = {"next": sent}
    assert {"a": sent} == input_type.from_dict({"a": sent}).to_dict()
    with pytest.raises(ValueError, match="a/next/next/n: unknown"):
        input_type.from_dict({"a": {"next": {"next": {"n": 1}}}})


@pytest.mark.whole
def test_a_thousand_entities_side_by_side_are_built(tmp_path: Path) -> None:
    leaves = "".join(
        f"type: entity\nname: Leaf{n}\nfields: {{ a: int }}\n---\n" for n in range(LONG)
    )
    root = "".join(f"  leaf{n}: Leaf{n}\n" for n in range(LONG))
    text = f"{leaves}type: entity\nname: E0\nfields:\n{root}---\n"
    tool = "type: python_function\nname: probe\narguments: { inline: { a: E0 } }\n"
    diagnostics = build(
        tmp_path, split(text + tool), targets=("python", "mcp")
    ).diagnostics
    assert [] == [each.message for each in diagnostics if each.rule.severity == "error"]
