"""The catalogue: every rule once, found by code and slug, and explained."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from pkgutil import walk_packages
from string import Formatter

import pytest

from brimgen.diagnostics import Rule, rules
from brimgen.diagnostics.catalogue import RULES, UnknownRule, explain, rule_named


def test_codes_and_slugs_are_unique() -> None:
    for names in ([each.code for each in RULES], [each.slug for each in RULES]):
        assert [name for name, count in Counter(names).items() if count > 1] == []


def test_every_rule_of_every_module_is_in_the_catalogue() -> None:
    said = {
        value
        for module in walk_packages(rules.__path__, f"{rules.__name__}.")
        for value in vars(import_module(module.name)).values()
        if isinstance(value, Rule)
    }
    assert said == set(RULES)


def test_codes_and_slugs_look_alike() -> None:
    for rule in RULES:
        assert re.fullmatch(r"[SRTLOI]\d{3}|SQL\d{3}", rule.code), rule
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.slug), rule


def test_rules_are_worded_alike() -> None:
    for rule in RULES:
        assert rule.help.endswith((".", "?", "`", ")")), rule.code
        assert not rule.message.endswith("."), rule.code
        assert bool(rule.wrong) or not rule.right, rule.code


def test_an_advice_has_no_place_of_its_message_unfilled() -> None:
    """`Diagnostics.add` fills messages; an advice is shown as it is written."""
    for rule in RULES:
        places = {name for _, name, _, _ in Formatter().parse(rule.message) if name}
        assert [] == [name for name in places if f"{{{name}}}" in rule.help], rule.code


def test_no_rule_cites_what_its_readers_do_not_have() -> None:
    """Numbers like `S0.17` are rows of papers that never leave the house."""
    citing = re.compile(r"S\d+\.\d+")
    for rule in RULES:
        assert [] == citing.findall(f"{rule.message} {rule.help}"), rule.code


def test_stages_come_in_their_order() -> None:
    letters = [re.sub(r"\d", "", each.code) for each in RULES]
    assert list(dict.fromkeys(letters)) == ["S", "R", "T", "SQL", "L", "O", "I"]


@pytest.mark.parametrize("name", ["S103", "s103", "duplicate-key", "Duplicate-Key"])
def test_a_rule_is_found_by_code_and_slug(name: str) -> None:
    assert rule_named(name).code == "S103"


def test_an_unknown_rule_has_a_suggestion() -> None:
    with pytest.raises(UnknownRule) as caught:
        rule_named("duplicat-key")
    assert caught.value.suggestions == ("duplicate-key",)


def test_every_rule_can_be_explained() -> None:
    for rule in RULES:
        text = explain(rule.code)
        assert text.startswith(f"{rule.code} {rule.slug} ({rule.severity})\n\n")
        assert rule.help in text
        assert not re.search(r"(?<!{){[a-z_]+}", text.split("\n")[2].replace("{<", ""))


def test_an_explanation_shows_a_wrong_and_a_right_spec() -> None:
    assert explain("S106") == (
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
