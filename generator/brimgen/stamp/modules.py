"""Modules: ours imported from one file of the cache, as long as nothing of the program changed.

Python looks for each module in folders and reads it from a file of its own: for 250 of them that is
a tenth of a run of one changed spec. The file of the cache holds what Python itself has compiled,
with the states of all files of the program and of the folders in which that lies: where one of
them differs, all is imported in Python's way, and kept anew for the next run
(`brimgen.stamp.compiled`). So it can save time and cannot change what is run.
"""

from __future__ import annotations

import marshal
import os
import sys
import zlib
from importlib.machinery import BuiltinImporter, ModuleSpec, SourceFileLoader

from brimgen.stamp.evidence import PACKAGE, is_own, program, state, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType
    from typing import Any

    from brimgen.stamp.answer import Question

FOLDER = "modules"
"""Of the cache folder: a file for each place of a program and each Python."""
LENGTH = 8
"""The bytes at the beginning of the file that tell how long its head is; codes come after that."""
CAN_READ = hasattr(os, "pread")
"""Whether the system reads at a place of an open file, whatever copies of the process read."""

Module = tuple[str, str, bool, int, int, int]
"""A module: its source, where Python keeps what it compiled, whether it is a package; the begin of
its code after the head, the size and the checksum of that."""


class Finder:
    """Finds modules that are kept in an open file; any other is left to the finders after it.

    ``begin`` is where codes begin. What is damaged is no longer kept.
    """

    def __init__(self, handle: int, begin: int, kept: dict[str, Module]) -> None:
        self._handle = handle
        self._begin = begin
        self.kept = kept

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """What `importlib.util.spec_from_file_location` says of a module, in an eighth of the time.

        A ``target`` is a module that is to be loaded again: from its source.
        """
        module = self.kept.get(name)
        if module is None or target is not None:
            return None
        source, cached, is_package = module[:3]
        spec = ModuleSpec(name, Loader(name, source, self), origin=source)
        spec.has_location = True
        spec.cached = cached
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec

    def code(self, name: str) -> CodeType | None:
        """The code of a module; None where it is not as it was written."""
        module = self.kept.get(name)
        if module is None:
            return None
        start, size, checksum = module[3:]
        try:
            # Each by itself: memory for all of them at once costs more than all these calls.
            data = os.pread(self._handle, size, self._begin + start)
            if zlib.crc32(data) == checksum:
                code: CodeType = marshal.loads(data)
                return code
        except (OSError, ValueError, EOFError, TypeError):
            pass
        del self.kept[name]
        return None


class Loader(SourceFileLoader):
    """Python's own loader, which takes the code of its module from where it is kept."""

    def __init__(self, name: str, path: str, finder: Finder) -> None:
        super().__init__(name, path)
        self._finder = finder

    def get_code(self, fullname: str) -> CodeType | None:
        """The code that Python would find."""
        return self._finder.code(fullname) or super().get_code(fullname)


LOADERS = (SourceFileLoader, Loader)
"""Of modules that are imported in Python's own way, or as if they were."""


class Modules:
    """The modules of a run: those that are ``kept``, and those that it imported itself.

    ``key`` is what compiled code rests on beside its source: the place of that, and the Python.
    A run that is not ``asked`` what a stamp answers takes what is kept, and keeps nothing.
    """

    def __init__(self, folder: str, asked: Question | None) -> None:
        self.asked = asked
        self._folder = folder
        self.kept: Mapping[str, Module] = {}
        self.key = (
            *(PACKAGE, sys.version, sys.implementation.cache_tag),
            *(sys.flags.optimize, sys.pycache_prefix),
        )
        self._begun = frozenset(sys.modules)

    @property
    def path(self) -> str:
        """Where the modules of this program and this Python are kept."""
        text = repr(self.key).encode("utf-8", "backslashreplace")
        name = f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}"
        return os.path.join(self._folder, FOLDER, name)

    def offer(self) -> None:
        """Let what is kept be imported from now on.

        Whoever has put a finder before Python's own ones is asked first; where ours are not
        imported by Python's own loader, nothing is offered.
        """
        if not _is_plain():
            return
        try:
            handle = os.open(self.path, os.O_RDONLY)
        except OSError:
            return
        head, begin = _head(handle)
        if head is None or not self._is_as_it_was(head):
            os.close(handle)
            return
        kept: dict[str, Module] = head[3]
        self.kept = kept
        # What finders look for first, the modules within Python, have other names than ours.
        before = sys.meta_path.index(BuiltinImporter)
        sys.meta_path.insert(before, Finder(handle, begin, kept))

    def _is_as_it_was(self, head: Any) -> bool:
        """Whether this is the program, and this the Python, whose compiled code is kept."""
        key, then, folders = head[:3]
        if key != self.key:
            return False
        try:
            now = program() if self.asked is None else self.asked.program
        except OSError:
            return False
        return now == then and all(
            state(path) == each for path, each in folders.items()
        )

    def leave(self) -> None:
        """Keep what this run imported, if that is more than is kept."""
        if self.asked is None or sys.dont_write_bytecode or not _is_plain():
            return
        found = sys.modules.keys() - self.kept.keys() - self._begun
        ours = [name for name in found if name.startswith("brimgen.")]
        if ours:
            try:
                from brimgen.stamp.compiled import keep

                keep(self, self.asked, ours)
            except (OSError, KeyboardInterrupt):
                pass  # the work is done and told: the process ends with the exit code of that


def _head(handle: int) -> tuple[Any, int]:
    """What the user's own runs have told of codes, and where these begin; None: none to trust."""
    try:
        size = int.from_bytes(os.pread(handle, LENGTH, 0), "big")
        if is_own(handle) and size <= os.fstat(handle).st_size:
            return unpacked(os.pread(handle, size, LENGTH)), LENGTH + size
    except (OSError, ValueError, EOFError, TypeError):
        pass
    return None, 0


def _is_plain() -> bool:
    """Whether modules of ours are imported in Python's own way, this one to begin with, and others
    can be imported as if they were.
    """
    spec = sys.modules[__name__].__spec__
    is_pythons = spec is not None and type(spec.loader) is SourceFileLoader
    return CAN_READ and is_pythons and BuiltinImporter in sys.meta_path
