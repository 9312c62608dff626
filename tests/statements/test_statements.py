"""Statements and what comes of them: a line each, in ``*.cases``.

A section is ``[aspect what a user would lose]``, perhaps a part of a spec, and lines
``dialect: statement ==> outcome``. ``dialect/driver`` names a driver, several dialects stand
beside each other, and ``⏎`` is a line end. The spec has ``$1`` where a statement is to stand as
YAML text, ``@1`` as it is, ``@0`` for the number of the line; further cells follow behind `` | ``.
``[aspect name: …]`` takes the tables of ``[schema name]``, or the shop of `sqlschema.shop`.
An argument that no spec declares has the type of `ARGUMENTS`.
``BRIMGEN_REGEN=1 pytest tests/statements`` writes what is behind ``==>`` anew.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from brimgen import api
from brimgen.api import Settings
from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.model.project import Connection, Project, SchemaFile
from brimgen.sql import DIALECTS, Statement, scan
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.infer import infer
from brimgen.sql.model import Column, Schema, Table
from brimgen.sql.result_columns import columns
from sqlschema import shop
from support.case_files import parts, rewrite
from support.cases import is_regenerating
from support.schemas import schema_of

NAME = re.compile(r"(?<![\w:\\]):([^\W\d]\w*)")
TYPE = re.compile(r"(^|: )(\w+(?:\[\]\??|\?))(?=[ ,}]|$)")
FIRST = "type: sql_function\nname: t@0\nconnection: @c\n"
ARGUMENTS = {
    "s": "string?",
    "q": "string",
    "t": "datetime",
    "z": "datetime, x-sql-type: timestamptz",
    "j": "object",
    "d": "decimal, precision: 10, scale: 2",
    "day": "date",
    "yes": "bool",
    "ids": "int[]",
    "names": "string[]?",
    "prices": "decimal[]",
}


class Row(NamedTuple):
    """A statement for a dialect, and the line where it stands."""

    place: str
    cells: Sequence[str]
    line: str

    @property
    def dialect(self) -> str:
        """The dialect, without the driver."""
        return self.place.partition("/")[0]

    @property
    def scanned(self) -> Statement:
        """The statement as the scanner reads it."""
        return scan(self.cells[0], DIALECTS[self.dialect])


class Section(NamedTuple):
    """The statements of one promise."""

    path: Path
    aspect: str
    schema: str
    title: str
    spec: str
    rows: Sequence[Row]

    def ddl(self, dialect: str) -> str:
        """The tables that the statements are about."""
        return shop.ddl(dialect) if self.schema == "shop" else SCHEMAS[self.schema]

    def spec_of(self, number: int, row: Row) -> str:
        """The spec of one statement."""
        text = self.spec or "sql: $1\n"
        if "arguments:" not in text:
            names = dict.fromkeys(set(NAME.findall(row.cells[0])) - {"no"})
            types = (
                f"{each}: {{ type: {ARGUMENTS.get(each, 'int')} }}" for each in names
            )
            text = f"arguments: {{ inline: {{ {', '.join(types)} }} }}\n{text}"
        values = {"@0": f"_n{number}", "@c": row.place.replace("/", "_")}

        def filled(part: str) -> str:
            return TYPE.sub(r"\1'\2'", re.sub("@[0c]", lambda at: values[at[0]], part))

        for at, cell in enumerate(row.cells, 1):
            quoted = json.dumps(cell, ensure_ascii=False)
            values |= {f"@{at}": filled(cell), f"${at}": quoted}
        return re.sub(r"[@$][1-9]", lambda at: values[at[0]], filled(FIRST + text))


def _sections() -> Iterator[Section]:
    for path in sorted(Path(__file__).parent.glob("*.cases")):
        for aspect, title, text in parts(path, "schema", *ASPECTS):
            if aspect == "schema":
                SCHEMAS[title] = text
                continue
            schema, colon, _ = title.partition(": ")
            lines = text.splitlines()
            spec = "".join(f"{line}\n" for line in lines if " ==>" not in line)
            rows = [row for line in lines if " ==>" in line for row in _rows(line)]
            yield Section(path, aspect, schema if colon else "", title, spec, rows)


def _rows(line: str) -> Iterator[Row]:
    given, _, _ = line.rpartition(" ==>")
    places, _, text = given.partition(": ")
    for place in places.split():
        yield Row(place, text.replace("⏎", "\n").split(" | "), line)


SCHEMAS: dict[str, str] = {}


class Built(NamedTuple):
    """What a build says of each statement, which of them are wrong, and the files it writes."""

    told: Mapping[int, Sequence[Diagnostic]]
    wrong: set[int]
    files: Mapping[str, str]


def build_rows(section: Section, rows: Mapping[int, Row], folder: Path) -> Built:
    connections, specs = dict[str, Connection](), folder / "specs"
    specs.mkdir(parents=True)
    for at, row in rows.items():
        schema = section.schema and schema_of("schema.sql", section.ddl(row.dialect))
        drivers = tuple(row.place.split("/")[1:])
        connection = Connection(row.dialect, drivers, schema or None)
        connections[row.place.replace("/", "_")] = connection
        (specs / f"t{at}.yaml").write_text(
            section.spec_of(at, row), "utf-8", newline=""
        )
    project = Project(package="probe", connections=connections, targets=("sql",))
    built = api.build(
        Settings(specs=specs, out=folder / "out", project=project, targets=("sql",))
    )
    told, wrong = defaultdict[int, list[Diagnostic]](list), set[int]()
    for each in built.diagnostics:
        if each.rule.code[0] != "L":
            at = int(Path(each.span.file).stem[1:])
            told[at].append(each)
            wrong |= {at} if each.rule.severity == "error" else set()
    files = {each.path: each.data.decode() for each in built.outputs or ()}
    return Built(told, wrong, files)


def _reason(section: Section, told: Diagnostic, folder: Path) -> str:
    """The reason, what it points to, and what is suggested."""
    span = told.span
    spec = (folder / "specs" / Path(span.file).name).read_text("utf-8")
    line = spec.split("\n")[span.line - 1]
    text = line[
        span.column - 1 : span.end_column - 1 if span.end_line == span.line else None
    ]
    suggested = f" -> {', '.join(told.suggestions)}" if told.suggestions else ""
    return f"{told.rule.reason} `{text}`{suggested}"


def told(section: Section, folder: Path) -> list[str]:
    """What a build says: reasons and places."""
    built = build_rows(section, dict(enumerate(section.rows)), folder)
    return [_told(section, built, at, folder) for at in range(len(section.rows))]


def _told(section: Section, built: Built, at: int, folder: Path) -> str:
    is_void = "returns" not in section.spec
    return "; ".join(
        _reason(section, each, folder)
        for each in built.told[at]
        if not (is_void and each.rule.reason == "void-with-rows")
    )


def said(section: Section, folder: Path) -> list[str]:
    """What a build says, in words."""
    rows = dict(enumerate(section.rows))
    found = build_rows(section, rows, folder).told
    return ["; ".join(each.message for each in found[at]) for at in rows]


def _written(
    section: Section, folder: Path, show: Callable[[Built, str, Any], str]
) -> list[str]:
    """What the SQL target writes of a statement, or what is told of one that is refused."""
    rows = dict(enumerate(section.rows))
    first = build_rows(section, rows, folder)
    sound = {at: row for at, row in rows.items() if at not in first.wrong}
    built = build_rows(section, sound, folder / "sound") if first.wrong else first
    return [
        (
            show(built, f"t_n{at}", json.loads(built.files[f"sql/t_n{at}.json"]))
            if at in sound
            else f"refused: {_told(section, first, at, folder)}"
        )
        for at in rows
    ]


def kind(section: Section, folder: Path) -> list[str]:
    """What a statement does, and its hints: what is not known is told by ``perhaps``."""

    def show(_: Built, __: str, file: Any) -> str:
        hints, words = file["annotations"], [file["kind"]]
        if not hints:
            return f"{file['kind']}, no hints"
        assert hints["readOnlyHint"] is (file["kind"] == "read")
        for word in ("destructive", "idempotent") if file["kind"] != "read" else ():
            hint = hints.get(f"{word}Hint")
            words += [word] if hint else [f"perhaps {word}"] if hint is None else []
        return ", ".join(words)

    return _written(section, folder, show)


def text(section: Section, folder: Path) -> list[str]:
    """The text for each driver, and the order of what is bound."""

    def show(built: Built, name: str, file: Any) -> str:
        shown: list[str] = []
        for driver, target in file["targets"].items():
            page = built.files[f"sql/{name}.{driver}.sql"].split("\n", 2)[2].rstrip()
            order = [
                each if isinstance(each, str) else each["key"]
                for each in target["order"]
            ]
            name_of = f"{driver}: " if len(file["targets"]) > 1 else ""
            shown.append(f"{name_of}{page} ({' '.join(order)})")
        return "; ".join(shown)

    return _written(section, folder, show)


def parameters(section: Section, _: Path) -> list[str]:
    """The parameters that are found, and what else looks like one; no character is lost."""
    odd = ("ambiguous", "foreign", "open-string", "open-comment")
    found: list[str] = []
    for row in section.rows:
        tokens = row.scanned.tokens
        assert row.cells[0] == "".join(each.text for each in tokens)
        names = " ".join(f":{each.name}" for each in row.scanned.parameters)
        marks = (
            f"{each.kind.value} {each.text}"
            for each in tokens
            if each.kind.value in odd
        )
        found.append("; ".join(filter(None, [names, *marks])))
    return found


def names(section: Section, _: Path) -> list[str]:
    """The names of columns: ``-`` is not told, ``~`` is plain in no database, ``?`` is unsure."""
    listed = [columns(row.scanned) for row in section.rows]
    return [
        (
            "?"
            if each is None
            else " ".join(of.name or ("~" if of.unnamed else "-") for of in each)
        )
        for each in listed
    ]


def _schema(ddl: str, dialect: str) -> tuple[Schema, Diagnostics]:
    found = Diagnostics()
    return read_ddl([SchemaFile("db/schema.sql", ddl)], dialect, found), found


def inferred(section: Section, _: Path) -> list[str]:
    """Columns by name with their types, and parameters: ``?`` may be NULL, ``??`` may or may not.

    ``!`` is a parameter that is stored, ``rows`` a statement that always gives one.
    """
    marks = {True: "?", False: "", None: "??"}
    made: list[str] = []
    for row in section.rows:
        schema = _schema(section.ddl(row.dialect), row.dialect)[0]
        found, shown = infer(row.scanned, schema), list[str]()
        for column in found.columns or ():
            word = column.type.native if column.type else "unknown"
            shown.append(f"{column.name} {word}{marks[column.nullable]}")
        for name, each in found.parameters.items():
            word = (each.type.native if each.type else "unknown") + "[]" * each.is_list
            shown.append(f":{name} {word}{marks[each.nullable]}{'!' * each.stored}")
        shown += ["rows"] * found.at_least_one
        for finding in found.findings:
            place, meant = row.cells[0][slice(*finding.place)], ", ".join(
                finding.candidates
            )
            shown.append(f"{finding.mistake} `{place}`" + (meant and f" -> {meant}"))
        made.append("; ".join(shown))
    return made


def tables(section: Section, _: Path) -> list[str]:
    """The tables that DDL leaves, their columns and keys, and what is told of the rest."""
    made: list[str] = []
    for row in section.rows:
        schema, found = _schema(row.cells[0], row.dialect)
        shown = [_table(each, row.cells[0]) for each in schema.tables.values()]
        shown += ["incomplete"] * (not schema.complete)
        made.append(
            "; ".join(
                [*shown, *(f"{each.span.line}: {each.message}" for each in found)]
            )
        )
    return made


def _table(table: Table, ddl: str) -> str:
    if table.view:
        listed = ", ".join(each.name for each in table.columns)
        return f"{table.name}({listed}) as {table.query}"
    shown = [
        f"{_name(each, ddl)} {each.type.native if each.type else '-'}"
        + "?" * bool(each.nullable)
        + (f" {each.type.labels}" if each.type and each.type.labels else "")
        + " default" * bool(each.default)
        + " generated" * bool(each.generated)
        for each in table.columns
    ]
    shown += [f"key {' '.join(table.primary_key)}"] * bool(table.primary_key)
    shown += [f"unique {' '.join(key)}" for key in table.unique]
    return f"{table.name}({', '.join(shown)})"


def _name(column: Column, ddl: str) -> str:
    """The name of a column, and that at its place where it is another."""
    span = column.span
    assert span is not None
    line = ddl.split("\n")[span.line - 1]
    written = line[span.column - 1 : span.end_column - 1].strip('"`')
    is_same = written.casefold() == column.name.casefold()
    return column.name if is_same else f"{column.name} (once {written})"


ASPECTS: Mapping[str, Callable[[Section, Path], list[str]]] = {
    each.__name__: each
    for each in (told, said, kind, text, parameters, names, inferred, tables)
}
SECTIONS = list(_sections())


@pytest.mark.parametrize(
    "section", SECTIONS, ids=lambda each: f"{each.path.stem}-{each.title}"
)
def test_what_comes_of_a_statement(section: Section, tmp_path: Path) -> None:
    made: dict[str, dict[str, str]] = defaultdict(dict)
    outcomes = ASPECTS[section.aspect](section, tmp_path)
    for row, outcome in zip(section.rows, outcomes, strict=True):
        made[row.line][row.place] = re.sub(r"_n\d+", "", outcome).replace("\n", "⏎")
    lines = {
        line: f"{line.rpartition(' ==>')[0]} ==> {_shared(each)}".rstrip()
        for line, each in made.items()
    }
    if is_regenerating():
        for line, new in lines.items():
            rewrite(section.path, f"{section.title}]", f"{line}\n", f"{new}\n")
        return
    assert [*lines] == [*lines.values()]


def _shared(outcomes: Mapping[str, str]) -> str:
    """The outcome that all dialects share, or that of each."""
    if len({*outcomes.values()}) == 1:
        return next(iter(outcomes.values()))
    return " / ".join(f"{place}: {outcome}" for place, outcome in outcomes.items())
