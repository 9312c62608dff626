"""Small projects, written to a folder, taken through every stage, and imported."""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from brimgen import api
from brimgen.api import Diagnostics
from brimgen.emit.account import Descriptor, Loss
from brimgen.emit.artifact import Emitter
from brimgen.emit.losses import losses_of
from brimgen.emit.projection import inline
from brimgen.emit.projection.described_tools import descriptors_root
from brimgen.emit.schema_files import schemas_root
from brimgen.model.catalog import Catalog
from brimgen.model.targets import profile_names

LEDGER = "losses.json"
EVERY_PROFILE = profile_names()


def connection_to(
    dialect: str, *drivers: str, tables: str | None = None, **settings: Any
) -> dict[str, Any]:
    """The settings of a connection; ``tables`` is the SQL of its schema, ``database`` a URL."""
    if drivers:
        settings["drivers"] = drivers
    return {"dialect": dialect, "tables": tables, **settings}


CONNECTIONS = {
    "default": connection_to("sqlite", "sqlite3"),
    "warehouse": connection_to("postgres", "psycopg", "asyncpg"),
    "analytics": connection_to("duckdb", "duckdb"),
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
        return list(self.json(LEDGER)) if LEDGER in self.files else []

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
    connections: Mapping[str, Mapping[str, Any]] = CONNECTIONS,
    **settings: Any,
) -> Built:
    """Write ``files`` to ``folder``/specs, and build; there are files only if nothing is wrong.

    ``settings`` are those of ``brimgen.yaml``. ``targets`` None means the default ones and
    `USUAL`; ``profiles`` are those of descriptors. Lint says nothing.
    """
    specs = {f"specs/{name}": text for name, text in files.items()}
    settings = {"package": next(_packages), "lint": {"ignore": ["ALL"]}, **settings}
    settings["targets"] = ["default", *USUAL] if targets is None else targets
    if profiles is not None:
        settings["descriptors"] = {"profiles": profiles}
    databases = list[tuple[str, str]]()
    settings["connections"] = {}
    for name, given in connections.items():
        kept = settings["connections"][name] = dict(given)
        if tables := kept.pop("tables"):
            kept["schema"] = f"{name}.sql"
            specs[f"{name}.sql"] = tables
        if database := kept.pop("database", None):
            databases.append((name, database))
    specs["brimgen.yaml"] = json.dumps(settings)
    for name, text in specs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    found = Diagnostics()
    flags = api.Flags(config=folder / "brimgen.yaml", databases=tuple(databases))
    loaded = api.load_settings(flags, found)
    assert [] == [each.message for each in found]
    loaded = replace(loaded, target_places=())  # not told: which targets write nothing
    stages = api.real_stages(loaded)
    made = api.build(loaded, stages)
    outputs = {each.path: each.data.decode() for each in made.outputs or ()}
    return Built(
        made.diagnostics,
        made.catalog,
        loaded.project.package,
        outputs,
        folder,
        stages.emitters,
    )


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
