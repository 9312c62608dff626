"""Check the values of JSON Schema keywords.

The rows of `SHAPES` follow the metaschemas of 2020-12 and draft-07, keyword by keyword.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from ..schema.json_values import is_list
from .patterns import pattern_fault
from .rule_messages import Mistake
from .schema_parts import DRAFT_2020_12, LISTS, MAPS, SINGLE, is_object

TYPES: Final = ("null", "boolean", "object", "array", "number", "integer", "string")
DRAFT_07: Final = "http://json-schema.org/draft-07/schema#"
ONLY_2020: Final = frozenset(
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


class KeywordFault(NamedTuple):
    """A mistake in the value of a keyword; ``path`` leads to it from that value.

    ``detail`` is the message of the pattern translator. With ``is_key`` the last step of ``path``
    is the mistaken key itself.
    """

    mistake: Mistake
    path: tuple[str | int, ...] = ()
    is_key: bool = False
    detail: str = ""


def dialect_of(named: object) -> str | Mistake:
    """Return the dialect that the value of `$schema` names."""
    text = named if isinstance(named, str) else ""
    for dialect in (DRAFT_07, DRAFT_2020_12):
        if _bare(text) == _bare(dialect):
            return dialect
    return Mistake("unknown-schema-dialect", {"name": text})


def _bare(dialect: str) -> str:
    text = dialect.removesuffix("#")
    return text.removeprefix("http://").removeprefix("https://")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return is_list(value)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    is_whole = isinstance(value, int)  # it may be too large for a float
    return value if is_whole or math.isfinite(value) else 0


def _is_number(value: Any) -> bool:
    return _number(value) is not None


def _is_positive(value: Any) -> bool:
    number = _number(value)
    return number is not None and number > 0


def _is_count(value: Any) -> bool:
    number = _number(value)
    return number is not None and number >= 0 and number == int(number)


def _is_name_list(value: Any) -> bool:
    """Return whether a value is a list of strings without repetition."""
    if not is_list(value) or not all(map(_is_text, value)):
        return False
    return len(set(value)) == len(value)


def _is_dependent(value: Any) -> bool:
    return is_object(value) and all(map(_is_name_list, value.values()))


_Shape: TypeAlias = tuple[str, Callable[[Any], bool]]

_COUNT: _Shape = ("a whole number of at least 0", _is_count)
_NUMBER: _Shape = ("a number", _is_number)
_TEXT: _Shape = ("a string", _is_text)
_FLAG: _Shape = ("true or false", _is_flag)

SHAPES: Final[Mapping[str, _Shape]] = {
    **dict.fromkeys(
        [
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "maxContains",
            "minContains",
            "maxProperties",
            "minProperties",
        ],
        _COUNT,
    ),
    **dict.fromkeys(
        ["maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"], _NUMBER
    ),
    **dict.fromkeys(
        [
            "format",
            "title",
            "description",
            "$comment",
            "$id",
            "$ref",
            "$anchor",
            "$dynamicRef",
            "$dynamicAnchor",
            "contentMediaType",
            "contentEncoding",
            "$schema",
            "pattern",
        ],
        _TEXT,
    ),
    **dict.fromkeys(["uniqueItems", "readOnly", "writeOnly", "deprecated"], _FLAG),
    "multipleOf": ("a number above 0", _is_positive),
    "enum": ("a list", _is_list),
    "examples": ("a list", _is_list),
    "required": ("a list of names without repetition", _is_name_list),
    "dependentRequired": ("a mapping of names to lists of names", _is_dependent),
}
"""What the value of each keyword must be, and the function that tests it."""


def is_required_flag(keyword: str, value: object, pointer: str) -> bool:
    """Return whether ``required: true`` stands in a property; ``pointer`` is its schema."""
    is_flag = keyword == "required" and isinstance(value, bool)
    return is_flag and pointer.rpartition("/")[0].endswith("/properties")


def keyword_faults(keyword: str, value: Any, dialect: str) -> Iterator[KeywordFault]:
    """Yield the mistakes in the value of a keyword; subschemas are not checked."""
    is_old = dialect == DRAFT_07
    if is_old and keyword in ONLY_2020:
        return
    if keyword == "type":
        yield from _type_faults(value)
    elif keyword == "items" and is_list(value):
        if is_old:
            yield from _list_faults(keyword, value)
        else:
            yield _refusal(
                keyword, "a schema (for positions, use `prefixItems`)", value
            )
    elif keyword == "dependencies":
        yield from _dependency_faults(value)
    elif keyword in SINGLE and (is_old or keyword != "additionalItems"):
        if not _is_schema(value):
            yield _refusal(keyword, "a schema", value)
    elif keyword in LISTS:
        yield from _list_faults(keyword, value)
    elif keyword in MAPS:
        yield from _map_faults(keyword, value)
    elif keyword in SHAPES:
        expected, test = SHAPES[keyword]
        if not test(value):
            yield _refusal(keyword, expected, value)
        elif keyword == "pattern":
            yield from _pattern_faults(value)


def _refusal(
    keyword: str, expected: str, value: object, *path: str | int
) -> KeywordFault:
    values = {"keyword": keyword, "expected": expected, "actual": shown(value)}
    return KeywordFault(Mistake("bad-keyword", values), path)


def _is_schema(value: object) -> bool:
    return is_object(value) or isinstance(value, bool)


def _type_faults(value: Any) -> Iterator[KeywordFault]:
    names = value if is_list(value) else [value]
    if not names:
        values = {"expected": "at least one type", "actual": "an empty list"}
        yield KeywordFault(Mistake("bad-keyword", {"keyword": "type", **values}))
    seen: set[str] = set()
    for index, name in enumerate(names):
        path = (index,) if is_list(value) else ()
        text = name if isinstance(name, str) else shown(name)
        if text not in TYPES:
            yield KeywordFault(Mistake("unknown-schema-type", {"name": text}), path)
        elif not isinstance(name, str):
            values = {"expected": 'the string "null"', "actual": "null"}
            yield KeywordFault(
                Mistake("bad-keyword", {"keyword": "type", **values}), path
            )
        elif text in seen:
            values = {
                "expected": "a list without repetition",
                "actual": f"`{text}` twice",
            }
            yield KeywordFault(
                Mistake("bad-keyword", {"keyword": "type", **values}), path
            )
        seen.add(text)


def _list_faults(keyword: str, value: Any) -> Iterator[KeywordFault]:
    if not is_list(value) or not value:
        yield _refusal(keyword, "a list of at least one schema", value)
        return
    for index, item in enumerate(value):
        if not _is_schema(item):
            yield _refusal(keyword, "a schema", item, index)


def _map_faults(keyword: str, value: Any) -> Iterator[KeywordFault]:
    if not is_object(value):
        yield _refusal(keyword, "a mapping of names to schemas", value)
        return
    for name, subschema in value.items():
        if keyword == "patternProperties":
            for fault in _pattern_faults(name):
                yield fault._replace(path=(name,), is_key=True)
        if not _is_schema(subschema):
            yield _refusal(name, "a schema", subschema, name)


def _dependency_faults(value: Any) -> Iterator[KeywordFault]:
    if not is_object(value):
        yield _refusal("dependencies", "a mapping", value)
        return
    for name, dependency in value.items():
        if not _is_schema(dependency) and not _is_name_list(dependency):
            expected = "a schema or a list of names"
            yield _refusal("dependencies", expected, dependency, name)


def _pattern_faults(pattern: str) -> Iterator[KeywordFault]:
    fault = pattern_fault(pattern)
    if fault is not None:
        yield KeywordFault(fault.mistake, detail=fault.detail)


def shown(value: object) -> str:
    """Return a value in the words of a message; a long text is cut."""
    if is_object(value):
        return "an object"
    if is_list(value):
        return "a list"
    if isinstance(value, str):
        text = f'"{value}"'
    else:
        words = {None: "null", True: "true", False: "false"}
        text = words[value] if value is None or isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
