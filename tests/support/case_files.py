"""Files of cases in the form of mypy's: parts that begin with a mark in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Part(NamedTuple):
    """What stands below a mark ``[kind title]``, up to the next one."""

    kind: str
    title: str
    text: str


def parts(path: Path, *kinds: str) -> Iterator[Part]:
    """The parts of a file of cases, in its order; a mark of another kind is text."""
    marks = re.compile(rf"^\[({'|'.join(kinds)})(?: (.*))?\]\n", re.M)
    _, *found = marks.split(path.read_text("utf-8"))
    for kind, title, text in zip(found[::3], found[1::3], found[2::3], strict=True):
        yield Part(kind, title or "", text)


def rewrite(path: Path, after: str, old: str, new: str) -> None:
    """Put ``new`` in the place of ``old``, the first below the line that ends with ``after``."""
    before, mark, below = path.read_text("utf-8").partition(f"{after}\n")
    path.write_text(f"{before}{mark}{below.replace(old, new, 1)}", "utf-8")
