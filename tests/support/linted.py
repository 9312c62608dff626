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


def catalog_of(
    text: str, diagnostics: Diagnostics, name: str = "specs/a.yaml"
) -> Catalog:
    """What one spec file means."""
    documents = compose(SourceFile(name, name, text), diagnostics)
    project = Project(connections=DEFAULT_CONNECTIONS)
    return resolve(parse(documents, diagnostics), project, diagnostics)


def linted_folder(specs: Path) -> list[Diagnostic]:
    """What is said about a folder of specs, with the connections of the shop."""
    diagnostics = Diagnostics()
    documents = [
        document
        for file in read_files(specs, diagnostics)
        for document in compose(file, diagnostics)
    ]
    connections = {
        "default": Connection("sqlite", ()),
        "warehouse": Connection("postgres", ()),
        "analytics": Connection("duckdb", ()),
    }
    project = Project(connections=connections)
    catalog = resolve(parse(documents, diagnostics), project, diagnostics)
    lint(catalog, LintOptions(), diagnostics, notes=True)
    return list(diagnostics)


def linted(
    text: str, options: LintOptions | None = None, *, notes: bool = True
) -> list[Diagnostic]:
    """What is said about one spec file."""
    diagnostics = Diagnostics()
    lint(
        catalog_of(text, diagnostics),
        options or LintOptions(),
        diagnostics,
        notes=notes,
    )
    return list(diagnostics)


def told(text: str, options: LintOptions | None = None, *, notes: bool = True) -> str:
    """The same in one line a diagnostic: ``code line:column message``."""
    return "\n".join(
        f"{each.rule.code} {each.span.line}:{each.span.column} {each.message}"
        for each in linted(text, options, notes=notes)
    )
