"""Compare a call as it was sent with the same call decoded and encoded again.

What was sent is there again, and what was not sent is its default or is absent. Text that is
decoded to another type (a moment, a UUID, a leaf) may be spelt otherwise.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, time
from decimal import Decimal
from typing import Any

from brimgen.agreement.instances import BRANCHES
from brimgen.model.json import is_list, is_object
from brimgen.model.leaves import LEAF
from brimgen.model.scalar_texts import BASE64_PATTERN, DURATION_PATTERN, TIME_PATTERN

_NOTICES_ABSENCE = frozenset(
    {
        *("$ref", "allOf", "const", "contains", "dependencies", "dependentRequired"),
        *("dependentSchemas", "enum", "maxProperties", "minProperties"),
        *("patternProperties", "propertyNames"),
    }
)
"""Keywords by which an object may be right, and the same object with its defaults not."""

Flat = Callable[[Any], Mapping[str, Any]]
"""A schema with what it refers to, and the parts of ``allOf``."""

_DEEPEST = 12
Admits = Callable[[Mapping[str, Any], Any], bool]
_CHOICE = frozenset({*BRANCHES, "if", "then", "else", "not", "$dynamicRef"})


class Meaning:
    """What the values of one schema mean; ``flat`` and ``admits`` read parts of it."""

    def __init__(self, schema: Any, flat: Flat, admits: Admits) -> None:
        self._schema, self._flat, self._admits = schema, flat, admits

    def unlike(self, sent: Any, written: Any) -> Iterator[str]:
        """Yield the pointers of values that are neither what was sent nor the default."""
        yield from self._unlike(sent, written, self._schema, "")

    def with_defaults(self, value: Any) -> Any:
        """Return ``value`` with the defaults of everything that it leaves out."""
        return self._filled(value, self._schema)

    def without_absent(self, value: Any, schema: Any = None, depth: int = 0) -> Any:
        """Return ``value`` without the nulls that can only stand for nothing."""
        part = self._flat(self._schema if schema is None else schema)
        common = {word: part[word] for word in part if word not in BRANCHES}
        branches = [branch for word in BRANCHES for branch in part.get(word, ())]
        for branch in branches if depth < _DEEPEST else ():
            both = {"allOf": [common, branch]}
            inner = self.without_absent(value, both, depth + 1)
            if self._admits(both, inner):
                return inner
        properties, further = part.get("properties", {}), _further(part)
        if is_list(value):
            items = part.get("items", {})
            return [self.without_absent(item, items, depth + 1) for item in value]
        if not is_object(value):
            return value
        inner_schemas = {name: properties.get(name, further) for name in value}
        return {
            name: self.without_absent(member, inner_schemas[name], depth + 1)
            for name, member in value.items()
            if member is not None or self._admits(self._flat(inner_schemas[name]), None)
        }

    def _filled(self, value: Any, schema: Any) -> Any:
        part = self._flat(schema)
        for branch in self._choices(part, value):
            return self._filled(value, branch)
        if is_list(value):
            return [self._filled(item, part.get("items", {})) for item in value]
        if not is_object(value):
            return value
        properties, further = part.get("properties", {}), _further(part)
        filled = {
            name: self._filled(member, properties.get(name, further))
            for name, member in value.items()
        }
        defaults = {
            name: self._flat(inner).get("default") for name, inner in properties.items()
        }
        present = {
            name: default for name, default in defaults.items() if default is not None
        }
        return {**present, **filled}

    def _unlike(self, sent: Any, written: Any, schema: Any, at: str) -> Iterator[str]:
        part = self._flat(schema)
        pointers = [*self._by_itself(sent, written, part, at)]
        if pointers and any(
            not [*self._unlike(sent, written, choice, at)]
            for choice in self._choices(part, sent)
        ):
            return
        yield from pointers

    def _choices(self, part: Mapping[str, Any], value: Any) -> Iterator[Any]:
        """The schema with each of its branches that admits the value (`null` is often a branch)."""
        common = {word: part[word] for word in part if word not in BRANCHES}
        for word in BRANCHES:
            for branch in part.get(word, ()):
                if self._admits(branch, value):
                    yield {"allOf": [common, branch]}

    def _by_itself(
        self, sent: Any, written: Any, part: Mapping[str, Any], at: str
    ) -> Iterator[str]:
        """What differs by a schema without its branches."""
        if is_object(sent) and is_object(written):
            yield from self._objects(sent, written, part, at)
        elif is_list(sent) and is_list(written):
            if len(sent) != len(written):
                yield at
                return
            for number, (sent_item, written_item) in enumerate(
                zip(sent, written, strict=True)
            ):
                inner = part.get("items", {})
                yield from self._unlike(
                    sent_item, written_item, inner, f"{at}/{number}"
                )
        elif not is_same(sent, written) and not _is_spelt(sent, written, part):
            yield at

    def _objects(
        self, sent: Any, written: Any, part: Mapping[str, Any], at: str
    ) -> Iterator[str]:
        properties, further = part.get("properties", {}), _further(part)
        for name in sent:
            if name in written:
                inner = properties.get(name, further)
                yield from self._unlike(
                    sent[name], written[name], inner, f"{at}/{name}"
                )
            else:
                yield f"{at}/{name}"
        if not _CHOICE.isdisjoint(part):
            return
        for name in written:
            if name not in sent and name not in properties:
                yield f"{at}/{name}"
        for name, inner in properties.items():
            if name not in sent:
                yield from self._absent(written, name, inner, at)

    def _absent(self, written: Any, name: str, schema: Any, at: str) -> Iterator[str]:
        """What was not sent: its default, where that is right.

        Inside of an argument there may be none: objects of no class stay as they were sent.
        """
        part = self._flat(schema)
        default = part.get("default")
        if default is None or not self._admits(schema, default):
            if written.get(name) is not None:
                yield f"{at}/{name}"
        elif name not in written:
            if not at and _NOTICES_ABSENCE.isdisjoint(self._schema):
                yield f"/{name}"
        elif "x-default" in part:
            if Decimal(part["x-default"]) != Decimal(str(written[name])):
                yield f"{at}/{name}"
        else:
            yield from self._unlike(default, written[name], schema, f"{at}/{name}")


def _further(part: Mapping[str, Any]) -> Any:
    """The schema of properties that an object does not declare."""
    return {} if "patternProperties" in part else part.get("additionalProperties", {})


def without_nulls(value: Any, meant: Any) -> Any:
    """Return ``value`` without the nulls where ``meant`` has no value."""
    if is_object(value) and is_object(meant):
        return {
            name: without_nulls(member, meant.get(name))
            for name, member in value.items()
            if member is not None or name in meant
        }
    if is_list(value) and is_list(meant) and len(value) == len(meant):
        return [without_nulls(*pair) for pair in zip(value, meant, strict=True)]
    return value


def is_same(sent: Any, written: Any) -> bool:
    """Whether two JSON values are one; numbers are, whatever their types."""
    if isinstance(sent, bool) or isinstance(written, bool):
        return sent is written
    numbers = (int, float, Decimal)
    if isinstance(sent, numbers) and isinstance(written, numbers):
        return _exact(sent) == _exact(written)
    return type(sent) is type(written) and sent == written


def _exact(number: int | float | Decimal) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def _is_spelt(sent: Any, written: Any, part: Mapping[str, Any]) -> bool:
    """Whether both are spellings of one value, or stand for the same float."""
    if LEAF in part:
        return True
    if isinstance(sent, int | float) and isinstance(written, int | Decimal):
        is_float = part.get("type") != "integer" and "x-decimal" not in part
        return is_float and float(sent) == float(written)
    if not isinstance(sent, str) or not isinstance(written, str):
        return False
    if "x-decimal" in part:
        return Decimal(sent) == Decimal(written)
    if part.get("format") == "uuid":
        return sent.lower() == written.lower()
    read = _PATTERNS.get(part.get("pattern", ""))
    if read is not None:
        return bool(read(sent) == read(written))
    is_moment = part.get("format") == "date-time" or "x-tz" in part
    return is_moment and _moment(sent) == _moment(written)


_SECONDS = {"W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1}


def _length(text: str) -> Decimal:
    """The seconds of a duration."""
    parts = re.findall(r"([0-9.]+)([WDHMS])", text)
    size = sum(Decimal(number) * _SECONDS[unit] for number, unit in parts)
    return Decimal(-size if text.startswith("-") else size)


_PATTERNS: Mapping[str, Callable[[str], Any]] = {
    TIME_PATTERN: time.fromisoformat,
    DURATION_PATTERN: _length,
    BASE64_PATTERN: b64decode,
}
"""What reads the texts of a type of our own that may be spelt in several ways."""


def _moment(text: str) -> datetime:
    """The microsecond that a text names, without an offset in UTC; further digits are cut."""
    moment = datetime.fromisoformat(text.upper())
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
