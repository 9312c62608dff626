"""Import the generated Python package, and unload it afterwards."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType


@contextmanager
def imported(
    files: Iterable[tuple[str, str]], package: str
) -> Generator[Callable[[], ModuleType]]:
    """The package of the Python target, from the texts of ``files``, in a folder of its own.

    What is yielded imports it, or raises what that raises. It has a name of its own, since its
    modules know each other by their places only: it may be called like one that is in use here.
    What the package needs beside the standard library is imported with it, where a module asks.
    """
    writes, name = sys.dont_write_bytecode, f"verified_{package}"
    old, new = f"python/{package}/", f"python/{name}/"
    with tempfile.TemporaryDirectory(prefix="brimgen-verify-") as folder:
        for path, text in files:
            own = new + path.removeprefix(old) if path.startswith(old) else path
            file = Path(folder, own)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="")
        home = str(Path(folder, "python"))
        sys.path[:0] = home, os.getcwd()  # leaves may be read by modules of the project
        sys.dont_write_bytecode = True
        try:
            importlib.invalidate_caches()
            yield partial(importlib.import_module, name)
        finally:
            sys.dont_write_bytecode = writes
            del sys.path[:2]
            for module in [
                module for module in sys.modules if _is_in_package(module, name)
            ]:
                del sys.modules[module]


def _is_in_package(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")
