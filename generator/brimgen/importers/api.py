"""An OpenAPI document, as its operations see it: references, servers, components."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.imports import NO_SERVER
from brimgen.importers.components import Components
from brimgen.importers.references import node_at
from brimgen.regex import regex
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

VARIABLE = regex(r"\{([^{}]+)\}")


class CannotSay(Exception):
    """Why an operation makes no tool; without a reason where that was reported already."""


class Api:
    """The document that operations belong to: its servers, components and references."""

    def __init__(
        self, root: MapNode, components: Components, found: Diagnostics
    ) -> None:
        self.root = root
        self.components = components
        self.found = found

    def followed(self, node: Node | None) -> Node | None:
        """``node``, or what its reference leads to in this document."""
        for _ in range(16):
            reference = text_of(node, "$ref") if isinstance(node, MapNode) else None
            if reference is None or not reference.startswith("#/"):
                return node
            node = node_at(self.root, reference)
        return None

    def server(self, *owners: MapNode) -> str | None:
        """The first absolute URL that the ``owners`` name, or else the document; or a report."""
        for owner in (*owners, self.root):
            listed = owner.get("servers")
            if not isinstance(listed, ListNode) or not listed.items:
                continue
            server = listed.items[0]
            url = text_of(server, "url") or ""
            variables = server.get("variables") if isinstance(server, MapNode) else None
            for name in VARIABLE.findall(url):
                given = variables.get(name) if isinstance(variables, MapNode) else None
                url = url.replace(f"{{{name}}}", text_of(given, "default") or "")
            if urlsplit(url).scheme in ("http", "https") and urlsplit(url).netloc:
                return url
        self.found.add(NO_SERVER, self.root.span)
        return None

    @staticmethod
    def known(schema: Any) -> Any:
        """A schema that its components answered. Raises CannotSay for None, which was reported."""
        if schema is None:
            raise CannotSay
        return schema


def text_of(node: Node | None, key: str) -> str | None:
    """The string under ``key`` of a mapping, if there is one."""
    value = node.get(key) if isinstance(node, MapNode) else None
    said = value.value if isinstance(value, ScalarNode) else None
    return said if isinstance(said, str) and said else None


def is_null(node: Node | None) -> bool:
    """Whether a node says null."""
    return isinstance(node, ScalarNode) and node.value is None


def is_true(node: Node | None) -> bool:
    """Whether a node says true."""
    return isinstance(node, ScalarNode) and node.value is True
