"""The old tree after the exchange: removed, or kept as a spare; nothing that was saved is lost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from brimgen.output.carry import Carried
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Plan, State
from brimgen.output.trees import opened
from brimgen.output.twins import Made, Twins, is_settled, mark


class Retreat:
    """The way out of the old tree, in one walk: what is in the new one is removed, and what is not
    in it, because it was saved while that was built, is taken over.

    Of a tree that is ``kept`` only what is not ours is removed, or was edited by hand; folders in
    which there can be nothing of this are passed by.
    """

    def __init__(self, plan: Plan, carried: Carried, *, kept: bool = False) -> None:
        self._plan, self._ours, self._carried = plan, plan.states, carried
        self._left = {*plan.puts, *plan.removes}
        self._stayed: list[str] = []
        self._kept = kept
        self._outdated = _outdated(plan) if kept else frozenset[str]()
        self._work = {
            path.rpartition("/")[0]
            for path in (*self._left - self._outdated, *carried.foreign)
        }
        self._passed: list[str] = []

    def go(self, old: Path) -> list[str] | None:
        """Walk the old tree; return what stayed in the new one, in the order in which it was
        removed here. None where something was in the way: the new tree is in its place all the
        same, and so the run has not failed.
        """
        try:
            self._go(old, "")
        except OSError:
            return None
        return self._stayed

    def _go(self, old: Path, folder: str) -> None:
        within = f"{folder}/" if folder else ""
        if self._kept and self._is_done(old, folder):
            self._passed.append(folder)
            for name in self._carried.folders[folder].within:
                self._go(old / name, within + name)
            return
        names: list[str] = []
        stayed: list[str] = []
        folders: list[str] = []
        with opened(old) as handle:
            with os.scandir(handle) as listed:
                entries = [*listed]
            for entry in entries:
                name = entry.name
                path = within + name
                if entry.is_dir(follow_symlinks=False):
                    folders.append(name)
                    continue
                if self._kept and (path in self._outdated or path == MANIFEST_NAME):
                    continue  # the manifest tells what is ours (`saved`)
                if path not in self._left:
                    known = self._carried.foreign.get(path)
                    if path not in self._ours and known != entry.inode():
                        self._take_over(path, handle)
                        continue
                    if self._kept and path in self._ours:
                        continue
                    stayed.append(path)
                names.append(name)
            with suppress(OSError):  # what cannot be removed so is left to `Stage.drop`
                for name in names:
                    os.unlink(name, dir_fd=handle)
        self._stayed += stayed
        for name in folders:  # with no handle held: a process may have few
            self._go(old / name, within + name)
        if not self._kept:
            with suppress(OSError):
                old.rmdir()

    def _is_done(self, old: Path, folder: str) -> bool:
        """Whether a folder has nothing to be removed, and nobody was in it since it was seen."""
        seen = self._carried.folders.get(folder)
        return (
            seen is not None
            and folder not in self._work
            and is_settled(seen.mark, self._carried.moment)
            and mark(os.lstat(old)) == seen.mark
        )

    def _take_over(self, path: str, folder: int) -> None:
        target = self._plan.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(target.name, target, src_dir_fd=folder)

    def twins(self, made: Made) -> Twins:
        """What is known of the old tree, which was kept, and of the new one that was ``made``."""
        folders, marks = self._carried.folders, made.marks
        inner = {folder for path in self._plan.puts for folder in _folders_of(path)}
        grown = {each.rpartition("/")[0] for each in inner - folders.keys()}
        return Twins(
            {
                each: (marks[each], folders[each].mark, folders[each].within)
                for each in self._passed
                if each in marks
                and each not in grown
                and is_settled(marks[each], made.moment)
                and all(f"{each}/{name}" in marks for name in folders[each].within)
            },
            tuple(self._outdated),
            made.manifest,
        )


def _folders_of(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _outdated(plan: Plan) -> frozenset[str]:
    """The files that a run replaces and nobody has edited: a spare may have them."""
    states = plan.states
    return frozenset(each for each in plan.puts if states.get(each) is State.CHANGED)
