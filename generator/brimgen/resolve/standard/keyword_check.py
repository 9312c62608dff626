"""Check that a mapping is JSON Schema, and report what is not.

The rows of `SHAPES` say what the metaschemas of 2020-12 and draft-07 say, keyword by keyword
(the tests compare the verdicts), because a metaschema validator costs milliseconds a schema,
recurses as deep as the schema, and knows no places.
"""

from __future__ import annotations

import re
from enum import StrEnum

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.resolve import fields as fields_rules
from brimgen.diagnostics.rules.resolve import standard as rules
from brimgen.model.scalars import ALIASES, SCALARS
from brimgen.model.types import Scalar
from brimgen.resolve.fields.formats import FORMATS
from brimgen.resolve.fields.pattern_check import check_pattern, check_speed
from brimgen.resolve.standard.keyword_shapes import SHAPES, is_name_list
from brimgen.resolve.standard.subschemas import LISTS, MAPS, SINGLE, walk_nodes
from brimgen.resolve.values import show, to_json
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.shapes import BOOLEANS, as_list

TYPES = ("null", "boolean", "object", "array", "number", "integer", "string")
_ALIASES = {
    **{word: SCALARS[each].json_type for word, each in ALIASES.items()},
    "text": "string",
    "none": "null",
}
_FORMATS = {"mail": ("email",), "url": ("uri",), "guid": ("uuid",), "ip": ("ipv4",)}


class Dialect(StrEnum):
    """The dialects of JSON Schema that are understood."""

    DRAFT_07 = "http://json-schema.org/draft-07/schema#"
    DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"


_DIALECTS = {re.sub(r"^https?://|#$", "", each.value): each for each in Dialect}
ONLY_2020 = frozenset(
    [
        "prefixItems",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
        "unevaluatedItems",
        "minContains",
        "maxContains",
        "$dynamicRef",
    ]
)

LATER_FORMATS = frozenset({"duration", "uuid"})
"""Formats that draft-07 does not know."""


def read_dialect(root: MapNode, diagnostics: Diagnostics) -> Dialect | None:
    """Return the dialect that `$schema` names, 2020-12 without one; None where it is unknown."""
    node = root.get("$schema")
    if node is None:
        return Dialect.DRAFT_2020_12
    text = node.text if isinstance(node, ScalarNode) else ""
    dialect = _DIALECTS.get(re.sub(r"^https?://|#$", "", text))
    if dialect is None:
        diagnostics.add(rules.UNKNOWN_DIALECT, node.span, name=text)
    return dialect


def check_schema(root: MapNode, dialect: Dialect, diagnostics: Diagnostics) -> bool:
    """Return whether ``root`` is a schema of its dialect; report what is not."""
    before = diagnostics.errors
    for pointer, node in walk_nodes(root):
        if pointer and node.get("$schema") is not None:
            read_dialect(node, diagnostics)
        for entry in node.entries:
            if not _is_flag(entry, pointer, diagnostics):
                _check_entry(entry, dialect, diagnostics)
    is_sound = diagnostics.errors == before
    if is_sound:
        for _, node in walk_nodes(root):
            _check_speeds(node, diagnostics)
    return is_sound


def _check_speeds(schema: MapNode, diagnostics: Diagnostics) -> None:
    """Report slow patterns, which make no schema unsound."""
    pattern, longest = schema.get("pattern"), schema.get("maxLength")
    if isinstance(pattern, ScalarNode):
        check_speed(pattern, to_json(longest) if longest else None, diagnostics)
    names = schema.get("patternProperties")
    for entry in names.entries if isinstance(names, MapNode) else ():
        check_speed(entry.key, None, diagnostics)


def _is_flag(entry: Entry, pointer: str, diagnostics: Diagnostics) -> bool:
    """Whether it is the ``required: true`` of a property, which is told."""
    value = entry.value if isinstance(entry.value, ScalarNode) else None
    if entry.key.text != "required" or value is None or type(value.value) is not bool:
        return False
    above, _, name = pointer.rpartition("/")
    if not above.endswith("/properties"):
        return False
    meant = f"required: [{name.replace('~1', '/').replace('~0', '~')}]"
    diagnostics.add(
        rules.REQUIRED_OF_PROPERTY,
        entry.key.span,
        suggestions=(meant,) if value.value else (),
        value=value.text,
    )
    return True


def _check_entry(entry: Entry, dialect: Dialect, diagnostics: Diagnostics) -> None:
    key, value = entry.key.text, entry.value
    old = dialect is Dialect.DRAFT_07
    if old and key in ONLY_2020:
        diagnostics.add(rules.DIALECT_MIX, entry.key.span, keyword=key)
        return
    if key == "type":
        _check_type(value, diagnostics)
    elif key == "items" and isinstance(value, ListNode):
        if not old:
            _refuse(
                entry, value, "a schema (for positions, use `prefixItems`)", diagnostics
            )
        else:
            _check_schema_list(entry, diagnostics)
    elif key == "dependencies":
        _check_dependencies(entry, diagnostics)
    elif key in SINGLE and not (key == "additionalItems" and not old):
        _check_subschema(entry, value, diagnostics)
    elif key in LISTS:
        _check_schema_list(entry, diagnostics)
    elif key in MAPS:
        _check_schema_map(entry, diagnostics)
    elif key == "pattern" and isinstance(value, ScalarNode):
        if isinstance(value.value, str):
            check_pattern(value, diagnostics)
        else:
            _refuse(entry, value, "a string", diagnostics)
    elif key in SHAPES:
        expected, test = SHAPES[key]
        if not test(value):
            _refuse(entry, value, expected, diagnostics)
        elif key == "format" and isinstance(value, ScalarNode):
            if old and value.text in LATER_FORMATS:
                mixed = f"format: {value.text}"
                diagnostics.add(rules.DIALECT_MIX, entry.key.span, keyword=mixed)
            _check_format(value, diagnostics)


def _check_format(value: ScalarNode, diagnostics: Diagnostics) -> None:
    """Tell of slips; many formats of others are fine, and nobody checks them."""
    if value.text in FORMATS:
        return
    known = _FORMATS.get(value.text.casefold()) or did_you_mean(value.text, FORMATS)
    if known:
        diagnostics.add(
            fields_rules.UNKNOWN_FORMAT, value.span, suggestions=known, name=value.text
        )


def _check_type(value: Node, diagnostics: Diagnostics) -> None:
    names = value.items if isinstance(value, ListNode) else (value,)
    if not names:
        diagnostics.add(
            rules.BAD_KEYWORD,
            value.span,
            keyword="type",
            expected="at least one type",
            actual="an empty list",
        )
    seen: set[str] = set()
    for name in names:
        text = name.text if isinstance(name, ScalarNode) else show(name)
        if text not in TYPES or not isinstance(name, ScalarNode):
            alias = _ALIASES.get(text.casefold())
            known = (alias,) if alias else did_you_mean(text, TYPES)
            diagnostics.add(
                rules.UNKNOWN_SCHEMA_TYPE, name.span, suggestions=known, name=text
            )
        elif not isinstance(name.value, str):
            diagnostics.add(
                rules.BAD_KEYWORD,
                name.span,
                keyword="type",
                expected='the string "null"',
                actual="null",
            )
        elif text in seen:
            diagnostics.add(
                rules.BAD_KEYWORD,
                name.span,
                keyword="type",
                expected="a list without repetition",
                actual=f"`{text}` twice",
            )
        seen.add(text)


def _is_schema(node: Node) -> bool:
    return isinstance(node, MapNode) or (
        isinstance(node, ScalarNode) and isinstance(node.value, bool)
    )


def _check_subschema(entry: Entry, node: Node, diagnostics: Diagnostics) -> None:
    if not _is_schema(node):
        _refuse(entry, node, "a schema", diagnostics)


def _check_schema_list(entry: Entry, diagnostics: Diagnostics) -> None:
    if not isinstance(entry.value, ListNode) or not entry.value.items:
        _refuse(entry, entry.value, "a list of at least one schema", diagnostics)
        return
    for item in entry.value.items:
        _check_subschema(entry, item, diagnostics)


def _check_schema_map(entry: Entry, diagnostics: Diagnostics) -> None:
    if not isinstance(entry.value, MapNode):
        _refuse(entry, entry.value, "a mapping of names to schemas", diagnostics)
        return
    for each in entry.value.entries:
        if entry.key.text == "patternProperties":
            check_pattern(each.key, diagnostics)
        if not _is_schema(each.value):
            diagnostics.add(
                rules.BAD_KEYWORD,
                each.value.span,
                suggestions=_intended_value(each.value, "a schema"),
                keyword=each.key.text,
                expected="a schema",
                actual=show(each.value),
            )


def _check_dependencies(entry: Entry, diagnostics: Diagnostics) -> None:
    if not isinstance(entry.value, MapNode):
        _refuse(entry, entry.value, "a mapping", diagnostics)
        return
    for each in entry.value.entries:
        if not _is_schema(each.value) and not is_name_list(each.value):
            _refuse(entry, each.value, "a schema or a list of names", diagnostics)


def _refuse(entry: Entry, node: Node, expected: str, diagnostics: Diagnostics) -> None:
    diagnostics.add(
        rules.BAD_KEYWORD,
        node.span,
        suggestions=_intended_value(node, expected),
        keyword=entry.key.text,
        expected=expected,
        actual=show(node),
    )


def _intended_value(node: Node, expected: str) -> tuple[str, ...]:
    """What a text was probably meant to be: a number without its quotes, a list of one."""
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return ()
    if expected == "a schema":
        kind = _ALIASES.get(node.text.casefold(), node.text)
        return (f"{{type: {kind}}}",) if kind in TYPES else ()
    if "number" in expected:
        from brimgen.resolve.fields.suggested_values import intended_values

        return intended_values(node, Scalar.FLOAT)
    if expected == "true or false" and node.text.lower() in BOOLEANS:
        return (BOOLEANS[node.text.lower()],)
    return as_list(node) if expected.startswith("a list of names") else ()
