"""Change the files of a plan one by one, with a journal from which a later run can go on."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from brimgen.frozen import dataclass
from brimgen.output.directory_tree import remove_tree
from brimgen.output.paths import (
    JOURNAL_NAME,
    MANIFEST_NAME,
    leaves_root,
    not_portable,
)
from brimgen.output.plan import Plan
from brimgen.output.stage import Stage

_INTENT = "intent.json"


@dataclass(frozen=True, slots=True)
class Step:
    """One file to replace (``put``) or to remove; ``number`` names its copies in the journal."""

    number: int
    path: str
    put: bool


class Journal:
    """The journal of the output folder ``root``: a folder inside it.

    New contents are written under ``new/`` first, then the list of steps in one rename: from
    that moment on the run is bound to happen, here or in a later run. Each step moves the old
    file to ``old/`` and the new one to its place, so that a run that cannot go on undoes itself.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folder = root / JOURNAL_NAME

    def carry_out(self, plan: Plan, stage: Stage) -> None:
        """Do all of ``plan``, whose files lie in ``stage``.

        On an `OSError` undo what was done and raise it.
        """
        try:
            steps = self._prepare(plan, stage)
        except BaseException:
            remove_tree(self._folder)
            raise
        try:
            self._apply(steps)
        except OSError:
            self._undo(steps)
            self._close()
            raise
        self._close()

    def recover(self) -> None:
        """Finish what an interrupted run was bound to do; forget what it had only prepared.

        A journal that no run of ours can have written is forgotten, too: what it was about is
        seen again by comparing the files with the manifest.
        """
        if not os.path.lexists(self._folder):
            return
        if self._folder.is_symlink() or not self._folder.is_dir():
            self._folder.unlink()
            return
        intent = self._folder / _INTENT
        if intent.is_file():
            self._apply(self._sound(_read_steps(intent.read_bytes())))
        self._close()

    def _sound(self, steps: list[Step]) -> list[Step]:
        """``steps``; none at all where one of them would reach out of the folder by a link."""
        for step in steps:
            folder = step.path.rpartition("/")[0]
            while folder:
                if (self._root / folder).is_symlink():
                    return []
                folder = folder.rpartition("/")[0]
        return steps

    def _prepare(self, plan: Plan, stage: Stage) -> list[Step]:
        self._root.mkdir(parents=True, exist_ok=True)
        for name in ("new", "old"):
            (self._folder / name).mkdir(parents=True)
        steps = [
            Step(number, path, put=path in plan.puts)
            for number, path in enumerate([*plan.removes, *sorted(plan.puts)])
        ]
        for step in steps:
            if step.put:
                os.replace(stage.folder / step.path, self._new(step))
        written = self._folder / f"{_INTENT}.part"
        rows = [[step.number, step.path, step.put] for step in steps]
        written.write_text(json.dumps(rows), encoding="utf-8")
        os.replace(written, self._folder / _INTENT)
        return steps

    def _apply(self, steps: list[Step]) -> None:
        for step in steps:
            target = self._root / step.path
            new, old = self._new(step), self._old(step)
            if step.put:
                if not os.path.lexists(new):
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
            if os.path.lexists(target) and not os.path.lexists(old):
                os.replace(target, old)
            if step.put:
                os.replace(new, target)
            else:
                self._prune(step)

    def _undo(self, steps: list[Step]) -> None:
        for step in reversed(steps):
            target, new, old = (
                self._root / step.path,
                self._new(step),
                self._old(step),
            )
            if step.put and os.path.lexists(target) and not os.path.lexists(new):
                os.replace(target, new)
            if os.path.lexists(old):
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(old, target)
            elif step.put:
                self._prune(step)

    def _prune(self, step: Step) -> None:
        with suppress(OSError):
            for folder in list(Path(step.path).parents)[:-1]:
                (self._root / folder).rmdir()

    def _close(self) -> None:
        with suppress(FileNotFoundError):
            (self._folder / _INTENT).unlink()
        remove_tree(self._folder)

    def _new(self, step: Step) -> Path:
        return self._folder / "new" / str(step.number)

    def _old(self, step: Step) -> Path:
        return self._folder / "old" / str(step.number)


def _read_steps(data: bytes) -> list[Step]:
    """The steps of a journal; none where it is damaged, or names what is no generated file."""
    try:
        rows = json.loads(data)
        steps = [Step(int(number), str(path), bool(put)) for number, path, put in rows]
        paths = {step.path.encode().decode() for step in steps} - {MANIFEST_NAME}
    except (ValueError, TypeError, RecursionError, OverflowError):
        return []
    sound = all(not leaves_root(path) and not not_portable(path) for path in paths)
    return steps if sound else []
