"""Report arguments that a request does not use, and pairs that it sends twice."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics, Note
from brimgen.diagnostics.rules.resolve import http as rules
from brimgen.model.http import Url
from brimgen.model.types import Field
from brimgen.resolve.http.variables import Variables
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import RequestDecl
from brimgen.syntax.places import span_within
from brimgen_runtime.store.variables import unmarked, unmarked_mistake


def report_unused(
    request: RequestDecl,
    fields: tuple[Field, ...] | None,
    variables: Variables,
    diagnostics: Diagnostics,
) -> None:
    """Report secrets and arguments that the request does not use.

    An argument that the request writes as other languages do is reported at that place.
    """
    for name, span in variables.secrets.items():
        if name not in variables.used:
            diagnostics.add(rules.UNUSED_SECRET, span, name=name)
    for field in fields or ():
        if not field.declared or field.name in variables.used:
            continue
        if not _report_unmarked(request, field, diagnostics):
            diagnostics.add(rules.UNUSED_ARGUMENT, field.span, name=field.name)


def _report_unmarked(
    request: RequestDecl, field: Field, diagnostics: Diagnostics
) -> bool:
    """Report the first place where an argument is written without `${ }`; whether there is one."""
    for node in _texts(request):
        if (mark := unmarked(node.text, field.name)) is not None:
            diagnostics.add(
                rules.UNMARKED_VARIABLE,
                span_within(node, mark.start(), mark.end()) or node.span,
                notes=[Note(field.span, "the argument")],
                suggestions=[f"${{{field.name}}}"],
                **unmarked_mistake(mark[0], field.name).values,
            )
            return True
    return False


def _texts(request: RequestDecl) -> Iterator[ScalarNode]:
    """Every text of a request that may hold variables."""
    yield request.url
    waiting: list[Node] = [entry.value for entry in (*request.query, *request.headers)]
    waiting += [] if request.auth is None else [node for _, node in request.auth.texts]
    waiting += [] if request.body is None else [request.body.value]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, MapNode):
            waiting += [entry.value for entry in node.entries]
        elif isinstance(node, ListNode):
            waiting += node.items
        elif isinstance(node.value, str):
            yield node


def report_duplicate_query(
    request: RequestDecl, url: Url, diagnostics: Diagnostics
) -> None:
    """Report keys that stand in the query of the URL and under `query`."""
    in_url = {name for name, _ in url.query}
    for entry in request.query:
        if entry.key.text in in_url:
            notes = [Note(request.url.span, "the URL")]
            diagnostics.add(
                rules.QUERY_KEY_TWICE, entry.key.span, notes=notes, name=entry.key.text
            )
