"""Read the body of a request: JSON, a form or a text, with its templates."""

from __future__ import annotations

import json
import re

from brimgen.diagnostics import Diagnostics, TextBlock
from brimgen.diagnostics.rules.resolve import http as rules
from brimgen.model.http import (
    FormPayload,
    JsonPayload,
    JsonTemplate,
    Payload,
    Template,
    TextPayload,
)
from brimgen.resolve.entities.builtin import to_node
from brimgen.resolve.http.variables import Variables
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen_runtime.store.variables import TemplatePosition

_FORM = "application/x-www-form-urlencoded"
_LONE = re.compile(r"\s*\$\{[^{}]*\}\s*")


def read_payload(
    node: Node, content_type: str, variables: Variables, diagnostics: Diagnostics
) -> Payload | None:
    """The body; None where it is unsound, which is reported.

    ``content_type`` is what a literal header says, in lower case. A mapping or list is JSON, or a
    form where the header says so; a text is JSON where the header says so or it looks like it. A
    variable alone that the header calls JSON is the whole body, whatever its type.
    """
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return _text_payload(node, content_type, variables, diagnostics)
    if isinstance(node, MapNode) and content_type.startswith(_FORM):
        return _form(node, variables)
    value, sound = _json(node, variables)
    return JsonPayload(value) if sound else None


def _text_payload(
    node: ScalarNode, content_type: str, variables: Variables, diagnostics: Diagnostics
) -> Payload | None:
    looks_like_json = node.text.lstrip()[:1] in ("{", "[") and not content_type
    if not looks_like_json and "json" not in content_type:
        template = variables.read(node, TemplatePosition.TEXT)
        return None if template is None else TextPayload(template)
    if _LONE.fullmatch(node.text):
        value, sound = _json(node, variables)
        return JsonPayload(value) if sound else None
    try:
        body = json.loads(node.text)
    except (ValueError, RecursionError) as fault:
        diagnostics.add(rules.BAD_BODY, node.span, reason=_reason(fault))
        return None
    value, sound = _json(to_node(body, node.span), variables)
    return JsonPayload(value) if sound else None


def _reason(fault: Exception) -> str:
    if isinstance(fault, json.JSONDecodeError):
        return f"{fault.msg[0].lower()}{fault.msg[1:]} at line {fault.lineno}"
    return "it is nested too deeply"


def _form(node: MapNode, variables: Variables) -> FormPayload | None:
    fields: list[tuple[str, Template]] = []
    sound = True
    for entry in node.entries:
        value = entry.value
        template = None
        if isinstance(value, ScalarNode):
            template = variables.read(value, TemplatePosition.QUERY)
        if template is None:
            sound = False
        else:
            fields.append((entry.key.text, template))
    return FormPayload(tuple(fields)) if sound else None


def _json(node: Node, variables: Variables) -> tuple[JsonTemplate, bool]:
    match node:
        case MapNode():
            members = {
                entry.key.text: _json(entry.value, variables) for entry in node.entries
            }
            return {key: value for key, (value, _) in members.items()}, all(
                sound for _, sound in members.values()
            )
        case ListNode():
            items = [_json(item, variables) for item in node.items]
            return [value for value, _ in items], all(sound for _, sound in items)
        case ScalarNode(value=str()):
            template = variables.read(_placed(node), TemplatePosition.BODY)
            return (template or ()), template is not None
        case ScalarNode():
            value = node.value
            assert not isinstance(value, str)
            return value, True


def _placed(node: ScalarNode) -> ScalarNode:
    """A scalar that was made from a text answers every offset with the whole of it."""
    if node.lines is not None or not node.quoted:
        return node
    width = node.span.end_column - node.span.column
    if node.span.line == node.span.end_line and width == len(node.text) + 2:
        return node
    block = TextBlock(node.text, node.span, exact=False)
    return ScalarNode(node.span, node.text, node.value, quoted=True, lines=block)
