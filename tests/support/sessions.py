"""Sessions: lines of Python in files of cases, and what comes of each.

A line that begins with ``> `` is Python, and ``. `` goes on with it. What it prints and its value
stand behind ``  => `` or, indented, below it; what is raised stands behind ``! ``.
``BRIMGEN_REGEN=1 pytest -n0`` writes anew what comes.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import pytest

from brimgen_runtime.schema.errors import InputError
from support.case_files import parts, rewrite
from support.cases import is_regenerating

LINE = re.compile(r"^> (.*?(?:\n\. .*?)*)(?:  => (.*))?\n((?:  .*\n)*)|^(.*)\n", re.M)
LONGEST, MOST, WIDTH = 800, 60, 110
"""The characters of a line and the lines of a text that are shown; the width of a line."""


class Text(str):
    """What is shown as it is."""


class Session(NamedTuple):
    """One case of a file: its words, which say what a user would lose, and its lines."""

    path: Path
    words: str
    lines: str

    def run(
        self, names: Mapping[str, Any], changing: Mapping[str, str] | None = None
    ) -> None:
        """Run the lines one after another; the same comes of them as before.

        What is ``changing`` from run to run, as ports are, is written by its name.
        """
        known = {"__name__": self.path.stem, **names}
        played = self.play(known, changing or {})
        if is_regenerating():
            rewrite(self.path, f" {self.words}]", self.lines, played)
        else:
            assert self.lines == played

    def play(self, names: dict[str, Any], changing: Mapping[str, str]) -> str:
        """The lines, with what comes of each now."""
        text = ""
        for code, _, _, kept in LINE.findall(self.lines):
            if not code:
                text += f"{kept}\n"
                continue
            found = _done(code.replace("\n. ", "\n"), names)
            text += f"> {code}"
            if found is not None:
                for each, word in changing.items():
                    found = found.replace(each, word)
                found = _cut(found)
                is_short = "\n" not in f"{code}{found}" and len(code + found) < WIDTH
                text += (
                    f"  => {found}" if is_short else "\n" + indent(found, "  ", bool)
                )
            text += "\n"
        return text


def sessions(path: Path) -> list[Any]:
    """The cases of a file, as parameters of a test."""
    return [
        pytest.param(Session(path, each.title, each.text), id=each.title)
        for each in parts(path, "case")
    ]


def shown(value: Any) -> str:
    """A value as a session shows it."""
    if isinstance(value, InputError):
        told = value.retry_message()
        assert len(told.encode()) < 20_000 and len(str(value)) < 20_000
        lines = [f"{each.rule}: {each.message}" for each in value.violations]
        return "\n".join(lines + [f"and {value.omitted} more"] * bool(value.omitted))
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}".rstrip()
    if hasattr(value, "status") and hasattr(value, "to_dict"):  # an outcome
        json.dumps(value.to_dict())
        return repr(value.value) if not value.is_error else f"{value.code} {value.text}"
    is_text = isinstance(value, Text) or (isinstance(value, str) and "\n" in value)
    return value if is_text else repr(value)


def _cut(text: str) -> str:
    lines = [
        (
            line
            if len(line) <= LONGEST
            else f"{line[:LONGEST // 2]}… ({len(line)} characters)"
        )
        for line in text.splitlines()
    ]
    return "\n".join(lines[:MOST] + [f"… ({len(lines)} lines)"] * (len(lines) > MOST))


def _show(value: Any) -> None:
    if value is not None:
        print(shown(value))


def _done(code: str, names: dict[str, Any]) -> str | None:
    """What comes of some lines: what they print, and each value that is not None."""
    out = io.StringIO()
    with redirect_stdout(out), pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.displayhook", _show)
        try:
            lines = ast.Interactive(ast.parse(code).body)
            exec(compile(lines, "<session>", "single"), names)
        except (Exception, KeyboardInterrupt, SystemExit) as problem:
            print(f"! {shown(problem)}".replace("\n", "\n! "))
    return out.getvalue().removesuffix("\n") if out.getvalue() else None
