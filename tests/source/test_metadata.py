"""Metadata and bodies of ``.sql`` and ``.md`` files, with their places."""

from __future__ import annotations

import pytest

from brimgen.source.nodes import plain_object
from support.reading import cut, read, told

SQL = "specs/a.sql"
MD = "specs/a.md"
_STATEMENT = "SELECT *\n  FROM orders\n\nWHERE id = :id"


@pytest.mark.parametrize(
    "head",
    [
        "/*\n---\nname: f\n---\n*/\n",
        "\n\n/*\n---\nname: f\n---\n*/\n\n\n",
        "-- sqlfluff:dialect:sqlite\n\n/*\n---\nname: f\n---\n*/\n",
        "/* ---\nname: f\n--- \nmore words\n*/  \n",
        "/**\n   ---   \n   name: f\n   ---\n**/\n",
        "/*\n\n---\n\nname: f\n\n---*/",
        "/*\n---\nname: f\n---\n*/ ",
    ],
)
def test_metadata_is_parted_from_the_statement(head: str) -> None:
    if head.endswith("---*/"):
        head = head.replace("---*/", "---\n*/")
    text = f"{head}{_STATEMENT}  \n\n"
    (document,), found = read(text, SQL)
    assert found == []
    assert plain_object(document.root) == {"name": "f"}
    assert cut(text, document.root.entries[0].value.span) == "f"
    body = document.body
    assert body is not None
    assert body.text.lstrip() == _STATEMENT
    assert cut(text, body.span) == body.text
    for offset, character in enumerate(body.text):
        if character != "\n":
            assert cut(text, body.span_at(offset, offset + 1)) == character


@pytest.mark.parametrize("between", ["", "\n", "\n  \n\n"])
def test_front_matter_is_parted_from_the_text(between: str) -> None:
    text = (
        f"---\nname: f\ntext: |\n  ---\n  x\n---\n{between}  # {{{{ args.x }}}}\n\ny\n"
    )
    (document,), found = read(text, MD)
    assert found == []
    assert plain_object(document.root) == {"name": "f", "text": "---\nx\n"}
    assert document.body is not None
    assert document.body.text == "  # {{ args.x }}\n\ny"
    assert cut(text, document.body.span_at(4, 16)) == "{{ args.x }}"
    block = document.root.get("text").block  # type: ignore[union-attr]
    assert cut(text, block.span_at(4, 5)) == "x"


def test_a_body_may_be_empty() -> None:
    (document,), found = read("---\nname: f\n---\n", MD)
    assert found == []
    assert document.body is not None
    assert document.body.text == ""
    assert document.body.span_at(0, 0).line >= 3


def test_a_statement_without_metadata_is_read() -> None:
    for text in (_STATEMENT, f"/* licence */\n{_STATEMENT}", f"-- x\n{_STATEMENT}", ""):
        (document,), found = read(text, SQL)
        assert (found, document.is_bare, document.root.entries) == ([], True, ())
        assert document.body is not None
        assert document.body.text == text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (MD, "# Notes\n", "1:1-1:1 no-metadata"),
        (MD, "", "1:1-1:1 no-metadata"),
        (MD, "---\n---\ntext\n", "1:1-1:1 no-metadata"),
        (MD, "\n---\nname: f\n", "2:1-2:4 unclosed-metadata"),
        (MD, "---\nname: f\n ---\n", "1:1-1:4 unclosed-metadata"),
        (SQL, "/*\n---\n# nothing\n---\n*/\nSELECT 1", "1:1-1:1 no-metadata"),
        (SQL, "/*\n---\nname: f\n*/\nSELECT 1", "2:1-2:4 unclosed-metadata"),
        (SQL, "/*\n  ---\n  name: f\n", "2:3-2:6 unclosed-metadata"),
        (SQL, "/*\n---\nname: f\n---\nSELECT 1", "1:1-1:3 unclosed-comment"),
        (SQL, "/*\n---\na: docs/*/\n---\n*/\nSELECT 1", "3:9-3:11 comment-ends-early"),
        (SQL, "/*\n---\na: 1\n--- # b\nb: 2\n---\n*/\nx", "5:1-5:5 several-metadata"),
        (SQL, "/*\n---\na: [b[]]\n---\n*/\nx", "3:5-3:8 type-needs-quotes"),
        (MD, "---\na: 1\nb: 'x\n---\nbody\n", "3:4-3:5 unclosed"),
        (MD, "---\n- a\n---\nbody\n", "2:1-2:4 not-a-mapping"),
    ],
)
def test_broken_metadata_is_told_at_its_place(
    name: str, text: str, expected: str
) -> None:
    _, found = read(text, name)
    assert [told(each) for each in found] == [expected]


def test_the_suffix_may_be_in_any_case() -> None:
    assert read("---\nname: f\n---\nx", "specs/A.MD")[0][0].body is not None
    assert read("name: f\n", "specs/A.YML")[0][0].body is None
