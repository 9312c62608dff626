"""Compare a call as it was sent with the same call decoded and encoded again.

What was sent is there again, and what was not sent is its default or is absent. Text that is
decoded to another type (a moment, a UUID) may be spelt otherwise.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, time
from decimal import Decimal
from functools import partial
from typing import Any
from uuid import UUID

from brimgen.agreement.instances import BRANCHES, Instances
from brimgen.agreement.reference_validator import Oracle
from brimgen.model.json import is_list, is_object
from brimgen.model.scalar_texts import DURATION_PATTERN

_NOTICES_ABSENCE = frozenset(
    {
        *("$ref", "allOf", "const", "contains", "dependencies", "dependentRequired"),
        *("dependentSchemas", "enum", "maxProperties", "minProperties"),
        *("patternProperties", "propertyNames"),
    }
)
"""Keywords by which an object may be right, and the same object with its defaults not."""

_DEEPEST = 16
Members = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class Meaning:
    """What the values of one schema mean; ``oracle`` judges by it."""

    def __init__(self, schema: Mapping[str, Any], oracle: Oracle) -> None:
        self._schema, self._instances = schema, Instances(schema, oracle.accepts_part)

    def unlike(self, sent: Any, written: Any) -> Iterator[str]:
        """Yield the pointers of values that are neither what was sent nor the default."""
        filled = self.with_defaults(sent)
        yield from _unlike(sent, filled, written, "")
        if _NOTICES_ABSENCE.isdisjoint(self._schema):
            absent = filled.keys() - sent.keys() - written.keys()
            yield from sorted(f"/{name}" for name in absent)

    def with_defaults(self, value: Any) -> Any:
        """Return ``value`` with the defaults of everything that it leaves out."""
        return self._filled(value, self._defaults, self._schema)

    def with_nulls(self, value: Any) -> Any:
        """Return ``value`` with null for everything that is required and left out."""
        return self._filled(value, _required_nulls, self._schema)

    def _defaults(self, part: Mapping[str, Any]) -> dict[str, Any]:
        flat, admits = self._instances.flat, self._instances.admits
        properties = part.get("properties", {}).items()
        stated = {name: flat(inner).get("default") for name, inner in properties}
        return {
            name: stated[name]
            for name, inner in properties
            if stated[name] is not None and admits(inner, stated[name])
        }

    def _filled(self, value: Any, members: Members, schema: Any, depth: int = 0) -> Any:
        """``value`` with ``members`` of the schema of each object in it that the object lacks."""
        part = self._instances.flat(schema)
        if depth > _DEEPEST or not (is_object(value) or is_list(value)):
            return value
        common = {word: part[word] for word in part if word not in BRANCHES}
        for branch in [each for word in BRANCHES for each in part.get(word, ())]:
            both = {"allOf": [common, branch]}
            filled = self._filled(value, members, both, depth + 1)
            if self._instances.admits(branch, filled):
                return filled
        if is_list(value):
            items = part.get("items", {})
            return [self._filled(item, members, items, depth + 1) for item in value]
        if not is_object(value):
            return value
        properties, further = part.get("properties", {}), part.get(
            "additionalProperties"
        )
        if "patternProperties" in part:
            further = {}
        return {
            name: self._filled(
                member, members, properties.get(name, further), depth + 1
            )
            for name, member in {**members(part), **value}.items()
        }


def _required_nulls(part: Mapping[str, Any]) -> dict[str, Any]:
    return dict.fromkeys(part.get("required", ()))


def _unlike(sent: Any, filled: Any, written: Any, at: str) -> Iterator[str]:
    """The pointers of what is unlike ``sent``; ``filled`` is that with its defaults.

    Inside of an argument a default may be absent: objects of no class stay as they were sent.
    """
    if is_object(sent) and is_object(written):
        yield from (f"{at}/{name}" for name in sent if name not in written)
        for name, value in written.items():
            if name in filled:
                own = sent.get(name, filled[name])
                yield from _unlike(own, filled[name], value, f"{at}/{name}")
            elif value is not None:
                yield f"{at}/{name}"
    elif is_list(sent) and is_list(written) and len(sent) == len(written):
        for number, values in enumerate(zip(sent, filled, written, strict=True)):
            yield from _unlike(*values, f"{at}/{number}")
    elif not is_same(sent, written) and not _is_spelt(sent, written):
        yield at


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
    return type(sent) is type(written) and bool(sent == written)


def _exact(number: int | float | Decimal) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)


def _is_spelt(sent: Any, written: Any) -> bool:
    """Whether both are spellings of one value, or stand for the same float."""
    if isinstance(sent, int | float) and isinstance(written, Decimal):
        return float(sent) == float(written)
    if not isinstance(sent, str) or not isinstance(written, str):
        return False
    for read in _SPELLINGS:
        try:
            if read(sent) == read(written):
                return True
        except (ValueError, ArithmeticError):
            continue
    return False


def _moment(text: str) -> datetime:
    """The microsecond that a text names, without an offset in UTC; further digits are cut."""
    moment = datetime.fromisoformat(text.upper())
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


_SECONDS = {"W": 604_800, "D": 86_400, "H": 3600, "M": 60, "S": 1}


def _length(text: str) -> Decimal:
    """The seconds of a duration. Raises ValueError."""
    if not re.search(DURATION_PATTERN, text):
        raise ValueError
    parts = re.findall(r"([0-9.]+)([WDHMS])", text)
    size = sum(Decimal(number) * _SECONDS[unit] for number, unit in parts)
    return Decimal(-size if text.startswith("-") else size)


_SPELLINGS: tuple[Callable[[str], object], ...] = (
    *(UUID, Decimal, _moment, time.fromisoformat, _length),
    partial(b64decode, validate=True),
)
"""What reads the texts of types of our own that may be spelt in several ways."""
