"""Match tools that are gone with new tools that look like them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from brimgen.contract.keyword_differences import WORDS, canonical
from brimgen.contract.published import Contract
from brimgen.model.json import is_object
from brimgen.schema.walk import rewritten

_MOST_COMPARED = 100
"""Of tools with one input: where more are gone or new, no guess is better than another."""
_NEAR = 0.6


def find_renames(
    old: Mapping[str, Contract], new: Mapping[str, Contract]
) -> Mapping[str, str]:
    """The tools of ``old`` that are gone, each with the new one that it looks renamed to.

    A candidate is a new tool with the same input, apart from its texts; of several, the one with
    the same description, the same result and the nearest name. For tools without arguments the
    description or the name must be alike as well.
    """
    removed, fresh = _grouped_by_input(old, new), _grouped_by_input(new, old)
    renames: dict[str, str] = {}
    for meaning, before in removed.items():
        after = fresh.get(meaning, ())
        if not after or max(len(before), len(after)) > _MOST_COMPARED:
            continue
        pairs = [pair for contract in before for pair in _pairs(contract, after)]
        taken: set[str] = set()
        for _, was, now in sorted(pairs, key=lambda pair: (*_worst(pair[0]), pair[1:])):
            if was not in renames and now not in taken:
                renames[was] = now
                taken.add(now)
    return renames


_Likeness = tuple[bool, bool, float]


def _pairs(
    before: Contract, after: tuple[Contract, ...]
) -> Iterator[tuple[_Likeness, str, str]]:
    for contract in after:
        near = SequenceMatcher(None, before.name, contract.name).ratio()
        is_said = bool(before.words) and _description_of(before) == _description_of(
            contract
        )
        if is_said or near >= _NEAR or _has_arguments(before.input):
            likeness = (is_said, before.output == contract.output, near)
            yield likeness, before.name, contract.name


def _worst(likeness: _Likeness) -> tuple[float, ...]:
    return tuple(-part for part in likeness)


def _description_of(contract: Contract) -> Any:
    return contract.words.get("description")


def _has_arguments(schema: Any) -> bool:
    return is_object(schema) and bool(schema.get("properties"))


def _grouped_by_input(
    contracts: Mapping[str, Contract], other_contracts: Mapping[str, Contract]
) -> Mapping[str, tuple[Contract, ...]]:
    """Group the ``contracts`` that are not among the ``other_contracts`` by what they take."""
    groups: dict[str, tuple[Contract, ...]] = {}
    for name, contract in contracts.items():
        if name not in other_contracts:
            meaning = canonical(_meaning(contract.input))
            groups[meaning] = (*groups.get(meaning, ()), contract)
    return groups


def _meaning(schema: Any) -> Any:
    """``schema`` without what is written for readers."""
    if not is_object(schema):
        return schema
    return {
        key: rewritten(key, value, "", lambda inner, _: _meaning(inner))
        for key, value in schema.items()
        if key not in WORDS
    }
