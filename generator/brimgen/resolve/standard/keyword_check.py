"""Check that a mapping is JSON Schema, and report what is not.

The rules are those of `brimgen_runtime.grammar.keywords`; the tests compare the verdicts with those
of the metaschemas: a metaschema validator costs milliseconds a schema, recurses as deep as the
schema, and knows no places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from brimgen.diagnostics import Diagnostics, did_you_mean, rules
from brimgen.model.json import Json
from brimgen.model.scalars import ALIASES, OF_JSON_TYPE, SCALARS
from brimgen.model.types import Scalar
from brimgen.resolve.fields.patterns import (
    FORMATS,
    check_speed,
    report_look_behind,
    report_pattern,
)
from brimgen.resolve.values import fits, intended_values, show
from brimgen.schema.walk import walk_nodes
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, plain
from brimgen.syntax.shapes import BOOLEANS, as_list
from brimgen_runtime.grammar.keywords import (
    DRAFT_07,
    ONLY_2020,
    TYPES,
    KeywordFault,
    dialect_of,
    is_required_flag,
    keyword_faults,
)
from brimgen_runtime.grammar.patterns import PatternFault
from brimgen_runtime.grammar.rule_messages import Mistake
from brimgen_runtime.grammar.schema_parts import DRAFT_2020_12
from brimgen_runtime.schema.json_pointer import unescape_step

_ALIASES = {
    **{word: SCALARS[scalar].json_type for word, scalar in ALIASES.items()},
    "text": "string",
    "none": "null",
}
_FORMATS = {"mail": ("email",), "url": ("uri",), "guid": ("uuid",), "ip": ("ipv4",)}


class Dialect(StrEnum):
    """The dialects of JSON Schema that are understood."""

    DRAFT_07 = DRAFT_07
    DRAFT_2020_12 = DRAFT_2020_12


LATER_FORMATS = frozenset({"duration", "uuid"})
"""Formats that draft-07 does not know."""

_OLDER = re.compile(
    r"https?://json-schema\.org/(draft-04|draft-06|draft/2019-09)/schema#?"
)


def older_draft(schema: MapNode) -> str | None:
    """Return the draft that `$schema` names, if schemas of that draft are rewritten."""
    named = schema.get("$schema")
    match = _OLDER.fullmatch(named.text) if isinstance(named, ScalarNode) else None
    return match.group(1) if match else None


def read_dialect(root: MapNode, diagnostics: Diagnostics) -> Dialect | None:
    """Return the dialect that `$schema` names, 2020-12 without one; None where it is unknown."""
    node = root.get("$schema")
    if node is None:
        return Dialect.DRAFT_2020_12
    dialect = dialect_of(node.text if isinstance(node, ScalarNode) else None)
    if isinstance(dialect, Mistake):
        diagnostics.add(rules.UNKNOWN_SCHEMA_DIALECT, node.span, **dialect.values)
        return None
    return Dialect(dialect)


def check_schema(root: MapNode, dialect: Dialect, diagnostics: Diagnostics) -> bool:
    """Return whether ``root`` is a schema of its dialect; report what is not."""
    before = diagnostics.errors
    _check_inner_dialects(root, dialect, diagnostics)
    for pointer, node in walk_nodes(root):
        for entry in node.entries:
            if not _is_flag(entry, pointer, diagnostics):
                _check_entry(entry, dialect, diagnostics)
    is_sound = diagnostics.errors == before
    if is_sound:
        for _, node in walk_nodes(root):
            _check_speeds(node, diagnostics)
            _check_choices(node, diagnostics)
    return is_sound


def _check_inner_dialects(
    root: MapNode, dialect: Dialect, diagnostics: Diagnostics
) -> None:
    """Report unknown dialects inside a schema, and the first that is older than the schema."""
    read_as = "draft-07" if dialect is Dialect.DRAFT_07 else "2020-12"
    is_reported = False
    for pointer, node in walk_nodes(root):
        named = node.get("$schema") if pointer else None
        if named is None:
            continue
        older = older_draft(node)
        if older is None:
            read_dialect(node, diagnostics)
        elif not is_reported:
            is_reported = True
            diagnostics.add(
                rules.DIALECT_WITHIN, named.span, inner=older, outer=read_as
            )


def _check_speeds(schema: MapNode, diagnostics: Diagnostics) -> None:
    """Report slow patterns, which make no schema unsound."""
    pattern, longest = schema.get("pattern"), schema.get("maxLength")
    if isinstance(pattern, ScalarNode):
        check_speed(pattern, plain(longest) if longest else None, diagnostics)
    names = schema.get("patternProperties")
    for entry in names.entries if isinstance(names, MapNode) else ():
        check_speed(entry.key, None, diagnostics)


def _check_choices(schema: MapNode, diagnostics: Diagnostics) -> None:
    """Report a choice that the ``type`` beside it refuses: no value can be it.

    Null is left out: in an enum it often says no more than that the value may be absent.
    """
    keyword = "enum" if schema.get("enum") is not None else "const"
    node, named = schema.get(keyword), schema.get("type")
    if node is None or named is None:
        return
    items = named.items if isinstance(named, ListNode) else (named,)
    scalars = [OF_JSON_TYPE[kind] for kind in map(_text, items) if kind != "null"]
    choices = (
        node.items if keyword == "enum" and isinstance(node, ListNode) else (node,)
    )
    refused = [choice for choice in choices if not _is_one_of(choice, scalars)]
    if refused:
        first = refused[0]
        near = [text for scalar in scalars for text in intended_values(first, scalar)]
        diagnostics.add(
            rules.CHOICE_OF_OTHER_TYPE,
            first.span,
            suggestions=near,
            value=show(first),
            type=_text(named) or f"[{', '.join(map(_text, items))}]",
            keyword=keyword,
            rest=": no value is accepted" if len(refused) == len(choices) else "",
        )


def _text(node: Node) -> str:
    return node.text if isinstance(node, ScalarNode) else ""


def _is_one_of(node: Node, scalars: Sequence[Scalar]) -> bool:
    value = plain(node)
    return value is None or any(fits(scalar, value) for scalar in scalars)


def _is_flag(entry: Entry, pointer: str, diagnostics: Diagnostics) -> bool:
    """Return whether an entry is the ``required: true`` of a property; report it if so."""
    value = entry.value if isinstance(entry.value, ScalarNode) else None
    if value is None or not is_required_flag(entry.key.text, value.value, pointer):
        return False
    name = pointer.rpartition("/")[2]
    intended = f"required: [{unescape_step(name)}]"
    diagnostics.add(
        rules.REQUIRED_OF_PROPERTY,
        entry.key.span,
        suggestions=(intended,) if value.value else (),
        value=value.text,
    )
    return True


def _check_entry(entry: Entry, dialect: Dialect, diagnostics: Diagnostics) -> None:
    key, value = entry.key.text, entry.value
    is_draft07 = dialect is Dialect.DRAFT_07
    if is_draft07 and key in ONLY_2020:
        _report_later(entry, key, diagnostics)
        return
    levels = 3 if key.startswith("depend") else 1
    faults = tuple(keyword_faults(key, _outline(value, levels), dialect))
    for fault in faults:
        _report(fault, entry, diagnostics)
    if faults:
        return
    if key == "pattern" and isinstance(value, ScalarNode):
        report_look_behind(value, diagnostics)
    elif key == "patternProperties" and isinstance(value, MapNode):
        for pattern, _ in value.entries:
            report_look_behind(pattern, diagnostics)
    elif key == "format" and isinstance(value, ScalarNode):
        if is_draft07 and value.text in LATER_FORMATS:
            _report_later(entry, f"format: {value.text}", diagnostics)
        _check_format(value, diagnostics)


def _report_later(entry: Entry, keyword: str, diagnostics: Diagnostics) -> None:
    """Report a keyword that is later than draft-07."""
    at = entry.key.span
    diagnostics.add(rules.DIALECT_MIX, at, draft="draft-07", keyword=keyword)


def _outline(node: Node, levels: int) -> Json:
    """The value of a node as deep as a rule looks: all below is empty."""
    if isinstance(node, MapNode):
        entries = node.entries if levels else ()
        return {entry.key.text: _outline(entry.value, levels - 1) for entry in entries}
    if isinstance(node, ListNode):
        items = node.items if levels else ()
        return [_outline(item, levels - 1) for item in items]
    return node.value


def _report(fault: KeywordFault, entry: Entry, diagnostics: Diagnostics) -> None:
    at = _node_at(entry, fault)
    mistake = fault.mistake
    values = dict(mistake.values)
    if mistake.reason == rules.BAD_PATTERN.reason:
        assert isinstance(at, ScalarNode)
        report_pattern(at, PatternFault(mistake, fault.detail), diagnostics)
        return
    if mistake.reason == rules.UNKNOWN_SCHEMA_TYPE.reason:
        text = at.text if isinstance(at, ScalarNode) else show(at)
        alias = _ALIASES.get(text.casefold())
        near = (alias,) if alias else did_you_mean(text, TYPES)
        values["name"] = text
        diagnostics.add(rules.UNKNOWN_SCHEMA_TYPE, at.span, suggestions=near, **values)
        return
    is_of_type = entry.key.text == "type"
    if not is_of_type:
        values["actual"] = show(at)
    near = () if is_of_type else _intended_value(at, str(values["expected"]))
    diagnostics.add(rules.BAD_KEYWORD, at.span, suggestions=near, **values)


def _node_at(entry: Entry, fault: KeywordFault) -> Node:
    """Return the node that has a fault."""
    node = entry.value
    for step in fault.path:
        if isinstance(node, ListNode) and isinstance(step, int):
            node = node.items[step]
        elif isinstance(node, MapNode) and isinstance(step, str):
            member = node.entry(step)
            assert member is not None
            node = member.key if fault.is_key else member.value
    return node


def _check_format(value: ScalarNode, diagnostics: Diagnostics) -> None:
    """Report misspelt formats; formats of others are allowed, and not checked."""
    if value.text in FORMATS:
        return
    near = _FORMATS.get(value.text.casefold()) or did_you_mean(value.text, FORMATS)
    if near:
        diagnostics.add(
            rules.UNKNOWN_FORMAT, value.span, suggestions=near, name=value.text
        )


def _intended_value(node: Node, expected: str) -> tuple[str, ...]:
    """What a text was probably meant to be: a number without its quotes, a list of one."""
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return ()
    if expected == "a schema":
        kind = _ALIASES.get(node.text.casefold(), node.text)
        return (f"{{type: {kind}}}",) if kind in TYPES else ()
    if "number" in expected:
        return intended_values(node, Scalar.FLOAT)
    if expected == "true or false" and node.text.lower() in BOOLEANS:
        return (BOOLEANS[node.text.lower()],)
    return as_list(node) if expected.startswith("a list of names") else ()
