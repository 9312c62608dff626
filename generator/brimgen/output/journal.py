"""Write a plan to the disk, as a whole or not at all; a journal lets a later run go on."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.frozen import dataclass
from brimgen.output.paths import (
    JOURNAL_NAME,
    MANIFEST_NAME,
    leaves_root,
    not_portable,
)
from brimgen.output.plan import Plan

_INTENT = "intent.json"


@contextmanager
def writing(root: Path) -> Generator[None]:
    """Hold the lock of ``root``, and finish first what an interrupted run left there.

    The manifest must be read, the plan made and `write` called inside.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    with locked(root):
        Journal(root).recover()
        yield


def write(plan: Plan) -> None:
    """Replace and remove the files of ``plan``.

    Raises `OSError` where the disk fails; the folder is then as it was.
    """
    if plan.puts or plan.removes:
        Journal(plan.root).carry_out(plan)


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

    def carry_out(self, plan: Plan) -> None:
        """Do all of ``plan``; on an `OSError` undo what was done and raise it."""
        is_new = not os.path.lexists(self._root)
        try:
            steps = self._prepare(plan)
        except BaseException:
            remove_tree(self._folder)
            if is_new:
                with suppress(OSError):
                    self._root.rmdir()
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

    def _prepare(self, plan: Plan) -> list[Step]:
        self._root.mkdir(parents=True, exist_ok=True)
        for name in ("new", "old"):
            (self._folder / name).mkdir(parents=True)
        steps = [
            Step(number, path, put=path in plan.puts)
            for number, path in enumerate([*plan.removes, *sorted(plan.puts)])
        ]
        for step in steps:
            if step.put:
                new = self._new(step)
                new.write_bytes(plan.puts[step.path])
                with suppress(FileNotFoundError, NotADirectoryError):
                    shutil.copymode(self._root / step.path, new)
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
            target = self._root / step.path
            new, old = self._new(step), self._old(step)
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


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours, write-protected folders in it too, as far as the disk lets us.

    One folder is open at a time: a process may have few files.
    """
    places: list[tuple[str, list[str]]] = []
    with suppress(OSError):
        os.chmod(folder, 0o700)
    for inner, folders, names in os.walk(folder):
        for name in folders:
            path = os.path.join(inner, name)
            if os.path.islink(path):
                names.append(name)
            else:
                with suppress(OSError):
                    os.chmod(path, 0o700)
        places.append((inner, names))
    for inner, names in reversed(places):
        with suppress(OSError):
            for name in names:
                os.unlink(os.path.join(inner, name))
            os.rmdir(inner)


_NO_FOLDER_LOCKS = frozenset(
    {errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS}
)


@contextmanager
def locked(root: Path, *, shared: bool = False) -> Generator[None]:
    """Hold the lock of the output folder ``root``, waiting for other runs.

    The lock is on the parent folder itself, so nothing is left beside the output, and it is
    released by the system if the process dies. Where a folder cannot be locked (Windows, some
    network disks, a parent that cannot be listed) a lock file stays beside the output.
    ``shared`` is for readers: it waits for writers only, and writes nothing, not even that file.
    """
    handle = _lock_folder(root.parent, shared=shared)
    if handle is not None:
        try:
            yield
        finally:
            os.close(handle)
    elif shared:
        yield
    else:
        from filelock import FileLock

        with FileLock(root.parent / f".{root.name}.brimgen-lock"):
            yield


def _lock_folder(folder: Path, *, shared: bool) -> int | None:
    """Lock ``folder`` and return its handle, or None where the system has no such locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return None
    except FileNotFoundError:
        if shared:
            return None
        raise
    try:
        fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    except OSError as problem:
        os.close(handle)
        if problem.errno in _NO_FOLDER_LOCKS:
            return None
        raise
    except BaseException:
        os.close(handle)
        raise
    return handle
