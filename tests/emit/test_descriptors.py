"""What providers are told of a tool: its descriptor in each profile, and what that cannot say.

The files ``*.cases`` hold ``[schema PROFILES: what a user would lose]``, the JSON Schema of the
arguments of a tool, or ``[case …]``, whole specs. Behind ``[out]`` stands what is told of them:
each descriptor in one line, and below it what is lost and what recovers it.
``BRIMGEN_REGEN=1 pytest tests/emit/test_descriptors.py`` writes what is behind ``[out]`` anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest

from support.case_files import parts, rewrite
from support.cases import is_regenerating
from support.project import build

HERE = Path(__file__).parent
HEAD = "type: python_function\nname: probe\narguments:\n  mode: standard\n  inline:\n"


class Case(NamedTuple):
    """One case: where it stands, its title, and what comes of its specs."""

    path: Path
    mark: str
    specs: str
    out: str


def _cases() -> Iterator[Case]:
    for path in sorted(HERE.glob("*.cases")):
        mark = specs = ""
        for kind, title, text in parts(path, "schema", "case", "out"):
            if kind == "out":
                yield Case(path, mark, specs, text)
            else:
                mark = f"[{kind} {title}]"
                specs = HEAD + indent(text, "    ") if kind == "schema" else text


CASES = list(_cases())


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def outcome(folder: Path, specs: str, profiles: tuple[str, ...]) -> str:
    """What is told of the specs, and to whom."""
    targets = tuple(each.partition("_")[0] for each in profiles)
    files = {"a.yaml": specs}
    made = build(folder, files, targets=targets, profiles=profiles, package="shop")
    lines = [
        f"{each.span.line}: {each.rule.code} {each.message}"
        for each in made.diagnostics
    ]
    for each in () if made.errors else made.descriptors:
        lines.append(f"{each.profile} {_line(each.json)}")
        if each.aliases:
            lines.append(f"  aliases {_line(dict(each.aliases))}")
        lines += [
            f"  {row['recovered_by']}: {row['keyword']} {_line(row['value'])} of {row['path']}"
            for row in made.ledger
            if (row["profile"], row["tool"]) == (each.profile, each.tool)
        ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case.path.stem}-{case.mark}"
)
def test_providers_are_told_what_they_were(case: Case, tmp_path: Path) -> None:
    profiles = case.mark.partition(" ")[2].partition(":")[0].split()
    made = outcome(tmp_path, case.specs, tuple(profiles))
    if is_regenerating():
        rewrite(case.path, case.mark, f"[out]\n{case.out}", f"[out]\n{made}")
        return
    assert case.out == made


LONG = "Orders are found by status. " * 60


@pytest.mark.parametrize(
    ("keys", "start", "length", "codes"),
    [
        (f"description: '{LONG}'", "Orders are", 1007, ["T451"]),
        (f"description: {'x' * 2000}", "xxx", 1024, ["T451"]),
        (f"description: '{LONG}'\nx-short-description: Short.", "Short.", 6, []),
        (f"description: {'y' * 1024}", "yyy", 1024, []),
    ],
)
def test_no_description_is_longer_than_the_limit(
    tmp_path: Path, keys: str, start: str, length: int, codes: list[str]
) -> None:
    spec = f"type: python_function\nname: find\n{keys}\n"
    made = build(tmp_path, {"a.yaml": spec}, targets=("openai",))
    [said] = made.sent("openai/responses.json")
    assert said["description"].startswith(start)
    assert (length, codes) == (len(said["description"]), made.codes)


def told_of_strict(folder: Path, count: int, schema: str, *more: str) -> list[str]:
    """Why not all of ``count`` tools can be strict at once, or one of them not at all."""
    head = "type: python_function\nname: t{:02}\n{}arguments: {{ inline: {} }}\n"
    tools = [head.format(n, "x-anthropic-strict: true\n", schema) for n in range(count)]
    specs = "---\n".join([*tools, *more])
    made = build(folder, {"a.yaml": specs}, targets=("anthropic",))
    assert [] == made.errors
    return [
        each.message.rpartition(": ")[2]
        for each in made.diagnostics
        if each.rule.code in ("T450", "T452")
    ]


def _optional(count: int) -> str:
    names = (
        f"p{number}: {{ type: string, required: false }}" for number in range(count)
    )
    return f"{{ {', '.join(names)} }}"


def _several_types(count: int) -> str:
    return f"{{ {', '.join(f'p{number}: primitive' for number in range(count))} }}"


@pytest.mark.parametrize(
    ("count", "schema", "told"),
    [
        (20, "{ x: string }", []),
        (21, "{}", ["it has 21 tools, and 20 are allowed"]),
        (1, _optional(24), []),
        (1, _optional(25), ["it has 25 optional parameters, and 24 are allowed"]),
        (5, _optional(5), ["it has 25 optional parameters, and 24 are allowed"]),
        (1, _several_types(16), []),
        (1, _several_types(17), ["it has 17 parameters of several types, and 16 are allowed"]),
        (17, "{ x: primitive }", ["it has 17 parameters of several types, and 16 are allowed"]),
    ],
)  # fmt: skip
def test_limits_of_anthropic_are_counted_over_the_strict_tools(
    tmp_path: Path, count: int, schema: str, told: list[str]
) -> None:
    loose = [f"type: python_function\nname: z{number}\n" for number in range(30)]
    assert told == told_of_strict(tmp_path, count, schema, *loose)


def test_a_schema_over_a_limit_of_openai_is_not_sent_as_strict(tmp_path: Path) -> None:
    deep = "string"
    for _ in range(11):
        deep = f"{{ type: object, fields: {{ x: {deep} }} }}"
    many = ", ".join(f"p{number}: string" for number in range(5001))
    words = ", ".join(f"'{number:080}'" for number in range(251))
    choices = "{{ x: {{ type: {}, enum: [{}] }} }}"
    numbers = ", ".join(map(str, range(1001)))
    inline = {
        f"{{ x: {deep} }}": "it has 12 levels of objects, and 10 are allowed",
        f"{{ {many} }}": "it has 5001 properties, and 5000 are allowed",
        choices.format("string", words): "an enum of 251 values has 20582 characters",
        choices.format("int", numbers): "it has 1001 enum values, and 1000 are allowed",
    }
    specs = "---\n".join(
        f"type: python_function\nname: t{number}\narguments: {{ inline: {each} }}\n"
        for number, each in enumerate(inline)
    )
    made = build(tmp_path, {"a.yaml": specs}, targets=("openai",))
    told = [each.message for each in made.diagnostics if each.rule.code == "T450"]
    for said, expected in zip(told, inline.values(), strict=True):
        assert expected in said
