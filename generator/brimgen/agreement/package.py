"""The generated files in, the generated Python package imported, and forgotten afterwards."""

from __future__ import annotations

import importlib
import sys
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType


@contextmanager
def imported(files: Iterable[tuple[str, str]], package: str) -> Generator[ModuleType]:
    """The package of the Python target, from the texts of ``files``, in a folder of its own.

    What the package needs beside the standard library is imported with it, where a module asks.
    """
    before, writes = {*sys.modules}, sys.dont_write_bytecode
    with tempfile.TemporaryDirectory(prefix="brimgen-verify-") as folder:
        for path, text in files:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        home = str(Path(folder, "python"))
        hidden = {
            name: sys.modules.pop(name) for name in before if _is_of(name, package)
        }
        sys.path.insert(0, home)
        sys.dont_write_bytecode = True
        try:
            importlib.invalidate_caches()
            yield importlib.import_module(package)
        finally:
            sys.dont_write_bytecode = writes
            sys.path.remove(home)
            for name in [each for each in sys.modules if _is_of(each, package)]:
                del sys.modules[name]
            sys.modules.update(hidden)


def _is_of(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
