"""Read the names of documents, and label documents without a valid name."""

from __future__ import annotations

import re

from brimgen.diagnostics import Span, did_you_mean
from brimgen.diagnostics.rules.syntax.documents import BAD_NAME
from brimgen.source.nodes import Entry, MapNode, ScalarNode
from brimgen.syntax.decls import Text
from brimgen.syntax.reader import Reader, is_null, shown

NAME = re.compile(
    r"\A(?!(?i:con|prn|aux|nul|(?:com|lpt)[0-9])\Z)[A-Za-z][A-Za-z0-9_-]{0,63}\Z"
)
"""What names of tools and of all that they use are; files are named after them, and no file on
Windows can have the name of a device (promises.md 3)."""
_OWNERS = {"entity": "an entity", "leaf": "a leaf", "bundle": "a bundle"}


def near(root: MapNode, key: str) -> list[Entry]:
    """The entries of a document whose keys are slips of ``key``."""
    return [
        each
        for each in root.entries
        if each.key.text != key and did_you_mean(each.key.text, (key,))
    ]


def slip_of(root: MapNode, key: str) -> ScalarNode | None:
    """Return the value of the only key that looks like a typo of ``key``, which is reported when it
    is read.
    """
    values = [each.value for each in near(root, key)]
    found = values[0] if len(values) == 1 else None
    return found if isinstance(found, ScalarNode) else None


def head(root: MapNode) -> Span:
    """The place to point at for what a document lacks: its first key, or itself if empty."""
    return root.entries[0].key.span if root.entries else root.span


def name_of(reader: Reader, root: MapNode, kind: str) -> Text | None:
    """The name of a document of the type ``kind``, or None after a report."""
    node = root.get("name")
    if node is None or is_null(node):
        meant = slip_of(root, "name") or root.get("tool_name")
        if isinstance(meant, ScalarNode) and NAME.match(meant.text):
            return Text(meant.text, meant.span)
        if meant is None and not (root.is_partial or near(root, "name")):
            from brimgen.diagnostics.rules.syntax.helps import missing

            place, empty = root.get("type"), root.entry("name")
            at = head(root) if place is None else place.span
            at = at if empty is None else empty.key.span
            rule = missing(f"the {kind}", "name")
            said, owner = _called(root), f"the {kind}"
            reader.report(rule, at, suggestions=said, owner=owner, key="name")
        return None
    if not isinstance(node, ScalarNode):
        return None
    if NAME.match(node.text) is None:
        from brimgen.syntax.invalid_names import valid_spelling, why_invalid

        reader.report(
            BAD_NAME,
            node.span,
            suggestions=valid_spelling(node.text),
            name=shown(node.text),
            owner=_OWNERS.get(kind, "a tool"),
            reason=why_invalid(node.text),
        )
        return None
    return Text(node.text, node.span)


def _called(root: MapNode) -> tuple[str, ...]:
    """The name that another key seems to give."""
    for key in ("slug", "command_name", "operationId", "id"):
        node = root.get(key)
        if isinstance(node, ScalarNode) and NAME.match(node.text):
            return (f"name: {node.text}",)
    return ()


class Labels:
    """What messages call documents without a sound name, whose parts are read still.

    Nothing in it is what they wrote: another name that is near to that is no mistake besides.
    """

    def __init__(self) -> None:
        self._count = 0

    def of(self, root: MapNode) -> Text:
        """The label of the next one: ``(unnamed)``, ``(unnamed 2)``."""
        self._count += 1
        label = "(unnamed)" if self._count == 1 else f"(unnamed {self._count})"
        node = root.get("name")
        return Text(label, head(root) if node is None else node.span)
