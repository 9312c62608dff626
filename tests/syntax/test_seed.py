"""The YAML blocks of seed 000, each unchanged under a minimal header (row B1)."""

from __future__ import annotations

from textwrap import indent

import pytest

from brimgen.syntax.decls import FieldDecl
from support.seed_000 import COMPLEX, CONTEXT, FULL, PATH, SHORTHAND, STANDARD, WILDCARD
from support.syntax import HEAD, Parsed, read

RESOURCE = "type: resource\nname: probe\npath: /docs/{category}/{remainder*}\n"


def under_arguments(block: str) -> str:
    return f"{HEAD}arguments:\n{indent(block, '  ')}"


def said(field: FieldDecl) -> tuple[object, ...]:
    """Name, type and attribute keys."""
    assert field.type is not None
    keys = list(field.attributes)
    return (field.name.value, field.type.name, keys)


BLOCKS = {
    "shorthand": (
        under_arguments(SHORTHAND),
        [("customer_id", "int", []), ("is_active", "bool", [])],
    ),
    "complex": (
        under_arguments(COMPLEX),
        [("limit", "int", ["default", "maximum", "description"])],
    ),
    "context": (
        HEAD + CONTEXT,
        [("reason", "string", []), ("actor_id", "string", ["from_context"])],
    ),
    "full": (
        HEAD + FULL,
        [
            ("status", "string", ["default", "enum"]),
            ("min_total", "float", []),
            ("start_date", "date", []),
            ("user_id", "string", ["from_context"]),
        ],
    ),
    "path": (
        RESOURCE + PATH,
        [
            ("category", "string", []),
            ("sub_category", "string", []),
            ("doc_index", "int", []),
        ],
    ),
    "wildcard": (
        RESOURCE + WILDCARD,
        [("category", "string", []), ("remainder", "string", [])],
    ),
}


def clean(text: str) -> Parsed:
    parsed = read(text)
    assert [] == parsed.told
    return parsed


@pytest.mark.parametrize("name", BLOCKS)
def test_every_example_of_arguments_in_the_seed_is_read(name: str) -> None:
    text, expected = BLOCKS[name]
    parsed = clean(text)
    assert expected == [said(each) for each in parsed.arguments.fields]


def test_standard_mode_is_kept() -> None:
    standard = clean(under_arguments(STANDARD)).arguments.standard
    assert standard is not None
    assert ["properties", "required"] == [each.key.text for each in standard.entries]


def test_the_entity_that_the_seed_inherits_from_is_read() -> None:
    reference = clean(HEAD + FULL).arguments.entity_ref
    assert reference is not None and "Customer" == reference.value
    assert clean(RESOURCE + PATH).arguments.entity_ref is None


def test_both_words_for_arguments_mean_the_same() -> None:
    first = clean(HEAD + CONTEXT).arguments.fields
    second = clean(HEAD + CONTEXT.replace("args", "arguments")).arguments.fields
    assert [said(each) for each in first] == [said(each) for each in second]
