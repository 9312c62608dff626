"""What packages do when they are called: sessions of Python, and what comes of each line of them.

The files ``*.cases`` hold specs and sessions. ``[case what a user would lose]`` may have specs of
its own (``[inline …]`` the arguments of a tool ``probe`` alone, ``[file NAME]`` one more file);
otherwise those of the ``[project OPTIONS]`` above it count. ``[python]`` is a module ``host`` of
the host program; the package is called PACKAGE in it. Lines are those of `support.sessions`. The
methods of `Words` are words of them, as are the public names of the package.
"""

from __future__ import annotations

import asyncio
import copy
import datetime as dt
import importlib
import io
import json
import logging
import math
import pickle
import re
import shlex
import sqlite3
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from textwrap import indent
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from brimgen_runtime.schema.expects import expected_lines
from brimgen_runtime.schema.json_text import parse_json, write_json
from brimgen_runtime.schema.validator import Validator
from support.case_files import parts
from support.cases import said_about
from support.checkers import BLACK, MYPY, PYRIGHT, RUFF, assert_clean
from support.project import Built, build, connection_to
from support.sessions import Session, Text

PROBE = "type: python_function\nname: probe\ndescription: d\narguments:\n  inline:\n"
WORDS = {
    **{each.__name__: each for each in (asyncio, copy, json, math, pickle, re, typing)},
    **{each.__name__: each for each in (Decimal, Fraction, UUID, Path, Validator)},
    **{
        each.__name__: each
        for each in (replace, parse_json, write_json, expected_lines)
    },
    "dt": dt,
    "sqlite3": sqlite3,
    "nan": math.nan,
    "inf": math.inf,
    "Text": Text,
}


class Project(NamedTuple):
    """The options of `build` as they are written, the specs by file, and the host program."""

    options: str
    files: tuple[tuple[str, str], ...]
    host: str = ""


class Case(NamedTuple):
    """A session, and the project that it is held with."""

    session: Session
    project: Project


def _cases() -> Iterator[Case]:
    for path in sorted(Path(__file__).parent.glob("*.cases")):
        shared = project = Project("", ())
        name = ""
        for kind, title, text in parts(
            path, "project", "case", "inline", "file", "python"
        ):
            body, mark, session = text.partition("> " if text[:2] == "> " else "\n> ")
            session, body = f"> {session}" if mark else "", body + mark[:-2]
            if kind == "file":
                project = project._replace(files=(*project.files, (title, body)))
            elif kind == "python":
                project = project._replace(host=body)
            else:
                spec = PROBE + indent(body, "    ") if kind == "inline" else body
                name, project = title, (
                    Project("", (("a.yaml", spec),)) if body else shared
                )
                if kind == "project":
                    project = project._replace(options=title)
            if name == project.options:
                shared = project
            if session:
                yield Case(Session(path, name, session), project)


CASES = list(_cases())


@cache
def _built(project: Project) -> Built:
    options = eval(f"dict({project.options})", {"connection_to": connection_to})
    return build(Path(mkdtemp()), dict(project.files), **options)


class Words:
    """A package, a folder of its own, and the words that lines may use besides its names."""

    def __init__(self, built: Built | None, folder: Path) -> None:
        self.built, self.folder = built, folder

    def __getattr__(self, name: str) -> Any:
        """What was built, by its names: `files`, `schema`, `json`, `load`, `tool`, `spec`."""
        return getattr(self.built, name)

    @property
    def said(self) -> Text:
        """What the build says."""
        return Text(said_about(self.built.folder / "specs", self.built.diagnostics))

    def kind(self, *name: str) -> Any:
        """The input class of a tool; the name may be left out where there is one tool."""
        tools = self.built.load().TOOLS
        return tools[name[0] if name else next(iter(tools))].input_type

    def call(self, *given: Any) -> Any:
        """What a handler has of what a model sends; written and read again, it is the same."""
        return self._read("from_call", *given)

    def read(self, *given: Any) -> Any:
        """The same of what a program sends: null is a value."""
        return self._read("from_dict", *given)

    def _read(self, method: str, *given: Any) -> Any:
        *name, sent = given
        kind, before = self.kind(*name), repr(sent)
        try:
            made = getattr(kind, method)(sent)
        finally:
            assert before == repr(sent)
        assert made == kind.from_dict(made.to_dict()) == kind.from_call(made.to_json())
        return made

    def bind(self, name: str, sent: Any, *context: Any, **given: Any) -> Any:
        """What the handler of a tool receives of a call, a context and values of the host."""
        tool = self.built.tool(name)
        return tool.bound_type.bind(tool.input_type.from_call(sent), *context, **given)

    def serve(self, **options: Any) -> Any:
        """A service whose tools may lack what they need."""
        return self.built.load("service").Service(**{"partial": True, **options})

    def outcome(self, name: Any, sent: Any = None, /, **options: Any) -> Any:
        """How a call of a new service ends, and that it ends the same in an async one."""

        async def run() -> Any:
            made = self.built.load("service").AsyncService
            async with made(**{"partial": True, **options}) as service:
                return await service.outcome(name, sent)

        with self.serve(**options) as service:
            found = service.outcome(name, sent)
        assert found.to_dict() == asyncio.run(run()).to_dict()
        return found

    def run(self, line: str, stdin: str = "", *, is_quiet: bool = False) -> Text:
        """What ``python -m PACKAGE`` prints, of errors unless it is quiet, and its exit code."""
        service = self.built.load("service")
        command = importlib.import_module("brimgen_runtime.service.command")
        out = io.StringIO()
        with (
            redirect_stdout(out),
            redirect_stderr(io.StringIO() if is_quiet else out),
            pytest.MonkeyPatch.context() as it,
        ):
            it.setattr("sys.stdin", io.StringIO(stdin))
            try:
                code = command.main(service.Service, service.PLAN, shlex.split(line))
            except SystemExit as stop:
                code = stop.code
        return Text(f"{out.getvalue()}exit {code}")

    def database(self, script: str, name: str = "items.db") -> str:
        """The path of a new SQLite database."""
        with closing(sqlite3.connect(self.folder / name)) as connection:
            connection.executescript(script)
        return str(self.folder / name)

    @staticmethod
    def logged(work: Callable[[], object]) -> Text:
        """The log records of some work, one a line."""
        records: list[logging.LogRecord] = []
        handler = logging.Handler()
        handler.emit = records.append  # type: ignore[method-assign]
        level = logging.root.level
        logging.root.addHandler(handler)
        logging.root.setLevel(logging.INFO)
        work()
        logging.root.setLevel(level)
        logging.root.removeHandler(handler)
        told = (f"{x.levelname} {logging.Formatter().format(x)}" for x in records)
        return Text(re.sub(r"in \d[\d.]* m?s", "in …", "\n".join(told) or "nothing"))

    @staticmethod
    def told(schema: Any, value: Any, **options: Any) -> Text:
        """The rules that a value breaks, and what is said of each."""
        validator = Validator(schema, **options)
        found = validator.violations(value)
        assert validator.is_valid(value) == (not found)
        return Text("\n".join(f"{x.rule}: {x.message}" for x in found) or "fine")

    @staticmethod
    def takes(schema: Any, *values: Any) -> Text:
        """Whether a schema accepts each value."""
        told = (Words.told(schema, each) for each in values)
        return Text(" ".join("yes" if each == "fine" else "no" for each in told))

    @staticmethod
    def expects(schema: Any) -> Text:
        """What a retry message says that a tool with this schema expects."""
        return Text(Validator({}, expects=lambda: expected_lines(schema)).expects())


def hold(case: Case, folder: Path) -> None:
    """Hold the session of a case with its project."""
    built = _built(case.project._replace(host="")) if case.project.files else None
    session = Words(built, folder)
    names: dict[str, Any] = {**WORDS, "folder": folder}
    words = [
        each for each in vars(Words) if each[0] != "_" and (built or each != "said")
    ]
    names |= {each: getattr(session, each) for each in words}
    package = built.package if built else "PACKAGE"
    if built and built.files:
        made = built.load()
        names |= {each: getattr(made, each) for each in made.__all__}
        names |= {
            each: getattr(built, each) for each in ("files", "schema", "load", "sent")
        }
    if case.project.host:
        (folder / "host.py").write_text(case.project.host.replace("PACKAGE", package))
        sys.modules.pop("host", None)
        names |= vars(importlib.import_module("host"))
    changing = {str(folder): "FOLDER", package: "PACKAGE"}
    changing |= {package.replace("_", "-"): "PACKAGE"}
    case.session.run(names, changing)


@pytest.mark.parametrize(
    "case", CASES, ids=lambda it: f"{it.session.path.stem}-{it.session.words}"
)
def test_calls_end_as_they_did(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    hold(case, tmp_path)


@pytest.mark.whole
def test_type_checkers_accept_the_packages_of_all_sessions(tmp_path: Path) -> None:
    """No checker, formatter or linter has anything to say of what any session generated."""
    packages = set()
    for project in {each.project._replace(host="") for each in CASES}:
        if not project.files:
            continue
        built = _built(project)
        python = {
            path: text for path, text in built.files.items() if path[:7] == "python/"
        }
        packages |= {built.package} if python else set()
        for path, text in python.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
    strict = {"typeCheckingMode": "strict", "reportUnknownLambdaType": False}
    (tmp_path / "python/pyrightconfig.json").write_text(json.dumps(strict))
    by = [BLACK, RUFF, MYPY, PYRIGHT]
    assert_clean(tmp_path / "python", *sorted(packages), by=by)
