"""A module that is imported from the file of the cache is the one that Python imports."""

from __future__ import annotations

import importlib
import importlib.resources
import inspect
import marshal
import os
import pickle
import py_compile
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from brimgen.stamp import compiled, modules
from brimgen.stamp.answer import Question, question
from brimgen.stamp.compiled import keep
from brimgen.stamp.evidence import State, state, unpacked
from brimgen.stamp.modules import LENGTH, Finder, Module, Modules

ROOM = '''\
"""A room."""


class Value:
    """What is made here."""

    def fail(self) -> None:
        """Raises `ValueError`."""
        raise ValueError("no")


def value() -> Value:
    """One of them."""
    return Value()
'''
NAMES = ("kept_sample", "kept_sample.room")


class Sample:
    """A package of two modules that an earlier run has imported, as a program of its own."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.package = folder / "kept_sample"
        self.package.mkdir()
        self.room = self.package / "room.py"
        (self.package / "__init__.py").write_text('"""A package."""\n')
        self.room.write_text(ROOM)
        (self.package / "notes.txt").write_text("a note")
        monkeypatch.setenv("BRIMGEN_CACHE", str(folder / "cache"))
        monkeypatch.setattr(sys, "dont_write_bytecode", False)
        monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
        monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
        asked = question(["generate"])
        assert asked is not None
        self._asked = asked
        monkeypatch.setattr(compiled, "program", self.states)
        self.by_python = self.imported()
        let_the_clock_tick()

    @property
    def asked(self) -> Question:
        """A question, asked now, in which this package is the program."""
        self._asked.moment = time.time_ns()
        self._asked.program = self.states()
        return self._asked

    def states(self) -> dict[str, State]:
        """The states of the files of the package."""
        files = [*map(str, self.package.iterdir())]
        return {each: found for each in files if (found := state(each))}

    def imported(self) -> ModuleType:
        """The room, imported anew."""
        importlib.invalidate_caches()
        for name in NAMES:
            sys.modules.pop(name, None)
        return importlib.import_module(NAMES[1])

    def keep(self) -> Path:
        """Keep the package; return the file in which it is."""
        run = self.run()
        keep(run, self.asked, NAMES)
        return Path(run.path)

    def run(self) -> Modules:
        """A run that begins now."""
        asked = self.asked
        return Modules(asked.folder, asked)

    def kept(self) -> dict[str, bytes]:
        """What is kept of each module."""
        data = self.keep().read_bytes()
        begin = LENGTH + int.from_bytes(data[:LENGTH], "big")
        head: Any = unpacked(data[LENGTH:begin])
        modules: dict[str, Module] = head[3]
        return {
            name: data[begin + start :][:size]
            for name, (*_, start, size, _) in modules.items()
        }

    def taken(self) -> set[str]:
        """The modules that are imported from the file, of all that are imported."""
        assert self.imported().value().__class__.__name__ == "Value"
        finders = [each for each in sys.meta_path if isinstance(each, Finder)]
        return {*finders[0].kept}

    def is_offered(self) -> bool:
        """Whether a run would import the package from the file."""
        sys.meta_path[:] = [each for each in sys.meta_path if type(each) is not Finder]
        self.run().offer()
        return any(type(each) is Finder for each in sys.meta_path)


def let_the_clock_tick() -> None:
    """Until now what was written before can be told from what is written later."""
    time.sleep(0.03)


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sample]:
    yield Sample(tmp_path, monkeypatch)
    for name in NAMES:
        sys.modules.pop(name, None)


def facts(module: ModuleType) -> list[object]:
    """What can be asked of a module about where it comes from."""
    spec = module.__spec__
    assert spec is not None
    return [
        *(module.__file__, module.__cached__, module.__doc__, module.__package__),
        *(module.__name__, getattr(module, "__path__", None), spec.parent),
        *(spec.name, spec.origin, spec.cached, spec.has_location),
        *(spec.submodule_search_locations, spec.loader_state),
    ]


def test_a_module_knows_where_it_comes_from(sample: Sample) -> None:
    package = sys.modules[NAMES[0]]
    expected = facts(package), facts(sample.by_python)
    sample.keep()
    assert sample.is_offered()
    room = sample.imported()
    assert type(room.__loader__).__module__ == "brimgen.stamp.modules"
    assert expected == (facts(sys.modules[NAMES[0]]), facts(room))


def test_a_module_shows_its_source(sample: Sample) -> None:
    sample.keep()
    assert sample.is_offered()
    room = sample.imported()
    assert inspect.getsource(room) == ROOM
    assert inspect.getsource(room.Value).startswith("class Value:")
    with pytest.raises(ValueError) as caught:
        room.value().fail()
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    told = last.filename, last.lineno, last.line, last.name
    assert told == (str(sample.room), 9, 'raise ValueError("no")', "fail")
    assert pickle.loads(pickle.dumps(room.value())).__class__ is room.Value
    notes = importlib.resources.files(NAMES[0]).joinpath("notes.txt")
    assert notes.read_text() == "a note"


def test_a_module_that_is_loaded_again_is_read(sample: Sample) -> None:
    sample.keep()
    assert sample.is_offered()
    room = sample.imported()
    sample.room.write_text(f"{ROOM}\nMORE = True\n")
    assert importlib.reload(room).MORE is True


def test_damage_is_seen_wherever_it_is(sample: Sample) -> None:
    path = sample.keep()
    data = path.read_bytes()
    begin = LENGTH + int.from_bytes(data[:LENGTH], "big")
    damaged = bytearray(data)
    for place in (*range(begin), *range(begin, len(data), 9)):
        damaged[place] ^= 1 << place % 8
        path.write_bytes(damaged)
        assert sample.is_offered() == (place >= begin)
        if place >= begin:
            assert 1 == len(sample.taken())
        damaged[place] = data[place]
    for end in range(0, begin, 3):
        path.write_bytes(data[:end])
        assert not sample.is_offered()
    for end in range(begin, len(data), 29):
        path.write_bytes(data[:end])
        assert sample.is_offered()
        assert len(sample.taken()) < 2
    path.write_bytes(data)
    assert sample.is_offered()
    assert {*NAMES} == sample.taken()


def test_what_was_damaged_is_kept_anew(sample: Sample) -> None:
    path = sample.keep()
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    run = sample.run()
    run.offer()
    sample.imported()
    assert {NAMES[0]} == {*run.kept}
    keep(run, sample.asked, [NAMES[1]])
    assert data == path.read_bytes()


def test_a_file_of_another_user_is_none(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.keep()
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert not sample.is_offered()


@pytest.mark.parametrize(
    ("name", "value"), [("version", "another"), ("pycache_prefix", "/elsewhere")]
)
def test_a_file_of_another_python_is_none(
    sample: Sample, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    path = sample.keep()
    monkeypatch.setattr(sys, name, value)
    assert not sample.is_offered()
    other = Path(sample.run().path)
    assert other != path
    path.rename(other)  # as where two of them had one name
    assert not sample.is_offered()


def test_code_of_an_older_source_is_not_kept(sample: Sample) -> None:
    file = Path(str(sample.by_python.__cached__))
    data = file.read_bytes()
    for place in (0, 4, 8, 12):  # the version, the flags, the time, the size
        other = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        file.write_bytes(other)
        assert {NAMES[0]} == sample.kept().keys()
    file.write_bytes(data[:40])
    assert {NAMES[0]} == sample.kept().keys()
    file.write_bytes(data)
    assert {*NAMES} == sample.kept().keys()


@pytest.mark.parametrize(
    "mode",
    [
        py_compile.PycInvalidationMode.CHECKED_HASH,
        py_compile.PycInvalidationMode.UNCHECKED_HASH,
    ],
)
def test_code_is_known_by_the_digest_of_its_source(
    sample: Sample, mode: py_compile.PycInvalidationMode
) -> None:
    py_compile.compile(str(sample.room), invalidation_mode=mode, doraise=True)
    let_the_clock_tick()
    assert {*NAMES} == sample.kept().keys()
    sample.room.write_text(f"{ROOM}\n")
    let_the_clock_tick()
    assert {NAMES[0]} == sample.kept().keys()


def test_where_files_cannot_be_read_at_a_place_nothing_is_kept(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[list[str]] = []

    def noted(run: Modules, asked: Question, names: list[str]) -> None:
        kept.append(names)

    sample.keep()
    monkeypatch.setattr(compiled, "keep", noted)
    run = sample.run()
    monkeypatch.setitem(sys.modules, "brimgen.another", sample.by_python)
    run.leave()
    assert [["brimgen.another"]] == kept
    monkeypatch.setattr(modules, "CAN_READ", False)
    run.leave()
    assert 1 == len(kept)
    assert not sample.is_offered()


def test_code_that_was_compiled_elsewhere_tells_its_place(sample: Sample) -> None:
    file = str(sample.by_python.__cached__)
    py_compile.compile(str(sample.room), file, "/elsewhere/room.py", doraise=True)
    let_the_clock_tick()
    code: CodeType = marshal.loads(sample.kept()[NAMES[1]])
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    assert {str(sample.room)} == {each.co_filename for each in (code, *inner)}


def test_nothing_is_kept_of_what_may_still_change(sample: Sample) -> None:
    os.utime(sample.room)
    assert not sample.keep().exists()
    let_the_clock_tick()
    (sample.package / "__pycache__" / "other").write_text("")
    assert not sample.keep().exists()
    let_the_clock_tick()
    assert sample.keep().exists()


def test_nothing_is_kept_of_what_changed_meanwhile(sample: Sample) -> None:
    run, asked = sample.run(), sample.asked
    sample.room.unlink()
    keep(run, asked, NAMES)
    assert not Path(run.path).exists()


def test_a_cache_that_cannot_be_written_is_found_out_first(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = sample.keep()
    data = path.read_bytes()
    path.unlink()

    def refuse(place: str, mode: int) -> bool:
        return (place, mode) != (str(path.parent), os.W_OK)

    with monkeypatch.context() as patch:
        patch.setattr(os, "access", refuse)
        patch.setattr(compiled, "program", None)  # which would be called later
        assert not sample.keep().exists()
    assert data == sample.keep().read_bytes()


def test_old_files_make_room(sample: Sample) -> None:
    folder = Path(sample.run().path).parent
    folder.mkdir(parents=True)
    for number in range(20):
        (folder / str(number)).write_text("")
        os.utime(folder / str(number), (number, number))
    path = sample.keep()
    rest = {str(number) for number in range(13, 20)}
    assert {path.name, *rest} == {*os.listdir(folder)}
