"""Match tools that are gone with new tools that look like them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from brimgen.contract.keyword_differences import WORDS, canonical
from brimgen.contract.published import Contract
from brimgen.model.json import is_list, is_object

_NAMED = ("properties", "$defs", "definitions", "patternProperties")
"""Keywords whose keys are names: a property may be called `description`."""
_VALUES = ("default", "enum", "const")
_MOST_COMPARED = 100
"""Of tools with one input: where more are gone or new, no guess is better than another."""
_NEAR = 0.6


def find_renames(
    old: Mapping[str, Contract], new: Mapping[str, Contract]
) -> Mapping[str, str]:
    """The tools of ``old`` that are gone, each with the new one that it looks renamed to.

    A new tool that takes the same input (whatever is written about it) is like the old one; of
    several the one with the same words about it, the same result and the nearest name. Where
    there are no arguments, which is no likeness, the words or the names must be alike as well.
    """
    removed, fresh = _grouped_by_input(old, new), _grouped_by_input(new, old)
    found: dict[str, str] = {}
    for meaning, before in removed.items():
        after = fresh.get(meaning, ())
        if not after or max(len(before), len(after)) > _MOST_COMPARED:
            continue
        pairs = [pair for each in before for pair in _pairs(each, after)]
        taken: set[str] = set()
        for _, was, now in sorted(pairs, key=lambda each: (*_worst(each[0]), each[1:])):
            if was not in found and now not in taken:
                found[was] = now
                taken.add(now)
    return found


_Likeness = tuple[bool, bool, float]


def _pairs(
    before: Contract, after: tuple[Contract, ...]
) -> Iterator[tuple[_Likeness, str, str]]:
    for each in after:
        near = SequenceMatcher(None, before.name, each.name).ratio()
        is_said = bool(before.words) and _description_of(before) == _description_of(
            each
        )
        if is_said or near >= _NEAR or _has_arguments(before.input):
            likeness = (is_said, before.output == each.output, near)
            yield likeness, before.name, each.name


def _worst(likeness: _Likeness) -> tuple[float, ...]:
    return tuple(-each for each in likeness)


def _description_of(contract: Contract) -> Any:
    return contract.words.get("description")


def _has_arguments(schema: Any) -> bool:
    return is_object(schema) and bool(schema.get("properties"))


def _grouped_by_input(
    some: Mapping[str, Contract], others: Mapping[str, Contract]
) -> Mapping[str, tuple[Contract, ...]]:
    """Group those of ``some`` that are not in ``others`` by the meaning of their inputs."""
    found: dict[str, tuple[Contract, ...]] = {}
    for name, each in some.items():
        if name not in others:
            meaning = canonical(_meaning(each.input))
            found[meaning] = (*found.get(meaning, ()), each)
    return found


def _meaning(schema: Any) -> Any:
    """``schema`` without what is written for readers."""
    if is_list(schema):
        return [_meaning(each) for each in schema]
    if not is_object(schema):
        return schema
    return {
        key: (
            {name: _meaning(member) for name, member in value.items()}
            if key in _NAMED and is_object(value)
            else value if key in _VALUES else _meaning(value)
        )
        for key, value in schema.items()
        if key not in WORDS
    }
