"""Where a statement or a template may stand, and that it stands in one place (spec-language.md)."""

from __future__ import annotations

import pytest

from support.syntax import HEAD, Parsed, read

META = "/*\n---\nname: one\n---\n*/\n"
YAML = "type: sql_function\nname: one\n"


def statement(parsed: Parsed) -> str:
    assert [] == parsed.told
    assert parsed.tool.body is not None
    return parsed.tool.body.text.strip()


def test_the_body_of_a_sql_file() -> None:
    assert "SELECT :a" == statement(read(META + "SELECT :a\n", name="one.sql"))


@pytest.mark.parametrize(
    "value", ["SELECT :a", "'SELECT :a'", "|\n  SELECT :a", ">-\n  SELECT\n  :a"]
)
def test_the_statement_in_yaml(value: str) -> None:
    assert "SELECT :a" == statement(read(f"{YAML}sql: {value}\n"))


@pytest.mark.parametrize("value", ["SELECT :a", "'SELECT :a'", "|\n  SELECT :a"])
def test_places_in_the_statement(value: str) -> None:
    parsed = read(f"{YAML}sql: {value}\n")
    body = parsed.tool.body
    assert body is not None
    start = body.text.index(":a")
    assert ":a" == parsed.under(body.span_at(start, start + 2))


FILES = {
    "one.yaml": ("one.sql", "one.sql"),
    "tools/one.yaml": ("one.sql", "tools/one.sql"),
    "tools/two.yaml": ("sql/one.sql", "sql/one.sql"),
    "tools/three.yaml": ("../sql/one.sql", "sql/one.sql"),
    "tools/four.yaml": ("./sql/one.sql", "tools/sql/one.sql"),
}


@pytest.mark.parametrize("spec", FILES)
def test_a_statement_is_read_from_the_file_that_is_named(spec: str) -> None:
    handler, path = FILES[spec]
    parsed = read({spec: f"{YAML}handler: {handler}\n", path: "SELECT :a\n"})
    assert "SELECT :a" == statement(parsed)
    tool = parsed.tool
    assert tool.body is not None and tool.body_file is not None
    assert f"specs/{path}" == tool.body_file.name == tool.body.span.file
    assert tool.option("handler") is not None
    assert ":a" == parsed.under(tool.body.span_at(7, 9))


def test_the_nearer_statement_file_counts() -> None:
    parsed = read(
        {
            "a/one.yaml": f"{YAML}handler: one.sql\n",
            "a/one.sql": "SELECT 1",
            "a/two.yaml": "type: sql_function\nname: two\nhandler: ../one.sql\n",
            "one.sql": "SELECT 2",
        }
    )
    assert [] == parsed.told
    assert ["SELECT 1", "SELECT 2"] == [
        each.body.text for each in parsed.specs.tools if each.body
    ]


def test_two_tools_may_share_a_statement() -> None:
    parsed = read(
        {
            "one.yaml": f"{YAML}handler: q.sql\n",
            "two.yaml": "type: sql_function\nname: two\nhandler: q.sql\n",
            "q.sql": "SELECT 1",
        }
    )
    assert [] == parsed.told
    assert 2 == len(parsed.specs.tools)


@pytest.mark.parametrize(
    ("handler", "suggestions"),
    [
        ("sql/on.sql", ("sql/one.sql",)),
        ("../outside.sql", ()),
        ("/etc/passwd", ()),
        ("shop.orders:place", ()),
        ("'a\\b'", ()),
    ],
)
def test_no_such_statement_file(handler: str, suggestions: tuple[str, ...]) -> None:
    parsed = read(
        {
            "one.yaml": f"{YAML}handler: {handler}\n",
            "two.yaml": "type: sql_function\nname: two\nhandler: sql/one.sql\n",
            "sql/one.sql": "SELECT 1",
        }
    )
    assert [("statement-file-not-found", handler)] == parsed.told
    assert suggestions == parsed.only.suggestions


def test_a_statement_file_with_metadata() -> None:
    parsed = read({"a.yaml": f"{YAML}handler: b.sql\n", "b.sql": META + "SELECT 1"})
    assert [("statement-file-has-metadata", "b.sql")] == parsed.told


def test_a_sql_file_that_nobody_names() -> None:
    parsed = read({"a.yaml": HEAD, "b.sql": "SELECT 1"})
    assert ["statement-file-unused"] == [slug for slug, _ in parsed.told]
    assert "specs/b.sql" == parsed.only.span.file


def test_a_refused_tool_has_named_its_file_all_the_same() -> None:
    parsed = read({"a.yaml": f"{YAML}handler: b.sql\ntag: x\n", "b.sql": "SELECT 1"})
    assert [("unknown-key", "tag")] == parsed.told


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.yaml", YAML, [("body-missing", "one")]),
        ("a.yaml", f"{YAML}sql:\n", [("body-missing", "one")]),
        ("a.yaml", f"{YAML}sql: ' '\n", [("body-missing", "' '")]),
        ("a.yaml", f"{YAML}sql: [SELECT]\n", [("wrong-kind", "[SELECT]")]),
        ("a.yaml", f"{YAML}sqll: SELECT 1\n", [("unknown-key", "sqll")]),
        ("a.sql", META, [("body-missing", "one")]),
        ("a.sql", META + "  \n", [("body-missing", "one")]),
        (
            "a.yaml",
            f"{YAML}sql: SELECT 1\nhandler: one.sql\n",
            [("body-twice", "handler")],
        ),
        (
            "a.sql",
            "/*\n---\nname: one\nsql: SELECT 1\n---\n*/\n\nSELECT 2\nFROM t\n",
            [("body-twice", "SELECT 2")],
        ),
        (
            "a.sql",
            "/*\n---\ntype: python_function\nname: one\n---\n*/\nSELECT 2\n",
            [("body-not-used", "SELECT 2")],
        ),
        (
            "a.sql",
            "/*\n---\ntype: template_function\nname: one\ntemplate: Hi\n---\n*/\nSELECT 2\n",
            [("body-not-used", "SELECT 2")],
        ),
        (
            "a.md",
            "---\ntype: entity\nname: One\nfields: { a: int }\n---\n\nText\n",
            [("body-not-used", "Text")],
        ),
        (
            "a.md",
            "---\ntype: sql_function\nname: one\nsql: SELECT 1\n---\nText\n",
            [("body-not-used", "Text")],
        ),
        ("a.md", "---\nname: one\n---\n", [("body-missing", "one")]),
        (
            "a.md",
            "---\nname: one\ntemplate: Hi\n---\nHo\n",
            [("body-twice", "Ho")],
        ),
        (
            "a.yaml",
            "type: template_function\nname: one\ntemplate: Hi\n"
            "messages: [{ role: user, content: Hi }]\n",
            [("body-twice", "messages")],
        ),
    ],
)
def test_a_missing_or_doubled_body_is_told(
    name: str, text: str, told: list[tuple[str, str]]
) -> None:
    parsed = read(text, name=name)
    assert told == parsed.told
    assert not parsed.specs.tools or not parsed.tool.sound


@pytest.mark.parametrize("kind", ["python_function", "entity"])
def test_a_blank_body_is_none(kind: str) -> None:
    fields = "fields: { a: int }\n" if kind == "entity" else ""
    parsed = read(f"---\ntype: {kind}\nname: one\n{fields}---\n\n", name="one.md")
    assert [] == parsed.told
