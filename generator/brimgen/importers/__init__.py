"""Importers: what was written for other systems in, spec documents out; one module a format.

What cannot be said is refused, with its place and the reason; nothing is guessed or left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Severity, Span
from brimgen.diagnostics.rules.imports import (
    NO_CALLS,
    NO_SUCH_TOOL,
    NOTHING,
    REFUSED,
    SAME_NAME,
    UNKNOWN_FORMAT,
    WRONG_SHAPE,
)
from brimgen.diagnostics.rules.source import REFUSED_CHARACTER
from brimgen.importers import (
    anthropic,
    bundle_json,
    commands,
    json_schema,
    mcp,
    openai,
    openapi,
    python_source,
    tool_spec,
)
from brimgen.importers.api import is_server
from brimgen.importers.choice import Choice
from brimgen.importers.draft import Draft, Format, WholeFormat
from brimgen.importers.json_text import read_json
from brimgen.importers.yaml_source import read_yaml
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.project import Project
from brimgen.source.nodes import ListNode, MapNode, Node

__all__ = ["FORMATS", "NAMES", "import_tools", "is_server"]

FORMATS: tuple[Format, ...] = (
    tool_spec.FORMAT,
    commands.FORMAT,
    mcp.FORMAT,
    openai.FORMAT,
    anthropic.FORMAT,
    bundle_json.TOOL,
    bundle_json.BUNDLE,
)
"""Formats of single tools, in the order in which they are tried."""

WHOLE: tuple[WholeFormat, ...] = (openapi.FORMAT, json_schema.FORMAT)
"""Formats of whole documents."""

NAMES: Mapping[str, str] = MappingProxyType(
    {each.name: each.summary for each in FORMATS}
    | {each.name: each.summary for each in WHOLE}
    | {python_source.NAME: python_source.SUMMARY}
)
"""What every format is called, and what it is."""


def import_tools(
    name: str,
    text: str,
    found: Diagnostics,
    *,
    format: str | None = None,
    only: tuple[str, ...] = (),
    server: str | None = None,
) -> tuple[str, ...]:
    """A YAML document for each spec that a file makes; what is refused is reported and left out.

    ``name`` is that of the file, for the reports; ``format`` is one of `NAMES`, None means the
    first that fits. ``only`` are the names of the tools that are wanted, in which ``*`` stands for
    any text; none means all. ``server`` is the URL that the tools of an API call, in the place of
    those that it names.
    """
    choice = Choice(only, server)
    drafts = _unique(_drafts(name, text, format, found, choice), found)
    for each, suggestions in choice.missed():
        whole = Span(name, 1, 1, 1, 1)
        found.add(NO_SUCH_TOOL, whole, suggestions=suggestions, name=each)
    if drafts and choice.calls_none:
        found.add(NO_CALLS, Span(name, 1, 1, 1, 1), server=server)
    if not drafts and not found.has_errors:
        found.add(NOTHING, Span(name, 1, 1, 1, 1))
    texts = [yaml_document(each.document) for each in drafts]
    refused = _refused(drafts, texts, found)
    return tuple(text for text, no in zip(texts, refused, strict=True) if not no)


def _drafts(
    name: str, text: str, format: str | None, found: Diagnostics, choice: Choice
) -> Iterator[Draft]:
    if format == python_source.NAME or (format is None and name.endswith(".py")):
        yield from _chosen(python_source.read(name, text, found), choice)
        return
    is_yaml = name.casefold().endswith((".yaml", ".yml"))
    root = read_yaml(name, text, found) if is_yaml else read_json(name, text, found)
    if root is None:
        return
    whole = _whole(root, format, found, choice)
    if whole is not None:
        yield from whole
        return
    read = (chosen.read(node, found) for node, chosen in _tools(root, format, found))
    yield from _chosen(filter(None, read), choice)


def _chosen(drafts: Iterable[Draft], choice: Choice) -> Iterator[Draft]:
    """The tools that are wanted, and all that is no tool."""
    for each in drafts:
        if each.kind != "tool" or choice.takes(each.name):
            yield each


def _whole(
    root: Node, format: str | None, found: Diagnostics, choice: Choice
) -> Iterator[Draft] | None:
    """What the document as a whole says, if it is in a format of whole documents."""
    if not isinstance(root, MapNode) or any(each.fits(root) for each in FORMATS):
        return None
    formats = [each for each in WHOLE if format in (None, each.name)]
    chosen = next((each for each in formats if format or each.fits(root)), None)
    return None if chosen is None else chosen.read(root, found, choice)


def _unique(drafts: Iterable[Draft], found: Diagnostics) -> list[Draft]:
    """The drafts without those whose name another one of their kind has."""
    known: dict[tuple[str, str], Draft] = {}
    for each in drafts:
        if known.setdefault((each.kind, each.name), each) is not each:
            what = {"tool": "tools", "entity": "entities"}.get(each.kind, "bundles")
            found.add(SAME_NAME, each.span, what=what, name=each.name)
    return list(known.values())


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
    """For each draft, whether a build would refuse it; the first reason is reported.

    Refused characters have been reported where the file holds them, and are not reported again.
    """
    from brimgen.resolve.link import resolve
    from brimgen.source.compose import compose
    from brimgen.source.document import SourceFile
    from brimgen.syntax.documents import parse

    judged = Diagnostics()
    names = [f"{number}.yaml" for number in range(len(drafts))]
    documents = [
        document
        for file, text in zip(names, texts, strict=True)
        for document in compose(SourceFile(file, file, text), judged)
    ]
    resolve(parse(documents, judged), Project(), judged)
    errors = [each for each in judged if each.rule.severity is Severity.ERROR]
    told = {REFUSED_CHARACTER} & {each.rule for each in found}
    verdicts: list[bool] = []
    for draft, file in zip(drafts, names, strict=True):
        reasons = [each for each in errors if each.span.file == file]
        for reason in reasons[:1]:
            if reason.rule not in told:
                said = reason.message
                found.add(REFUSED, draft.span, name=draft.name, reason=said)
        verdicts.append(bool(reasons))
    return verdicts
