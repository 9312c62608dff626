"""Read the JSON Schemas of a package from its files, each when it is first asked for."""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from .json_values import is_list, is_object
from .references import LISTS, NAMED, SINGLE, subschemas

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
    files; ``parts`` are those that it has besides ``input``. Definitions that are no entities are
    ``own``.
    """

    __slots__ = ("_module", "bound", "enforced", "input", "output")

    def __init__(
        self, module: str, stem: str, *parts: str, own: Collection[str] = ()
    ) -> None:
        package = module.rsplit(".", 2)[0]

        def file(part: str) -> SchemaFile:
            path = f"{stem}.{part}.json"
            return SchemaFile(lambda: complete(_document(package, path), own))

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

    ``module`` is the ``__name__`` of their module. Definitions that are no entities are ``own``.
    """

    def __init__(self, module: str, stem: str, *, own: Collection[str] = ()) -> None:
        self._package = module.rpartition(".")[0]
        self._path = f"{stem}.json"
        self._own = own
        self._lock = allocate_lock()
        self._definitions: Definitions | None = None

    def __getitem__(self, entity: str) -> SchemaFile:
        return SchemaFile(lambda: self._schema_of(entity))

    def _schema_of(self, entity: str) -> Schema:
        with self._lock:
            if self._definitions is None:
                document = _document(self._package, self._path)
                self._definitions = Definitions(document, self._own)
            return self._definitions.schema_of(entity)


def complete(document: Schema, own: Collection[str]) -> Schema:
    """Return a schema with the definitions of `Definitions` where references name them."""
    if document.get("$defs", {}).keys() <= {*own}:
        return document
    body = {word: value for word, value in document.items() if word != "$defs"}
    return Definitions(document, own).complete(body)


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


_DEFS = "#/$defs/"


class Definitions:
    """The ``$defs`` of a document. They are read as if they stood where references name them.

    Those that are called ``own``, and those that refer to themselves, stay where they are.
    """

    def __init__(self, document: Schema, own: Collection[str]) -> None:
        self._schemas = document["$defs"]
        self._uses = {name: [*_uses(each)] for name, each in self._schemas.items()}
        self._own = own
        self._joined: dict[str, Any] = {}
        """The definitions with others in them; only those of which no reference is left."""

    def schema_of(self, name: str) -> Schema:
        """Return the definition of a name, complete."""
        return self.complete(self._schemas[name])

    def complete(self, body: Schema) -> Schema:
        """Return a schema with the definitions that it needs in it."""
        needed = self._needed(_uses(body))
        kept: list[str] = []
        for name in needed:
            if name in self._own or name in self._needed(self._uses[name]):
                kept.append(name)
            elif name not in self._joined:
                self._joined[name] = self._with_joined(self._schemas[name])
        schema: Schema = self._with_joined(body)
        if not kept:
            return schema
        definitions = {name: self._with_joined(self._schemas[name]) for name in kept}
        return {**schema, "$defs": definitions}

    def _needed(self, uses: Iterable[str]) -> list[str]:
        """Return the definitions that are used, each after those that it uses itself."""
        order: dict[str, None] = {}
        seen: set[str] = set()
        waiting = [(name, False) for name in uses]
        while waiting:
            name, is_done = waiting.pop()
            if is_done:
                order[name] = None
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting += [(use, False) for use in self._uses[name]]
        return [*order]

    def _with_joined(self, schema: Any) -> Any:
        if not is_object(schema):
            return schema
        joined = self._joined.get(str(schema.get("$ref", "")).removeprefix(_DEFS))
        if joined is not None:
            own = {word: value for word, value in schema.items() if word != "$ref"}
            return {**joined, **own}
        return {word: self._inner(word, value) for word, value in schema.items()}

    def _inner(self, word: str, value: Any) -> Any:
        if word in NAMED and is_object(value):
            return {name: self._with_joined(inner) for name, inner in value.items()}
        if word in LISTS and is_list(value):
            return [self._with_joined(inner) for inner in value]
        return self._with_joined(value) if word in SINGLE else value


def _uses(schema: Any) -> Iterator[str]:
    """Yield the names of the definitions that a schema refers to."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        ref = str(part.get("$ref", ""))
        if ref.startswith(_DEFS):
            yield ref.removeprefix(_DEFS)
        waiting += [inner for inner, _ in subschemas(part, "")]
