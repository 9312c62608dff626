"""Cases of wrong specs: a file or folder beside the text of what is to be said about it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import lint as lint_rules
from brimgen.diagnostics.show import show
from brimgen.emit import judge
from brimgen.emit.handler_paths import check_handlers
from brimgen.emit.losses import check_losses, losses_of
from brimgen.emit.server_needs import check_server_needs
from brimgen.emit.tokens import check_budget, check_cuts
from brimgen.lint.options import LintOptions, select_severities
from brimgen.lint.run_checks import lint
from brimgen.model.http import HostPattern
from brimgen.model.project import (
    Connection,
    DescriptorOptions,
    Project,
    SourceRoots,
)
from brimgen.model.targets import is_on
from brimgen.pipeline import real_stages
from support.project import USUAL
from support.schemas import schema_of

CASES = Path(__file__).parents[1] / "errors"
LIBRARY = """\
CREATE TABLE books (
  book_id INTEGER PRIMARY KEY,
  title TEXT NOT NULL
);
"""
DESK = """\
CREATE TABLE loans (
  loan_id INTEGER PRIMARY KEY,
  lent_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
"""
TABLES = """\
CREATE TYPE state AS ENUM ('lent', 'home');
CREATE TABLE books (
  book_id bigint PRIMARY KEY,
  title text NOT NULL,
  branch text,
  state state NOT NULL DEFAULT 'home'
);
CREATE TABLE drafts (title text NOT NULL);
CREATE FUNCTION score(text) RETURNS void LANGUAGE sql AS $$ SELECT 1 $$;
"""
PROJECT = Project(
    package="probe",
    connections={
        "default": Connection("sqlite", ("sqlite3",)),
        "warehouse": Connection("postgres", ("psycopg", "asyncpg")),
        "analytics": Connection("duckdb", ("duckdb",)),
        "library": Connection("sqlite", ("sqlite3",), schema_of("schema.sql", LIBRARY)),
        "broken": Connection(
            "sqlite", (), schema_of("schema.sql", f"{LIBRARY}CREATE TABEL t (a);\n")
        ),
        "views": Connection(
            "sqlite",
            (),
            schema_of("schema.sql", f"{LIBRARY}CREATE VIEW v AS SELECT * FROM gone;\n"),
        ),
        "desk": Connection("sqlite", (), schema_of("schema.sql", DESK)),
        "shelves": Connection("duckdb", (), schema_of("schema.sql", LIBRARY)),
        "gone": Connection("sqlite", (), database="sqlite:///gone.db"),
        "legacy": Connection("mysql", ("pymysql", "mysql_connector")),
        "tables": Connection("postgres", (), schema_of("schema.sql", TABLES)),
        "odd": Connection(
            "postgres", (), schema_of("schema.sql", "CRATE TABLE t (a int);\n")
        ),
    },
    allowed_hosts=(HostPattern("example.com"), HostPattern("example.com", below=True)),
)


@dataclass(frozen=True)
class Case:
    """``name`` is ``<CODE>-<slug>``, with what sets a second case of a rule apart behind a dot.

    ``source`` is a spec file, or a folder of them, or None where ``make`` writes the specs
    because a checkout cannot hold them.
    """

    name: str
    source: Path | None
    make: Callable[[Path], None] | None = None

    @property
    def code(self) -> str:
        """The code of the rule that the case is about."""
        return self.name.partition("-")[0]

    @property
    def rule_name(self) -> str:
        """``<CODE>-<slug>``."""
        return self.name.partition(".")[0]

    @property
    def expected(self) -> Path:
        """The file that holds what is to be said, in the concise format."""
        return CASES / f"{self.name}.txt"

    def write(self, specs: Path) -> None:
        """Put the specs of the case where they are to be read."""
        if self.make is not None:
            self.make(specs)
        elif self.source is not None and self.source.is_dir():
            shutil.copytree(self.source, specs)
        elif self.source is not None:
            specs.mkdir()
            shutil.copyfile(self.source, specs / self.source.name)


def cases(made: Mapping[str, Callable[[Path], None]]) -> list[Case]:
    """All cases, by name: those that lie in ``tests/errors`` and those that are ``made``."""
    lying = [
        Case(each.name if each.is_dir() else each.name.rpartition(".")[0], each)
        for each in CASES.iterdir()
        if each.suffix != ".txt"
    ]
    written = [Case(name, None, make) for name, make in made.items()]
    return sorted([*lying, *written], key=lambda case: case.name)


_ALL = ("anthropic", "gemini")
OPTIONS: Mapping[str, DescriptorOptions] = {
    "T461": DescriptorOptions(profiles=_ALL),
    "T462": DescriptorOptions(profiles=_ALL),
    "T463": DescriptorOptions(profiles=_ALL),
    "T464": DescriptorOptions(profiles=_ALL),
    "T465": DescriptorOptions(profiles=("gemini_openapi",)),
    "T475": DescriptorOptions(profiles=_ALL),
    "T466": DescriptorOptions(strict_loss=True),
    "T467": DescriptorOptions(token_budget=20),
    "T476": DescriptorOptions(tool_budget=40),
    "T468": DescriptorOptions(profiles=_ALL),
    "T469": DescriptorOptions(profiles=_ALL),
}
"""Rules that only some settings of descriptors let be told."""
TARGETS: Mapping[str, str] = {"T470": "commands", "T472": "flexigpt"}
"""Rules of targets that run only where they are asked for."""


def check(specs: Path, code: str = "", *, linted: bool = False) -> Diagnostics:
    """What every stage, up to the check of every target, says about a folder of specs.

    ``code`` is that of the rule which they are about; lint, which takes back what specs waive,
    runs for its own rules and where the caller asks.
    """
    stages = real_stages()
    diagnostics = Diagnostics()
    documents = [
        document
        for file in stages.read_files(specs, diagnostics)
        for document in stages.compose(file, diagnostics)
    ]
    options = OPTIONS.get(code, PROJECT.descriptors)
    project = replace(PROJECT, descriptors=options)
    emitters = [
        each
        for each in stages.emitters
        if each.default
        or each.name in (*USUAL, TARGETS.get(code))
        or is_on(each.target, options.profiles, ())
    ]
    catalog = stages.resolve(stages.parse(documents, diagnostics), project, diagnostics)
    judge(catalog, diagnostics)
    for emitter in emitters:
        emitter.check(catalog, diagnostics)
    check_server_needs(catalog, {each.name for each in emitters}, diagnostics)
    if code == "T474":
        check_handlers(catalog, SourceRoots(is_set=True), diagnostics)
    losses = losses_of(catalog, emitters) or ()
    check_cuts(catalog, losses, diagnostics)
    check_losses(catalog, losses, diagnostics)
    check_budget(catalog, emitters, diagnostics)
    if linted or code.startswith("L"):
        lint(catalog, _lint_options(code), diagnostics, notes=True)
    return diagnostics


def _lint_options(code: str) -> LintOptions:
    """The usual rules; one that is off is selected for its own case."""
    rules = [rule for rule in lint_rules.RULES if rule.code == code]
    severities = {rule.code: rule.severity for rule in rules}
    return LintOptions(severities=select_severities(None, (), severities))


def said_about(specs: Path, code: str = "") -> str:
    """What is said, one line a diagnostic, each followed by its notes."""
    text = ""
    for diagnostic in check(specs, code):
        text += show([diagnostic], "concise").replace(str(specs.parent), "…")
        for note in diagnostic.notes:
            span = note.span
            text += f"    {span.file}:{span.line}:{span.column}: {note.text}\n"
    return text


def is_regenerating() -> bool:
    """Whether the expected texts are to be written instead of compared (BRIMGEN_REGEN=1)."""
    return os.environ.get("BRIMGEN_REGEN") == "1"


def write_example(specs: Path, text: str) -> None:
    """Write the example of a rule to a file of the kind that it looks like."""
    specs.mkdir()
    text = text if text.endswith("\n") else f"{text}\n"
    if text.startswith(("/*", "SELECT")):
        suffix = ".sql"
    elif re.match(r"---\n(?:.*\n)*?---\n", text) and "\ntype: entity" not in text:
        suffix = ".md"
    else:
        suffix = ".yaml"
    (specs / f"example{suffix}").write_text(text, encoding="utf-8", newline="")
