"""An OpenAPI document as its operations need it: references, servers, components."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.imports import NO_SERVER
from brimgen.importers.schemas.components import Components
from brimgen.importers.schemas.read_write_only import Direction
from brimgen.importers.schemas.references import node_at
from brimgen.importers.selection import Choice
from brimgen.model.http import HostPattern
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

VARIABLE = re.compile(r"\{([^{}]+)\}")


class CannotSay(Exception):
    """Why an operation makes no tool; without a reason where that was reported already.

    ``place`` is that of the part of the operation which is why, where it is known.
    """

    def __init__(self, *why: str, place: Span | None = None) -> None:
        super().__init__(*why)
        self.place = place

    def at(self, node: Node) -> CannotSay:
        """The same, at ``node`` if no place nearer to the cause is known."""
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

    def followed(self, node: Node | None) -> Node | None:
        """``node``, or what its reference leads to in this document."""
        for _ in range(16):
            reference = text_of(node, "$ref") if isinstance(node, MapNode) else None
            if reference is None or not reference.startswith("#/"):
                return node
            node = node_at(self.root, reference)
        return None

    def server(self, *owners: MapNode) -> str | None:
        """The URL that was chosen, or else the first absolute one that the ``owners`` name, or
        else the document; or a report.
        """
        chosen = self._choice.server()
        if chosen is not None:
            return chosen
        seen, at = "", head(self.root)
        for owner in (*owners, self.root):
            listed = owner.get("servers")
            if not isinstance(listed, ListNode) or not listed.items:
                continue
            for server in listed.items:
                url = _filled(server)
                if url is not None and is_server(url):
                    return url
                if not seen:
                    seen, at = text_of(server, "url") or "", server.span
        urls = f" (only `{seen[:60]}`)" if seen else ""
        self.diagnostics.add(NO_SERVER, at, said=urls)
        return None

    def shape(self, schema: Any, node: Node) -> Any:
        """What a schema that is sent says itself; a reference to an entity is what that says."""
        shape = self.components.shape(schema, node.span, Direction.REQUEST)
        return self.require_schema(shape)

    @staticmethod
    def require_schema(schema: Any) -> Any:
        """A schema that its components answered. Raises CannotSay for None, which was reported."""
        if schema is None:
            raise CannotSay
        return schema


def head(node: MapNode) -> Span:
    """The place of what is said of a mapping as a whole: its first key, or itself if empty."""
    return node.entries[0].key.span if node.entries else node.span


def is_server(url: str) -> bool:
    """Whether paths of operations can be put behind a URL."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    host = HostPattern.parse(parts.netloc)
    is_one = host is not None and not host.below and not parts.query + parts.fragment
    return is_one and parts.scheme in ("http", "https")


def _filled(server: Node) -> str | None:
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


def is_null(node: Node | None) -> bool:
    """Whether a node says null."""
    return isinstance(node, ScalarNode) and node.value is None


def is_true(node: Node | None) -> bool:
    """Whether a node says true."""
    return isinstance(node, ScalarNode) and node.value is True
