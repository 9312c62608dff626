"""The old tree after the exchange: removed, or kept as a spare; nothing that was saved is lost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Plan
from brimgen.output.trees import opened


class Retreat:
    """The way out of the old tree, in one walk: what is in the new one is removed, or, of a tree
    that is ``kept``, what is not ours; what is not in it, because it was saved while that was
    built, is taken over.

    ``foreign`` are the files of others that were carried over, with their identities.
    """

    def __init__(
        self, plan: Plan, foreign: Mapping[str, int], *, kept: bool = False
    ) -> None:
        self._root, self._ours, self._foreign = plan.root, plan.states, foreign
        self._left = {*plan.puts, *plan.removes}
        self._kept = kept
        self._stayed: list[str] = []

    def go(self, old: Path) -> list[str]:
        """Walk the old tree, as far as nothing is in the way; return what stayed in the new one,
        in the order in which it was removed here. Raises `OSError`.
        """
        self._go(old, "")
        return self._stayed

    def _go(self, old: Path, within: str) -> None:
        names: list[str] = []
        stayed: list[str] = []
        with opened(old) as handle:
            with os.scandir(handle) as listed:
                entries = [*listed]
            for entry in entries:
                name = entry.name
                path = within + name
                if entry.is_dir(follow_symlinks=False):
                    self._go(old / name, f"{path}/")
                    continue
                if self._kept and path == MANIFEST_NAME:
                    continue  # it tells what is ours (`saved`)
                if path not in self._left:
                    known = self._foreign.get(path)
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
        if not self._kept:
            with suppress(OSError):
                old.rmdir()

    def _take_over(self, path: str, folder: int) -> None:
        target = self._root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(target.name, target, src_dir_fd=folder)
