"""Compiled templates: rendered without jinja2, kept between runs, never believed when damaged."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, SimpleNamespace

import pytest

from brimgen.emit import render as room
from brimgen.emit.code import Code
from brimgen.emit.compiling import compiled, environment
from brimgen.emit.forms import FOLDER, Shelf, is_plain
from brimgen.emit.render import RawText, only_code, render, template_root

ROOT = Path(__file__).resolve().parents[2]
NAME = "python/enum.py.j2"
SCRIPT = """\
import sys
from types import SimpleNamespace
from brimgen.emit.render import render
view = SimpleNamespace(value={"a": [1]})
print(repr(str(render("openapi/document.json.j2", view))), "jinja2" in sys.modules)
"""


def _code(source: str) -> CodeType:
    made = environment(lambda name: None, only_code, room._FILTERS)
    return compiled("made.j2", source, made)


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("BRIMGEN_CACHE", str(tmp_path))
    return Shelf()


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Templates of a test in place of those of the package."""
    made: dict[str, str] = {}
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    monkeypatch.setattr(room, "_source", made.get)
    kept = (room._template, room._shelf, room._surroundings, room._environment)
    for each in kept:
        each.cache_clear()
    yield made
    for each in kept:
        each.cache_clear()


def _run(cache: Path) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT / "generator"),
            "BRIMGEN_CACHE": str(cache),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout


def test_the_second_run_imports_no_jinja2(tmp_path: Path) -> None:
    first, second = _run(tmp_path), _run(tmp_path)
    assert first.endswith("True\n")
    assert first.replace("True", "False") == second


def test_where_nothing_can_be_kept_templates_are_compiled(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("in the way")
    assert _run(tmp_path) == _run(tmp_path)
    assert ["templates"] == [each.name for each in tmp_path.iterdir()]


def test_a_form_is_kept_by_the_text_it_was_made_of(shelf: Shelf) -> None:
    code = _code("{{ view.a }}")
    assert shelf.read("made.j2", "{{ view.a }}") is None
    shelf.keep("made.j2", "{{ view.a }}", code)
    assert code == shelf.read("made.j2", "{{ view.a }}")
    assert shelf.read("made.j2", "{{ view.b }}") is None
    assert shelf.read("other.j2", "{{ view.a }}") is None


def test_a_form_of_another_jinja2_is_none(shelf: Shelf) -> None:
    shelf.keep("made.j2", "", _code(""))
    shelf._maker = b"__version__ = '4.0'"
    assert shelf.read("made.j2", "") is None


def test_damaged_forms_are_ignored(shelf: Shelf, tmp_path: Path) -> None:
    shelf.keep("made.j2", "{{ view.a }}", _code("{{ view.a }}"))
    [path] = (tmp_path / FOLDER).iterdir()
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[place] ^= 0x55
        for data in (whole[:place], bytes(changed)):
            path.write_bytes(data)
            assert shelf.read("made.j2", "{{ view.a }}") is None
    path.write_bytes(whole)
    assert shelf.read("made.j2", "{{ view.a }}") is not None


def test_forms_that_another_user_wrote_are_ignored(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.keep("made.j2", "", _code(""))
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert shelf.read("made.j2", "") is None


def test_the_cache_can_be_switched_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    monkeypatch.chdir(tmp_path)
    shelf = Shelf()
    shelf.keep("made.j2", "", _code(""))
    assert shelf.read("made.j2", "") is None
    assert [] == list(tmp_path.iterdir())


def test_every_template_is_plain() -> None:
    paths = sorted(Path(str(template_root())).rglob("*.j2"))
    rich = [each.name for each in paths if not is_plain(_code(each.read_text()))]
    assert [] == rich


VIEW = SimpleNamespace(items=(Code("a"), Code("b")), raw="text")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{% for each in view.items %}{{ each }};{% endfor %}", "a;b;"),
        ("{% for x in view.items %}{% include 'part' %}{% endfor %}", "<a><b>"),
        ("{% for x in view.items %}{{ loop.index }}{{ x }}{% endfor %}", "1a2b"),
        ("{% macro m(x) %}({{ x }}){% endmacro %}{{ m(view.items[0]) }}", "(a)"),
        (
            "{% for x in view.items %}{{ loop.index }}{% include 'part' %}{% endfor %}",
            "1<a>2<b>",
        ),
    ],
)
def test_what_forms_cannot_do_jinja2_does(
    source: str, expected: str, sources: dict[str, str]
) -> None:
    sources |= {"made": source, "part": "<{{ x }}>"}
    assert expected == render("made", VIEW)


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{{ view.raw }}", RawText),
        (
            "{% for x in view.items %}{{ loop.index }}{{ view.raw }}{% endfor %}",
            RawText,
        ),
        ("{{ view.nothing }}", AttributeError),
        ("{{ nothing }}", NameError),
        ("{% include 'nothing' %}", FileNotFoundError),
    ],
)
def test_mistakes_of_templates_are_told(
    source: str, problem: type[Exception], sources: dict[str, str]
) -> None:
    sources["made"] = source
    with pytest.raises(problem):
        render("made", VIEW)
