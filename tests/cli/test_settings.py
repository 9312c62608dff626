"""Flags over file over defaults; every wrong setting is told with its place (product.md 2)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics
from brimgen.model.project import Connection, Project
from brimgen.model.targets import target_named
from brimgen.settings.load import Flags, Settings, load_settings
from cli.conftest import Run

Write = Callable[[str, str], Path]


def load(**flags: Any) -> tuple[Settings, Diagnostics]:
    diagnostics = Diagnostics()
    return load_settings(Flags(**flags), diagnostics), diagnostics


def sound(**flags: Any) -> Settings:
    settings, found = load(**flags)
    assert [] == list(found)
    return settings


def complaints(**flags: Any) -> list[str]:
    return [
        f"{each.span.file}:{each.span.line}:{each.span.column} {each.rule.reason}: "
        f"{each.message}{''.join(f' ({near}?)' for near in each.suggestions)}"
        for each in load(**flags)[1]
    ]


def test_a_project_without_settings_has_sensible_defaults(project: Path) -> None:
    settings = sound()
    assert (project / "specs", project / "out") == (settings.specs, settings.out)
    assert None is settings.targets
    assert "full" == settings.format
    connections = {"default": Connection("sqlite", ())}
    assert Project(connections=connections) == settings.project


YAML = """\
specs: sources/specs
out: generated
package: shop
targets: [sql, python]
closed: false
strict-results: true
models: [pydantic]
connections:
  warehouse: { dialect: postgres, drivers: [asyncpg] }
  default: { dialect: duckdb }
"""
TOML = """\
[project]
name = "x"

[tool.brimgen]
specs = "sources/specs"
out = "generated"
package = "shop"
targets = ["sql", "python"]
closed = false
strict-results = true
models = ["pydantic"]

[tool.brimgen.connections]
default.dialect = "duckdb"
warehouse = { dialect = "postgres", drivers = ["asyncpg"] }
"""


@pytest.mark.parametrize(
    ("name", "text"), [("brimgen.yaml", YAML), ("pyproject.toml", TOML)]
)
def test_a_file_from_any_folder_below_it(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    (project / ".git").mkdir()
    write(name, text)
    write("sources/specs/x.yaml", "")
    monkeypatch.chdir(project / "sources/specs")
    settings = sound()
    assert project / "sources/specs" == settings.specs
    assert project / "generated" == settings.out
    assert ("sql", "python") == settings.targets
    assert (
        Project(
            package="shop",
            closed=False,
            strict_results=True,
            models=("pydantic",),
            targets=("sql", "python"),
            connections={
                "default": Connection("duckdb", ()),
                "warehouse": Connection("postgres", ("asyncpg",)),
            },
        )
        == settings.project
    )


def test_flags_overrule_the_file(project: Path, write: Write) -> None:
    write("brimgen.yaml", YAML)
    write("other/x.yaml", "")
    settings = sound(
        specs=Path("other"),
        out=Path("elsewhere"),
        package="store",
        targets=("openai",),
        format="json",
    )
    assert project / "other" == settings.specs
    assert project / "elsewhere" == settings.out
    assert "store" == settings.project.package
    assert ("openai",) == settings.only
    assert "json" == settings.format
    assert settings.project.closed is False


def test_which_targets_a_run_makes(project: Path, write: Write) -> None:
    def wanted(**flags: Any) -> list[str]:
        settings = sound(**flags)
        rows = map(target_named, ("python", "sql", "models"))
        return [each.name for each in rows if settings.wants(each)]

    assert ["python", "sql"] == wanted()
    assert ["models"] == wanted(targets=("models",))
    write("brimgen.yaml", "models: [msgspec]\n")
    assert ["python", "sql", "models"] == wanted()
    assert ["sql"] == wanted(targets=("sql",))
    write("brimgen.yaml", "models: [msgspec]\ntargets: [python]\n")
    assert ["python"] == wanted()


def test_a_pyproject_without_our_table_is_passed_over(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    write("brimgen.yaml", "package: outer\n")
    write("inner/pyproject.toml", '[project]\nname = "x"\n')
    monkeypatch.chdir(project / "inner")
    assert "outer" == sound().project.package


def test_a_file_outside_the_repository_has_no_say(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("brimgen.yaml", "package: outer\n")
    write("inner/specs/x.yaml", "")
    monkeypatch.chdir(project / "inner")
    assert project / "inner/specs" == sound().specs
    (project / "inner/.git").mkdir()
    assert project / "inner/specs" == sound().specs


def test_the_nearest_file_speaks_alone(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("brimgen.yaml", "package: outer\nclosed: false\n")
    write("inner/pyproject.toml", '[tool.brimgen]\npackage = "inner"\n')
    (project / "inner/specs").mkdir()
    monkeypatch.chdir(project / "inner")
    settings = sound()
    assert ("inner", True) == (settings.project.package, settings.project.closed)


def test_two_files_in_one_folder(project: Path, write: Write) -> None:
    write("brimgen.yaml", "")
    write("pyproject.toml", "[tool.brimgen]\n")
    (only,) = complaints()
    assert only.startswith("pyproject.toml:1:1 two-configurations")


def test_config_names_the_file(project: Path, write: Write) -> None:
    write("brimgen.yaml", "package: near\n")
    write("ci/specs/x.yaml", "")
    settings = sound(config=write("ci/brimgen.yaml", "package: far\n"))
    assert ("far", project / "ci/specs") == (settings.project.package, settings.specs)
    path = write("pyproject.toml", "[project]\n")
    (only,) = complaints(config=path)
    assert "it has no table [tool.brimgen]" in only


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '[tool.brimgen]\nout = "o"\npacakge = "shop"\n',
            "pyproject.toml:3:1 unknown-setting: unknown setting `pacakge` (package?)",
        ),
        (
            '[tool.brimgen.connections.default]\n  dialct = "sqlite"\n'
            'dialect = "sqlite"\n',
            "pyproject.toml:2:3 unknown-setting: unknown setting "
            "`connections.default.dialct` (dialect?)",
        ),
        ("[tool.brimgen\n", "pyproject.toml:1:14 unreadable-configuration"),
        (
            '[tool.brimgen]\nemitters = ["python"]\n',
            "pyproject.toml:2:1 unknown-setting: unknown setting `emitters` (targets?)",
        ),
        *(
            (
                f'[tool.brimgen]\npackage = "{name}"\n',
                "pyproject.toml:2:1 wrong-setting: setting `package` must be the name of a Python "
                f"package, not `{name}`, which {reason}",
            )
            for name, reason in (
                ("aux", "is the name of a device on Windows"),
                ("psycopg", "would hide the package of that name"),
            )
        ),
    ],
)
def test_a_wrong_setting_of_toml_is_told_once_at_its_place(
    write: Write, text: str, expected: str
) -> None:
    write("pyproject.toml", text)
    (only,) = complaints()
    assert only.startswith(expected)


@pytest.mark.parametrize(
    ("text", "flags", "expected"),
    [
        (
            "specs: src/specs\n",
            {"out": Path("src")},
            "--out:1:1 overlapping-folders: the output folder src holds the specs",
        ),
        (
            "package: shop\n",
            {"specs": Path("out/specs")},
            "--specs:1:1 overlapping-folders: the output folder out holds the specs",
        ),
    ],
)
def test_an_output_that_would_swallow_the_specs_is_told_where_it_is_named(
    project: Path, write: Write, text: str, flags: dict[str, Any], expected: str
) -> None:
    write("src/specs/x.yaml", "")
    write("out/specs/x.yaml", "")
    write("brimgen.yaml", text)
    assert [expected] == complaints(**flags)


def test_an_output_that_would_swallow_the_configuration(
    project: Path, write: Write
) -> None:
    write("src/specs/x.yaml", "")
    write("conf/brimgen.yaml", "specs: ../src/specs\nout: .\n")
    assert [
        "conf/brimgen.yaml:2:6 overlapping-folders: "
        "the output folder conf holds the configuration"
    ] == complaints(config=Path("conf/brimgen.yaml"))


def test_a_missing_specs_folder(project: Path) -> None:
    (project / "specs").rmdir()
    (only,) = complaints()
    assert "specs:1:1 missing-specs: there is no folder specs" == only


@pytest.mark.parametrize(
    ("text", "flags", "expected"),
    [
        (
            "specs: src\n",
            {"specs": Path("of/mine")},
            "--specs:1:1 missing-specs: there is no folder of/mine",
        ),
        (
            "specs: src\n",
            {"specs": Path("of/sepcs")},
            "--specs:1:1 missing-specs: there is no folder of/sepcs (of/specs?)",
        ),
    ],
)
def test_a_missing_specs_folder_is_told_where_it_is_named(
    project: Path, write: Write, text: str, flags: dict[str, Any], expected: str
) -> None:
    (project / "of/specs").mkdir(parents=True)
    write("brimgen.yaml", text)
    assert [expected] == complaints(**flags)


def test_what_an_option_says_has_no_line(run: Run) -> None:
    ran = run("check", "--specs", "nope")
    assert (2, "error[O505]: there is no folder nope\n --> --specs\n") == (
        ran.code,
        ran.err.partition("  = help")[0],
    )
    ran = run("check", "--specs", "nope", "--format", "concise")
    assert "--specs: error[O505] there is no folder nope" == ran.err.splitlines()[0]


def test_settings_are_told_from_where_their_reader_stands(
    project: Path, write: Write, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".git").mkdir()
    write("shop/brimgen.yaml", "closed: no\n")
    (project / "shop/specs").mkdir()
    monkeypatch.chdir(project / "shop/specs")
    assert " --> ../brimgen.yaml:1:9" == run("check").err.splitlines()[1]
    ran = run("check", "--format", "github")
    assert "::error file=shop/brimgen.yaml,line=1" == ran.err.partition(",col")[0]


@pytest.mark.parametrize("text", ["tool = 3\n", "tool = []\n", "[tool]\nbrimgen = 3\n"])
def test_a_pyproject_of_another_shape_says_nothing(
    project: Path, write: Write, text: str
) -> None:
    write("pyproject.toml", text)
    assert "tools" == sound().project.package


@pytest.mark.parametrize("name", ["brimgen.yaml", "pyproject.toml"])
def test_values_that_no_setting_has(project: Path, write: Write, name: str) -> None:
    in_toml = name == "pyproject.toml"
    write(name, '[tool.brimgen]\nout = "a\\u0000b"\n' if in_toml else 'out: "a\\0b"\n')
    assert complaints()
    if in_toml:
        write(name, f"[tool.brimgen]\npackage = {'9' * 5000}\n")
        assert complaints()


def test_the_output_does_not_hold_the_working_directory(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "out/below").mkdir(parents=True)
    monkeypatch.chdir(project / "out/below")
    (only,) = complaints(specs=project / "specs", out=project / "out")
    assert "overlapping-folders" in only


@pytest.mark.parametrize(
    ("name", "text", "quoted"),
    [
        ("brimgen.yaml", "package: shop\ntargets [sql]\n", "2 | targets [sql]"),
        ("brimgen.yaml", "package: shop\nout: [a]]\n", "2 | out: [a]]"),
        ("brimgen.yaml", "- package: shop\n", "1 | - package: shop"),
        ("pyproject.toml", "[tool.brimgen]\npackage = a\n", "2 | package = a"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_shown(
    run: Run, write: Write, name: str, text: str, quoted: str
) -> None:
    write(name, text)
    ran = run("check")
    assert (2, True) == (ran.code, quoted in ran.err.splitlines())
    assert "brimgen: 1 error" == ran.err.splitlines()[-1]


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
@pytest.mark.parametrize("what", ["file", "folder"])
@pytest.mark.parametrize("name", ["brimgen.yaml", "pyproject.toml"])
def test_the_configuration_of_another_user_further_up_is_not_obeyed(
    project: Path,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    what: str,
) -> None:
    text = "out: evil\n" if name == "brimgen.yaml" else "[tool.brimgen]\nout = 'evil'\n"
    file = write(name, text)
    write(".git/HEAD", "")
    below = write("below/specs/a.yaml", "").parents[1]
    monkeypatch.chdir(below)
    assert project / "evil" == sound(specs=below / "specs").out
    os.chown(file if what == "file" else project, 1234, -1)
    settings, found = load(specs=below / "specs")
    assert ["foreign-configuration"] == [each.rule.reason for each in found]
    assert settings.out != project / "evil"
    assert project / "evil" == sound(specs=below / "specs", config=file).out


def test_who_owns_files_is_asked_above_the_working_directory_only(
    project: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("brimgen.yaml", "out: ours\n")
    write(".git/HEAD", "")
    write("below/specs/a.yaml", "")
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    assert project / "ours" == sound().out
