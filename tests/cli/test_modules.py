"""Modules kept in one file: they are what Python would import, or as if they were not there."""

from __future__ import annotations

import json
import os
import py_compile
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.builds import tree

ROOT = Path(__file__).resolve().parents[2]
TOOL = """\
type: python_function
name: find_orders
description: Find {which} order that fits.
handler: backend.tools:find_orders
arguments:
  inline:
    title: {{ type: string, maxLength: 80 }}
returns: string[]
"""
RUN = """\
import json
import os
import sys

read = []


def see(event, details):
    if event == "open" and str(details[0]).endswith(".pyc"):
        read.append(os.path.abspath(details[0]))


sys.addaudithook(see)
from brimgen.__main__ import main

try:
    main()
except SystemExit as end:
    code = end.code
loaders = {
    name: type(module.__spec__.loader).__module__
    for name, module in sys.modules.items()
    if name.startswith("brimgen.")
}
kept = [name for name, each in loaders.items() if each == "brimgen.stamp.modules"]
print(json.dumps({"code": code, "kept": kept, "rooms": [*loaders], "read": read}))
"""


@dataclass
class Ran:
    """What a run said, and how it came by its modules."""

    code: int
    said: str
    kept: set[str]
    rooms: set[str]
    read: list[str]


class Program:
    """A brimgen of its own, so that its files can be changed, and a project of it."""

    def __init__(self, home: Path) -> None:
        self.package = home / "generator" / "brimgen"
        for name in ("generator", "templates"):
            # With times of their own: those of an export are whole seconds, which settle late.
            shutil.copytree(
                ROOT / name,
                home / name,
                copy_function=shutil.copyfile,
                ignore=shutil.ignore_patterns("__pycache__"),
            )
        self.project = home / "project"
        (self.project / "specs").mkdir(parents=True)
        (self.project / "brimgen.yaml").write_text("targets: [python, json_schema]\n")
        self.cache = home / "cache"
        self._changes = 0
        self.settled()

    @property
    def files(self) -> list[Path]:
        return sorted((self.cache / "modules").glob("*"))

    def run(self, *options: str, code: str = RUN, **variables: str) -> Ran:
        """Generate after a change of the spec, in a process that tells about its modules."""
        self._changes += 1
        self.spec(f"every {self._changes}.")
        return self.built(*options, code=code, **variables)

    def late(self, *options: str, code: str = RUN, **variables: str) -> Ran:
        """`run`, where what was written before can be told from what is written later."""
        time.sleep(0.03)
        return self.run(*options, code=code, **variables)

    def built(
        self,
        *options: str,
        code: str = RUN,
        command: Sequence[str] = ("generate",),
        **variables: str,
    ) -> Ran:
        """Generate, or do another ``command``, in a process that tells about its modules."""
        ran = subprocess.run(
            [sys.executable, *options, "-c", code, *command],
            cwd=self.project,
            env={**self.variables(), **variables},
            capture_output=True,
            text=True,
            check=True,
        )
        found = json.loads(ran.stdout.splitlines()[-1])
        rooms = set(found["kept"]), set(found["rooms"])
        return Ran(found["code"], ran.stderr, *rooms, self._of_ours(found["read"]))

    def variables(self) -> Mapping[str, str]:
        given = {
            name: value
            for name, value in os.environ.items()
            if name != "PYTHONDONTWRITEBYTECODE"
        }
        path = str(self.package.parent)
        return {**given, "PYTHONPATH": path, "BRIMGEN_CACHE": str(self.cache)}

    def spec(self, which: str) -> None:
        (self.project / "specs/orders.yaml").write_text(TOOL.format(which=which))

    def settled(self) -> Ran:
        """Runs until all that they import is kept; the last one, which imports it from there."""
        for _ in range(6):
            ran = self.late()
            if ran.kept and not self.run().rooms - ran.kept - OWN:
                return self.run()
        raise AssertionError("nothing is kept")

    def _of_ours(self, paths: list[str]) -> list[str]:
        place = str(self.package)
        return [os.path.relpath(each, place) for each in paths if place in each]


OWN = {
    "brimgen.__main__",
    "brimgen.stamp",
    "brimgen.stamp.answer",
    "brimgen.stamp.compiled",
    "brimgen.stamp.evidence",
    "brimgen.stamp.modules",
}
"""What is imported before what is kept is offered, and after all that is to be kept."""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program that all tests of this page share; each leaves it such that it runs."""
    return Program(tmp_path_factory.mktemp("program"))


def test_a_run_imports_all_that_an_earlier_one_did_from_one_file(
    program: Program,
) -> None:
    ran = program.settled()
    assert 0 == ran.code
    assert ran.rooms - OWN == ran.kept
    assert "brimgen.increment.rebuild" in ran.kept
    assert set() == read_by_python(ran)


def read_by_python(ran: Ran) -> set[str]:
    """The compiled files that were read of modules other than those that are never kept."""
    own = {"__init__", *(each.rpartition(".")[2] for each in OWN)}
    return {each for each in ran.read if Path(each).name.partition(".")[0] not in own}


def test_the_same_is_made_and_said_without_the_file(program: Program) -> None:
    program.settled()
    outcomes: list[object] = []
    for _ in range(2):
        shutil.rmtree(program.project / "out")
        program.spec("any")
        ran = program.built()
        outcomes.append((ran.code, ran.said, tree(program.project / "out")))
        outcomes.append(ran.rooms - OWN)
        shutil.rmtree(program.cache / "modules")
        program.run()
    assert outcomes[:2] == outcomes[2:]


def touched(path: Path) -> None:
    os.utime(path)


def edited(path: Path) -> None:
    path.write_text(f"{path.read_text()}\nEDITED = True\n")


def replaced(path: Path) -> None:
    """By another file of the same size and time: Python itself is told by its compiled file."""
    before, other = path.stat(), path.with_suffix(".new")
    text = path.read_text()
    other.write_text(text[:3] + text[3:9].swapcase() + text[9:])  # of its docstring
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert other.stat().st_size == before.st_size
    os.replace(other, path)


def compiled_again(path: Path) -> None:
    """What Python has compiled is removed: so is told whoever mistrusts it."""
    for each in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        each.unlink()


@pytest.mark.parametrize("change", [touched, edited, replaced, compiled_again])
def test_a_program_that_changed_is_imported_in_the_way_of_python(
    program: Program, change: Callable[[Path], None]
) -> None:
    program.settled()
    change(program.package / "output/plan.py")
    ran = program.late()
    assert (0, set()) == (ran.code, ran.kept)
    assert "output/__pycache__/plan.cpython" in " ".join(ran.read)
    assert program.settled().kept >= {"brimgen.output.plan"}


def test_the_new_text_runs(program: Program) -> None:
    program.settled()
    room = program.package / "cli/stamps.py"
    text = room.read_text()
    room.write_text(text.replace("} unchanged", "} as they were"))
    for _ in range(3):
        assert "as they were" in program.late().said
    room.write_text(text)
    assert " unchanged" in program.settled().said


@pytest.mark.parametrize(
    ("options", "variables"),
    [
        (("-O",), {}),
        (("-OO",), {}),
        ((), {"PYTHONPYCACHEPREFIX": "compiled"}),
        ((), {"BRIMGEN_CACHE": ""}),
    ],
)
def test_what_another_python_would_not_import_is_not_for_it(
    program: Program,
    tmp_path: Path,
    options: tuple[str, ...],
    variables: dict[str, str],
) -> None:
    program.settled()
    if "PYTHONPYCACHEPREFIX" in variables:
        variables = {"PYTHONPYCACHEPREFIX": str(tmp_path)}
    before = {each: each.read_bytes() for each in program.files}
    assert (0, set()) == kept_in(program.run(*options, **variables))
    assert before.items() <= {each: each.read_bytes() for each in program.files}.items()
    assert program.settled().kept


def kept_in(ran: Ran) -> tuple[int, set[str]]:
    return ran.code, ran.kept


def test_python_with_flags_has_a_file_of_its_own(program: Program) -> None:
    program.settled()
    plain = len(program.files)
    for _ in range(3):
        program.late("-O")
    ran = program.run("-O")
    assert "brimgen.output.plan" in ran.kept
    assert plain + 1 == len(program.files)


@pytest.mark.parametrize(
    "command",
    [
        ("action", "specs/orders.yaml"),
        ("outputs", "specs/orders.yaml"),
        ("generate", "--force"),
    ],
)
def test_other_runs_that_build_take_what_is_kept_and_keep_nothing(
    program: Program, command: tuple[str, ...]
) -> None:
    program.settled()
    program.built(command=command)  # has Python compile what none of the others imports
    program.settled()
    before = {each: each.read_bytes() for each in program.files}
    ran = program.built(command=command)
    assert 0 == ran.code
    assert "brimgen.resolve.tools" in ran.kept
    assert "brimgen.cli.main" in ran.rooms - ran.kept
    assert before == {each: each.read_bytes() for each in program.files}
    touched(program.package / "output/plan.py")
    assert (0, set()) == kept_in(program.built(command=command))


def test_nothing_is_kept_where_nothing_may_be_compiled(program: Program) -> None:
    program.settled()
    shutil.rmtree(program.cache / "modules")
    for _ in range(2):
        ran = program.late(PYTHONDONTWRITEBYTECODE="1")
        assert (0, set()) == kept_in(ran)
    assert [] == program.files


def test_what_python_has_not_compiled_is_left_to_it(program: Program) -> None:
    """As where its folders cannot be written."""
    program.settled()
    shutil.rmtree(program.cache / "modules")
    folder = program.package / "output/__pycache__"
    shutil.rmtree(folder)
    folder.write_text("")
    ran = [program.late() for _ in range(4)][-1]
    folder.unlink()
    assert ran.kept == {
        each for each in ran.rooms - OWN if not each.startswith("brimgen.output")
    }


def test_code_that_is_known_by_a_digest_of_its_source_is_kept(program: Program) -> None:
    program.settled()
    shutil.rmtree(program.cache / "modules")
    source = program.package / "output/plan.py"
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(source), invalidation_mode=mode, doraise=True)
    assert "brimgen.output.plan" in program.settled().kept
    compiled_again(source)
    assert "brimgen.output.plan" in program.settled().kept


def test_a_damaged_file_is_made_anew(program: Program) -> None:
    whole = program.settled()
    (file,) = program.files
    data = file.read_bytes()
    for damaged in (b"", data[:1000], data[:1000] + bytes([data[1000] ^ 1])):
        file.write_bytes(damaged + data[1001:])
        assert (0, set()) == kept_in(program.run())
        assert whole.kept == program.run().kept


def test_a_damaged_module_is_imported_in_the_way_of_python(program: Program) -> None:
    whole = program.settled()
    (file,) = program.files
    data = file.read_bytes()
    middle = len(data) // 2
    file.write_bytes(data[:middle] + bytes(4000) + data[middle + 4000 :])
    assert 0 == program.run().code
    ran = program.run()
    assert whole.kept == ran.kept
    assert set() == read_by_python(ran)
    assert len(data) == file.stat().st_size


def test_runs_at_the_same_time_leave_a_whole_file(program: Program) -> None:
    program.settled()
    shutil.rmtree(program.cache / "modules")
    program.spec("any")
    with ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(program.built) for _ in range(3)]
        assert [0, 0, 0] == [each.result().code for each in runs]
    assert 1 == len(program.files)
    assert program.run().kept


def test_a_cache_that_refuses_is_no_misfortune(program: Program) -> None:
    program.settled()
    shutil.rmtree(program.cache / "modules")
    (program.cache / "modules").write_text("")
    for _ in range(2):
        assert (0, set()) == kept_in(program.run())
    (program.cache / "modules").unlink()


IN_FRONT = """\
import importlib.machinery
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "brimgen.output.plan":
            self.asked = True
        return None


finder = Finder()
sys.meta_path.insert(0, finder)
"""


def test_finders_of_others_are_asked_first(program: Program) -> None:
    program.settled()
    ran = program.run(code=f"{IN_FRONT}{RUN}assert finder.asked")
    assert "brimgen.output.plan" in ran.kept


PATCHED = """\
import sys
from importlib import machinery


class Loader(machinery.SourceFileLoader):
    pass


native = machinery.ExtensionFileLoader, machinery.EXTENSION_SUFFIXES
sys.path_hooks.insert(0, machinery.FileFinder.path_hook((Loader, [".py"]), native))
sys.path_importer_cache.clear()
"""


def test_loaders_of_others_are_not_replaced(program: Program) -> None:
    program.settled()
    before = {each: each.read_bytes() for each in program.files}
    assert (0, set()) == kept_in(program.run(code=PATCHED + RUN))
    assert before == {each: each.read_bytes() for each in program.files}


def test_a_library_keeps_nothing(program: Program) -> None:
    program.settled()
    shutil.rmtree(program.cache / "modules")
    script = RUN.replace("brimgen.__main__ import main", "brimgen.cli.main import run")
    ran = program.late(code=script.replace("main()", "sys.exit(run(sys.argv[1:]))"))
    assert (0, set()) == kept_in(ran)
    assert [] == program.files
