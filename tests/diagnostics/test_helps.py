"""Advice must help who has nothing but the installed package: no page of docs/ lies beside it."""

from __future__ import annotations

import re
from pathlib import Path

import brimgen
from brimgen.diagnostics.catalogue import RULES
from brimgen.diagnostics.rules import NOT_IN_PROMPTS
from brimgen.emit.prompts.supported_jinja import FILTERS, TESTS

PACKAGE = Path(brimgen.__file__).parent
_ALSO = {"d", "equalto", "=="}
"""Second names, which Jinja has for brevity."""


def test_no_advice_names_a_page_that_is_not_installed() -> None:
    assert [] == [
        each.code
        for each in RULES
        if re.search(r"docs/[\w-]+\.md", f"{each.message} {each.help}")
    ]


def test_no_command_names_a_page_that_is_not_installed() -> None:
    """The commands speak in the words of `cli/`; a docstring that no command shows may."""
    told = [
        f"{path.name}: {line.strip()}"
        for path in sorted((PACKAGE / "cli").glob("*.py"))
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"docs/[\w-]+\.md", line) and not line.lstrip().startswith('"""')
    ]
    assert [] == told


def test_the_advice_lists_what_prompts_have() -> None:
    listed = NOT_IN_PROMPTS.help.partition("the filters ")[2].partition(". Say it")[0]
    filters, _, tests = listed.partition("; the tests ")
    assert FILTERS.keys() - _ALSO == _words(filters)
    assert TESTS.keys() - _ALSO == _words(tests)


def _words(text: str) -> set[str]:
    return set(text.replace(" and ", ", ").split(", "))
