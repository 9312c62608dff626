"""A stamp answers where nothing changed; where anything did, the run builds."""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen import api
from brimgen.build import cache
from brimgen.build.stamp import answer, invocation
from brimgen.build.states import SUFFIXES
from brimgen.cli import run as cli
from brimgen.emit.render import _environment
from brimgen.source.files import MISNAMED
from brimgen.source.files import SUFFIXES as SPEC_SUFFIXES

ROOT = Path(__file__).resolve().parents[2]
ENTITY = """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, minimum: 0 }
"""
TOOL = """\
type: python_function
name: find_orders
description: Find every order that fits.
handler: backend.tools:find_orders
arguments:
  entity_ref: Page
  inline:
    title: string
returns: string[]
"""
BUILT, ANSWERED = "built", "answered"


class Project:
    """A project folder, and the command as the process of a user runs it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self._capsys = capsys
        self.said = ""

    def run(self, *arguments: str) -> tuple[str, int]:
        """How the command came to its end, and its exit code."""
        self._capsys.readouterr()
        asked = invocation(list(arguments))
        if asked is not None and answer(asked, arguments[0]):
            outcome = ANSWERED, 0
        else:
            outcome = BUILT, cli.run(list(arguments), invocation=asked)
        self.said = self._capsys.readouterr().err
        return outcome

    def stamps(self) -> list[Path]:
        return sorted(self.cache.glob("*.stamp"))


@pytest.fixture
def project(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Project:
    """A small project that was generated a while ago."""
    folder = tmp_path / "project"
    (folder / "specs" / "tools").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (folder / "specs" / "page.yaml").write_text(ENTITY)
    (folder / "specs" / "tools" / "find_orders.yaml").write_text(TOOL)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BRIMGEN_CACHE", str(folder / "cache"))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    made = Project(folder, capsys)
    assert (BUILT, 0) == made.run("generate")
    return made


@pytest.mark.parametrize("command", ["generate", "check"])
def test_the_answer_is_what_a_build_says(project: Project, command: str) -> None:
    tool = project.folder / "specs/tools/find_orders.yaml"
    tool.write_text(TOOL.replace("description: Find every order that fits.\n", ""))
    project.run("generate")
    assert (ANSWERED, 0) == project.run(command)
    answered = project.said
    shutil.rmtree(project.cache)
    assert (BUILT, 0) == project.run(command)
    assert project.said == answered
    assert "warning[" in answered


def edit(path: Path, old: str, new: str) -> None:
    """Change a file to one of the same size and the same time of modification."""
    assert len(old) == len(new)
    text = path.read_text()
    assert old in text
    before = path.stat()
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_spec(folder: Path) -> None:
    edit(folder / "specs/tools/find_orders.yaml", "every", "never")


def delete_spec(folder: Path) -> None:
    (folder / "specs/tools/find_orders.yaml").unlink()


def rename_spec(folder: Path) -> None:
    tools = folder / "specs/tools"
    (tools / "find_orders.yaml").rename(tools / "orders.yaml")


def add_spec(folder: Path) -> None:
    text = TOOL.replace("find_orders", "list_orders")
    (folder / "specs/list_orders.yml").write_text(text)


def swap_specs(folder: Path) -> None:
    (folder / "specs").rename(folder / "specs2")
    shutil.copytree(folder / "specs2", folder / "specs")
    edit_spec(folder)


def add_configuration(folder: Path) -> None:
    (folder / "brimgen.yaml").write_text("package: other\n")


def add_configuration_above(folder: Path) -> None:
    (folder.parent / "pyproject.toml").write_text(
        "[tool.brimgen]\nspecs = 'project/specs'\nout = 'project/out'\npackage = 'b'\n"
    )


def test_a_repository_begins_elsewhere(project: Project) -> None:
    (project.folder / ".git").mkdir()
    assert (BUILT, 0) == project.run("check")
    assert (ANSWERED, 0) == project.run("check")
    (project.folder / ".git" / "index").write_text("changes with every commit")
    assert (ANSWERED, 0) == project.run("check")


@pytest.mark.parametrize(
    "change",
    [
        edit_spec,
        delete_spec,
        rename_spec,
        add_spec,
        swap_specs,
        add_configuration,
        add_configuration_above,
    ],
)
def test_what_goes_in_has_changed(
    project: Project, change: Callable[[Path], None]
) -> None:
    assert (ANSWERED, 0) == project.run("check")
    change(project.folder)
    assert (BUILT, 3) == project.run("check")
    assert (BUILT, 3) == project.run("check")
    assert (BUILT, 0) == project.run("generate")
    assert (ANSWERED, 0) == project.run("check")


MODULE = "out/python/tools/tools/find_orders.py"


def edit_output(folder: Path) -> None:
    edit(folder / MODULE, "every", "never")


def delete_output(folder: Path) -> None:
    (folder / MODULE).unlink()


def delete_all(folder: Path) -> None:
    shutil.rmtree(folder / "out")


def edit_manifest(folder: Path) -> None:
    edit(folder / "out/manifest.json", '"python"', '"pythin"')


def link_output(folder: Path) -> None:
    module = folder / MODULE
    module.rename(folder / "elsewhere.py")
    module.symlink_to(folder / "elsewhere.py")


def link_folder(folder: Path) -> None:
    (folder / "out/python").rename(folder / "elsewhere")
    (folder / "out/python").symlink_to(folder / "elsewhere")


def link_all(folder: Path) -> None:
    (folder / "out").rename(folder / "elsewhere")
    (folder / "out").symlink_to(folder / "elsewhere")
    (folder / MODULE).write_text("")


def leave_journal(folder: Path) -> None:
    (folder / "out/.brimgen-journal").mkdir()


@pytest.mark.parametrize(
    "change",
    [
        edit_output,
        delete_output,
        delete_all,
        edit_manifest,
        link_output,
        link_folder,
        link_all,
        leave_journal,
    ],
)
def test_what_came_out_has_changed(
    project: Project, change: Callable[[Path], None]
) -> None:
    assert (ANSWERED, 0) == project.run("check")
    change(project.folder)
    how, code = project.run("check")
    assert BUILT == how
    assert 0 != code


def test_what_was_edited_by_hand_leaves_no_stamp(project: Project) -> None:
    edit_output(project.folder)
    assert (BUILT, 3) == project.run("generate")
    assert (BUILT, 3) == project.run("generate")
    assert (BUILT, 0) == project.run("generate", "--force")
    assert (BUILT, 0) == project.run("generate", "--force")


def test_specs_with_errors_leave_no_stamp(project: Project) -> None:
    (project.folder / "specs/page.yaml").write_text("type: entity\n")
    assert (BUILT, 1) == project.run("check")
    assert (BUILT, 1) == project.run("check")


def test_other_options_are_another_question(project: Project) -> None:
    assert (BUILT, 0) == project.run("generate", "--target", "json_schema")
    assert (ANSWERED, 0) == project.run("generate", "--target", "json_schema")
    assert (BUILT, 3) == project.run("check", "--package", "other")
    assert (ANSWERED, 0) == project.run("check")


def test_a_configuration_that_is_named(project: Project) -> None:
    named = project.folder / "other.yaml"
    named.write_text("package: one\n")
    for options in (("--config", "other.yaml"), ("--config=other.yaml",)):
        assert (BUILT, 0) == project.run("generate", *options)
        assert (ANSWERED, 0) == project.run("check", *options)
        edit(named, "one", "two")
        assert (BUILT, 3) == project.run("check", *options)
        edit(named, "two", "one")


@pytest.mark.parametrize(
    ("options", "lock"),
    [
        ((), "brimgen.lock.json"),
        (("--config", "other.yaml"), "other.brimgen.lock.json"),
        (("--specs", "others", "--out", "gen"), "others.brimgen.lock.json"),
    ],
)
def test_a_lock_file_that_is_gone_is_missed(
    project: Project, options: tuple[str, ...], lock: str
) -> None:
    (project.folder / "other.yaml").write_text("package: one\n")
    (project.folder / "specs" / "desk.yaml").write_text(
        "type: bundle\nname: desk\ndisplayName: Desk\ndescription: Orders.\n"
    )
    (project.folder / "specs/tools/find_orders.yaml").write_text(
        TOOL + "bundle: desk\n"
    )
    shutil.copytree(project.folder / "specs", project.folder / "others")
    for _ in range(2):
        assert (BUILT, 0) == project.run("generate", *options)
    assert (ANSWERED, 0) == project.run("check", *options)
    (project.folder / lock).unlink()
    assert (BUILT, 3) == project.run("check", *options)


def test_from_a_terminal_to_a_pipe_nothing_is_built(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = project.folder / "specs/tools/find_orders.yaml"
    tool.write_text(TOOL.replace("description: Find every order that fits.\n", ""))
    assert (BUILT, 0) == project.run("generate")
    plain = project.said
    for variables, coloured in (
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        assert (ANSWERED, 0) == project.run("generate")
        assert coloured == ("\x1b[" in project.said)
        assert "warning" in project.said
    assert "\x1b" not in plain


def test_colours_that_an_option_asks_for(project: Project) -> None:
    tool = project.folder / "specs/tools/find_orders.yaml"
    tool.write_text(TOOL.replace("description: Find every order that fits.\n", ""))
    for by in (BUILT, ANSWERED):
        for when in ("always", "never"):
            assert (by, 0) == project.run("generate", "--color", when)
            assert (when == "always") == ("\x1b[" in project.said)


@pytest.mark.parametrize("format", ["json", "github"])
def test_what_programs_read_is_always_worked_out(project: Project, format: str) -> None:
    for _ in range(2):
        assert (BUILT, 0) == project.run("check", "--format", format)


def test_a_damaged_stamp_is_none(project: Project) -> None:
    (stamp,) = project.stamps()
    whole = stamp.read_bytes()
    damaged = [whole[:end] for end in (0, 7, 16, 20, len(whole) // 2, len(whole) - 1)]
    damaged += [
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        for place in (3, 17, 21, len(whole) // 2, len(whole) - 1)
    ]
    for data in damaged:
        stamp.write_bytes(data)
        assert cache.read_entry(str(stamp)) is None
    assert (BUILT, 0) == project.run("check")
    assert (ANSWERED, 0) == project.run("check")


def rewrite(stamp: Path, **changes: Any) -> None:
    """Change what an intact stamp says."""
    value = cache.read_entry(str(stamp))
    cache.write_entry(str(stamp), {**value, **changes})


@pytest.mark.parametrize(
    "part",
    [
        "key",
        "surroundings",
        "libraries",
        "read",
        "inputs",
        "out",
        "outputs",
        "messages",
    ],
)
def test_a_stamp_that_says_something_else_is_none(project: Project, part: str) -> None:
    (stamp,) = project.stamps()
    for other in (0, {"x": [1, 2, 3, 4]}, ["x"], "x", None):
        rewrite(stamp, **{part: other})
        assert (BUILT, 0) == project.run("generate")
        assert (ANSWERED, 0) == project.run("generate")


def test_an_empty_variable_switches_the_cache_off(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIMGEN_CACHE", "")
    for _ in range(2):
        assert (BUILT, 0) == project.run("check")


def test_a_cache_that_cannot_be_written_is_no_misfortune(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.folder / "a_file").write_text("")
    monkeypatch.setenv("BRIMGEN_CACHE", str(project.folder / "a_file"))
    for _ in range(2):
        assert (BUILT, 0) == project.run("check")


def test_old_stamps_make_room_and_foreign_files_stay(project: Project) -> None:
    foreign = ["letter.txt", "0.stamp", "notes.stamp", "a" * 16]
    for name in foreign:
        (project.cache / name).write_text("mine")
        os.utime(project.cache / name, (1, 1))
    for number in range(120):
        (project.cache / f"{number:016x}.stamp").write_text("")
    (project.folder / "specs/page.yaml").write_text(f"{ENTITY}# more\n")
    assert (BUILT, 0) == project.run("check")
    ours = [each for each in project.stamps() if len(each.stem) == 16]
    assert 96 == len(ours)
    assert (ANSWERED, 0) == project.run("check")
    for name in foreign:
        assert "mine" == (project.cache / name).read_text()


@pytest.mark.parametrize("mode", [0o755, 0o777, 0o1777, 0o710])
def test_nothing_is_used_in_a_cache_that_others_can_enter(
    project: Project, mode: int
) -> None:
    assert (ANSWERED, 0) == project.run("check")
    before = {each.name: each.read_bytes() for each in project.cache.iterdir()}
    project.cache.chmod(mode)
    for _ in range(2):
        assert (BUILT, 0) == project.run("check")
    assert before == {each.name: each.read_bytes() for each in project.cache.iterdir()}
    project.cache.chmod(0o700)
    assert (ANSWERED, 0) == project.run("check")


def test_nothing_is_used_in_a_cache_of_another_user(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    for _ in range(2):
        assert (BUILT, 0) == project.run("check")


def test_a_cache_behind_a_link_is_none(project: Project) -> None:
    project.cache.rename(project.folder / "theirs")
    project.cache.symlink_to("theirs")
    for _ in range(2):
        assert (BUILT, 0) == project.run("check")


def test_code_that_somebody_put_into_the_cache_is_not_run(project: Project) -> None:
    """A compiled template is code: where others can write, none is read."""

    def generate(out: str, code: int = 0) -> str:
        ran = subprocess.run(
            [sys.executable, "-m", "brimgen", "generate", "--out", out],
            cwd=project.folder,
            check=False,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == code
        return ran.stdout

    generate("first")
    templates = _templates(project)
    evil = marshal.dumps(compile("print('evil')\n", "x", "exec"))
    for each in templates:
        _, key, _ = each.read_bytes().split(b"\n", 2)
        data = key + b"\n" + evil
        each.write_bytes(cache._checksum(data) + b"\n" + data)
    assert "evil" in generate("mine", 70)
    project.cache.chmod(0o777)
    assert "" == generate("second")


@pytest.mark.parametrize("damage", ["flipped", "cut", "empty", "swapped"])
def test_a_damaged_compiled_template_counts_as_absent(
    project: Project, damage: str
) -> None:
    """One wrong bit made wrong modules, or ended Python with a fault."""
    _environment.cache_clear()
    project.run("generate", "--force")
    templates = _templates(project)
    contents = [each.read_bytes() for each in templates]
    for at, each in enumerate(templates):
        old = contents[at]
        middle = len(old) - 40
        each.write_bytes(
            {
                "flipped": old[:middle] + bytes([old[middle] ^ 4]) + old[middle + 1 :],
                "cut": old[:middle],
                "empty": b"",
                "swapped": contents[at - 1],
            }[damage]
        )
    _environment.cache_clear()
    assert (BUILT, 0) == project.run("generate", "--force")
    assert contents == [each.read_bytes() for each in templates]


def _templates(project: Project) -> list[Path]:
    found = sorted(project.cache.glob("*.template"))
    assert found
    return found


def test_check_refuses_an_option_that_only_generate_has(project: Project) -> None:
    assert (BUILT, 0) == project.run("generate", "--adopt")
    assert (BUILT, 2) == project.run("check", "--adopt")


def test_libraries_in_another_place_lead_to_a_build(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (ANSWERED, 0) == project.run("check")
    monkeypatch.syspath_prepend(project.folder)
    assert (BUILT, 0) == project.run("check")


def test_links_among_the_specs_are_always_followed_anew(project: Project) -> None:
    page = project.folder / "specs/page.yaml"
    page.rename(project.folder / "specs/linked.txt")
    page.symlink_to("linked.txt")
    for _ in range(2):
        assert (BUILT, 0) == project.run("generate")


def test_a_schema_is_read_again_when_it_changes_and_only_then(project: Project) -> None:
    """What is said rests on it, and it lies neither among the specs nor in the configuration."""
    (project.folder / "brimgen.yaml").write_text(
        "connections: { default: { dialect: sqlite, schema: schema.sql } }\n"
    )
    (project.folder / "schema.sql").write_text("CREATE TABLE orders (id INTEGER);\n")
    (project.folder / "specs/tools/count_orders.yaml").write_text(
        "type: sql_function\nname: count_orders\nreturns: int\n"
        "sql: SELECT count(id) FROM orders\n"
    )
    assert (BUILT, 0) == project.run("generate")
    assert (ANSWERED, 0) == project.run("generate")
    (project.folder / "schema.sql").write_text("CREATE TABLE orders (no INTEGER);\n")
    assert (BUILT, 1) == project.run("generate")
    assert "no such column: id" in project.said


def test_a_migration_that_is_added_is_seen(project: Project) -> None:
    (project.folder / "brimgen.yaml").write_text(
        "connections: { default: { dialect: sqlite, schema: db } }\n"
    )
    (project.folder / "db").mkdir()
    (project.folder / "db/1.sql").write_text("CREATE TABLE orders (id INTEGER);\n")
    assert (BUILT, 0) == project.run("generate")
    assert (ANSWERED, 0) == project.run("generate")
    (project.folder / "db/2.sql").write_text("DROP TABLE orders;\n")
    assert (BUILT, 0) == project.run("generate")


def test_a_module_is_read_again_when_it_changes_or_comes_and_only_then(
    project: Project,
) -> None:
    (project.folder / "brimgen.yaml").write_text("sources: [app/*.py]\n")
    (project.folder / "app").mkdir()
    text = "class PingInput(ToolInput):\n    'Ping a host.'\n"
    (project.folder / "app/a.py").write_text(text)
    assert (BUILT, 0) == project.run("generate")
    assert (ANSWERED, 0) == project.run("generate")
    assert (ANSWERED, 0) == project.run("check")
    (project.folder / "app/a.py").write_text(text.replace("host", "site"))
    assert (BUILT, 3) == project.run("check")
    assert (BUILT, 0) == project.run("generate")
    assert (ANSWERED, 0) == project.run("generate")
    (project.folder / "app/b.py").write_text(text.replace("Ping", "Pong"))
    assert (BUILT, 3) == project.run("check")


def test_an_output_that_is_changed_right_after_it_was_compared(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has the size and the time of the file that was compared."""
    real = api.generate

    def generate(*given: Any, **options: Any) -> api.Result:
        result = real(*given, **options)
        edit_output(project.folder)
        return result

    os.utime(project.folder / "specs/page.yaml")
    (project.folder / MODULE).unlink()
    with monkeypatch.context() as patch:
        patch.setattr(api, "generate", generate)
        assert (BUILT, 0) == project.run("generate")
    assert (BUILT, 3) == project.run("check")


def test_every_kind_of_spec_is_looked_at() -> None:
    assert (*SPEC_SUFFIXES, *MISNAMED) == SUFFIXES


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/brimgen"),
        ("linux", {"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/brimgen"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Caches/brimgen"),
        ("win32", {"LOCALAPPDATA": "/l"}, "/l/brimgen"),
        ("win32", {"LOCALAPPDATA": ""}, None),
        ("linux", {"BRIMGEN_CACHE": "/c"}, "/c"),
        ("linux", {"BRIMGEN_CACHE": ""}, None),
    ],
)
def test_where_the_cache_lies(
    monkeypatch: pytest.MonkeyPatch,
    platform: str,
    variables: dict[str, str],
    expected: str | None,
) -> None:
    monkeypatch.delenv("BRIMGEN_CACHE", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(cache.sys, "platform", platform)
    assert expected == cache.cache_folder()


def test_an_upgraded_program_builds(project: Project) -> None:
    copy = project.folder / "program"
    for name in ("generator", "runtime", "templates", "docs"):
        # With times of their own: those of an export are whole seconds, which settle late.
        shutil.copytree(ROOT / name, copy / name, copy_function=shutil.copyfile)

    def heavy() -> tuple[int, bool]:
        script = "import sys, atexit\nfrom brimgen.__main__ import main\n"
        script += "atexit.register(lambda: print('click' in sys.modules))\nmain()\n"
        ran = subprocess.run(
            [sys.executable, "-c", script, "check"],
            cwd=project.folder,
            env={**os.environ, "PYTHONPATH": f"{copy}/generator:{copy}/runtime"},
            capture_output=True,
            text=True,
            check=False,
        )
        return ran.returncode, ran.stdout == "True\n"

    assert (0, True) == heavy()
    assert (0, False) == heavy()
    template = copy / "templates/python/module.py.j2"
    template.write_text(f"{template.read_text()}# more\n")
    assert (3, True) == heavy()
    assert (3, True) == heavy()
