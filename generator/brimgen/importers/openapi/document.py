"""An OpenAPI document as its operations need it: references, servers, components, other files.

Each file that it refers to stands once under `PLACE`, by its path from the document, and references
to it lead there. What cannot be read stays a reference to another file, which is told where it is
followed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_NO_SERVER
from brimgen.importers.draft import Choice
from brimgen.importers.names import snake_case, spec_name
from brimgen.importers.nodes import (
    entries_at,
    items_at,
    node_at,
    references_in,
    text_at,
    text_of,
    with_references,
)
from brimgen.importers.schemas.components import Components
from brimgen.importers.schemas.keywords import Direction
from brimgen.source.nodes import Entry, MapNode, Node, ScalarNode
from brimgen_runtime.grammar.hosts import parse_host
from brimgen_runtime.schema.json_pointer import escape_step

METHODS = ("get", "put", "post", "delete", "options", "head", "patch")
"""The methods of operations that become tools."""
_PATH = re.compile(r"(?:/[A-Za-z0-9._~-]+)+/?")
VARIABLE = re.compile(r"\{([^{}]+)\}")


class CannotExpress(Exception):
    """An operation cannot become a tool; the reason is empty where it was reported already.

    ``place`` is the part of the operation that causes it, where that is known.
    """

    def __init__(self, *why: str, place: Span | None = None) -> None:
        super().__init__(*why)
        self.place = place

    def at(self, node: Node) -> CannotExpress:
        """Set the place to ``node`` if none is set, and return this exception."""
        self.place = self.place or node.span
        return self


class Api:
    """The document that operations belong to: its servers, components and references."""

    def __init__(
        self,
        root: MapNode,
        components: Components,
        diagnostics: Diagnostics,
        choice: Choice,
    ) -> None:
        self.root = root
        self.components = components
        self.diagnostics = diagnostics
        self._choice = choice
        stem = PurePosixPath(root.span.file).name.partition(".")[0]
        named = snake_case(spec_name(stem)) or "api"
        self._base = f"{named[:40].rstrip('_')}_base_url".upper()

    def follow(self, node: Node | None) -> Node | None:
        """Return ``node``, or the target of its reference in this document."""
        for _ in range(16):
            reference = text_of(node, "$ref") if isinstance(node, MapNode) else None
            if reference is None or not reference.startswith("#/"):
                return node
            node = node_at(self.root, reference)
        return None

    def server(self, *owners: MapNode) -> tuple[str, str | None]:
        """What stands before the path of an operation, and the secret that it begins with.

        That is the chosen URL, or the first absolute URL of the ``owners`` or the document. Where
        there is none, which is reported, the secret holds the URL of the service, and the path of
        a relative URL follows.
        """
        chosen = self._choice.server()
        if chosen is not None:
            return chosen, None
        seen, at = "", head_span(self.root)
        for owner in (*owners, self.root):
            for server in items_at(owner, "servers"):
                url = _server_url(server)
                if url is not None and is_server(url):
                    return url, None
                if not seen:
                    seen, at = url or text_at(server, "url"), server.span
        urls = f" (only `{seen[:60]}`)" if seen else ""
        self.diagnostics.add(IMPORT_NO_SERVER, at, said=urls, name=self._base)
        path = seen.rstrip("/") if _PATH.fullmatch(seen) else ""
        return f"${{{self._base}}}{path}", self._base

    def shape(self, schema: Any, node: Node) -> Any:
        """The schema of a value that is sent; a reference at its top is replaced by its target."""
        shape = self.components.shape(schema, node.span, Direction.REQUEST)
        return self.require_schema(shape)

    def schema(self, node: Node | None, direction: Direction) -> Any:
        """Translate a schema as `Components.schema` does; any value fits where there is no node."""
        if node is None:
            return {}
        return self.require_schema(self.components.schema(node, direction))

    @staticmethod
    def require_schema(schema: Any) -> Any:
        """Return ``schema``. Raises CannotExpress for None, which stands for a reported mistake."""
        if schema is None:
            raise CannotExpress
        return schema


def head_span(node: MapNode) -> Span:
    """The place for a message about a whole mapping: its first key, or itself if empty."""
    return node.entries[0].key.span if node.entries else node.span


def is_server(url: str) -> bool:
    """Whether paths of operations can be put behind a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    host = parse_host(parts.netloc)
    is_one = host is not None and not host.below and not parts.query + parts.fragment
    return is_one and parts.scheme in ("http", "https")


def _server_url(server: Node) -> str | None:
    """The URL of a server with the defaults of its variables; None where one has none."""
    url = text_at(server, "url")
    defaults = {
        entry.key.text: text_of(entry.value, "default")
        for entry in entries_at(server, "variables")
    }
    for name in VARIABLE.findall(url):
        default = defaults.get(name)
        if default is None:
            return None
        url = url.replace(f"{{{name}}}", default)
    return url


def media_schema(media: Entry) -> Node | None:
    """The schema of an entry of ``content``, if it has one."""
    return media.value.get("schema") if isinstance(media.value, MapNode) else None


PLACE = "x-files"
"""The key of the document under which the other files stand."""

Load: TypeAlias = Callable[[str], Node | None]
"""Returns the content of a file, by its path from the document; None where there is none."""


def with_files(root: MapNode, name: str, load: Load) -> MapNode:
    """Return the document ``name`` with the files that it refers to, and those that these do."""
    bundle = _Bundle(name, load)
    moved = bundle.moved(root, name)
    if not isinstance(moved, MapNode) or not bundle.files:
        return root
    files = tuple(
        Entry(ScalarNode(node.span, path, path), node)
        for path, node in bundle.files.items()
        if node is not None
    )
    key = ScalarNode(root.span, PLACE, PLACE)
    return MapNode(root.span, (*moved.entries, Entry(key, MapNode(root.span, files))))


def schemas_in_files(root: MapNode) -> tuple[dict[str, Node], dict[str, str]]:
    """Return what is referred to in other files, by reference, and a name for each."""
    schemas: dict[str, Node] = {}
    names: dict[str, str] = {}
    for reference in references_in(root):
        node = node_at(root, reference) if reference.startswith(f"#/{PLACE}/") else None
        if node is not None:
            schemas[reference] = node
            last = posixpath.basename(unquote(reference).replace("~1", "/"))
            names[reference] = last.partition(".")[0]
    return schemas, names


class _Bundle:
    def __init__(self, name: str, load: Load) -> None:
        self._name = name
        self._load = load
        self.files: dict[str, Node | None] = {}

    def moved(self, node: Node, path: str) -> Node:
        """Return a part of the file ``path`` with references to where the files stand."""
        return with_references(node, lambda text: self._reference(text, path))

    def _reference(self, text: str, path: str) -> str:
        file, _, pointer = text.partition("#")
        if "://" in file:
            return text
        target = path
        if file:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
        if target == self._name:
            return f"#{pointer}"
        if self._is_there(target):
            return f"#/{PLACE}/{escape_step(target)}{pointer}"
        return text

    def _is_there(self, path: str) -> bool:
        if path not in self.files:
            self.files[path] = None
            node = self._load(path)
            if node is not None:
                # It may refer to itself.
                self.files[path] = node
                self.files[path] = self.moved(node, path)
        return self.files[path] is not None
