"""Every mistake that can be told has a spec that makes it, and what is then said about it.

``tests/errors/<CODE>-<slug>.<reason>.yaml`` (or ``.sql``, ``.md``, or a folder of specs) stands
beside its ``.txt``. ``BRIMGEN_REGEN=1 pytest tests/test_errors.py`` writes the texts anew.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from brimgen.api import Diagnostics
from brimgen.diagnostics.catalogue import KINDS, RULES, Kind
from brimgen.diagnostics.rules import BREAKING_CHANGE
from brimgen.source.files import LARGEST
from support.cases import (
    CASES,
    OPTIONS,
    TARGETS,
    Case,
    cases,
    check,
    is_regenerating,
    said_about,
    write_example,
)

_GOOD = "type: python_function\nname: probe\n"


def _nothing(specs: Path) -> None:
    """The folder of specs is missing."""


def _unreadable(specs: Path) -> None:
    specs.mkdir()
    (specs / "broken.yaml").symlink_to("gone.yaml")


def _too_large(specs: Path) -> None:
    specs.mkdir()
    (specs / "large.yaml").write_text(_GOOD + "#" * LARGEST)


def _not_utf8(specs: Path) -> None:
    specs.mkdir()
    (specs / "latin.yaml").write_bytes(f"{_GOOD}description: Größe\n".encode("latin-1"))


def _pipe(specs: Path) -> None:
    specs.mkdir()
    os.mkfifo(specs / "pipe.yaml")


def _link_outside(specs: Path) -> None:
    specs.mkdir()
    (specs.parent / "outside.yaml").write_text(_GOOD)
    (specs / "link.yaml").symlink_to("../outside.yaml")


def _linked_folder(specs: Path) -> None:
    (specs / "tools").mkdir(parents=True)
    (specs / "tools/probe.yaml").write_text(_GOOD)
    (specs / "same").symlink_to("tools")


def _file_name(specs: Path) -> None:
    specs.mkdir()
    (specs / "two\nlines.yaml").write_text(_GOOD)


def _refused_character(specs: Path) -> None:
    specs.mkdir()
    text = f"{_GOOD}description: 'a \u202e b'\nwhen_to_use: 'bell \a'\n"
    text += 'displayName: "Find\\u200bOrders"\n'
    (specs / "hidden.yaml").write_text(text, encoding="utf-8")


def _only_a_readme(specs: Path) -> None:
    specs.mkdir()
    (specs / "README.md").write_text("# Specs\n")


def _deep(specs: Path) -> None:
    specs.mkdir()
    (specs / "deep.yaml").write_text(f"{_GOOD}x-deep: {'[' * 64}{']' * 64}\n")


def _bomb(specs: Path) -> None:
    specs.mkdir()
    lines = ["x-0: &a0 [lol, lol]"]
    lines += [f"x-{n}: &a{n} [{f'*a{n - 1}, ' * 9}]" for n in range(1, 9)]
    (specs / "bomb.yaml").write_text(_GOOD + "\n".join(lines) + "\n")


def _deep_entities(specs: Path) -> None:
    specs.mkdir()
    entity = "type: entity\nname: E{}\nfields: {{ next: E{} }}\n---\n"
    entities = "".join(entity.format(n, n + 1) for n in range(63))
    (specs / "deep.yaml").write_text(
        f"{entities}type: entity\nname: E63\nfields: {{ a: int }}\n"
    )


def _long_references(specs: Path) -> None:
    specs.mkdir()
    steps = "".join(f"      D{n}: {{ $ref: '#/$defs/D{n + 1}' }}\n" for n in range(128))
    text = f"{_GOOD}arguments:\n  mode: standard\n  inline:\n    type: object\n"
    text += "    properties: { a: { $ref: '#/$defs/D0' } }\n    $defs:\n"
    (specs / "long.yaml").write_text(f"{text}{steps}      D128: {{ type: string }}\n")


def _long_inheritance(specs: Path) -> None:
    specs.mkdir()
    entity = "type: entity\nname: E{}\nentity_ref: E{}\nfields: {{ f{}: int }}\n---\n"
    entities = "".join(entity.format(n, n + 1, n) for n in range(66))
    last = "type: entity\nname: E66\nfields: { a: int }\n"
    (specs / "long.yaml").write_text(entities + last)


def _long_description(specs: Path) -> None:
    specs.mkdir()
    words = "Finds orders. " * 100
    (specs / "long.yaml").write_text(f"{_GOOD}description: {words}\n")


def _many_tools(specs: Path) -> None:
    specs.mkdir()
    tools = (f"type: python_function\nname: tool_{n}\n" for n in range(130))
    (specs / "many.yaml").write_text("---\n".join(tools))


def _many_strict_tools(specs: Path) -> None:
    specs.mkdir()
    said = "type: python_function\nname: tool_{}\nx-anthropic-strict: true\n"
    (specs / "many.yaml").write_text("---\n".join(said.format(n) for n in range(21)))


def _long_example(specs: Path) -> None:
    specs.mkdir()
    text = f"{_GOOD}arguments:\n  inline:\n    text:\n      type: string\n"
    (specs / "long.yaml").write_text(f"{text}      examples: [{'x' * 300}]\n")


def _long_descriptor(specs: Path) -> None:
    specs.mkdir()
    words = f"The least{' of all' * 3_000} numbers"
    part = (
        f"{{ fields: {{ least: {{ type: int, description: {words} }}, most: int }} }}"
    )
    text = f"{_GOOD}targets: [openai]\narguments:\n  inline:\n    filter:\n"
    fields = f"      fields:\n        range: {part}\n        other: {part}\n"
    (specs / "long.yaml").write_text(text + fields)


def _forty_one_tools(specs: Path) -> None:
    specs.mkdir()
    tools = (
        f"type: python_function\nname: tool_{n}\ndescription: Step {n} of a long way.\n"
        for n in range(41)
    )
    (specs / "many.yaml").write_text("---\n".join(tools))


def _large_tool(specs: Path) -> None:
    specs.mkdir()
    fields = "".join(
        f"      part_{n}: {{type: int, description: {'Says much. ' * 40}}}\n"
        for n in range(20)
    )
    text = f"{_GOOD}description: Look into it.\narguments:\n  inline:\n    all_of_it:\n"
    (specs / "large.yaml").write_text(
        f"{text}      fields:\n{fields}".replace("      part", "        part")
    )


MADE = {
    "S001-specs-missing": _nothing,
    "S002-unreadable": _unreadable,
    "S002-unreadable.file-too-large": _too_large,
    "S002-unreadable.not-utf-8": _not_utf8,
    "S002-unreadable.not-a-file": _pipe,
    "S002-unreadable.link-leaves-specs": _link_outside,
    "S007-linked-folder": _linked_folder,
    "S002-unreadable.file-name": _file_name,
    "S009-refused-character": _refused_character,
    "S010-no-spec-files": _only_a_readme,
    "S109-document-too-large.too-deep": _deep,
    "S109-document-too-large.too-many-values": _bomb,
    "R329-schema-too-large": _deep_entities,
    "R329-schema-too-large.too-many-levels": _long_references,
    "R315-endless-inheritance.too-many-ancestors": _long_inheritance,
    "T451-openai-description-too-long": _long_description,
    "T452-too-many-for-provider.openai-too-many-tools": _many_tools,
    "T452-too-many-for-provider.anthropic-strict-set": _many_strict_tools,
    "T466-descriptor-loss": _long_example,
    "T467-descriptor-too-long": _long_descriptor,
    "L607-over-limit.too-many-tools": _forty_one_tools,
    "L607-over-limit.tool-too-large": _large_tool,
}
ALL = cases(MADE)
# Rules about the output are told when files are planned and written: see tests/output. Those
# about imports are told of other files than specs: see tests/importers. What breaks callers is
# told of two builds: see tests/cli.
RULES_OF_SPECS = [
    each
    for each in RULES
    if not each.code.startswith(("O", "I")) and each is not BREAKING_CHANGE
]

# What an example shows beside its rule, and why it does.
BESIDE = {
    "L608": ["T450"],  # a field of type `object` is open, whatever it is called
}


def _with_example() -> list[Kind]:
    """The kinds with an example."""
    codes = {rule.code for rule in RULES_OF_SPECS}
    return [kind for kind in KINDS if kind.code in codes and kind.wrong]


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_the_diagnostic_is_told_as_recorded(case: Case, tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    case.write(specs)
    found = check(specs, case.reason)
    said = said_about(specs, found)
    if is_regenerating():
        case.expected.write_text(said, encoding="utf-8", newline="")
    assert said == case.expected.read_text(encoding="utf-8")
    rules = {(each.rule.code, each.rule.reason) for each in found}
    assert (case.code, case.reason) in rules


def test_every_reason_has_a_case_and_every_case_a_reason() -> None:
    told = {(rule.code, rule.reason) for rule in RULES_OF_SPECS}
    assert told == {(case.code, case.reason) for case in ALL}


def test_every_text_has_a_case() -> None:
    expected = {case.expected.name for case in ALL}
    assert {each.name for each in CASES.glob("*.txt")} == expected


@pytest.mark.parametrize("kind", _with_example(), ids=lambda kind: kind.code)
def test_the_wrong_example_breaks_its_rule_and_no_other(
    kind: Kind, tmp_path: Path
) -> None:
    write_example(tmp_path / "specs", kind.wrong)
    codes = [each.rule.code for each in _judged(kind, tmp_path / "specs")]
    assert sorted([kind.code, *BESIDE.get(kind.code, ())]) == sorted(codes)


@pytest.mark.parametrize("kind", _with_example(), ids=lambda kind: kind.code)
def test_the_right_example_is_right(kind: Kind, tmp_path: Path) -> None:
    write_example(tmp_path / "specs", kind.right)
    found = _judged(kind, tmp_path / "specs")
    assert [] == [f"{each.rule.code} {each.message}" for each in found]


def _judged(kind: Kind, specs: Path) -> Diagnostics:
    """What is said of an example, under the options that its kind needs."""
    needed = [rule.reason for rule in kind.rules if rule.reason in (*OPTIONS, *TARGETS)]
    return check(specs, (needed or [kind.rules[0].reason])[0])


def test_whoever_shows_what_is_wrong_shows_what_is_right() -> None:
    assert [] == [kind.code for kind in KINDS if bool(kind.wrong) != bool(kind.right)]


def test_files_in_any_order_are_told_in_one(tmp_path: Path) -> None:
    sources = [each.source for each in ALL if each.source and each.source.is_file()]
    said: list[str] = []
    for number, order in enumerate((sources, sources[::-1])):
        specs = tmp_path / str(number) / "specs"
        specs.mkdir(parents=True)
        for source in order:
            shutil.copyfile(source, specs / source.name)
        said.append(said_about(specs, check(specs)))
    assert said[0] == said[1]
