"""List the differences between two JSON Schemas: place, kind and words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from brimgen.contract.keyword_differences import (
    Difference,
    Kind,
    Path,
    Schema,
    canonical,
    compare_additional,
    compare_bounds,
    compare_logic,
    compare_rules,
    compare_types,
    compare_values,
    compare_words,
)
from brimgen.contract.schema_shapes import (
    covers,
    follow_references,
    keywords_of,
    kinds,
    without_null,
)

ITEM = "[]"
FURTHER = "*"
"""Steps of a path that are no names: the items of a list, and properties that are not named."""


def differences(old: Any, new: Any) -> tuple[Difference, ...]:
    """Every difference between two schemas; references are followed below each one's root.

    What this does not understand (logic that was rewritten) is a difference of kind `OTHER`: it
    may refuse more and accept more. Equal schemas have none.
    """
    return tuple(dict.fromkeys(_Walk(old, new).at(old, new, ())))


class _Walk:
    def __init__(self, old: Any, new: Any) -> None:
        self._old, self._new = old, new
        self._seen: set[tuple[str, str]] = set()

    def at(self, old: Any, new: Any, path: Path) -> Iterator[Difference]:
        visit = (canonical(old), canonical(new))
        if old == new and '"$ref"' not in visit[0]:
            return
        if "$ref" in keywords_of(old) | keywords_of(new):
            # What a reference leads to is compared once, where it is first met.
            if visit in self._seen:
                return
            self._seen.add(visit)
        before, after = follow_references(old, self._old), follow_references(
            new, self._new
        )
        was, now = kinds(before), kinds(after)
        yield from compare_types(was, now, path)
        if not covers(was, now) and not covers(now, was):
            return
        before, after = without_null(before), without_null(after)
        for part in self._parts:
            yield from part(before, after, path)

    @property
    def _parts(self) -> tuple[_Part, ...]:
        return (
            compare_values,
            compare_bounds,
            compare_rules,
            self._compare_properties,
            self._compare_items,
            self._compare_choices,
            compare_logic,
            compare_words,
        )

    def _compare_properties(
        self, old: Schema, new: Schema, path: Path
    ) -> Iterator[Difference]:
        before, after = old.get("properties", {}), new.get("properties", {})
        old_additional = old.get("additionalProperties", True)
        new_additional = new.get("additionalProperties", True)
        must, must_now = set(old.get("required", ())), set(new.get("required", ()))
        for name in dict.fromkeys((*before, *after, *sorted(must ^ must_now))):
            inner_path = (*path, name)
            if name in before and name not in after and new_additional is False:
                yield Difference(inner_path, Kind.GONE, "is gone")
                continue
            if name in after and name not in before and old_additional is False:
                yield _added_property(inner_path, after[name], name in must_now)
                continue
            yield from self.at(
                before.get(name, old_additional),
                after.get(name, new_additional),
                inner_path,
            )
            if name in must_now - must:
                yield Difference(inner_path, Kind.NARROWER, "must be given")
            elif name in must - must_now:
                yield Difference(inner_path, Kind.WIDER, "may be left out")
        yield from compare_additional(old_additional, new_additional, path)
        if isinstance(old_additional, dict) and isinstance(new_additional, dict):
            yield from self.at(old_additional, new_additional, (*path, FURTHER))

    def _compare_items(
        self, old: Schema, new: Schema, path: Path
    ) -> Iterator[Difference]:
        before, after = old.get("items", True), new.get("items", True)
        if before is False or after is False:
            if before != after:
                yield Difference((*path, ITEM), Kind.OTHER, "have another rule")
            return
        yield from self.at(before, after, (*path, ITEM))

    def _compare_choices(
        self, old: Schema, new: Schema, path: Path
    ) -> Iterator[Difference]:
        before = {canonical(choice): choice for choice in old.get("anyOf", ())}
        after = {canonical(choice): choice for choice in new.get("anyOf", ())}
        lost = [before[key] for key in before if key not in after]
        gained = [after[key] for key in after if key not in before]
        if len(lost) == len(gained) == 1:
            yield from self.at(lost[0], gained[0], path)
        elif bool(before) != bool(after) or (lost and gained):
            yield Difference(path, Kind.OTHER, "has other forms (`anyOf`)")
        elif lost:
            yield Difference(path, Kind.NARROWER, "has fewer forms (`anyOf`)")
        elif gained:
            yield Difference(path, Kind.WIDER, "has further forms (`anyOf`)")


_Part = Callable[[Schema, Schema, Path], Iterator[Difference]]


def _added_property(path: Path, schema: Any, is_required: bool) -> Difference:
    if is_required:
        return Difference(path, Kind.NARROWER, "is new and must be given")
    return Difference(path, Kind.NEW, "is new")
