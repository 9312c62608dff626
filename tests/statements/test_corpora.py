"""Statements of others: their parameters are found, none is lost, and each driver gets its text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from brimgen.diagnostics import Diagnostic
from brimgen.sql import TokenKind, find_dialect
from brimgen.sql.drivers import Driver, Style
from brimgen.sql.infer import infer
from brimgen.sql.kinds import SqlKind
from brimgen.sql.parameter_types import SqlType
from brimgen.sql.rewrite import rewrite
from brimgen.sql.scanner import scan
from brimgen.sql.uses import find_places
from sqlschema.shop import DIALECTS, shop
from sqlschema.statements import examples
from statements.corpora import items, placeholders, rewritten
from statements.test_statements import Row, Section, build_rows

SPEC = "arguments: { inline: { @2 } }\nsql: $1\n"
ENTITY = "---\ntype: entity\nname: User\nfields: { id: int }\n"
UNTYPED = SqlType(kind=SqlKind.PRIMITIVE)
STYLES = {
    "named": Driver(name="x", style=Style.NAMED, dialects=()),
    "qmark": Driver(name="x", style=Style.QMARK, dialects=()),
    "dollar": Driver(name="x", style=Style.DOLLAR, dialects=()),
    "numeric_dollar": Driver(name="x", style=Style.NUMERIC, dialects=()),
    "pyformat": Driver(name="x", style=Style.PYFORMAT, dialects=(), percent=True),
    "format": Driver(name="x", style=Style.FORMAT, dialects=(), percent=True),
    "format_raw": Driver(name="x", style=Style.FORMAT, dialects=()),
}


def _named(each: Diagnostic) -> str:
    """``slug:name`` where the message is about a parameter, as the corpus writes it."""
    quoted = re.search(r"`:?([^\W\d]\w*)`", each.message)
    if each.rule.reason == "ambiguous-colon":
        return f"{each.rule.reason}:{each.message.split('`')[1].rpartition(':')[2]}"
    is_about = re.search("parameter|list-as-scalar", each.rule.reason)
    if is_about and each.rule.reason != "parameter-as-identifier" and quoted:
        return f"{each.rule.reason}:{quoted[1]}"
    return each.rule.reason


def test_every_diagnostic_of_the_corpus_of_placeholders_is_told(tmp_path: Path) -> None:
    """An argument that another error keeps from being used is not told to be unused, too."""
    explained = {"template-syntax", "foreign-placeholder"}
    for number, case in enumerate(placeholders("diagnostics")):
        declared = ", ".join(
            f"{name}: {type}" for name, type in case["declared"].items()
        )
        entity = ENTITY if "User" in declared else ""
        row = Row(case["dialect"], [case["sql"], declared], "")
        section = Section(tmp_path, "told", "", "", SPEC + entity, [row])
        found = build_rows(section, {0: row}, tmp_path / f"{number}").told[0]
        codes = {_named(each) for each in found}
        wrong = {_named(each) for each in found if each.rule.severity == "error"}
        expected = {
            each
            for each in case["expect"]
            if not (explained & codes and each.startswith("unused-parameter"))
        }
        assert expected <= codes, case["id"]
        assert wrong <= expected, case["id"]


def test_placeholders_of_the_corpus_are_found_and_written_as_each_driver_reads_them() -> (
    None
):
    count = 0
    for case in placeholders("cases"):
        dialect = find_dialect(case["dialect"])
        assert dialect is not None
        found = scan(case["sql"], dialect)
        names = [each.name for each in found.parameters]
        assert (case["occurrences"], case["params"]) == (
            names,
            list(found.names),
        ), case["id"]
        assert case["sql"] == "".join(each.text for each in found.tokens), case["id"]
        types = dict.fromkeys(found.names, UNTYPED)
        for style, expected in case["expected_rewrite"].items():
            if style in STYLES:
                count += 1
                text = rewrite(found, find_places(found), types, STYLES[style]).text
                assert expected == text, (case["id"], style)
    assert count > 100


def test_the_parameters_of_statements_of_others(tmp_path: Path) -> None:
    """With our placeholders each statement is sound, and none is lost.

    A lone parameter in a subscript may be a slice, too: that is asked. No SQL are functions of
    sqlc's own, and mistakes on purpose.
    """
    rows, expected, count = dict[int, Row](), dict[int, list[str]](), 0
    for at, item in enumerate(items("sql-annotated/sqlc_queries.jsonl.gz")):
        dialect = item["engine"].replace("postgresql", "postgres")
        for other, theirs in (("clickhouse", "clickhouse"), ("mssql", "tsql")):
            dialect = theirs if other in item["path"] else dialect
        sql, names = rewritten(item["sql"], dialect)
        declared = ", ".join(f"{name}: string" for name in names)
        rows[at] = Row(dialect, [sql, declared], item["id"])
        statement = rows[at].scanned
        asked = any(each.kind is TokenKind.AMBIGUOUS for each in statement.tokens)
        assert asked or names == statement.names, item["id"]
        expected[at] = ["ambiguous-colon"] * asked
        count += len(statement.parameters)
    section = Section(tmp_path, "told", "", "", SPEC, [*rows.values()])
    told = build_rows(section, rows, tmp_path).told
    for at, row in rows.items():
        foreign = "sqlc." in row.cells[0] or "syntax_errors" in row.line
        found = [each.rule.reason for each in told[at] if each.rule.severity == "error"]
        assert expected[at] == [
            each for each in found if not (foreign and each == "syntax-error")
        ], row.line
    assert count > 300


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nothing_is_found_in_right_statements(dialect: str) -> None:
    schema, read_as = shop(dialect), find_dialect(dialect)
    assert read_as is not None
    for each in examples():
        if dialect in each.dialects:
            found = infer(scan(each.sql, read_as), schema).findings
            assert not found, (each.sql, found[0].text)
