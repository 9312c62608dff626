"""An OpenAPI document as its operations need it: references, servers, components."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import IMPORT_NO_SERVER
from brimgen.importers.names import snake_case, spec_name
from brimgen.importers.schemas.components import Components
from brimgen.importers.schemas.read_write_only import Direction
from brimgen.importers.schemas.references import node_at
from brimgen.importers.selection import Choice
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen_runtime.grammar.hosts import parse_host

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
            listed = owner.get("servers")
            if not isinstance(listed, ListNode) or not listed.items:
                continue
            for server in listed.items:
                url = _server_url(server)
                if url is not None and is_server(url):
                    return url, None
                if not seen:
                    seen, at = url or text_of(server, "url") or "", server.span
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
    url = text_of(server, "url") or ""
    variables = server.get("variables") if isinstance(server, MapNode) else None
    for name in VARIABLE.findall(url):
        variable = variables.get(name) if isinstance(variables, MapNode) else None
        default = text_of(variable, "default")
        if default is None:
            return None
        url = url.replace(f"{{{name}}}", default)
    return url


def text_of(node: Node | None, key: str) -> str | None:
    """The string under ``key`` of a mapping, if there is one."""
    value = node.get(key) if isinstance(node, MapNode) else None
    text = value.value if isinstance(value, ScalarNode) else None
    return text if isinstance(text, str) and text else None


def media_schema(media: Entry) -> Node | None:
    """The schema of an entry of ``content``, if it has one."""
    return media.value.get("schema") if isinstance(media.value, MapNode) else None


def is_null(node: Node | None) -> bool:
    """Whether a node is null."""
    return isinstance(node, ScalarNode) and node.value is None


def is_true(node: Node | None) -> bool:
    """Whether a node is true."""
    return isinstance(node, ScalarNode) and node.value is True
