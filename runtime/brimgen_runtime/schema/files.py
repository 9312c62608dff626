"""Read the JSON Schemas of a package from its files, each when it is first asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .references import subschemas

Schema = Mapping[str, Any]


class SchemaFile:
    """A schema that ``load`` reads once; threads may share it."""

    __slots__ = ("_load", "_schema")

    def __init__(self, load: Callable[[], Schema]) -> None:
        self._load = load
        self._schema: Schema | None = None

    def read(self) -> Schema:
        """Return the schema. Raises RuntimeError where the package lacks the file."""
        if self._schema is None:
            self._schema = self._load()
        return self._schema


class ToolSchemas:
    """The schemas of a tool: what a caller may send, what a handler receives, what comes back, and
    what is enforced where that is not what is published.

    ``module`` is the ``__name__`` of the tool's module, ``stem`` the beginning of the names of its
    files; ``parts`` are those that it has besides ``input``.
    """

    __slots__ = ("_module", "bound", "enforced", "input", "output")

    def __init__(self, module: str, stem: str, *parts: str) -> None:
        package = module.rsplit(".", 2)[0]

        def file(part: str) -> SchemaFile:
            path = f"{stem}.{part}.json"
            return SchemaFile(lambda: _document(package, path))

        self._module = module
        self.input = file("input")
        self.bound = file("bound") if "bound" in parts else self.input
        self.output = file("output") if "output" in parts else None
        self.enforced = file("enforced") if "enforced" in parts else self.input

    def named(self, name: str) -> Schema:
        """Return the schema that a module calls by ``name``; the module's ``__getattr__``."""
        file = {
            "INPUT_SCHEMA": self.input,
            "BOUND_SCHEMA": self.bound,
            "OUTPUT_SCHEMA": self.output,
        }.get(name)
        if file is None:
            raise AttributeError(f"module {self._module!r} has no attribute {name!r}")
        return file.read()


class EntitySchemas:
    """The schemas of the entities of a package, in the one file ``<stem>.json``.

    ``module`` is the ``__name__`` of their module.
    """

    def __init__(self, module: str, stem: str) -> None:
        package = module.rpartition(".")[0]
        self._file = SchemaFile(lambda: _document(package, f"{stem}.json"))

    def __getitem__(self, entity: str) -> SchemaFile:
        return SchemaFile(lambda: self._schema_of(entity))

    def _schema_of(self, entity: str) -> Schema:
        """Return the schema of an entity with the definitions that it refers to."""
        definitions = self._file.read()["$defs"]
        schema: Schema = definitions[entity]
        needed: dict[str, Schema] = {}
        waiting = [*_uses(schema)]
        while waiting:
            name = waiting.pop()
            if name not in needed:
                needed[name] = definitions[name]
                waiting += _uses(needed[name])
        return {**schema, "$defs": needed} if needed else schema


def _document(package: str, path: str) -> Schema:
    from json import loads

    module = sys.modules[package]
    file = os.path.join(
        os.path.dirname(module.__file__ or ""), "schemas", *path.split("/")
    )
    # Not `importlib.resources`, which takes longer to import than most packages.
    loader: Any = module.__spec__ and module.__spec__.loader
    try:
        text: bytes = loader.get_data(file)
    except OSError as missing:
        problem = "the package was installed without its data files"
        raise RuntimeError(
            f"{package}: schemas/{path} is missing: {problem}"
        ) from missing
    schema: Schema = loads(text)
    return schema


def _uses(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        start, _, name = str(part.get("$ref", "")).rpartition("/")
        if start == "#/$defs":
            yield name
        waiting += [inner for inner, _ in subschemas(part, "")]
