"""Read the choices of a statement, and write out each text that can be chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from math import prod

from brimgen.diagnostics import Diagnostics, TextBlock, did_you_mean
from brimgen.diagnostics.rules import sql_choices as rules
from brimgen.model.catalog import SqlBody, SqlVariant
from brimgen.model.types import Field, NullableType
from brimgen.source.nodes import ListNode, MapNode, ScalarNode
from brimgen.syntax.decls import ToolDecl

MOST_VARIANTS = 64
_NAME = re.compile(r"\{\s*([^\W\d]\w*)\s*\}")

Fragments = Mapping[str, Mapping[str, TextBlock]]
"""SQL by the label that chooses it, by argument."""


def with_choices(
    body: SqlBody,
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    diagnostics: Diagnostics,
) -> SqlBody:
    """Return ``body`` with every text that its choices make of it."""
    node = decl.option("choices")
    compiled = _compiled(decl)
    fragments: Fragments = _fragments(node) if isinstance(node, MapNode) else {}
    if fields is not None and isinstance(node, MapNode):
        _check(node, fragments, decl, fields, diagnostics)
    written = body.statement
    used = {found[1] for found in _NAME.finditer(written.text)}
    for name in [each for each in fragments if each not in used]:
        assert isinstance(node, MapNode)
        key = next(each.key for each in node.entries if each.key.text == name)
        diagnostics.add(rules.CHOICE_UNUSED, key.span, name=name)
    choices = tuple(name for name, texts in fragments.items() if texts)
    count = prod(len(fragments[name]) for name in choices)
    if count > MOST_VARIANTS and node is not None:
        diagnostics.add(
            rules.TOO_MANY_VARIANTS, node.span, count=count, most=MOST_VARIANTS
        )
        choices = ()
    if not choices:
        return SqlBody(written, body.connection, body.strict, compiled=compiled)
    variants = tuple(
        SqlVariant(
            labels,
            _composed(written, dict(zip(choices, labels, strict=True)), fragments),
        )
        for labels in product(*(fragments[name] for name in choices))
    )
    return SqlBody(
        variants[0].statement,
        body.connection,
        body.strict,
        written=written,
        choices=choices,
        variants=variants,
        compiled=compiled,
    )


def _compiled(decl: ToolDecl) -> tuple[str, ...] | None:
    node = decl.option("variants")
    if isinstance(node, ListNode):
        return tuple(each.text for each in node.items if isinstance(each, ScalarNode))
    is_asked = isinstance(node, ScalarNode) and node.value is True
    return () if is_asked else None


def _fragments(node: MapNode) -> Fragments:
    return {
        entry.key.text: {
            label.text: value.block
            for label, value in entry.value.entries
            if isinstance(value, ScalarNode)
        }
        for entry in node.entries
        if isinstance(entry.value, MapNode)
    }


def _composed(
    written: TextBlock, labels: Mapping[str, str], fragments: Fragments
) -> TextBlock:
    """Return the text in which each name in braces is the SQL of its label."""
    parts: list[TextBlock] = []
    at = 0
    for found in _NAME.finditer(written.text):
        if found[1] in labels:
            parts.append(written.part(at, found.start()))
            parts.append(fragments[found[1]][labels[found[1]]])
            at = found.end()
    parts.append(written.part(at, len(written.text)))
    return TextBlock.joined([part for part in parts if part.text] or parts[:1])


def _check(
    node: MapNode,
    fragments: Fragments,
    decl: ToolDecl,
    fields: tuple[Field, ...],
    diagnostics: Diagnostics,
) -> None:
    """Report arguments that cannot choose, and labels that do not match their enum."""
    by_name = {field.name: field for field in fields}
    for entry in node.entries:
        name = entry.key.text
        field = by_name.get(name)
        if field is None:
            near = did_you_mean(name, by_name)
            tool = decl.name.value
            diagnostics.add(
                rules.CHOICE_OF_NOTHING,
                entry.key.span,
                suggestions=near,
                name=name,
                tool=tool,
            )
            continue
        labels = _labels(field)
        if isinstance(labels, str):
            diagnostics.add(rules.NOT_A_CHOICE, entry.key.span, name=name, why=labels)
            continue
        if not isinstance(entry.value, MapNode):
            continue
        for label in labels:
            if label not in fragments[name]:
                diagnostics.add(
                    rules.LABEL_WITHOUT_TEXT, entry.key.span, name=name, label=label
                )
        for key, _ in entry.value.entries:
            if key.text not in labels:
                diagnostics.add(
                    rules.UNKNOWN_LABEL,
                    key.span,
                    suggestions=did_you_mean(key.text, labels),
                    label=key.text,
                    name=name,
                )


def _labels(field: Field) -> tuple[str, ...] | str:
    """Return the values of an argument, or why they cannot choose."""
    values = field.schema.get("enum")
    if not isinstance(values, list | tuple):
        return "it has no `enum`"
    labels = tuple(each for each in values if isinstance(each, str))
    if len(labels) != len(values):
        return "its `enum` has values that are no texts"
    has_no_value = field.default is None or field.default.value is None
    if isinstance(field.type, NullableType) or (not field.required and has_no_value):
        return "it may be absent"
    return labels
