"""The weight of the house: files, lines, statements and functions of each room, and of ``out/``.

Statements are counted in the syntax tree (``ast.stmt``), so the layout of
lines has no part in them. Run it as ``python benchmarks/size.py [--json] [ROOT]``.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from figures import show

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("generator", "runtime")
MEASURED = (*PRODUCT, "templates", "tests", "benchmarks", "specs", "out")


@dataclass
class Size:
    """What is counted of some files; statements and functions of Python files alone."""

    files: int = 0
    lines: int = 0
    statements: int = 0
    functions: int = 0

    def __add__(self, other: Size) -> Size:
        return Size(
            *(getattr(self, f.name) + getattr(other, f.name) for f in fields(self))
        )


def size_of(path: Path) -> Size:
    """The size of one file, which must be UTF-8."""
    text = path.read_text(encoding="utf-8")
    size = Size(files=1, lines=text.count("\n"))
    if path.suffix == ".py":
        kinds: Counter[str] = Counter()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.stmt):
                kinds["statements"] += 1
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                kinds["functions"] += 1
        size.statements = kinds["statements"]
        size.functions = kinds["functions"]
    return size


def files_of(folder: Path) -> Iterator[Path]:
    """The text files below a folder, without what Python keeps there."""
    for path in sorted(folder.rglob("*")):
        binary = path.suffix in {".pyc", ".png", ".gz"}
        parts = path.relative_to(folder).parts
        is_kept = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if path.is_file() and not binary and not is_kept:
            yield path


def sizes(root: Path) -> dict[str, Size]:
    """The size of each measured folder, and of each room of the product by its path."""
    found: dict[str, Size] = {}
    for name in MEASURED:
        folder = root / name
        for path in files_of(folder):
            size = size_of(path)
            found[name] = found.get(name, Size()) + size
            parts = path.relative_to(folder).parts
            if name in PRODUCT and len(parts) > 1:
                room = "/".join([name, *parts[:2]])
                if path.suffix == ".py":
                    found[room] = found.get(room, Size()) + size
    found["product (Python of generator/ and runtime/)"] = sum(
        (
            size_of(path)
            for name in PRODUCT
            for path in files_of(root / name)
            if path.suffix == ".py"
        ),
        Size(),
    )
    return dict(sorted(found.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", type=Path, default=ROOT)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = sizes(options.root)
    if options.json:
        print(json.dumps({name: vars(size) for name, size in found.items()}, indent=2))
        return
    show(
        "size",
        ["the house", "files", "lines", "statements", "functions"],
        [
            [name, *(f"{each:,}" for each in vars(size).values())]
            for name, size in found.items()
        ],
    )


if __name__ == "__main__":
    main()
