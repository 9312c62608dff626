"""Specs as text in, what lint and every stage before the targets says about them out."""

from __future__ import annotations

from pathlib import Path

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.lint.options import LintOptions
from brimgen.lint.run_checks import lint
from brimgen.model.catalog import Catalog
from brimgen.model.project import Connection, Project
from brimgen.resolve.link import resolve
from brimgen.settings.connections import DEFAULT_CONNECTIONS
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.files import read_files
from brimgen.syntax.documents import parse


def catalog_of(text: str, found: Diagnostics, name: str = "specs/a.yaml") -> Catalog:
    """What one spec file means."""
    documents = compose(SourceFile(name, name, text), found)
    project = Project(connections=DEFAULT_CONNECTIONS)
    return resolve(parse(documents, found), project, found)


def linted_folder(specs: Path) -> list[Diagnostic]:
    """What is said about a folder of specs, with the connections of the shop."""
    found = Diagnostics()
    documents = [
        document
        for file in read_files(specs, found)
        for document in compose(file, found)
    ]
    connections = {
        "default": Connection("sqlite", ()),
        "warehouse": Connection("postgres", ()),
        "analytics": Connection("duckdb", ()),
    }
    project = Project(connections=connections)
    catalog = resolve(parse(documents, found), project, found)
    lint(catalog, LintOptions(), found, notes=True)
    return list(found)


def linted(
    text: str, options: LintOptions | None = None, *, notes: bool = True
) -> list[Diagnostic]:
    """What is said about one spec file."""
    found = Diagnostics()
    lint(catalog_of(text, found), options or LintOptions(), found, notes=notes)
    return list(found)


def told(text: str, options: LintOptions | None = None, *, notes: bool = True) -> str:
    """The same in one line a diagnostic: ``code line:column message``."""
    return "\n".join(
        f"{each.rule.code} {each.span.line}:{each.span.column} {each.message}"
        for each in linted(text, options, notes=notes)
    )
