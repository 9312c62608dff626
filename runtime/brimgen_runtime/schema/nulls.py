"""Remove nulls that stand for absent arguments (the null rule).

Models that must fill every argument write null for those they leave out. A null property that is
optional and whose schema refuses null is dropped, at every depth; items of lists stay. A value that
the schema accepts is never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from .compile import Compiler
from .errors import escape
from .json_values import is_list, is_object
from .validator import has_null

_Place: TypeAlias = tuple[Any, str]
"""A schema and its pointer."""

_BRANCHES = ("anyOf", "oneOf", "then", "else")
_MOST_TRIES = 100
"""Branches that are tried alone for one call: in what is nested they multiply."""


class NullRule:
    """Walks values along the schemas that apply to them; remembers what it learnt of those."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self._absent: dict[tuple[str, ...], bool] = {}
        self._reached: dict[str, list[_Place]] = {}

    def strip(self, value: Any, places: list[_Place]) -> Any:
        """Return a value without its absent nulls; ``places`` are the schemas it must meet."""
        return self._strip(value, places, [_MOST_TRIES])

    def _strip(self, value: Any, places: list[_Place], tries: list[int]) -> Any:
        """Do what `strip` does; ``tries`` holds how many branches may still be tried alone."""
        every = [reached for place in places for reached in self._reach(place)]
        if is_object(value):
            changed = self._strip_object(value, places, every, tries)
        elif is_list(value):
            changed = self._strip_list(value, every, tries)
        else:
            return value
        return self._for_a_branch(changed, places, every, tries)

    def _strip_object(
        self,
        value: Mapping[str, Any],
        places: list[_Place],
        every: list[_Place],
        tries: list[int],
    ) -> Any:
        changed = dict(value)
        for name, item in value.items():
            if item is None:
                if self._means_absent(name, places):
                    del changed[name]
                continue
            below = _distinct(
                member for place in every for member in _properties(place, name)
            )
            changed[name] = self._strip(item, below, tries) if below else item
        same = len(changed) == len(value) and all(
            changed[name] is value[name] for name in changed
        )
        return value if same else changed

    def _for_a_branch(
        self,
        changed: Any,
        places: list[_Place],
        every: list[_Place],
        tries: list[int],
    ) -> Any:
        """Return what a single branch makes of the nulls, where only that is accepted.

        Branches may differ in what may be null, or must be there: together they keep a null that
        one of them takes or asks for, and it may be another one that fits the rest of the value.
        """
        branches = [branch for place in every for branch in _branches(place)]
        if not branches or not has_null(changed) or self._accepts(changed, places):
            return changed
        for branch in branches:
            if branch in places:
                continue
            if not tries[0]:
                break
            tries[0] -= 1
            stripped = self._strip(changed, [branch], tries)
            if stripped is not changed and self._accepts(stripped, places):
                return stripped
        return changed

    def _accepts(self, value: Any, places: list[_Place]) -> bool:
        return all(self._compiler.node(schema, at).test(value) for schema, at in places)

    def _strip_list(
        self, value: list[Any], every: list[_Place], tries: list[int]
    ) -> Any:
        changed = [
            self._strip(
                item,
                _distinct(inner for place in every for inner in _items(place, index)),
                tries,
            )
            for index, item in enumerate(value)
        ]
        same = all(new is old for new, old in zip(changed, value, strict=True))
        return value if same else changed

    def _reach(self, place: _Place) -> list[_Place]:
        """Return a schema and those that it applies to the same value."""
        cached = self._reached.get(place[1])
        if cached is not None:
            return cached
        places: dict[str, _Place] = {}
        waiting = [place]
        while waiting:
            current = waiting.pop(0)
            if is_object(current[0]) and current[1] not in places:
                places[current[1]] = current
                waiting += [*self._together(current), *_branches(current)]
        reached = self._reached[place[1]] = list(places.values())
        return reached

    def _together(self, place: _Place, always: bool = False) -> Iterator[_Place]:
        """Yield the schemas that the same value must meet as well; ``always``: whatever it has."""
        schema, pointer = place
        if "$ref" in schema:
            yield self._compiler.resolve(schema, pointer)
        for index, subschema in enumerate(schema.get("allOf", ())):
            yield subschema, f"{pointer}/allOf/{index}"
        if always:
            return
        for name, subschema in schema.get("dependentSchemas", {}).items():
            yield subschema, f"{pointer}/dependentSchemas{escape(name)}"

    def _means_absent(self, name: str, places: list[_Place]) -> bool:
        key = (name, *(pointer for _, pointer in places))
        absent = self._absent.get(key)
        if absent is None:
            answers = [self._takes_null(name, place) for place in places]
            if False not in answers:
                return False
            required = any(self._is_required(name, place) for place in places)
            absent = self._absent[key] = not required
        return absent

    def _takes_null(self, name: str, place: _Place) -> bool | None:
        """Return whether a property may be null; None where the schema does not name it."""
        schema, _ = place
        if not is_object(schema):
            return None
        own = [
            self._compiler.node(subschema, at).test(None)
            for subschema, at in _properties(place, name, named=True)
        ]
        own += [
            answer
            for applied in self._together(place)
            if (answer := self._takes_null(name, applied)) is not None
        ]
        options = [
            answer
            for branch in _branches(place)
            if (answer := self._takes_null(name, branch)) is not None
        ]
        if options:
            own.append(any(options))
        return all(own) if own else None

    def _is_required(self, name: str, place: _Place) -> bool:
        schema, _ = place
        if not is_object(schema):
            return False
        if name in schema.get("required", ()):
            return True
        applied = self._together(place, always=True)
        if any(self._is_required(name, inner) for inner in applied):
            return True
        return any(
            all(self._is_required(name, (branch, "")) for branch in schema[word])
            for word in ("anyOf", "oneOf")
            if schema.get(word)
        )


def _distinct(places: Iterable[_Place]) -> list[_Place]:
    """Return places without repetition, so that recursion through branches stays linear."""
    return list({pointer: (schema, pointer) for schema, pointer in places}.values())


def _branches(place: _Place) -> Iterator[_Place]:
    """Yield the schemas of which the same value may have to meet one."""
    schema, pointer = place
    for word in _BRANCHES:
        if word not in schema:
            continue
        if is_list(schema[word]):
            for index, branch in enumerate(schema[word]):
                yield branch, f"{pointer}/{word}/{index}"
        else:
            yield schema[word], f"{pointer}/{word}"


def _properties(place: _Place, name: str, named: bool = False) -> Iterator[_Place]:
    """Yield the schemas of a property; those of additional ones unless it must be ``named``."""
    schema, pointer = place
    if not is_object(schema):
        return
    properties = schema.get("properties", {})
    if name in properties:
        yield properties[name], f"{pointer}/properties{escape(name)}"
    elif not named and "additionalProperties" in schema:
        yield schema["additionalProperties"], f"{pointer}/additionalProperties"


def _items(place: _Place, index: int) -> Iterator[_Place]:
    """Yield the schemas of an item."""
    schema, pointer = place
    first = "prefixItems" if "prefixItems" in schema else "items"
    if is_list(schema.get(first)):
        if index < len(schema[first]):
            yield schema[first][index], f"{pointer}/{first}/{index}"
            return
        rest = "items" if first == "prefixItems" else "additionalItems"
    else:
        rest = "items"
    if rest in schema:
        yield schema[rest], f"{pointer}/{rest}"
