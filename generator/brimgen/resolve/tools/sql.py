"""Read what a SQL tool says beside its statement: key columns of pages, and lists of choices."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from itertools import product
from math import prod

from brimgen.diagnostics import Diagnostics, TextBlock, did_you_mean, rules
from brimgen.frozen import replace
from brimgen.model.catalog import CHOICE_PLACE, SqlBody, SqlFragment, SqlKey, SqlVariant
from brimgen.model.types import Field, NullableType
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import ToolDecl

AFTER = "after"
ORDER = "order"
_KEY = re.compile(
    r"\s*((?:[^\W\d]\w*\.)*[^\W\d]\w*)(?:\s+(ASC|DESC))?\s*", re.IGNORECASE
)


def keyset_of(node: Node | None, diagnostics: Diagnostics) -> tuple[SqlKey, ...] | None:
    """Return the keys that ``node`` declares; None where one of them is wrong."""
    keys: list[SqlKey] = []
    entries = node.entries if isinstance(node, MapNode) else ()
    for name, value in entries:
        text = value.text if isinstance(value, ScalarNode) else ""
        match = _KEY.fullmatch(text)
        if match is None:
            diagnostics.add(rules.KEYSET_ORDER, value.span, text=text)
            continue
        direction = (match[2] or "ASC").upper()
        keys.append(SqlKey(name.text, match[1], direction, value.span))
    return tuple(keys) if len(keys) == len(entries) else None


def with_keyset(
    written: TextBlock,
    keys: tuple[SqlKey, ...],
    choices: Container[str],
    diagnostics: Diagnostics,
) -> TextBlock | None:
    """Return the text with its condition for ``{after}`` and its order for ``{order}``.

    It is None where one of them has no place.
    """
    if not keys:
        return written
    places = {match[1] for match in CHOICE_PLACE.finditer(written.text)}
    for name in (AFTER, ORDER):
        why = None
        if name in choices:
            why = f"`choices` has a `{name}` too"
        elif name not in places:
            why = f"the statement has no `{{{name}}}`"
        if why is not None:
            diagnostics.add(rules.KEYSET_PLACE, keys[0].span, why=why)
            return None
    order = ", ".join(f"{key.column} {key.direction}" for key in keys)
    texts = {AFTER: _condition(keys), ORDER: order}
    span = keys[0].span
    return _composed(
        written,
        {name: TextBlock(text, span, exact=False) for name, text in texts.items()},
    )


def _condition(keys: tuple[SqlKey, ...]) -> str:
    """Return the filter of the rows after a row, all rows where none is given.

    The bound of the first key stands alone, so that an index that begins with it is used.
    """
    first, later = keys[0], _later(keys)
    if len(keys) > 1:
        later = f"{first.column} {_sign(first)}= :{first.argument} AND ({later})"
    return f"(:{first.argument} IS NULL OR {later})"


def _later(keys: tuple[SqlKey, ...]) -> str:
    """Return the comparison of the columns with the arguments, key by key."""
    first, *rest = keys
    beyond = f"{first.column} {_sign(first)} :{first.argument}"
    if not rest:
        return beyond
    equal = f"{first.column} = :{first.argument}"
    nested = _later(tuple(rest))
    inner = f"({nested})" if len(rest) > 1 else nested
    return f"{beyond} OR ({equal} AND {inner})"


def _sign(key: SqlKey) -> str:
    return "<" if key.direction == "DESC" else ">"


MOST_VARIANTS = 64

Fragments = Mapping[str, Mapping[str, TextBlock]]
"""SQL by the label that chooses it, by argument."""


def with_choices(
    body: SqlBody,
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    diagnostics: Diagnostics,
) -> SqlBody | None:
    """Return ``body`` with every text that its choices and its pages make of it.

    It is None where its `keyset` is wrong.
    """
    node = decl.section.node("choices")
    written = _written(decl, body.statement, diagnostics)
    if written is None:
        return None
    text, keys, fragments = written
    body = replace(
        body,
        statement=text,
        written=body.statement if keys else None,
        compiled=_compiled(decl, keys),
        keyset=keys,
        fragments=tuple(
            SqlFragment(argument, label, block)
            for argument, texts in fragments.items()
            for label, block in texts.items()
        ),
    )
    if not isinstance(node, MapNode):
        return body
    if fields is not None:
        _check(node, fragments, decl, fields, diagnostics)
    used = {match[1] for match in CHOICE_PLACE.finditer(text.text)}
    for entry in node.entries:
        if entry.key.text in fragments and entry.key.text not in used:
            name = entry.key.text
            diagnostics.add(rules.CHOICE_UNUSED, entry.key.span, name=name)
    return _with_variants(body, node, fragments, diagnostics)


def texts_of(decl: ToolDecl) -> tuple[TextBlock, ...]:
    """Return every text that the statement of ``decl`` has, by its choices and its pages.

    There is none where those are wrong, which `with_choices` reports.
    """
    written = None if decl.body is None else _written(decl, decl.body, Diagnostics())
    if written is None or _combinations(written[2]) > MOST_VARIANTS:
        return ()
    return tuple(each.statement for each in _variants(written[0], written[2]))


def _written(
    decl: ToolDecl, body: TextBlock, diagnostics: Diagnostics
) -> tuple[TextBlock, tuple[SqlKey, ...], Fragments] | None:
    """Return a statement with its pages, their keys, and its choices; None if these are wrong."""
    node = decl.section.node("choices")
    fragments: Fragments = _fragments(node) if isinstance(node, MapNode) else {}
    keys = keyset_of(decl.section.node("keyset"), diagnostics)
    text = None if keys is None else with_keyset(body, keys, fragments, diagnostics)
    return None if keys is None or text is None else (text, keys, fragments)


def _with_variants(
    body: SqlBody, node: MapNode, fragments: Fragments, diagnostics: Diagnostics
) -> SqlBody:
    """Return ``body`` with the text of each combination of labels."""
    choices = tuple(name for name, texts in fragments.items() if texts)
    count = _combinations(fragments)
    if count > MOST_VARIANTS:
        diagnostics.add(
            rules.TOO_MANY_VARIANTS, node.span, count=count, most=MOST_VARIANTS
        )
        return body
    if not choices:
        return body
    variants = _variants(body.statement, fragments)
    return replace(
        body,
        statement=variants[0].statement,
        written=body.written or body.statement,
        choices=choices,
        variants=variants,
    )


def _combinations(fragments: Fragments) -> int:
    return prod(len(texts) for texts in fragments.values() if texts)


def _variants(text: TextBlock, fragments: Fragments) -> tuple[SqlVariant, ...]:
    """Return the text of each combination of labels: the text itself if there is no choice."""
    choices = [name for name, texts in fragments.items() if texts]
    return tuple(
        SqlVariant(
            labels,
            _composed(
                text,
                {
                    name: fragments[name][label]
                    for name, label in zip(choices, labels, strict=True)
                },
            ),
        )
        for labels in product(*(fragments[name] for name in choices))
    )


def _compiled(decl: ToolDecl, keys: tuple[SqlKey, ...]) -> tuple[str, ...] | None:
    """Return the arguments whose filters are left out; that of a page is always among them."""
    said, page = decl.section, tuple(key.argument for key in keys[:1])
    if isinstance(said.node("variants"), ListNode):
        return (*dict.fromkeys((*(said.words("variants") or ()), *page)),)
    return () if said.value("variants", False) else page or None


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


def _composed(written: TextBlock, texts: Mapping[str, TextBlock]) -> TextBlock:
    """Return the text with one of ``texts`` in the place of its name in braces."""
    parts: list[TextBlock] = []
    at = 0
    for match in CHOICE_PLACE.finditer(written.text):
        if match[1] in texts:
            parts.append(written.part(at, match.start()))
            parts.append(texts[match[1]])
            at = match.end()
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
                    rules.LABEL_WITHOUT_TEXT,
                    entry.key.span,
                    name=name,
                    label=label,
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
    labels = tuple(value for value in values if isinstance(value, str))
    if len(labels) != len(values):
        return "its `enum` has values that are no texts"
    has_no_value = field.default is None or field.default.value is None
    if isinstance(field.type, NullableType) or (not field.required and has_no_value):
        return "it may be absent"
    return labels
