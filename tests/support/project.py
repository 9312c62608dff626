"""Small projects, written to a folder, taken through every stage, and imported."""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from brimgen.diagnostics import Diagnostics
from brimgen.emit import EMITTERS, judge
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.artifact import Emitter
from brimgen.emit.attribute_names import name_attributes
from brimgen.emit.losses import losses_file, losses_of
from brimgen.emit.projection import inline
from brimgen.emit.projection.described_tools import descriptors_root
from brimgen.emit.schema_files import schemas_root
from brimgen.emitting import emitted
from brimgen.model.catalog import Catalog
from brimgen.model.project import (
    Connection,
    DescriptorOptions,
    Project,
    SchemaFile,
    SchemaSource,
)
from brimgen.model.targets import profile_names
from brimgen.resolve.link import resolve
from brimgen.source.compose import compose
from brimgen.source.files import read_files
from brimgen.syntax.documents import parse

EVERY_PROFILE = profile_names()


def connection(dialect: str, *drivers: str, tables: str | None = None) -> Connection:
    """A connection of a project; ``tables`` is the SQL of its schema."""
    files = () if tables is None else (SchemaFile("schema.sql", tables),)
    return Connection(dialect, drivers, SchemaSource(files) if files else None)


CONNECTIONS = {
    "default": connection("sqlite", "sqlite3"),
    "warehouse": connection("postgres", "psycopg", "asyncpg"),
    "analytics": connection("duckdb", "duckdb"),
}
_packages = (f"generated_{number}" for number in itertools.count())


@dataclass(frozen=True)
class Built:
    """The outcome of all stages for one small project."""

    diagnostics: Diagnostics
    catalog: Catalog
    package: str
    files: Mapping[str, str]
    folder: Path
    emitters: tuple[Emitter, ...] = ()

    @property
    def errors(self) -> list[str]:
        """What is wrong with the specs, in words."""
        found = self.diagnostics
        return [each.message for each in found if each.rule.severity == "error"]

    @property
    def descriptors(self) -> list[Descriptor]:
        """What the targets tell the providers of each tool, prompt and resource."""
        tell = [(each.descriptors, each.further_descriptors) for each in self.emitters]
        return [one for each in tell for of in each if of for one in of(self.catalog)]

    @property
    def losses(self) -> list[Loss]:
        """What the descriptors do not say, and what recovers it."""
        return list(losses_of(self.catalog, self.emitters) or ())

    @property
    def ledger(self) -> list[Any]:
        """What stands in ``losses.json``."""
        file = losses_file(self.catalog, self.emitters)
        return [] if file is None else list(json.loads(file.text))

    @property
    def codes(self) -> list[str]:
        """The codes of everything that was found, in reading order."""
        return [each.rule.code for each in self.diagnostics]

    @property
    def slugs(self) -> list[str]:
        """The same by slug, which reads better in a test."""
        return [each.rule.reason for each in self.diagnostics]

    def json(self, path: str) -> Any:
        """A generated JSON file, parsed."""
        return json.loads(self.files[path])

    def schema(self, name: str) -> Any:
        """A schema, ``find.input`` of a tool or ``Order``, with entities written out."""
        entities = self.catalog.entities
        is_entity = name in entities or name in self.catalog.enums
        stem = "entities" if is_entity else f"tools/{name}"
        document = self.json(f"{schemas_root(self.catalog.project)}/{stem}.json")
        return inline(
            {**document["$defs"][name], **document} if is_entity else document
        )

    def sent(self, path: str) -> Any:
        """A file of descriptors, parsed: ``openai/responses.json``."""
        folder = descriptors_root(self.catalog.project)
        return self.json(f"{folder}{path}")

    @cached_property
    def out(self) -> Path:
        """The folder of the generated files, which are written when it is first asked for."""
        out = self.folder / "out"
        for path, text in self.files.items():
            target = out / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        return out

    def load(self, module: str = "") -> ModuleType:
        """Import the generated package, or one of its modules (``tools.x``)."""
        root = str(self.out / "python")
        if root not in sys.path:
            sys.path.insert(0, root)
            importlib.invalidate_caches()
        return importlib.import_module(
            f"{self.package}.{module}" if module else self.package
        )

    def tool(self, name: str) -> Any:
        """The generated tool object of one tool."""
        return self.load().TOOLS[name]

    def spec(self, name: str) -> Any:
        """The ToolSpec of one tool."""
        return self.load("toolspec").spec_of(self.tool(name))


USUAL = ("docs", "server", "dispatch", "handlers", "toolspec", "retries")
"""The targets that tests expect besides those that are on by default."""


def build(
    folder: Path,
    files: Mapping[str, str],
    *,
    targets: tuple[str, ...] | None = None,
    profiles: tuple[str, ...] | None = None,
    **options: Any,
) -> Built:
    """Write ``files`` to ``folder``/specs and run every stage; emit only if nothing is wrong.

    ``options`` are those of `Project`. ``targets`` None means the default ones; ``profiles`` are
    those of descriptors.
    """
    package = options.pop("package", None) or next(_packages)
    options.setdefault("connections", CONNECTIONS)
    if profiles is not None:
        options["descriptors"] = DescriptorOptions(profiles=profiles)
    chosen = [
        each
        for each in EMITTERS
        if (
            each.default or each.name in USUAL
            if targets is None
            else each.name in targets
        )
    ]
    names = tuple(each.name for each in chosen)
    project = Project(package=package, targets=names, **options)
    specs = folder / "specs"
    for name, text in files.items():
        path = specs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    diagnostics = Diagnostics()
    documents = [
        document
        for file in read_files(specs, diagnostics)
        for document in compose(file, diagnostics)
    ]
    catalog = name_attributes(
        resolve(parse(documents, diagnostics), project, diagnostics)
    )
    judge(catalog, diagnostics)
    for emitter in chosen:
        emitter.check(catalog, diagnostics)
    artifacts = (
        {}
        if diagnostics.has_errors
        else {artifact.path: artifact.text for _, artifact in emitted(catalog, chosen)}
    )
    return Built(diagnostics, catalog, package, artifacts, folder, tuple(chosen))


def sound(
    folder: Path,
    specs: str | Mapping[str, str],
    targets: tuple[str, ...] | None = None,
    **options: Any,
) -> Built:
    """A project in which nothing is wrong, written and ready to be imported."""
    files = {"all.yaml": specs} if isinstance(specs, str) else specs
    made = build(folder, files, targets=targets, **options)
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made
