"""Decide what a descriptor may admit more, or less, because of its declared losses.

A loss excuses as little as possible: a keyword that is not expressed excuses the rules of that
keyword at its place; one that holds schemas excuses the rules of those; none is excused if another
keyword says the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from brimgen.agreement.schema_parts import objects_in
from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection.ledger import BUDGET
from brimgen.model.json import is_object
from brimgen_runtime.schema.json_pointer import unescape_step

Names: TypeAlias = tuple[str | None, ...]
"""The properties that lead to a place, list items left out; None is any that is not declared."""

UNKNOWN = "unknown"
"""The rule of the decoder about properties and items that may not be there."""

_CLOSING = frozenset(
    {
        *("additionalProperties", "additionalItems", "items", "properties"),
        *("unevaluatedProperties", "unevaluatedItems"),
    }
)
"""The keywords that make a property or an item one that may not be there."""

_HOLDS = frozenset(
    {
        *("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contains", "$ref"),
        *("prefixItems", "patternProperties", "dependentSchemas", "dependencies"),
        *("propertyNames", "additionalProperties", "unevaluatedProperties"),
        "properties",
    }
)
"""Keywords that hold schemas: where one is left out, all that its schemas say is left out."""

_CHOOSES = frozenset({"anyOf", "oneOf", "contains"})
"""Rules whose violations do not say which of the schemas in the keyword is broken."""

_OPEN_NAMES = frozenset(
    {
        *("additionalProperties", "unevaluatedProperties", "patternProperties"),
        *("propertyNames", "$ref", "$dynamicRef"),
    }
)
_FURTHER = _OPEN_NAMES - {"$ref", "$dynamicRef"}
_NOT_IN_SCHEMA = frozenset({Recovery.TEXT, Recovery.DECODER, Recovery.NONE})


class Rows:
    """The ledger's rows on the arguments of one tool in one profile, which shows ``schema``."""

    def __init__(self, losses: Iterable[Loss], schema: Any) -> None:
        rows = [loss for loss in losses if loss.part == "input"]
        names = {*declared(schema)}
        self._wider = [
            _Row(row, names) for row in rows if row.recovered_by in _NOT_IN_SCHEMA
        ]
        self._narrower = [
            _Row(row, names) for row in rows if row.recovered_by is Recovery.NARROWED
        ]

    def widen(self, rule: str, place: Sequence[str | int]) -> str | None:
        """The keyword of a row that lets the descriptor admit what breaks ``rule``, or None."""
        names = _of_properties(place)
        keywords = (row.keyword for row in self._wider if row.explains(rule, names))
        return next(keywords, None)

    def narrow(self, place: Sequence[str | int]) -> str | None:
        """The keyword of a row by which less is admitted there than by the decoder, or None."""
        names = _of_properties(place)
        keywords = (row.keyword for row in self._narrower if row.is_at_or_below(names))
        return next(keywords, None)


class _Row:
    def __init__(self, loss: Loss, names: set[str]) -> None:
        self.keyword, self._value = loss.keyword, loss.value
        self._steps = loss.pointer.split("/")[1:]
        self._is_defined_apart = self._steps[:1] == ["$defs"]
        self._names: Names = tuple(names_in(self._steps))
        lost = (
            {loss.keyword: loss.value} if loss.keyword == "properties" else loss.value
        )
        self._lost_names: set[str] | None = {*declared(lost)}
        self._declared = names
        if loss.keyword in _OPEN_NAMES or _has_any(loss.value, _OPEN_NAMES):
            self._lost_names = None

    def explains(self, rule: str, names: Sequence[str]) -> bool:
        """Whether a value may break ``rule`` below ``names`` because of this loss."""
        if self.keyword == BUDGET:
            return any(True for _ in self._beyond(names))
        if rule in _CHOOSES and rule in self._steps and self.is_at_or_below(names):
            return True
        fits = (
            rule == self.keyword
            or (rule in (UNKNOWN, "false") and self.keyword in _CLOSING)
            or (rule == "dependencies" and self.keyword == "dependentRequired")
        )
        return any(
            (fits and len(rest) < 2) or self._concerns(rest)
            for rest in self._beyond(names)
        )

    def _concerns(self, rest: Sequence[str]) -> bool:
        """Whether the lost schemas restrict what ``rest`` leads to."""
        if self.keyword not in _HOLDS or (self.keyword == "properties" and not rest):
            return False
        if len(rest) < 2 and self.keyword not in (*_FURTHER, "properties"):
            return True
        if self._lost_names is not None:
            return rest[0] in self._lost_names
        return bool(rest) and (
            self.keyword != "additionalProperties" or rest[0] not in self._declared
        )

    def is_at_or_below(self, names: Sequence[str]) -> bool:
        """Whether the place is at these properties, or below them."""
        own = self._names[: len(names)]
        return self._is_defined_apart or self._are_same(own, names)

    def _beyond(self, names: Sequence[str]) -> Iterator[Sequence[str]]:
        """What leads on from the place; a definition may be used anywhere, also in itself."""
        length = len(self._names)
        last = len(names) - length if self._is_defined_apart else 0
        for start in range(last + 1):
            if self._are_same(self._names, names[start : start + length]):
                yield names[start + length :]

    def _are_same(self, own: Names, names: Sequence[str]) -> bool:
        return len(own) == len(names) and all(
            name == mine or (mine is None and name not in self._declared)
            for mine, name in zip(own, names, strict=True)
        )


def names_in(steps: Iterable[str]) -> Iterator[str | None]:
    """The properties that the pointer of a schema leads through."""
    following = iter(steps)
    for step in following:
        if step in ("properties", "$defs", "dependentSchemas"):
            name = next(following, None)
            if name is not None and step == "properties":
                yield unescape_step(name)
        elif step in _FURTHER:
            if step == "patternProperties":
                next(following, None)
            yield None


def _of_properties(place: Sequence[str | int]) -> tuple[str, ...]:
    return tuple(step for step in place if isinstance(step, str))


def declared(schema: Any) -> Iterator[str]:
    """The names of all properties that a schema declares in any of its parts."""
    for part in objects_in(schema):
        properties = part.get("properties")
        if is_object(properties):
            yield from properties


def _has_any(schema: Any, keywords: frozenset[str]) -> bool:
    """Whether any part of a schema has one of ``keywords``."""
    return any(not keywords.isdisjoint(part) for part in objects_in(schema))
