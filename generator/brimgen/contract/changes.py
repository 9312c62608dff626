"""List the changes of tools between two trees: who is affected, and how severely."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from brimgen.contract.differences import ITEM, differences
from brimgen.contract.keyword_differences import Difference, Kind
from brimgen.contract.published import Contract
from brimgen.contract.renames import find_renames
from brimgen.frozen import dataclass


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
