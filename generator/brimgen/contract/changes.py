"""List the changes of tools between two trees: who is affected, and how severely."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from brimgen.contract.published import Contract
from brimgen.frozen import dataclass
from brimgen.model.json import is_object
from brimgen.schema.compare import ITEM, WORDS, Difference, Kind, canonical, differences
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


class Level(StrEnum):
    """How much a change matters, the worst first.

    ``breaking``: a correct call or reader fails now. ``additive``: all correct ones still work, and
    more is possible. ``routing``: only texts that a model reads to choose a tool.
    """

    BREAKING = "breaking"
    ADDITIVE = "additive"
    ROUTING = "routing"


class Side(StrEnum):
    """Who depends on what has changed."""

    CALLERS = "callers"
    READERS = "readers of the result"
    MODELS = "models"


@dataclass(frozen=True, slots=True)
class Change:
    """One change; ``path`` leads to the changed property of the input or output, if it is one.

    ``is_of_tool``: the tool itself is new or gone. ``heir`` is the new tool that a gone one was
    probably renamed to.
    """

    tool: str
    side: Side
    level: Level
    path: tuple[str, ...]
    text: str
    is_of_tool: bool = False
    heir: str | None = None

    @property
    def subject(self) -> str:
        """The name of the changed part in a sentence, with its whole path."""
        return self._named(self.path)

    @property
    def short_subject(self) -> str:
        """The subject without the path above its last name."""
        names = [at for at, step in enumerate(self.path) if step != ITEM]
        return self._named(self.path[names[-1] :] if names else self.path)

    def _named(self, path: tuple[str, ...]) -> str:
        if path:
            return f"`{'.'.join(path).replace(f'.{ITEM}', ITEM)}`"
        whole = {Side.CALLERS: "the input", Side.READERS: "the result"}
        return "the tool" if self.is_of_tool else whole.get(self.side, "the tool")


_OF_INPUT = {
    Kind.NARROWER: Level.BREAKING,
    Kind.OTHER: Level.BREAKING,
    Kind.GONE: Level.BREAKING,
    Kind.DEFAULT: Level.BREAKING,
    Kind.WIDER: Level.ADDITIVE,
    Kind.NEW: Level.ADDITIVE,
    Kind.WORDS: Level.ROUTING,
}
_OF_OUTPUT = {
    Kind.WIDER: Level.BREAKING,
    Kind.OTHER: Level.BREAKING,
    Kind.GONE: Level.BREAKING,
    Kind.NARROWER: Level.ADDITIVE,
    Kind.NEW: Level.ADDITIVE,
    Kind.DEFAULT: Level.ROUTING,
    Kind.WORDS: Level.ROUTING,
}


def changes(
    old: Mapping[str, Contract], new: Mapping[str, Contract]
) -> tuple[Change, ...]:
    """Every change from ``old`` to ``new``, by tool, the breaking ones of each first.

    A wider input and a narrower result break nobody. A new property of a result breaks nobody, a
    missing one does. A new default changes the meaning of calls that leave the argument out.
    """
    all_changes: list[Change] = []
    heirs = find_renames(old, new)
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if before is None:
            all_changes.append(_added_tool(name))
        elif after is None:
            all_changes.append(_removed_tool(name, heirs.get(name)))
        else:
            levels = list(Level)
            unique = dict.fromkeys(_contract_changes(before, after))
            all_changes += sorted(unique, key=lambda change: levels.index(change.level))
    return tuple(all_changes)


def _added_tool(name: str) -> Change:
    return Change(name, Side.MODELS, Level.ADDITIVE, (), "is new", is_of_tool=True)


def _removed_tool(name: str, heir: str | None) -> Change:
    text = f"is gone, renamed to `{heir}` as it seems" if heir else "is gone"
    return Change(name, Side.CALLERS, Level.BREAKING, (), text, True, heir)


def _contract_changes(old: Contract, new: Contract) -> Iterator[Change]:
    for difference in differences(old.input, new.input):
        yield _change(old.name, Side.CALLERS, _OF_INPUT[difference.kind], difference)
    if old.output is None and new.output is not None:
        text = "has a schema now"
        yield Change(old.name, Side.READERS, Level.ADDITIVE, (), text)
    elif new.output is None and old.output is not None:
        text = "has no schema now"
        yield Change(old.name, Side.READERS, Level.BREAKING, (), text)
    elif old.output != new.output:
        for difference in differences(old.output, new.output):
            level = _OF_OUTPUT[difference.kind]
            yield _change(old.name, Side.READERS, level, difference)
    if old.words and new.words:
        for name in sorted(old.words.keys() | new.words.keys()):
            if old.words.get(name) != new.words.get(name):
                text = f"has another `{name}`"
                yield Change(old.name, Side.MODELS, Level.ROUTING, (), text)


def _change(tool: str, side: Side, level: Level, difference: Difference) -> Change:
    return Change(tool, side, level, difference.path, difference.text)


def table(changes: Sequence[Change], unapproved: Collection[Change]) -> Iterator[str]:
    """The lines of a Markdown text: the count of each level, and a row for each change.

    Breaking changes that are not ``unapproved`` are marked as approved.
    """
    if not changes:
        yield "No tool's contract changes."
        return
    counts = [
        (level, sum(change.level is level for change in changes)) for level in Level
    ]
    yield ", ".join(f"{count} {level}" for level, count in counts if count) + "."
    yield ""
    yield "| level | tool | for | change |"
    yield "|---|---|---|---|"
    levels = list(Level)
    for change in sorted(changes, key=lambda change: levels.index(change.level)):
        text = _cell(f"{change.subject} {change.text}")
        is_approved = change.level is Level.BREAKING and change not in unapproved
        level = f"{change.level}, approved" if is_approved else change.level
        yield f"| {level} | `{change.tool}` | {change.side} | {text} |"


def _cell(text: str) -> str:
    """Escape ``text`` for one table cell: bars, line ends and tags."""
    flat = " ".join(text.split())
    return flat.replace("|", "\\|").replace("<", "&lt;")
