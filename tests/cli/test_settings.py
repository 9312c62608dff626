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
    ("name", "text", "expected"),
    [
        (
            "brimgen.yaml",
            "pacakge: shop\n",
            "brimgen.yaml:1:1 unknown-setting: unknown setting `pacakge` (package?)",
        ),
        (
            "pyproject.toml",
            '[tool.brimgen]\nout = "o"\npacakge = "shop"\n',
            "pyproject.toml:3:1 unknown-setting: unknown setting `pacakge` (package?)",
        ),
        (
            "pyproject.toml",
            '[tool.brimgen.connections.default]\n  dialct = "sqlite"\n'
            'dialect = "sqlite"\n',
            "pyproject.toml:2:3 unknown-setting: unknown setting "
            "`connections.default.dialct` (dialect?)",
        ),
        (
            "brimgen.yaml",
            "closed: no\n",
            "brimgen.yaml:1:9 wrong-setting: setting `closed` must be `true` or `false`, "
            "not `no` (false?)",
        ),
        (
            "brimgen.yaml",
            "targets: python\n",
            "brimgen.yaml:1:10 wrong-setting: setting `targets` must be a list, "
            "not `python` ([python]?)",
        ),
        (
            "brimgen.yaml",
            "targets: [pyton]\n",
            "brimgen.yaml:1:11 wrong-setting: an item of setting `targets` must be a target "
            "(`brimgen explain --targets` lists them), not `pyton` (python?)",
        ),
        (
            "brimgen.yaml",
            "targets: pyton\n",
            "brimgen.yaml:1:10 wrong-setting: setting `targets` must be a list, "
            "not `pyton` ([python]?)",
        ),
        (
            "brimgen.yaml",
            "targets: []\n",
            "brimgen.yaml:1:10 wrong-setting: setting `targets` must be a list with "
            "at least one item, not an empty list",
        ),
        (
            "brimgen.yaml",
            "format: json\n",
            "brimgen.yaml:1:1 unknown-setting: unknown setting `format`, which is gone: "
            "write the option `--format`",
        ),
        (
            "brimgen.yaml",
            "x-format: json\n",
            "brimgen.yaml:1:1 unknown-setting: unknown setting `x-format`",
        ),
        (
            "brimgen.yaml",
            "allowed_hosts: ['https://a.example.com/v1']\n",
            "brimgen.yaml:1:17 wrong-setting: an item of setting `allowed_hosts` must be a "
            "host, not `https://a.example.com/v1` (a.example.com?)",
        ),
        (
            "brimgen.yaml",
            "allowed_hosts: a.example.com\n",
            "brimgen.yaml:1:16 wrong-setting: setting `allowed_hosts` must be a list, "
            "not `a.example.com` ([a.example.com]?)",
        ),
        (
            "brimgen.yaml",
            "package: my-shop\n",
            "brimgen.yaml:1:10 wrong-setting: setting `package` must be the name of a Python "
            "package, not `my-shop`, which is not a Python identifier in ASCII (my_shop?)",
        ),
        (
            "brimgen.yaml",
            "package: json\n",
            "brimgen.yaml:1:10 wrong-setting: setting `package` must be the name of a Python "
            "package, not `json`, which is a module of Python's standard library",
        ),
        *(
            (
                "brimgen.yaml",
                f"package: {name}\n",
                "brimgen.yaml:1:10 wrong-setting: setting `package` must be the name of a "
                f"Python package, not `{name}`, which would hide the package of that name",
            )
            for name in ("brimgen", "mcp", "psycopg")
        ),
        (
            "brimgen.yaml",
            "targets: [default, server]\ndescriptors: { profiles: [openai] }\n",
            "brimgen.yaml:1:20 wrong-setting: setting `targets` must be a list without "
            "`server`, because `descriptors.profiles` leaves out `mcp`, not a list with it",
        ),
        (
            "brimgen.yaml",
            "package: [shop]\n",
            "brimgen.yaml:1:10 wrong-setting: setting `package` must be the name of a Python "
            "package, not a list of `shop`",
        ),
        (
            "brimgen.yaml",
            "connections:\n  default: {}\n",
            "brimgen.yaml:2:12 wrong-setting: setting `connections.default.dialect` "
            "must be one of `sqlite`, `postgres`, `duckdb`, ",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlight } }\n",
            "brimgen.yaml:1:36 wrong-setting: setting `connections.default.dialect` "
            "must be one of `sqlite`, `postgres`, `duckdb`, ",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, drivers: sqlite3 } }\n",
            "brimgen.yaml:1:53 wrong-setting: setting `connections.default.drivers` "
            "must be a list, not `sqlite3` ([sqlite3]?)",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, drivers: [] } }\n",
            "brimgen.yaml:1:53 wrong-setting: setting `connections.default.drivers` "
            "must be a list with at least one item, not an empty list",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: oracle, drivers: [foo] } }\n",
            "brimgen.yaml:1:54 unknown-driver: the connection `default` names the driver "
            "`foo`, which is unknown",
        ),
        (
            "brimgen.yaml",
            "connections:\n  pg:\n    dialect: postgres\n    drivers: [psycpg]\n",
            "brimgen.yaml:4:15 unknown-driver: the connection `pg` names the driver "
            "`psycpg`, which is unknown",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, drivers: [sqlite3, psycopg] } }\n",
            "brimgen.yaml:1:63 unknown-driver: the connection `default` names the driver "
            "`psycopg`, which does not speak sqlite",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, schema: db/gone.sql } }\n",
            "brimgen.yaml:1:52 unreadable-schema: cannot read db/gone.sql, which "
            "`connections.default.schema` names: there is no such file",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, schema: of/shcema.sql } }\n",
            "brimgen.yaml:1:52 unreadable-schema: cannot read of/shcema.sql, which "
            "`connections.default.schema` names: there is no such file (of/schema.sql?)",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, schema: empty } }\n",
            "brimgen.yaml:1:52 unreadable-schema: cannot read empty, which "
            "`connections.default.schema` names: the folder holds no migration that leads "
            "up (`*.sql`)",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, schema: of/latin.sql } }\n",
            "brimgen.yaml:1:52 unreadable-schema: cannot read of/latin.sql, which "
            "`connections.default.schema` names: it is not UTF-8",
        ),
        (
            "brimgen.yaml",
            "connections: { default: { dialect: sqlite, schema: [{}] } }\n",
            "brimgen.yaml:1:53 wrong-setting: setting `connections.default.schema` must "
            "be the path of a DDL file or of a folder of migrations, or a list of such, "
            "not a mapping",
        ),
        (
            "brimgen.yaml",
            "connections: [x]\n",
            "brimgen.yaml:1:14 wrong-setting: setting `connections` must be a mapping, "
            "not a list of `x`",
        ),
        (
            "brimgen.yaml",
            "out: [\n",
            "brimgen.yaml:",
        ),
        (
            "pyproject.toml",
            "[tool.brimgen\n",
            "pyproject.toml:1:14 unreadable-configuration",
        ),
    ],
)
def test_a_wrong_setting_is_told_once_at_its_place(
    project: Path, write: Write, name: str, text: str, expected: str
) -> None:
    write(name, text)
    write("of/schema.sql", "CREATE TABLE t (a INTEGER);\n")
    write("empty/1_books.down.sql", "DROP TABLE t;\n")
    (project / "of/latin.sql").write_bytes(b"-- \xe9\n")
    (only,) = complaints()
    assert only.startswith(expected)


def test_wrong_values_of_words_are_told_with_what_was_meant(
    project: Path, write: Write
) -> None:
    write(
        "brimgen.yaml",
        "descriptors: {strict_loss: on, profiles: [opnai]}\n"
        "lint: {ignore: [argument-untypd], severity: {L602: eror}}\n"
        "connections: {default: {dialect: postgress}}\n",
    )
    assert ["true", "openai", "argument-untyped", "error", "postgres"] == [
        each.rpartition(" (")[2].removesuffix("?)") for each in complaints()
    ]


@pytest.mark.parametrize(
    ("text", "flags", "expected"),
    [
        (
            "specs: src/specs\nout: src\n",
            {},
            "brimgen.yaml:2:6 overlapping-folders: the output folder src holds the specs",
        ),
        (
            "specs: src/specs\nout: src/specs/out\n",
            {},
            "brimgen.yaml:2:6 overlapping-folders: the output folder src/specs/out lies "
            "inside the specs",
        ),
        (
            "package: shop\nspecs: out/specs\n",
            {},
            "brimgen.yaml:2:8 overlapping-folders: the output folder out holds the specs",
        ),
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
        ("specs: src\n", {}, "brimgen.yaml:1:8 missing-specs: there is no folder src"),
        (
            "specs: of/spec\n",
            {},
            "brimgen.yaml:1:8 missing-specs: there is no folder of/spec (of/specs?)",
        ),
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


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("targets: python, sql", "`[python, sql]`"),
        ("targets: pyton", "`[python]`"),
        ("tz: utc", "`assume-utc`"),
        ("out: 5", '`"5"`'),
        ("connections: {default: sqlite}", "`{dialect: sqlite}`"),
        ("lint: {severity: {L602: warn}}", "`warning`"),
        ("lint: {select: [vague]}", "`argument-name-vague`"),
    ],
)
def test_what_a_setting_was_probably_meant_to_be(
    run: Run, write: Write, line: str, meant: str
) -> None:
    write("specs/a.yaml", "type: python_function\nname: probe\n")
    write("brimgen.yaml", f"{line}\n")
    assert f"= help: did you mean {meant}?" in run("check").err


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
