"""Find the cursor in a spec, and the schemas that apply at it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias, cast

from jsonschema import Draft7Validator

from brimgen.editor.document import spec_schema
from brimgen.editor.schema_pieces import (
    ANY_TYPE,
    ENTITY_NAME,
    ITEM_TYPE,
    SAME_AS,
    Schema,
)
from brimgen.frozen import dataclass, field
from brimgen.languageserver.analysis import Region
from brimgen.source.events import Token, UnreadableTokens, tokens_read

_MARK = "cursor-is-here-0"
_WORD = re.compile(r"[\w-]*$")
_KEY_COMES = re.compile(r"(?:^|[{,]|(?:^|\s)-\s)\s*[\"']?$")
_ITEM_COMES = re.compile(r"\[[^\]{]*$")
Values: TypeAlias = dict[str, object]


@dataclass(slots=True)
class Level:
    """A collection that is open at the cursor: the key there, and the values before it.

    The ``key`` of a list is ``[]``.
    """

    is_list: bool
    key: str | None = None
    values: Values = field(default_factory=dict[str, object])
    is_below_key: bool = False


@dataclass(frozen=True, slots=True)
class Cursor:
    """``word`` is what is written up to the cursor; ``levels`` lead to the place from the root."""

    word: str
    is_key: bool
    levels: tuple[Level, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """The keys that lead to the collection or value that the cursor is in."""
        levels = self.levels[:-1] if self.is_key else self.levels
        return tuple(level.key or "" for level in levels)


def cursor_at(text: str, region: Region, line: int, column: int) -> Cursor | None:
    """Return the cursor at ``line`` and ``column``, counted from 1; None outside of YAML."""
    if not region.first <= line <= region.last_of_yaml:
        return None
    lines = text.split("\n")
    opening = next(
        (
            number
            for number in range(region.first, line)
            if lines[number - 1].strip().startswith("---")
        ),
        region.first - 1,
    )
    before = lines[line - 1][: column - 1]
    match = _WORD.search(before)
    word = match[0] if match else ""
    start = before[: len(before) - len(word)]
    is_key = bool(_KEY_COMES.search(start)) and not _ITEM_COMES.search(start)
    mark = f"{_MARK}: 0" if is_key else _MARK
    quote = start[-1:] if start[-1:] in {"'", '"'} else ""
    yaml = "\n".join([*lines[opening : line - 1], start.removesuffix(quote) + mark])
    levels = _levels(yaml)
    return None if levels is None else Cursor(word, is_key, levels)


def _levels(yaml: str) -> tuple[Level, ...] | None:
    """The collections that are open at the mark; None where the text before it is no YAML."""
    reader = _Levels()
    try:
        for token in tokens_read(yaml):
            if _MARK in str(getattr(token, "value", "")):
                return tuple(reader.open)
            reader.read(token)
    except UnreadableTokens:
        return None
    return None


class _Levels:
    """Follows tokens into collections and out of them."""

    def __init__(self) -> None:
        self.open: list[Level] = []
        self._key_comes = False

    def read(self, token: Token) -> None:
        match token.id:
            case "<block mapping start>" | "{":
                self.open.append(Level(is_list=False))
            case "<block sequence start>" | "[":
                self.open.append(Level(is_list=True, key="[]"))
            case "<block end>" | "}" | "]":
                self._leave_list_below_key()
                self._leave()
            case "-" if self.open and not self.open[-1].is_list:
                self.open.append(Level(is_list=True, key="[]", is_below_key=True))
            case "?":
                self._leave_list_below_key()
                self._key_comes = True
            case "<scalar>":
                self._scalar(str(getattr(token, "value", "")))
            case _:
                pass

    def _leave_list_below_key(self) -> None:
        if self.open and self.open[-1].is_below_key:
            self._leave()

    def _leave(self) -> None:
        closed = self.open.pop()
        if self.open and not self.open[-1].is_list:
            value: object = list[object]() if closed.is_list else closed.values
            self.open[-1].values[self.open[-1].key or ""] = value

    def _scalar(self, text: str) -> None:
        if not self.open:
            return
        level = self.open[-1]
        if level.is_list:
            return
        if self._key_comes:
            level.key, self._key_comes = text, False
            level.values[text] = None
        else:
            level.values[level.key or ""] = text


_BRANCHES = ("allOf", "anyOf", "oneOf")


@cache
def _schema() -> Schema:
    return spec_schema()


def document_types() -> Mapping[str, str]:
    """The values of `type` at the top of a spec, each with its description."""
    definitions = _schema()["definitions"]
    types = _schema()["properties"]["type"]["enum"]
    return {name: definitions[name].get("description", "") for name in types}


class Place:
    """The schemas that apply at a cursor, in a spec of some type."""

    def __init__(self, cursor: Cursor, document_type: str | None) -> None:
        self._cursor = cursor
        definitions = _schema()["definitions"]
        schemas = [definitions[document_type]] if document_type in definitions else []
        if not cursor.path and document_type not in definitions:
            schemas = [{"properties": _schema()["properties"]}]
        path = cursor.path
        for number, (level, key) in enumerate(
            zip(cursor.levels, path, strict=False), 1
        ):
            is_word = number == len(path) and not cursor.is_key
            values: Values = {**level.values, key: "" if is_word else {}}
            schemas = [*_schemas_under(schemas, key, values)]
        self._schemas = schemas
        self._values = cursor.levels[-1].values if cursor.levels else {}

    def keys(self) -> dict[str, str]:
        """The keys that may be added here, each with what it means.

        Other spellings of a key are left out, and keywords of pasted JSON Schema where brimgen
        has keys of its own.
        """
        descriptions: dict[str, str] = {}
        for schema in self._all(self._values):
            for key, property_schema in schema.get("properties", {}).items():
                text = property_schema.get("description", "")
                is_other_spelling = text.startswith(SAME_AS)
                if key not in self._values and not is_other_spelling:
                    descriptions[key] = descriptions.get(key) or text
        own = {key: text for key, text in descriptions.items() if text}
        return own or descriptions

    def words(self) -> list[str]:
        """The words that are valid values here."""
        words = dict[str, None]()
        for schema in self._all({}):
            values = [
                *schema.get("enum", ()),
                *([schema["const"]] if "const" in schema else ()),
            ]
            words |= {str(word): None for word in values if isinstance(word, str)}
            if schema.get("type") in ("boolean", ["boolean", "null"]):
                words |= {"true": None, "false": None}
        return [*words]

    def takes_types(self) -> bool:
        """Whether the name of a type is a valid value here."""
        return not {ANY_TYPE, ITEM_TYPE}.isdisjoint(self._patterns())

    def names_of_types(self, words: Iterable[str]) -> list[str]:
        """Those of ``words``, names of types and entities, that are valid values here."""
        patterns = self._patterns()
        if patterns.isdisjoint({ANY_TYPE, ITEM_TYPE, ENTITY_NAME}):
            return []
        return [word for word in words if all(re.search(p, word) for p in patterns)]

    def _patterns(self) -> set[str]:
        return {schema["pattern"] for schema in self._all({}) if "pattern" in schema}

    def description(self, key: str) -> str | None:
        """The description of the key ``key`` here."""
        for schema in self._all({}):
            property_schema = schema.get("properties", {}).get(key)
            if property_schema and property_schema.get("description"):
                return cast(str, property_schema["description"])
        return None

    def _all(self, values: Values) -> Iterator[Schema]:
        return _expand(self._schemas, values)


def _schemas_under(
    schemas: Iterable[Schema], key: str, values: Values
) -> Iterator[Schema]:
    """Yield the schemas of the value under ``key``."""
    for schema in _expand(schemas, values):
        if key == "[]":
            if isinstance(items := schema.get("items"), dict):
                yield cast(Schema, items)
            continue
        named = schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        if key in named:
            yield named[key]
        elif any(re.search(pattern, key) for pattern in patterns):
            yield from (
                patterns[pattern] for pattern in patterns if re.search(pattern, key)
            )
        elif isinstance(additional := schema.get("additionalProperties"), dict):
            yield cast(Schema, additional)


def _expand(schemas: Iterable[Schema], values: Values) -> Iterator[Schema]:
    """Yield the schemas and all their branches; ``values`` decide conditions."""
    waiting, seen = [*schemas], set[int]()
    while waiting:
        schema = waiting.pop(0)
        if id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        if "$ref" in schema:
            waiting.append(_schema()["definitions"][schema["$ref"].rpartition("/")[2]])
        for key in _BRANCHES:
            waiting += schema.get(key, ())
        if "if" in schema:
            waiting += _branches(schema, values)


def _branches(schema: Schema, values: Values) -> list[Schema]:
    """The branch that a condition selects; both branches where no value is known."""
    branches = [schema[branch] for branch in ("then", "else") if branch in schema]
    if not values:
        return branches
    condition: dict[str, Any] = {
        **schema["if"],
        "definitions": _schema()["definitions"],
    }
    validator: Any = Draft7Validator(condition)
    holds = bool(validator.is_valid(values))
    selected = "then" if holds else "else"
    return [schema[selected]] if selected in schema else []
