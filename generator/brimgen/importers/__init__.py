"""Importers: what another system wrote about its tools in, spec documents out; one module a format.

What cannot be said is refused, with its place and the reason; nothing is guessed or left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Severity
from brimgen.diagnostics.rules.imports import (
    REFUSED,
    SAME_NAME,
    UNKNOWN_FORMAT,
    WRONG_SHAPE,
)
from brimgen.importers import anthropic, commands, mcp, openai, tool_spec
from brimgen.importers.draft import Draft, Format
from brimgen.importers.json_text import read_json
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.catalog import Project
from brimgen.source.nodes import ListNode, MapNode, Node

__all__ = ["FORMATS", "import_tools"]

FORMATS: tuple[Format, ...] = (
    tool_spec.FORMAT,
    commands.FORMAT,
    mcp.FORMAT,
    openai.FORMAT,
    anthropic.FORMAT,
)
"""All formats, in the order in which they are tried."""


def import_tools(
    name: str, text: str, found: Diagnostics, *, format: str | None = None
) -> tuple[str, ...]:
    """A YAML document for each tool of a file; what is refused is reported and left out.

    ``name`` is that of the file, for the reports; ``format`` names one of `FORMATS`, None means
    the first that fits.
    """
    root = read_json(name, text, found)
    if root is None:
        return ()
    drafts: list[Draft] = []
    known: set[str] = set()
    for node, chosen in _tools(root, format, found):
        draft = chosen.read(node, found)
        if draft is None:
            continue
        if draft.name in known:
            found.add(SAME_NAME, draft.span, what="tools", name=draft.name)
            continue
        known.add(draft.name)
        drafts.append(draft)
    texts = [yaml_document(each.document) for each in drafts]
    refused = _refused(drafts, texts, found)
    return tuple(text for text, no in zip(texts, refused, strict=True) if not no)


def _tools(
    root: Node, format: str | None, found: Diagnostics
) -> Iterator[tuple[MapNode, Format]]:
    formats = [each for each in FORMATS if format in (None, each.name)]
    nodes = _unwrapped(root, formats)
    for node in nodes:
        fitting = None
        if isinstance(node, MapNode):
            fitting = next((each for each in formats if each.fits(node)), None)
            if fitting is None and format is not None:
                fitting = formats[0]
        if isinstance(node, MapNode) and fitting is not None:
            yield node, fitting
        elif isinstance(node, MapNode):
            found.add(UNKNOWN_FORMAT, node.span)
        else:
            found.add(WRONG_SHAPE, node.span, what="a tool", expected="an object")


def _unwrapped(root: Node, formats: Sequence[Format]) -> tuple[Node, ...]:
    """The tools of a document: a list of them, one, or one under a key that formats use."""
    wrappers = {key for each in formats for key in each.wrappers} | {"result"}
    while isinstance(root, MapNode):
        inner = next(
            (root.get(each) for each in sorted(wrappers) if root.get(each)), None
        )
        if not isinstance(inner, ListNode | MapNode):
            return (root,)
        root = inner
    return root.items if isinstance(root, ListNode) else (root,)


def _refused(
    drafts: Sequence[Draft], texts: Sequence[str], found: Diagnostics
) -> list[bool]:
    """For each draft, whether a build would refuse it; the first reason is reported."""
    from brimgen.resolve.link import resolve
    from brimgen.source.compose import compose
    from brimgen.source.document import SourceFile
    from brimgen.syntax.documents import parse

    judged = Diagnostics()
    names = [f"{number}.yaml" for number in range(len(drafts))]
    documents = [
        document
        for file, text in zip(names, texts, strict=True)
        for document in compose(SourceFile(file, Path(file), text), judged)
    ]
    resolve(parse(documents, judged), Project(), judged)
    errors = [each for each in judged if each.rule.severity is Severity.ERROR]
    verdicts: list[bool] = []
    for draft, file in zip(drafts, names, strict=True):
        reasons = [each.message for each in errors if each.span.file == file]
        for reason in reasons[:1]:
            found.add(REFUSED, draft.span, name=draft.name, reason=reason)
        verdicts.append(bool(reasons))
    return verdicts
