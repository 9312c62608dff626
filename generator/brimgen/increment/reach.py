"""Reach: a baseline, and the names of changed files, in; which files a build has to read out."""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.frozen import dataclass
from brimgen.increment import Doubt
from brimgen.increment.alone import ABOUT_ALL
from brimgen.increment.bare import Bare
from brimgen.increment.baseline import Baseline
from brimgen.increment.mentions import are_related, inner_of, letters_of
from brimgen.increment.others import Others
from brimgen.model.catalog import Catalog
from brimgen.model.leaves import Shipped


@dataclass(frozen=True, slots=True)
class Reach:
    """What is read: all files but those that are ``left``, whose tools are ``beside``.

    ``had`` are the files on which tools rested that declare what ``changed`` or rested on it;
    ``near`` are files of entities and the like that speak of it.
    """

    changed: frozenset[str]
    left: frozenset[str]
    beside: tuple[Bare, ...]
    had: frozenset[str]
    near: frozenset[str]

    @property
    def shared(self) -> frozenset[str]:
        """The files on which what is left out rests, as others may."""
        resting = {file for each in self.beside for file in each.sources}
        return frozenset(resting - self.left)


def reach_of(old: Baseline, others: Others, changed: frozenset[str]) -> Reach:
    """What has to be read where the files ``changed``, came or went.

    That are tools whose specs changed since ``others`` were told of, those that rest on such a
    file, those that cannot be told of, and one of each kind: what is made because there is one has
    to be made. Raises `Doubt` where that is not much less than everything.
    """
    told = others.told.values()
    touched = [
        sources
        for name in old.faces
        if not changed.isdisjoint(sources := others.sources(name))
    ]
    had = frozenset(file for sources in touched for file in sources)
    one_each = {each.kind[0]: each.span[0] for each in told if _is_for_all(each)}
    moved = {*changed, *old.moved}
    read = {*one_each.values(), *_resting_on(moved, old, others)}
    # For which tool something was told of an entity is known where all on it are built.
    told_of = had & {row[0] for row in old.told.rows if row[5] not in ABOUT_ALL}
    for file in sorted(told_of & old.mentions.kinds.keys()):
        more = _resting_on({file}, old, others)
        if _is_worth_it(len(read | more), old):
            read |= more
    if not _is_worth_it(len(read), old):
        raise Doubt
    left = frozenset(old.homes.keys() - read)
    return Reach(
        changed=changed,
        left=left,
        beside=tuple(each for each in told if each.span[0] in left),
        had=had,
        near=old.mentions.speaking_of(changed),
    )


def _resting_on(files: set[str], old: Baseline, others: Others) -> set[str]:
    """The homes of tools that rest on any of ``files``, or cannot be told of."""
    told = others.told
    return {
        home
        for home, names in old.homes.items()
        if home in files
        or any(
            name not in told or not files.isdisjoint(told[name].sources)
            for name in names
        )
    }


def _is_worth_it(homes: int, old: Baseline) -> bool:
    return 2 * homes <= len(old.homes)


def _is_for_all(tool: Bare) -> bool:
    return tool.enabled and tool.targets is None


def hold_names(catalog: Catalog, old: Baseline, reach: Reach) -> None:
    """Raise `Doubt` where an entity or the like that came, went, or has other inner objects may
    give another name to something in what is left out.
    """
    now = inner_of(catalog)
    other = {
        name
        for name in now.keys() | old.inner.keys()
        if now.get(name) != old.inner.get(name)
    }
    if not other:
        return
    if not other.isdisjoint(each.value for each in Shipped):
        raise Doubt
    known = {*now, *old.inner}
    letters = tuple(map(letters_of, _relatives(other, known)))
    files = {
        file
        for file, names in old.mentions.kinds.items()
        if any(are_related(letters_of(name), letters) for name in names)
    }
    for each in reach.beside:
        if are_related(letters_of(each.name), letters):
            raise Doubt
        if not files.isdisjoint(each.sources):
            raise Doubt


def _relatives(names: set[str], known: set[str]) -> Iterator[str]:
    """``names``, and those of ``known`` that are related to them, or to such."""
    pending, left = {*names}, known - names
    while pending:
        yield from pending
        letters = tuple(map(letters_of, pending))
        pending = {each for each in left if are_related(letters_of(each), letters)}
        left -= pending
