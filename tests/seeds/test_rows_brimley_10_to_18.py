"""Seed 000, the rows B10 to B18 of its table, each by the words of its check."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from brimgen.model.project import Connection
from support.made import corpus
from support.project import Built, build
from support.seed_000 import FULL

HEAD = "type: python_function\nname: probe\ndescription: A probe.\n"
RESOURCE = "type: resource\nname: probe\ndescription: A page.\nreturns: string\n"
CUSTOMER = """\
type: entity
name: Customer
fields:
  name: string
  email: { type: string, pattern: "^[^@]+@[^@]+$" }
"""
KIND = "type: entity\nname: Kind\nenum: [a, b]\n"


def made(folder: Path, text: str, **options: Any) -> Built:
    files = {"probe.yaml": text, "customer.yaml": CUSTOMER, "kind.yaml": KIND}
    return build(folder, files, **options)


def inline(entries: str, head: str = HEAD) -> str:
    return f"{head}arguments: {{ inline: {{ {entries} }} }}\n"


def names(built: Built, which: str = "input") -> list[str]:
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    schema = built.schema(f"probe.{which}")
    return list(schema["properties"])


def told(built: Built) -> list[tuple[str, str]]:
    return [(each.rule.reason, str(each.rule.severity)) for each in built.diagnostics]


def test_B10_entity_ref(tmp_path: Path) -> None:
    built = made(tmp_path, HEAD + FULL)
    own = ["name", "email", "status", "min_total", "start_date"]
    assert own == names(built)
    assert [*own, "user_id"] == names(built, "bound")


def test_B10_none_is_the_same_as_absent(tmp_path: Path) -> None:
    texts = (inline("a: int"), inline("a: int").replace("{", "{ entity_ref: ~,", 1))
    first, second = (
        made(tmp_path / str(number), text, package="same")
        for number, text in enumerate(texts)
    )
    assert "entity_ref: ~" in texts[1] and first.files == second.files


MISUSES = {
    '"Customer[]"': ("entity-ref-is-list", ("Customer",)),
    "[Customer]": ("entity-ref-not-a-name", ()),
    "Custmer": ("unknown-entity", ("Customer",)),
    "Kind": ("enum-as-entity-ref", ()),
}


@pytest.mark.parametrize("reference", MISUSES)
def test_B10_misuses_are_distinct_errors(reference: str, tmp_path: Path) -> None:
    text = f"{HEAD}arguments: {{ entity_ref: {reference} }}\n"
    [error] = made(tmp_path, text).diagnostics
    assert MISUSES[reference] == (error.rule.reason, error.suggestions)
    assert "error" == error.rule.severity
    assert len(MISUSES) == len({slug for slug, _ in MISUSES.values()})


def test_B11_an_inherited_field_is_hidden_with_its_type_and_pattern(
    tmp_path: Path,
) -> None:
    built = made(
        tmp_path,
        f"{HEAD}arguments:\n  entity_ref: Customer\n"
        "  inline: { email: { from_context: app.user.email } }\n",
    )
    assert ["name"] == names(built)
    bound = built.schema("probe.bound")["properties"]["email"]
    assert {"type": "string", "pattern": "^[^@]+@[^@]+$"} == bound
    probe = built.tool("probe")
    call = probe.input_type.from_dict({"name": "x"})
    context = {"app": {"user": {"email": "a@b"}}}
    assert "a@b" == probe.bound_type.bind(call, context).email
    context["app"]["user"]["email"] = "nobody"
    with pytest.raises(
        LookupError, match=r"app\.user\.email: expected text that match"
    ):
        probe.bound_type.bind(call, context)


def test_B12_a_bind_without_arguments_is_told_at_its_place(tmp_path: Path) -> None:
    text = (
        "type: sql_function\nname: probe\nreturns: object\n"
        "sql: |\n  SELECT a\n  FROM t WHERE a = :x\n"
    )
    [error] = build(tmp_path, {"probe.yaml": text}).diagnostics
    span = error.span
    place = (span.file, span.line, span.column)
    assert ("specs/probe.yaml", 6, 20) == place
    assert ("undeclared-parameter", "error") == (error.rule.reason, error.rule.severity)
    assert ":x" == text.splitlines()[5][19:]


DOCS = "/docs/{category}/{sub_category}/{doc_index}"


def resource(path: str, entries: str = "") -> str:
    head = f"{RESOURCE}path: '{path}'\n"
    return inline(entries, head) if entries else head


def matched(folder: Path, path: str, entries: str) -> Any:
    built = build(folder, {"probe.yaml": resource(path, entries)})
    assert [] == built.slugs
    return built.load("resources").PROBE


def test_B13_a_path_is_matched_by_type(tmp_path: Path) -> None:
    probe = matched(
        tmp_path, DOCS, "category: string, sub_category: string, doc_index: int"
    )
    found = probe.match("/docs/a/b/7")
    assert ("a", "b", 7) == (found.category, found.sub_category, found.doc_index)
    assert int is type(found.doc_index)
    with pytest.raises(ValueError, match="doc_index"):
        probe.match("/docs/a/b/x")


@pytest.mark.parametrize(
    ("path", "entries", "slug"),
    [
        (DOCS, "", "path-without-arguments"),
        (DOCS, "category: string, doc_index: int", "undeclared-placeholder"),
        ("/docs/{a}/{a}", "a: string", "bad-path"),
        (
            "/docs/{a}",
            "a: { type: string, from_context: app.a }",
            "hidden-placeholder",
        ),
    ],
)
def test_B13_paths_and_arguments_agree(
    path: str, entries: str, slug: str, tmp_path: Path
) -> None:
    assert [(slug, "error")] == told(
        build(tmp_path, {"probe.yaml": resource(path, entries)})
    )


def test_B13_an_argument_that_the_path_does_not_name_is_a_query(tmp_path: Path) -> None:
    """spec-language.md decides: such a name is no error."""
    probe = matched(tmp_path, "/docs/{a}", "a: string, page: int")
    assert 3 == probe.match("/docs/x?page=3").page


@pytest.mark.parametrize("kind", ["string", "splat", "remainder"])
def test_B14_the_rest_of_a_path(kind: str, tmp_path: Path) -> None:
    probe = matched(
        tmp_path,
        "/docs/{category}/{remainder*}",
        f"category: string, remainder: {kind}",
    )
    found = probe.match("/docs/engineering/hardware/sensors/v1")
    assert ("engineering", "hardware/sensors/v1") == (found.category, found.remainder)
    for uri in ("/docs/engineering/../v1", "/docs/engineering/a/%2e%2e/v1"):
        with pytest.raises(ValueError, match="remainder"):
            probe.match(uri)


def test_B14_clients_of_mcp_are_told_the_path(tmp_path: Path) -> None:
    text = resource("/docs/{category}/{rest*}", "category: string, rest: string")
    built = build(tmp_path, {"probe.yaml": text})
    [told] = built.sent("mcp/resource_templates.json")["resourceTemplates"]
    assert told["uriTemplate"].endswith("/docs/{category}/{+rest}")


def test_B14_the_rest_stands_last(tmp_path: Path) -> None:
    text = resource("/docs/{rest*}/{page}", "rest: string, page: string")
    assert [("bad-path", "error")] == told(build(tmp_path, {"probe.yaml": text}))


KINDS = {
    "sql": "sql_function\nsql: SELECT :id AS id, :limit AS size, :who AS who\n",
    "python": "python_function\n",
    "http": "http_function\nallowedHosts: [a.example]\n"
    'request: { urlTemplate: "https://a.example/${id}", '
    'query: { limit: "${limit}", who: "${who}" } }\n',
    "template": "template_function\n"
    "template: '{{ args.id }} {{ args.limit }} {{ args.who }}'\n",
    "resource": "resource\npath: '/pages/{id}'\n",
}
BLOCK = """\
arguments:
  inline:
    id: int
    limit: { type: int, default: 10, maximum: 100, description: How many }
    who: { type: string, from_context: app.user.id }
"""


def test_B15_one_block_for_every_kind_of_tool(tmp_path: Path) -> None:
    schemas = {}
    for kind, lines in KINDS.items():
        returns = "" if kind == "template" else "returns: object\n"
        text = f"name: probe\ndescription: A probe.\n{returns}{BLOCK}type: {lines}"
        built = build(tmp_path / kind, {"probe.yaml": text})
        assert ["id", "limit"] == names(built), kind
        schemas[kind] = json.dumps(built.schema("probe.input"))
    assert {schemas["python"]} == set(schemas.values())
    assert 5 == len(schemas)


TEXT = """\
SELECT id, name, ':x' AS a, "b:c" AS b -- :y
FROM t /* :z */
"""
WHERE = "WHERE name <> :name AND id < :top AND name <> :name\n"
STYLES = {
    "named": ("sqlite", "sqlite3", [":name", ":top", ":name"]),
    "numeric": ("postgres", "asyncpg", ["$1", "$2", "$1"]),
    "pyformat": ("postgres", "psycopg", ["%(name)s", "%(top)s", "%(name)s"]),
    "qmark": ("mysql", "mariadb", ["?", "?", "?"]),
}


def statement(folder: Path, dialect: str, driver: str, text: str) -> Any:
    """The module of a statement for one driver, and the package's tool."""
    ids = "ids: 'int[]', " if ":ids" in text else ""
    spec = (
        "type: sql_function\nname: probe\nreturns: object\n"
        f"arguments: {{ inline: {{ {ids}name: string, top: int }} }}\n"
        f"sql: |\n{indent(text, '  ')}"
    )
    options = {"connections": {"default": Connection(dialect, (driver,))}}
    built = build(folder, {"p.yaml": spec}, targets=("python", "sql"), **options)
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    return built.load("sql.probe"), built.tool("probe")


@pytest.mark.parametrize("style", STYLES)
def test_B16_names_order_and_styles(style: str, tmp_path: Path) -> None:
    dialect, driver, marks = STYLES[style]
    module, tool = statement(tmp_path, dialect, driver, TEXT + WHERE)
    one, two, three = marks
    [where] = [
        line
        for line in getattr(module, f"SQL_{driver.upper()}").splitlines()
        if line.startswith("WHERE")
    ]
    assert f"WHERE name <> {one} AND id < {two} AND name <> {three}" == where
    assert ["name", "top"] == [each.name for each in module.PARAMS]
    call = tool.input_type.from_dict({"name": "n", "top": 7})
    assert {
        "named": {"name": "n", "top": 7},
        "pyformat": {"name": "n", "top": 7},
        "numeric": ("n", 7),
        "qmark": ("n", 7, "n"),
    }[style] == getattr(module, f"bind_{driver}")(tool.bound_type.bind(call, {}))


def test_B16_lists_expand(tmp_path: Path) -> None:
    text = "SELECT id FROM t WHERE id IN (:ids) AND name = :name AND id < :top\n"
    module, tool = statement(tmp_path, "mysql", "pymysql", text)
    call = tool.input_type.from_dict({"ids": [3, 5], "name": "n", "top": 7})
    rendered, bound = module.render_pymysql(tool.bound_type.bind(call, {}))
    assert "WHERE id IN (%(ids__0)s, %(ids__1)s) AND name" in rendered
    assert {"ids__0": 3, "ids__1": 5, "name": "n", "top": 7} == bound


def test_B16_rows_come_back_from_sqlite(tmp_path: Path) -> None:
    where = "WHERE id IN (:ids) AND name <> :name AND id < :top ORDER BY id\n"
    module, tool = statement(tmp_path, "sqlite", "sqlite3", TEXT + where)
    connection = sqlite3.connect(":memory:")
    connection.execute('CREATE TABLE t (id INTEGER, name TEXT, "b:c" TEXT)')
    values = [(1, "a", "x"), (2, "b", "x"), (3, "n", "x"), (9, "c", "x")]
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", values)
    for ids, expected in (([1, 2, 3, 9], [1, 2]), ([2], [2]), ([], [])):
        call = tool.input_type.from_dict({"ids": ids, "name": "n", "top": 9})
        bound = module.bind_sqlite3(tool.bound_type.bind(call, {}))
        rows = connection.execute(module.SQL_SQLITE3, bound).fetchall()
        assert expected == [row[0] for row in rows]
        assert {(":x", "x")} >= {row[2:] for row in rows}


def test_B16_templates_in_sql_are_errors(tmp_path: Path) -> None:
    for number, text in enumerate(("SELECT {{ a }}", "SELECT {% if a %} 1")):
        spec = f"type: sql_function\nname: probe\nreturns: object\nsql: '{text}'\n"
        built = build(tmp_path / str(number), {"p.yaml": spec})
        assert [("template-syntax", "error")] == told(built)


def test_B16_casts_are_no_binds(tmp_path: Path) -> None:
    text = "SELECT created::date, :name, :top, :ids FROM t\n"
    module, _ = statement(tmp_path, "postgres", "psycopg", text)
    assert ["name", "top", "ids"] == [each.name for each in module.PARAMS]
    assert "created::date" in module.SQL_PSYCOPG


def test_B17_documents_of_brimley_load_or_the_fix_is_named(tmp_path: Path) -> None:
    found = [
        item
        for item in corpus("sql-annotated", "other_queries")
        if item["id"].startswith("brimley/")
    ]
    assert found
    said = {}
    for number, item in enumerate(found):
        built = build(tmp_path / str(number), {"probe.sql": item["sql"]})
        said[item["id"]] = [each.message for each in built.diagnostics]
        assert built.diagnostics.has_errors or built.files
    assert {
        "brimley/docs/brimley-sql-functions.md#1": [],
        "brimley/tests/test_scanner.py#2": [
            "sql_function `same_name` has no statement"
        ],
        "brimley/tests/test_scanner.py#3": [
            "`type` must be `tool`, not the text `resource`"
        ],
    } == said


def test_B18_a_key_that_stands_twice_names_both_lines(tmp_path: Path) -> None:
    text = f"{HEAD}arguments:\n  inline:\n    a: int\n    a: string\n"
    [error] = build(tmp_path, {"probe.yaml": text}).diagnostics
    assert ("duplicate-key", 7) == (error.rule.reason, error.span.line)
    assert "lines 6 and 7" in error.message


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (
            "{ type: string, enum: [yes, no] }",
            {"type": "string", "enum": ["yes", "no"]},
        ),
        (
            "{ type: string, default: 2026-01-18 }",
            {"type": "string", "default": "2026-01-18"},
        ),
        (
            "{ type: date, default: 2026-01-18 }",
            {"type": "string", "format": "date", "default": "2026-01-18"},
        ),
    ],
)
def test_B18_values_stay_as_they_are_written(
    entry: str, expected: Any, tmp_path: Path
) -> None:
    built = build(tmp_path, {"probe.yaml": inline(f"a: {entry}")})
    assert ["a"] == names(built)
    schema = built.schema("probe.input")
    assert expected == schema["properties"]["a"]


def test_B18_a_type_that_needs_quotes_is_told_with_its_line(tmp_path: Path) -> None:
    text = f"{HEAD}arguments:\n  inline:\n    a: {{type: int[]}}\n"
    [error] = build(tmp_path, {"probe.yaml": text}).diagnostics
    assert ("type-needs-quotes", 6) == (error.rule.reason, error.span.line)
