"""The memo of inferences: what the schemas of databases said of statements in earlier runs.

What is inferred depends on the schema, the statement and the program alone, sqlglot included. So a
run infers only what is new; without anything new, sqlglot need not even be imported.
"""

from __future__ import annotations

import pickle
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from brimgen.build.cache import MOST_ENTRIES, entry_path, read_bytes, write_bytes
from brimgen.build.states import state
from brimgen.sqlschema.known_schema import known_schema

if TYPE_CHECKING:
    from brimgen.model.project import Project

KIND = "inferences"


class InferenceMemo:
    """What was inferred for the connections of a project; ``made_by`` is project and program."""

    def __init__(self, folder: str, specs: str, made_by: str, project: Project) -> None:
        library = find_spec("sqlglot")
        origin = None if library is None else library.origin
        self._key = [specs, made_by, None if origin is None else state(origin)]
        self._path = entry_path(folder, specs, KIND)
        known = (
            (name, known_schema(each)) for name, each in project.connections.items()
        )
        self._schemas = {name: schema for name, schema in known if schema is not None}
        for name, inferred in self._read().items():
            if name in self._schemas:
                self._schemas[name].recall(inferred)

    def _read(self) -> dict[str, Any]:
        """What earlier runs inferred, by connection; nothing where the entry is strange.

        Only this user can write to the cache, which holds code as well.
        """
        data = read_bytes(self._path)
        try:
            entry = None if data is None else pickle.loads(data)
            return entry["inferred"] if entry and entry["key"] == self._key else {}
        except Exception:  # whatever a damaged pickle raises
            return {}

    def save(self) -> None:
        """Write down what this run asked for, if some of it is new."""
        if not any(each.has_new for each in self._schemas.values()):
            return
        inferred = {name: each.used for name, each in self._schemas.items()}
        entry = {"key": self._key, "inferred": inferred}
        write_bytes(self._path, pickle.dumps(entry), most=MOST_ENTRIES)
