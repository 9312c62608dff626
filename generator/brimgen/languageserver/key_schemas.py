"""Walk through the schema of specs along the keys above the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, cast

from jsonschema import Draft7Validator

from brimgen.editor.document import spec_schema
from brimgen.editor.schema_pieces import SAME_AS, Schema
from brimgen.editor.type_patterns import ANY_TYPE, ENTITY_NAME, ITEM_TYPE
from brimgen.languageserver.cursor import Cursor, Known

_TYPES = {ANY_TYPE, ITEM_TYPE}
_BRANCHES = ("allOf", "anyOf", "oneOf")


@cache
def _schema() -> Schema:
    return spec_schema()


def document_types() -> Mapping[str, str]:
    """What `type` may be at the top of a spec, with what it declares."""
    definitions = _schema()["definitions"]
    listed = _schema()["properties"]["type"]["enum"]
    return {name: definitions[name].get("description", "") for name in listed}


class Place:
    """What the schema says of the place where a cursor stands, in a spec of some type."""

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
            here: Known = {**level.known, key: "" if is_word else {}}
            schemas = [*_below(schemas, key, here)]
        self._schemas = schemas
        self._known = cursor.levels[-1].known if cursor.levels else {}

    def keys(self) -> dict[str, str]:
        """The keys that may be added here, each with what it means.

        Other spellings of a key are left out, and keywords of pasted JSON Schema where brimgen
        has keys of its own.
        """
        found: dict[str, str] = {}
        for each in self._all(self._known):
            for key, schema in each.get("properties", {}).items():
                text = schema.get("description", "")
                is_other_spelling = text.startswith(SAME_AS)
                if key not in self._known and not is_other_spelling:
                    found[key] = found.get(key) or text
        own = {key: text for key, text in found.items() if text}
        return own or found

    def words(self) -> list[str]:
        """The words that may stand here as a value."""
        found = dict[str, None]()
        for each in self._all({}):
            listed = [
                *each.get("enum", ()),
                *([each["const"]] if "const" in each else ()),
            ]
            found |= {str(word): None for word in listed if isinstance(word, str)}
            if each.get("type") == "boolean" or each.get("type") == ["boolean", "null"]:
                found |= {"true": None, "false": None}
        return [*found]

    def takes_types(self) -> bool:
        """Whether a type may stand here."""
        return any(each.get("pattern") in _TYPES for each in self._all({}))

    def takes_entities(self) -> bool:
        """Whether the name of an entity may stand here."""
        patterns = {*_TYPES, ENTITY_NAME}
        return any(each.get("pattern") in patterns for each in self._all({}))

    def description(self, key: str) -> str | None:
        """What the key ``key`` means here."""
        for each in self._all({}):
            schema = each.get("properties", {}).get(key)
            if schema and schema.get("description"):
                return cast(str, schema["description"])
        return None

    def _all(self, known: Known) -> Iterator[Schema]:
        return _expanded(self._schemas, known)


def _below(schemas: Iterable[Schema], key: str, known: Known) -> Iterator[Schema]:
    """The schemas of what stands under ``key``."""
    for each in _expanded(schemas, known):
        if key == "[]":
            if isinstance(items := each.get("items"), dict):
                yield cast(Schema, items)
            continue
        named = each.get("properties", {})
        patterns = each.get("patternProperties", {})
        if key in named:
            yield named[key]
        elif any(re.search(pattern, key) for pattern in patterns):
            yield from (patterns[each] for each in patterns if re.search(each, key))
        elif isinstance(rest := each.get("additionalProperties"), dict):
            yield cast(Schema, rest)


def _expanded(schemas: Iterable[Schema], known: Known) -> Iterator[Schema]:
    """The schemas, and all that they are made of; conditions are decided by what is known."""
    waiting, met = [*schemas], set[int]()
    while waiting:
        each = waiting.pop(0)
        if id(each) in met:
            continue
        met.add(id(each))
        yield each
        if "$ref" in each:
            waiting.append(_schema()["definitions"][each["$ref"].rpartition("/")[2]])
        for key in _BRANCHES:
            waiting += each.get(key, ())
        if "if" in each:
            waiting += _branches(each, known)


def _branches(schema: Schema, known: Known) -> list[Schema]:
    """What a condition leads to; with nothing known, both ways are open."""
    ways = [schema[each] for each in ("then", "else") if each in schema]
    if not known:
        return ways
    condition: dict[str, Any] = {
        **schema["if"],
        "definitions": _schema()["definitions"],
    }
    validator: Any = Draft7Validator(condition)
    holds = bool(validator.is_valid(known))
    way = "then" if holds else "else"
    return [schema[way]] if way in schema else []
