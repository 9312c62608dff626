"""Read `confirm`: the question that a person is asked before a tool is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.model.catalog import Confirm, Entity
from brimgen.model.fields import Caller
from brimgen.model.types import Field
from brimgen.resolve.http.urls import Variables
from brimgen.source.nodes import ScalarNode
from brimgen.syntax.decls import ToolDecl
from brimgen_runtime.grammar.variables import TemplatePosition


def make_confirm(
    decl: ToolDecl,
    fields: Sequence[Field],
    entities: Mapping[str, Entity],
    diagnostics: Diagnostics,
) -> Confirm | None:
    """Return what is asked; None for nothing, and for a question with a mistake, which is reported.

    A question shows what the caller sends: hidden arguments and secrets cannot stand in it.
    """
    node = decl.option("confirm")
    if not isinstance(node, ScalarNode) or node.value is False:
        return None
    if node.value is True:
        return Confirm(node.span, None)
    sent = {each.name: each for each in fields if isinstance(each.origin, Caller)}
    variables = Variables(sent, {}, entities, diagnostics)
    template = variables.read(node, TemplatePosition.QUESTION)
    return None if template is None else Confirm(node.span, template)
