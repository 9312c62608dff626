"""Every rule of the stage: its wrong example is told alone, its right one is clean."""

from __future__ import annotations

import re

import pytest

from brimgen.diagnostics import Rule
from brimgen.diagnostics.catalogue import RULES as ALL_RULES
from support.syntax import read

RULES = [each for each in ALL_RULES if each.code.startswith("S2")]


def file_name(example: str) -> str:
    """The kind of file that an example is: most are YAML."""
    if example.startswith(("/*", "SELECT")):
        return "one.sql"
    return "one.md" if example.startswith("---\n") else "one.yaml"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_wrong_example_is_told_once_and_alone(rule: Rule) -> None:
    files = {file_name(rule.wrong): rule.wrong}
    if rule.slug == "statement-file-has-metadata":
        files["two.sql"] = "/*\n---\nname: two\n---\n*/\nSELECT 2\n"
    assert [rule.slug] == [slug for slug, _ in read(files).told]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_right_example_is_clean(rule: Rule) -> None:
    assert [] == read({file_name(rule.right): rule.right}).told


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.slug)
def test_rules_are_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.slug)
    assert rule.help.endswith(".")
    assert not rule.message.endswith(".")


def test_codes_and_slugs_are_unique() -> None:
    assert len(ALL_RULES) == len({rule.code for rule in ALL_RULES})
    assert len(ALL_RULES) == len({rule.slug for rule in ALL_RULES})
