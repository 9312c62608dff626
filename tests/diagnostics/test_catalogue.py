"""The catalogue: docs/diagnostics.md says every reason once, and each can be explained."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

import brimgen
from brimgen.diagnostics.catalogue import (
    KINDS,
    RULES,
    UnknownKind,
    explain,
    kind_named,
    page,
)
from brimgen_runtime.grammar import rule_messages

PACKAGE = Path(brimgen.__file__).parent
_MODULE = "brimgen.diagnostics.rules"


def test_codes_slugs_and_reasons_are_unique() -> None:
    names = [kind.code for kind in KINDS], [rule.reason for rule in RULES]
    for each in (*names, [kind.slug for kind in KINDS]):
        assert [name for name, count in Counter(each).items() if count > 1] == []


def test_a_reason_is_no_slug_of_another_code() -> None:
    slugs = {kind.slug: kind.code for kind in KINDS}
    assert [] == [r for r in RULES if slugs.get(r.reason, r.code) != r.code]


def test_the_page_has_at_most_200_codes_and_nothing_beside_them() -> None:
    headings = re.findall(r"^### (\S+) (\S+)$", page(), re.M)
    assert headings == [(kind.code, kind.slug) for kind in KINDS]
    assert len(KINDS) <= 200
    said = re.findall(r"^\*\*([a-z0-9-]+)\*\*: ", page(), re.M)
    assert said == [rule.reason for rule in RULES]


def test_every_reason_is_told_and_every_reason_that_is_told_is_on_the_page() -> None:
    """A name of `rules` that the page lacks would fail in the run that reports it."""
    told = set[str]()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for names in re.findall(rf"^from {_MODULE} import (\([^)]*\)|.*)", text, re.M):
            told.update(re.findall(r"\w+", names))
        told.update(re.findall(r"\brules\.(\w+)", text))
    constants = {name for name in told if name.isupper()}
    assert constants == {rule.reason.upper().replace("-", "_") for rule in RULES}


def test_a_store_says_what_a_build_says() -> None:
    rules = {rule.reason: (rule.code, rule.message) for rule in RULES}
    assert rule_messages.RULES.items() <= rules.items()


def test_rules_are_worded_alike() -> None:
    for rule in RULES:
        assert rule.help.endswith((".", ".)")), rule.reason
        assert not rule.message.endswith("."), rule.reason


def test_an_advice_has_no_place_of_its_message_unfilled() -> None:
    """`Diagnostics.add` fills messages; an advice is shown as it is written."""
    for rule in RULES:
        places = {name for _, name, _, _ in Formatter().parse(rule.message) if name}
        assert [] == [name for name in places if f"{{{name}}}" in rule.help], rule


def test_no_rule_cites_what_its_readers_do_not_have() -> None:
    """Numbers like `S0.17` are rows of papers that never leave the house."""
    citing = re.compile(r"S\d+\.\d+")
    for rule in RULES:
        assert [] == citing.findall(f"{rule.message} {rule.help}"), rule.reason


def test_stages_come_in_their_order_and_codes_in_theirs() -> None:
    letters = [re.sub(r"\d", "", kind.code) for kind in KINDS]
    stages = ["S", "R", "T", "SQL", "L", "O", "I"]
    assert list(dict.fromkeys(letters)) == stages
    codes = [kind.code for kind in KINDS]
    order = sorted(
        codes, key=lambda code: (stages.index(code.rstrip("0123456789")), code)
    )
    assert codes == order


@pytest.mark.parametrize(
    "name", ["S103", "s103", "duplicate-key", "Duplicate-Key", "synonym-twice"]
)
def test_a_kind_is_found_by_code_slug_and_reason(name: str) -> None:
    assert kind_named(name).code == "S103"


def test_an_unknown_name_has_a_suggestion() -> None:
    with pytest.raises(UnknownKind) as caught:
        kind_named("duplicat-key")
    assert caught.value.suggestions == ("duplicate-key",)


def test_every_kind_can_be_explained() -> None:
    for kind in KINDS:
        text = explain(kind)
        assert text.startswith(f"{kind.code} {kind.slug} ({kind.severity})\n\n")
        assert all(rule.help in text for rule in kind.rules)


def test_an_explanation_shows_a_wrong_and_a_right_spec() -> None:
    assert explain(kind_named("S106")) == (
        "S106 tag (error)\n"
        "\n"
        "The tag `<tag>` is not allowed: specs hold plain data only.\n"
        "\n"
        "Remove the tag. Put a value in quotes if it should be text.\n"
        "\n"
        "Wrong:\n"
        "\n"
        "    type: python_function\n"
        "    name: probe\n"
        "    version: !!str 1.10\n"
        "\n"
        "Right:\n"
        "\n"
        "    type: python_function\n"
        "    name: probe\n"
        '    version: "1.10"\n'
    )
