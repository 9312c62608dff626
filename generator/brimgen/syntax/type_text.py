"""Parse the text of a type: ``int``, ``User[]``, ``array<date>``, ``list[T]?``.

``T?`` is optional and ``T[]?`` an optional list. The items of a list are never optional, so
``T?[]`` and ``array<T?>`` are errors, and lists do not nest (spec-language.md; S3.7-11, S0.30).
"""

from __future__ import annotations

import re
from functools import lru_cache

from brimgen.diagnostics import Rule
from brimgen.diagnostics.rules import (
    EMPTY_TYPE,
    LIST_OF_LISTS,
    LIST_OF_NOTHING,
    OPTIONAL_ITEM,
    TYPE_NOT_TEXT,
    UNREADABLE_TYPE,
)
from brimgen.frozen import dataclass
from brimgen.source.nodes import Node, ScalarNode
from brimgen.syntax.decls import TypeText
from brimgen.syntax.reader import Reader, described, is_null, shortened

LIST_WORDS = frozenset({"array", "list"})
# Letters of all scripts: a declaration with such a name was reported, so a use of it is not.
_NAME = re.compile(r"[^\W\d_][\w-]*")
_LONGEST = 200
_LIST = re.compile(
    r"(?P<plain>.*?)\s*\[\s*\]"
    r"|(?:array|list)\s*\[(?P<square>.*)\]"
    r"|array\s*<(?P<angle>.*)>",
    re.DOTALL,
)
_UNION = re.compile(r"([^|]+?)\s*(?:\||\bor\b)\s*(?:none|null|nil|undefined)", re.I)
_LEADING_UNION = re.compile(r"(?:none|null)\s*\|\s*([^|]+)", re.I)
_OPTIONAL = re.compile(
    r"optional\s*[\[<](.+)[\]>]|optional\s+([\w\[\]<>]+)", re.I | re.DOTALL
)
_SEQUENCE = re.compile(
    r"(?:list|array|sequence|set|tuple|vec|iterable)\s*[\[<(](.+?)(?:,\s*\.\.\.)?[\])>]"
    r"|(?:list|array)\s+of\s+(.+)",
    re.I | re.DOTALL,
)
_SIZED = re.compile(r"(?:n?varchar2?|n?char|text|string)\s*\(\s*([0-9]+)\s*\)", re.I)
_EXACT = re.compile(
    r"(?:decimal|numeric|number)\s*\(\s*([0-9]+)\s*(?:,\s*([0-9]+)\s*)?\)", re.I
)
_CLOSED = re.compile(r"(?:enum|literal)\s*[\[(<](.+)[\])>]", re.I | re.DOTALL)
_MAP = re.compile(
    r"(?:dict|map|record|mapping|object|hash)\s*[\[<({].*", re.I | re.DOTALL
)
_DEFAULT = re.compile(r"([\w\[\]<>]+)\s*=\s*([\w.+-]+|'[^']*'|\"[^\"]*\")")
_DOTTED = re.compile(r"(?:\w+\.)+(date|datetime|Decimal|UUID|Any)")
_REMARK = re.compile(r"([\w\[\]?<>-]+)\s*(?://|--|;|#)\s*(.+)", re.DOTALL)
_SINGULAR = frozenset(
    {*("string", "int", "integer", "float", "number", "bool", "boolean"), "date"}
    | {"datetime", "object", "decimal", "uuid", "url", "str", "dict"}
)
"""Words of types that people put into the plural: ``array of strings``."""
_VALUES = {"None": "null", "True": "true", "False": "false"}


@dataclass(frozen=True, slots=True)
class _Parsed:
    name: str
    start: int
    is_list: bool
    is_optional: bool


@dataclass(frozen=True, slots=True)
class _Fault:
    rule: Rule
    suggestions: tuple[str, ...] = ()


def read_type(reader: Reader, node: Node) -> TypeText | None:
    """The type that ``node`` writes, or None after a report."""
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        if is_null(node):
            reader.report(EMPTY_TYPE, node.span)
        else:
            reader.report(TYPE_NOT_TEXT, node.span, actual=described(node))
        return None
    parsed = _parse(node.text)
    if isinstance(parsed, _Fault):
        reader.report(
            parsed.rule,
            node.span,
            suggestions=parsed.suggestions,
            type=shortened(node.text),
        )
        return None
    return TypeText(parsed.name, parsed.is_list, parsed.is_optional, node, parsed.start)


@lru_cache(maxsize=4096)
def _parse(text: str) -> _Parsed | _Fault:
    """Take a type apart; the same texts come again and again, so results are kept."""
    core = text.strip()
    lead = text.find(core)
    if not core:
        return _Fault(EMPTY_TYPE)
    if len(core) > _LONGEST:
        return _Fault(UNREADABLE_TYPE)
    optional = core.endswith("?")
    if optional:
        core = core[:-1].rstrip()
    match = _LIST.fullmatch(core)
    if match is not None:
        group = match.lastgroup or "plain"
        core = match[group].strip()
        fault = _item_fault(core, group)
        if fault is not None:
            return fault
        lead = text.index(core, lead + match.start(group))
    if not _is_name(core):
        return _Fault(UNREADABLE_TYPE, _intended_type(text.strip()))
    return _Parsed(core, lead, match is not None, optional)


def _is_name(text: str) -> bool:
    """Whether it looks like a name; `²` is a digit to some and no letter to anybody."""
    return _NAME.fullmatch(text) is not None and text[0].isalpha()


def _item_fault(item: str, group: str) -> _Fault | None:
    """What is wrong with the item of a list, beyond its name.

    ``array[]`` is a list word without an item, not a list of arrays.
    """
    if not item:
        return _Fault(LIST_OF_NOTHING)
    if item.endswith("?"):
        plain = item.rstrip("? ")
        suggestions = (f"{plain}[]?",) if _is_name(plain) else ()
        return _Fault(OPTIONAL_ITEM, suggestions)
    if item in LIST_WORDS:
        return _Fault(LIST_OF_NOTHING if group == "plain" else LIST_OF_LISTS)
    return _Fault(LIST_OF_LISTS) if _LIST.fullmatch(item) else None


def _intended_entry(text: str) -> str:
    """Suggest the entry for a type that says more than a type: ``varchar(10)``, ``int = 5``."""
    if sized := _SIZED.fullmatch(text):
        return f"{{type: string, maxLength: {sized[1]}}}"
    if exact := _EXACT.fullmatch(text):
        scale = f", scale: {exact[2]}" if exact[2] else ""
        return f"{{type: decimal, precision: {exact[1]}{scale}}}"
    if defaulted := _DEFAULT.fullmatch(text):
        value = _VALUES.get(defaulted[2], defaulted[2])
        return f"{{type: {defaulted[1]}, default: {value}}}"
    if closed := _CLOSED.fullmatch(text):
        values = ", ".join(part.strip(" \"'\n") for part in closed[1].split(","))
        return f"{{type: string, enum: [{values}]}}"
    return ""


def _intended_type(text: str) -> tuple[str, ...]:
    """What a type of another language, or a slip, was probably meant to be."""
    for pattern, form in (
        (_OPTIONAL, "{}?"),
        (_UNION, "{}?"),
        (_LEADING_UNION, "{}?"),
        (_SEQUENCE, "{}[]"),
    ):
        match = pattern.fullmatch(text)
        if match is not None:
            inner = next(group for group in match.groups() if group).strip()
            inner = inner[:-1] if inner[:-1] in _SINGULAR else inner
            suggestion = form.format(inner)
            return (suggestion,) if isinstance(_parse(suggestion), _Parsed) else ()
    if remark := _REMARK.fullmatch(text):
        return (f"{remark[1]} # {remark[2]}",)
    if dotted := _DOTTED.fullmatch(text):
        return (dotted[1].lower(),)
    if _MAP.fullmatch(text):
        return ("object",)
    if entry := _intended_entry(text):
        return (entry,)
    stripped = text.strip("[]<>?! ")
    if text == f"{stripped}!":
        return (stripped,)
    if not _is_name(stripped) or stripped == text:
        return ()
    return (f"{stripped}?" if text == f"{stripped}??" else f"{stripped}[]",)
