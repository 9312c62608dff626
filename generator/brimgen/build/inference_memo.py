"""The memo of inferences: what earlier runs inferred from statements and database schemas.

An inference depends on the schema, the statement and the program alone, sqlglot included. So a run
infers only what is new; without anything new, sqlglot is not even imported.

The entry is data. A literal stands for itself, and a list for any other value: the name of its
class, then its parts. Only classes of `sql.model` are instantiated.
"""

from __future__ import annotations

import sys
from enum import Enum
from hashlib import sha256
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from brimgen import __version__
from brimgen.build.cache import entry_path, private_folder, read_entry, write_entry
from brimgen.build.states import library_states, program_states, state
from brimgen.diagnostics import Span
from brimgen.frozen import fields
from brimgen.sql import model
from brimgen.sql.known_schema import known_schema

if TYPE_CHECKING:
    from pathlib import Path

    from brimgen.model.project import Project

KIND = "inferences"
_LITERALS = frozenset({bool, int, str, type(None)})
_CLASSES: dict[str, Any] = {
    name: value
    for name, value in vars(model).items()
    if isinstance(value, type) and value.__module__ == model.__name__
} | {kind.__name__: kind for kind in (dict, tuple, Span)}
"""The classes of the values in an inference, besides literals."""


class InferenceMemo:
    """The inferences for the connections of a project; ``made_by`` is a digest of its inputs."""

    def __init__(self, folder: str, specs: str, made_by: str, project: Project) -> None:
        library = find_spec("sqlglot")
        origin = None if library is None else library.origin
        self._key = [specs, made_by, None if origin is None else state(origin)]
        self._path = entry_path(folder, specs, KIND)
        schemas = (
            (name, known_schema(connection))
            for name, connection in project.connections.items()
        )
        self._schemas = {name: schema for name, schema in schemas if schema is not None}
        for name, inferred in self._read().items():
            if name in self._schemas:
                self._schemas[name].recall(inferred)

    def _read(self) -> dict[str, dict[str, model.Inferred]]:
        """The saved inferences by connection and statement; empty where any part is damaged."""
        entry = read_entry(self._path)
        try:
            if entry is None or entry["key"] != self._key:
                return {}
            by_connection: dict[str, dict[str, model.Inferred]] = _from_data(
                entry["inferred"], {}
            )
            for inferred in by_connection.values():
                if not {model.Inferred}.issuperset(map(type, inferred.values())):
                    return {}
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            return {}
        return by_connection

    def save(self) -> None:
        """Write the inferences that this run used, if some are new."""
        if not any(schema.has_new for schema in self._schemas.values()):
            return
        inferred = {name: schema.used for name, schema in self._schemas.items()}
        write_entry(self._path, {"key": self._key, "inferred": _to_data(inferred, {})})


def open_inferences(specs: Path, project: Project) -> InferenceMemo | None:
    """The inferences for the statements of ``specs``; None without a private cache folder."""
    folder = private_folder(create=True)
    if folder is None:
        return None
    try:
        program = {**program_states(), **library_states()}
    except OSError:
        return None
    inputs = repr((__version__, sys.version, program, project.connections))
    made_by = sha256(inputs.encode("utf-8", "backslashreplace")).hexdigest()
    return InferenceMemo(folder, str(specs), made_by, project)


def _to_data(value: Any, written: dict[int, list[Any]]) -> Any:
    """The data of a value; equal objects share one list, which `marshal` writes once."""
    kind: Any = value.__class__
    if kind in _LITERALS:
        return value
    if id(value) not in written:
        if _CLASSES[kind.__name__] is not kind:
            raise TypeError(kind)
        parts: list[Any]
        if kind is dict:
            parts = [part for member in value.items() for part in member]
        elif issubclass(kind, Enum):
            parts = [value.value]
        elif issubclass(kind, tuple):
            parts = [*value]
        else:
            parts = [getattr(value, field.name) for field in fields(kind)]
        data = [kind.__name__, *(_to_data(part, written) for part in parts)]
        written[id(value)] = data
    return written[id(value)]


def _from_data(data: Any, restored: dict[int, Any]) -> Any:
    """The value of data; raises LookupError, TypeError or ValueError for strange ones."""
    if type(data) in _LITERALS:
        return data
    if id(data) not in restored:
        kind: Any = _CLASSES[data[0]]
        parts = [_from_data(part, restored) for part in data[1:]]
        value: Any
        if kind is dict:
            value = dict(zip(parts[::2], parts[1::2], strict=True))
        elif kind is tuple:
            value = tuple(parts)
        elif issubclass(kind, (Enum, tuple)):
            value = cast(Any, kind)(*parts)
        else:
            names = [field.name for field in fields(kind)]
            value = kind(**dict(zip(names, parts, strict=True)))
        restored[id(data)] = value
    return restored[id(data)]
