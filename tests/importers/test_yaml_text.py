"""YAML that is written: read again, it is the very same data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen.api import Diagnostics
from brimgen.importers.yaml_text import yaml_document
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import plain_object
from support.visible import visible

HOSTILE = [
    *("", " ", "a ", " a", "a: b", "a #b", "- a", "? a", "! a", "& a", "* a", "% a"),
    *("yes", "No", "ON", "null", "~", "true", "False", "1", "1.0", "0o17", "0x1f"),
    *("1e3", ".inf", ".NaN", "2026-01-18", "1:30", "=", "<<", "---", "...", "{", "]"),
    *("a,b", "a, b]", "'", '"', "\\", "a\nb", "a\n\nb\n", "\na", "a\n ", " a\nb"),
    *("a\n", "a\n\n", "a\tb", "\t", "#", "@a", "`a", "|", ">", "a\r\nb"),
    *("\u00a0", "é", "😀", "a" * 300, "a: ", "a:"),
    *("http://a/b?c=d#e", "a -", "a\n---\nb", "a\n  b\n c", "%YAML 1.1", "a\nb: c\n#d"),
]
TEXTS = st.sampled_from(HOSTILE) | st.text(
    alphabet=st.characters(exclude_categories=["Cs"]), max_size=30
).map(visible)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def read(text: str) -> object:
    diagnostics = Diagnostics()
    documents = compose(SourceFile("a.yaml", "a.yaml", text), diagnostics)
    assert [] == [each.message for each in diagnostics]
    [document] = documents
    return plain_object(document.root)


@given(st.dictionaries(TEXTS.filter(lambda key: key != "<<"), VALUES, min_size=1))
def test_what_is_written_is_read(value: dict[str, object]) -> None:
    assert value == read(yaml_document(value))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_every_position(text: str) -> None:
    value = {"k": text, "list": [text, [text]], "map": {"a": [{"b": text}, text]}}
    if text != "<<":
        value["keys"] = {text: {text: text}}  # type: ignore[dict-item]
    assert value == read(yaml_document(value))


def test_an_imported_spec_is_yaml_that_people_would_write() -> None:
    assert (
        "name: get_orders\n"
        "description: |-\n"
        "  Lists orders, newest first.\n"
        "\n"
        "  Reads only.\n"
        "arguments:\n"
        "  inline:\n"
        "    limit: { type: int, default: 10 }\n"
        '    since: { type: string, description: "From, to" }\n'
        "  tags: [a, b]\n"
        "  rows:\n"
        "    - { a: 1 }\n"
        "    - b:\n"
        "        c: [1]\n"
        "    -\n"
        "      - [1]\n"
        'empty: ""\n'
    ) == yaml_document(
        {
            "name": "get_orders",
            "description": "Lists orders, newest first.\n\nReads only.",
            "arguments": {
                "inline": {
                    "limit": {"type": "int", "default": 10},
                    "since": {"type": "string", "description": "From, to"},
                },
                "tags": ["a", "b"],
                "rows": [{"a": 1}, {"b": {"c": [1]}}, [[1]]],
            },
            "empty": "",
        }
    )
