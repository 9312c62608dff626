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

from brimgen.stamp.evidence import PACKAGE, State, own_bytes, state, unpacked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType
    from typing import Any

    from brimgen.stamp.answer import Question

FOLDER = "modules"
"""Of the cache folder: a file for each place of a program and each Python."""

Module = tuple[str, str, bool, bytes]
"""A module: its source, where Python keeps what it compiled, whether it is a package, its code."""


class _Loader(SourceFileLoader):
    """Python's own loader, which has the code of its module at hand."""

    def __init__(self, name: str, path: str, code: bytes) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = marshal.loads(self._code)
        return code


class Finder:
    """Finds modules that are kept; any other is left to the finders after it."""

    def __init__(self, kept: Mapping[str, Module]) -> None:
        self._kept = kept

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """What `importlib.util.spec_from_file_location` says of a module, in a third of the time.

        A ``target`` is a module that is to be loaded again: from its source.
        """
        module = self._kept.get(name)
        if module is None or target is not None:
            return None
        source, cached, is_package, code = module
        spec = ModuleSpec(name, _Loader(name, source, code), origin=source)
        spec.has_location = True
        spec.cached = cached
        if is_package:
            spec.submodule_search_locations = [os.path.dirname(source)]
        return spec


class Modules:
    """The modules of a run: those that are ``kept``, and those that it imported itself.

    ``key`` is what compiled code rests on beside its source: the place of that, and the Python.
    """

    def __init__(self, asked: Question) -> None:
        self.asked = asked
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
        return os.path.join(self.asked.folder, FOLDER, name)

    def offer(self) -> None:
        """Let what is kept be imported from now on.

        Whoever has put a finder before Python's own ones is asked first; where ours are not
        imported by Python's own loader, nothing is offered.
        """
        if not _is_plain() or BuiltinImporter not in sys.meta_path:
            return
        content = _read(self.path)
        if content is None or content[:2] != (self.key, self.asked.program):
            return
        folders: dict[str, State | None] = content[2]
        if all(state(path) == then for path, then in folders.items()):
            self.kept = content[3]
            # What finders look for first, the modules within Python, have other names than ours.
            first = sys.meta_path.index(BuiltinImporter)
            sys.meta_path.insert(first, Finder(self.kept))

    def leave(self) -> None:
        """Keep what this run imported, if that is more than is kept."""
        if sys.dont_write_bytecode or not _is_plain():
            return
        found = sys.modules.keys() - self.kept.keys() - self._begun
        ours = [name for name in found if name.startswith("brimgen.")]
        if ours:
            try:
                from brimgen.stamp.compiled import keep

                keep(self, ours)
            except KeyboardInterrupt:
                pass  # the work is done and told: so the process ends with its exit code


def _read(path: str) -> Any:
    """What the user's own runs have kept; None where there is nothing to trust."""
    try:
        data = own_bytes(path)
        return None if data is None else unpacked(data)
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _is_plain() -> bool:
    """Whether Python imports modules of ours in its own way: this one, to begin with."""
    spec = sys.modules[__name__].__spec__
    return spec is not None and type(spec.loader) is SourceFileLoader
