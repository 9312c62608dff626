"""Read the configuration file of sqlc (``sqlc.yaml``): which queries use which tables."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_REFUSED
from brimgen.frozen import dataclass
from brimgen.importers.names import connection_name
from brimgen.importers.nodes import entries_at, items_at, items_of, text_at
from brimgen.source.nodes import ListNode, MapNode, plain
from brimgen.sql import find_dialect


@dataclass(frozen=True, slots=True)
class Part:
    """Queries in one dialect: their paths and those of their tables, from beside the file.

    ``connection`` is the name of the connection that they run on.
    """

    connection: str
    dialect: str
    queries: tuple[str, ...]
    schema: tuple[str, ...]


def fits(root: MapNode) -> bool:
    """Whether a document is a configuration of sqlc, of version 1 or 2."""
    return root.get("version") is not None and bool(_blocks(root))


def read(root: MapNode, diagnostics: Diagnostics) -> tuple[Part, ...]:
    """The parts of a configuration; one in a dialect that is unknown is reported."""
    blocks = _blocks(root)
    parts: list[Part] = []
    names: set[str] = set()
    for number, block in enumerate(blocks, 1):
        engine = text_at(block, "engine") or "postgresql"
        dialect = find_dialect(engine)
        name = _name(block) or f"db{number}"
        if dialect is None:
            reason = f"there is no dialect `{engine}`"
            diagnostics.add(IMPORT_REFUSED, block.span, name=name, reason=reason)
            continue
        if name in names:
            name = f"{name}_{number}"
        names.add(name)
        connection = "default" if len(blocks) == 1 else name
        queries, schema = _paths(block, "queries"), _paths(block, "schema")
        parts.append(Part(connection, dialect.name, queries, schema))
    return tuple(parts)


def _blocks(root: MapNode) -> list[MapNode]:
    """The mappings under ``sql`` (version 2) or ``packages`` (version 1)."""
    key = "sql" if isinstance(root.get("sql"), ListNode) else "packages"
    return [block for block in items_at(root, key) if isinstance(block, MapNode)]


def _name(block: MapNode) -> str:
    """The name that a block has itself, or that its Go package has, as a connection may have it."""
    go = {each.key.text: each.value for each in entries_at(block, "gen")}.get("go")
    return connection_name(text_at(block, "name") or text_at(go, "package"))


def _paths(block: MapNode, key: str) -> tuple[str, ...]:
    node = block.get(key)
    paths = [] if node is None else [plain(item) for item in items_of(node)]
    return tuple(path for path in paths if isinstance(path, str) and path)
