"""Cases of wrong specs: a file or folder beside the text of what is to be said about it."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from brimgen.api import real_stages
from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.diagnostics.catalogue import KINDS
from brimgen.diagnostics.show import show
from brimgen.emit import judge
from brimgen.emit.handler_paths import check_handlers
from brimgen.emit.losses import check_losses, losses_of
from brimgen.emit.server_needs import check_server_needs
from brimgen.emit.tokens import check_cuts
from brimgen.lint.options import RULES as LINT_RULES
from brimgen.lint.options import LintOptions, select_severities
from brimgen.lint.run_checks import lint
from brimgen.model.project import Connection, DescriptorOptions, Project
from brimgen.model.targets import is_on
from brimgen_runtime.grammar.hosts import Host
from support.project import USUAL
from support.schemas import schema_of

REASONS = {kind.code: [rule.reason for rule in kind.rules] for kind in KINDS}
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
        "plain": Connection("postgres", ("pg8000",)),
        "tables": Connection("postgres", (), schema_of("schema.sql", TABLES)),
        "odd": Connection(
            "postgres", (), schema_of("schema.sql", "CRATE TABLE t (a int);\n")
        ),
    },
    allowed_hosts=(Host("example.com"), Host("example.com", below=True)),
)


@dataclass(frozen=True)
class Case:
    """``name`` is ``<CODE>-<slug>``, with the reason behind a dot unless it is the slug, and with
    what sets a second case of a reason apart behind a dot.

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
    def reason(self) -> str:
        """The reason that the case is about: what is behind the first dot, if it is one."""
        name, *more = self.name.split(".")
        slug = name.partition("-")[2]
        return more[0] if more and more[0] in REASONS[self.code] else slug

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
    "anthropic-not-strict": DescriptorOptions(profiles=_ALL),
    "anthropic-strict-set": DescriptorOptions(profiles=_ALL),
    "input-example-refused": DescriptorOptions(profiles=_ALL),
    "gemini-json-schema": DescriptorOptions(profiles=("gemini_openapi",)),
    "schema-example-not-sent": DescriptorOptions(profiles=_ALL),
    "descriptor-loss": DescriptorOptions(strict_loss=True),
    "argument-without-alias": DescriptorOptions(profiles=_ALL),
}
"""Reasons that only some settings of descriptors let be told."""
TARGETS: Mapping[str, str] = {"no-command": "commands", "not-in-store": "flexigpt"}
"""Reasons of targets that run only where they are asked for."""
_OF_LINT = {rule.reason: rule for rule in LINT_RULES}


def check(specs: Path, reason: str = "", *, linted: bool = False) -> Diagnostics:
    """What every stage, up to the check of every target, says about a folder of specs.

    ``reason`` is what they are about; lint, which takes back what specs waive,
    runs for its own rules and where the caller asks.
    """
    stages = real_stages()
    diagnostics = Diagnostics()
    documents = [
        document
        for file in stages.read_files(specs, diagnostics)
        for document in stages.compose(file, diagnostics)
    ]
    options = OPTIONS.get(reason, PROJECT.descriptors)
    project = replace(PROJECT, descriptors=options)
    emitters = [
        each
        for each in stages.emitters
        if each.default
        or each.name in (*USUAL, TARGETS.get(reason))
        or is_on(each.target, options.profiles, ())
    ]
    catalog = stages.resolve(stages.parse(documents, diagnostics), project, diagnostics)
    judge(catalog, diagnostics)
    for emitter in emitters:
        emitter.check(catalog, diagnostics)
    check_server_needs(catalog, {each.name for each in emitters}, diagnostics)
    if reason in ("handler-missing", "result-dropped"):
        check_handlers(catalog, [Path(json.__file__).parents[1]], diagnostics)
    losses = losses_of(catalog, emitters) or ()
    check_cuts(catalog, losses, diagnostics)
    check_losses(catalog, losses, diagnostics)
    if linted or reason in _OF_LINT:
        lint(catalog, _lint_options(reason), diagnostics, notes=True)
    return diagnostics


def _lint_options(reason: str) -> LintOptions:
    """The usual rules; one that is off is selected for its own case."""
    rules = [_OF_LINT[reason]] if reason in _OF_LINT else []
    severities = {rule.code: rule.severity for rule in rules}
    return LintOptions(severities=select_severities(None, (), severities))


def said_about(specs: Path, found: Iterable[Diagnostic]) -> str:
    """What is said of ``specs``, one line a diagnostic, each followed by its notes."""
    text = ""
    for diagnostic in found:
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
