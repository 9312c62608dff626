"""Find the tools in a document: alone, in lists, or under the keys that formats use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_UNKNOWN_FORMAT, IMPORT_WRONG_SHAPE
from brimgen.importers.draft import Format, Shape
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

_ENVELOPE = (
    *("jsonrpc", "id", "model", "messages", "input", "system", "instructions"),
    *("temperature", "max_tokens", "stream"),
)
"""Keys that JSON-RPC puts around a result, and keys of a request besides its tools."""
_NEXT_PAGE = "nextCursor"


def find_tools(
    root: Node,
    formats: Sequence[Format],
    format: str | None,
    diagnostics: Diagnostics,
) -> Iterator[tuple[MapNode, Format]]:
    """The tools of a document, each with its format; ``format`` names the only allowed one."""
    allowed = [format_ for format_ in formats if format in (None, format_.name)]
    nodes = _unwrap(root, allowed, diagnostics)
    return match_formats(nodes, allowed, format, diagnostics)


def match_formats(
    nodes: Iterable[Node],
    formats: Sequence[Format],
    format: str | None,
    diagnostics: Diagnostics,
) -> Iterator[tuple[MapNode, Format]]:
    """Yield the objects among nodes, each with the first format that it fits; report the others."""
    for node in nodes:
        fitting = None
        if isinstance(node, MapNode):
            fitting = next((format_ for format_ in formats if format_.fits(node)), None)
            if fitting is None and format is not None:
                fitting = formats[0]
        if isinstance(node, MapNode) and fitting is not None:
            yield node, fitting
        elif isinstance(node, MapNode):
            diagnostics.add(IMPORT_UNKNOWN_FORMAT, node.span)
        else:
            diagnostics.add(
                IMPORT_WRONG_SHAPE, node.span, what="a tool", expected="an object"
            )


def _unwrap(
    root: Node, formats: Sequence[Format], diagnostics: Diagnostics
) -> tuple[Node, ...]:
    """The tools of a document: a list or a single one, possibly under a key that formats use.

    The keys beside them are reported.
    """
    wrappers = {key for format_ in formats for key in format_.wrappers} | {"result"}
    while isinstance(root, MapNode) and not any(
        format_.fits(root) for format_ in formats
    ):
        key = next((wrapper for wrapper in sorted(wrappers) if root.get(wrapper)), "")
        inner = root.get(key)
        if not isinstance(inner, ListNode | MapNode):
            return (root,)
        _report_extra_keys(root, key, diagnostics)
        root = inner
        if isinstance(root, MapNode) and _is_map_of_tools(root, formats):
            return tuple(entry.value for entry in root.entries)
    return items_of(root)


def _is_map_of_tools(root: MapNode, formats: Sequence[Format]) -> bool:
    """Return whether each value is a tool or a bundle: FlexiGPT keeps bundles by their ids."""
    values = [entry.value for entry in root.entries]
    return bool(values) and all(
        isinstance(value, MapNode) and any(format_.fits(value) for format_ in formats)
        for value in values
    )


def _report_extra_keys(root: MapNode, taken: str, diagnostics: Diagnostics) -> None:
    """Report the keys beside the one that holds the tools."""
    shape = Shape(root, "the document", diagnostics)
    for entry in root.entries:
        key, value = entry.key.text, entry.value
        is_null = isinstance(value, ScalarNode) and value.value is None
        if key == taken or key in _ENVELOPE or is_null:
            continue
        if key == _NEXT_PAGE:
            shape.without_meaning(entry, "it says that more tools are on a next page")
        else:
            shape.without_meaning(entry, f"only what is under `{taken}` is imported")


def items_of(node: Node) -> tuple[Node, ...]:
    """The items of a list; any other node is the only item."""
    return node.items if isinstance(node, ListNode) else (node,)
