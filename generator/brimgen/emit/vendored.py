"""Copy the runtime into a package: ``runtime: vendored``, for a package without dependencies."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import brimgen_runtime
from brimgen.emit.artifact import Artifact
from brimgen.emit.runtime_names import RUNTIME
from brimgen.frozen import replace

FOLDER = "_runtime"
"""The folder of the package that holds the copy."""

NEEDS: dict[str, tuple[str, ...]] = {
    "schema": (),
    "records": ("schema",),
    "calls": ("records",),
    "sql": ("records",),
    "http": ("calls", "grammar"),
    "service": ("calls", "grammar", "http", "sql"),
    "server": ("service",),
    "dispatch": ("service",),
    "grammar": ("schema",),
    "store": ("calls", "grammar", "http"),
}
"""The subjects of the runtime, and those that each imports; `test_vendored` compares them."""


class Vendor:
    """Makes the modules of one package import a copy of the runtime, and copies what they need."""

    def __init__(self, package: str) -> None:
        self._root = f"python/{package}/"
        self._subjects: set[str] = set()

    def changed(self, artifact: Artifact) -> Artifact:
        """Return a file of the package with the imports of the runtime led to the copy."""
        path = artifact.path
        is_module = path.startswith(self._root) and path.endswith(".py")
        if not is_module or RUNTIME not in artifact.text:
            return artifact
        dots = "." * path.removeprefix(self._root).count("/")
        lines = artifact.text.split("\n")
        for node in ast.walk(ast.parse(artifact.text)):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                top, _, below = node.module.partition(".")
                if top == RUNTIME:
                    names = {
                        below.partition(".")[0],
                        *(name.name for name in node.names),
                    }
                    self._subjects |= names & NEEDS.keys()
                    line = lines[node.lineno - 1]
                    lines[node.lineno - 1] = line.replace(
                        f"from {RUNTIME}", f"from .{dots}{FOLDER}", 1
                    )
        return replace(artifact, text="\n".join(lines))

    def copies(self) -> Iterator[Artifact]:
        """Yield the files of the subjects that the changed files import, and those these need."""
        if not self._subjects:
            return
        folder = Path(brimgen_runtime.__file__).parent
        yield self._copy(folder / "__init__.py", "__init__.py")
        for subject in sorted(_closure(self._subjects)):
            for module in sorted((folder / subject).glob("*.py")):
                yield self._copy(module, f"{subject}/{module.name}")

    def _copy(self, file: Path, path: str) -> Artifact:
        text = file.read_text(encoding="utf-8")
        return Artifact(f"{self._root}{FOLDER}/{path}", text, is_copy=True)


def _closure(subjects: set[str]) -> set[str]:
    found: set[str] = set()
    waiting = [*subjects]
    while waiting:
        subject = waiting.pop()
        if subject not in found:
            found.add(subject)
            waiting += NEEDS[subject]
    return found
