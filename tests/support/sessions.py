"""Sessions: text files of calls and of what comes of them, in the form of doctest.

A section begins with a line of words, which says what a user would lose; each ``>>>`` is run with
the names that a test gives, and what it prints stands below it. ``BRIMGEN_REGEN=1 pytest -n0``
writes what is printed anew.
"""

from __future__ import annotations

import contextlib
import difflib
import doctest
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.cases import is_regenerating


@dataclass(frozen=True)
class Session:
    """One section of a file: its words, and its examples."""

    path: Path
    words: str
    examples: tuple[doctest.Example, ...]

    def text(self, printed: list[str]) -> str:
        """The section, with what each example printed."""
        return self.words + "".join(
            "".join(
                f"{'...' if number else '>>>'} {line}\n"
                for number, line in enumerate(example.source.splitlines())
            )
            + said
            for example, said in zip(self.examples, printed, strict=True)
        )

    def run(
        self, names: Mapping[str, Any], changing: Mapping[str, str] | None = None
    ) -> None:
        """Run the examples one after another; they print what they did before.

        What is ``changing`` from run to run, as ports are, is printed by its name.
        """
        known = {"__name__": self.path.stem, **names}
        printed = [
            _printed(example.source, f"{self.path}:{example.lineno + 1}", known)
            for example in self.examples
        ]
        for text, name in (changing or {}).items():
            printed = [each.replace(text, name) for each in printed]
        expected = self.text([each.want for each in self.examples])
        if is_regenerating():
            whole = self.path.read_text("utf-8") + "\n"
            whole = whole.replace(f"{expected}\n", f"{self.text(printed)}\n")
            self.path.write_text(whole[:-1], "utf-8")
        elif expected != self.text(printed):
            lines = expected.splitlines(), self.text(printed).splitlines()
            pytest.fail("\n".join(difflib.ndiff(*lines)), pytrace=False)


def _printed(source: str, where: str, names: dict[str, Any]) -> str:
    """What an example prints; an exception is printed as its class and its words."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(source, where, "single"), names)
        except Exception as problem:
            print(f"{type(problem).__name__}: {problem}")
    return said.getvalue()


def sessions(path: Path) -> list[Any]:
    """The sections of a file, as parameters of a test."""
    parts = doctest.DocTestParser().parse(path.read_text("utf-8"), str(path))
    found: list[tuple[str, list[doctest.Example]]] = []
    for part in parts:
        if isinstance(part, doctest.Example):
            found[-1][1].append(part)
        elif part.strip():
            found.append((part.lstrip("\n"), []))
    return [
        pytest.param(Session(path, words, tuple(examples)), id=words.split("\n")[0])
        for words, examples in found
    ]
