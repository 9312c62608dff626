"""Describe a wrong setting, and suggest what was probably meant."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from brimgen.diagnostics import did_you_mean
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode

_SHORTEST = 3
_BOOLEANS = {
    **dict.fromkeys(("yes", "on", "y", "true", "1"), True),
    **dict.fromkeys(("no", "off", "n", "false", "0"), False),
}


def in_words(node: Node) -> str:
    """Describe a value for a message."""
    match node:
        case MapNode():
            return "a mapping"
        case ListNode(items=()):
            return "an empty list"
        case ListNode(items=items):
            return "a list of " + ", ".join(in_words(item) for item in items)
        case ScalarNode(text=text):
            return f"`{text}`" if text else "nothing"


def shown_path(path: Path) -> str:
    """Return ``path`` relative to the working directory if it is below that, else unchanged."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def similar_paths(
    path: Path, written: Path, is_candidate: Callable[[Path], bool] = Path.exists
) -> tuple[str, ...]:
    """Return the candidates beside a missing ``path`` that have nearly its name, as ``written``."""
    try:
        names = [
            sibling.name for sibling in path.parent.iterdir() if is_candidate(sibling)
        ]
    except OSError:
        return ()
    near = () if path.name in names else did_you_mean(path.name, names)
    return tuple(written.with_name(name).as_posix() for name in near)


def similar_folders(folder: Path, written: Path) -> tuple[str, ...]:
    """Return the folders beside a missing ``folder`` that have nearly its name, as ``written``."""
    return similar_paths(folder, written, Path.is_dir)


def intended_values(
    node: Node, read: Callable[[Node], object], known: Collection[str] = ()
) -> tuple[str, ...]:
    """Suggest a value that ``read`` would accept in the place of ``node``; usually none.

    ``known`` are the words that it takes, where there are few.
    """
    if not isinstance(node, ScalarNode):
        return ()
    near = did_you_mean(node.text, known) or _only_containing(node.text, known)
    return near or tuple(
        variant.text
        for variant in _variants(node)
        if variant.text != node.text and read(variant) is not None
    )


def intended_list(
    node: Node, read: Callable[[Node], object], known: Collection[str]
) -> tuple[str, ...]:
    """Return the list that words with commas between them probably stand for."""
    if not isinstance(node, ScalarNode):
        return ()
    words = [part.strip() for part in node.text.split(",") if part.strip()]
    corrected: list[str] = []
    for word in words:
        item = ScalarNode(node.span, word, word)
        near = (word,) if read(item) is not None else intended_values(item, read, known)
        corrected += near[:1]
    return (
        (f"[{', '.join(corrected)}]",)
        if corrected and len(corrected) == len(words)
        else ()
    )


def _only_containing(text: str, known: Collection[str]) -> tuple[str, ...]:
    """The only one of ``known`` that ``text`` is a whole part of: ``utc`` of ``assume-utc``."""
    folded = text.casefold()
    near = [word for word in known if folded in word or word.startswith(folded)]
    return tuple(near) if len(near) == 1 and len(folded) >= _SHORTEST else ()


def _variants(node: ScalarNode) -> Iterator[ScalarNode]:
    """Yield what may have been meant: a text in quotes, a boolean, the host of a URL, a name
    with underscores.
    """
    text = node.text
    if not isinstance(node.value, str) and node.value is not None:
        yield ScalarNode(node.span, f'"{text}"', text)
    value = _BOOLEANS.get(text.casefold())
    if value is not None:
        yield ScalarNode(node.span, str(value).lower(), value)
    host = text.partition("://")[2].partition("/")[0]
    for variant in (host, re.sub(r"[^A-Za-z0-9_]+", "_", text)):
        if variant.strip("_"):
            yield ScalarNode(node.span, variant, variant)
