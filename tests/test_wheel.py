"""The two wheels, in a clean environment, generate the same bytes as the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from support.builds import tree

pytestmark = pytest.mark.whole
ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, folder: Path, **variables: str) -> str:
    """Run a command that must succeed; return its stdout."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONHOME")
    }
    ran = subprocess.run(
        [str(each) for each in command],
        cwd=folder,
        env={**kept, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == ran.returncode, ran.stdout + ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheels of brimgen and of its runtime."""
    folder = tmp_path_factory.mktemp("dist")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation")
    for source in ROOT, ROOT / "runtime":
        run(*build, "--outdir", folder, source, folder=folder)
    (wheel,) = folder.glob("brimgen-*.whl")
    (runtime,) = folder.glob("brimgen_runtime-*.whl")
    return wheel, runtime


@pytest.fixture(scope="module")
def command(
    wheels: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """``brimgen`` in an environment with the wheels and our dependencies, without the checkout."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    install = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    run(*install, "--no-index", "--no-deps", *wheels, folder=folder)
    purelib = sysconfig.get_path("purelib")
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(f"{purelib}\n")
    return folder / "bin" / "brimgen"


def test_the_lines_of_the_readme_install_one_wheel_by_each_pattern(
    wheels: tuple[Path, Path],
) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    lines = readme.partition("```shell\n")[2].partition("```")[0].splitlines()
    assert ["pip", "uv", "pipx"] == [line.split()[0] for line in lines]
    named = {
        line.split()[0]: [
            [each.name for each in wheels[0].parent.glob(word.removeprefix("dist/"))]
            for word in line.split()
            if word.startswith("dist/")
        ]
        for line in lines
    }
    tool, runtime = ([each.name] for each in wheels)
    assert {"pip": [tool, runtime], "uv": [tool, runtime], "pipx": [tool]} == named
    assert "--find-links dist" in lines[2]  # where pipx finds the runtime


def test_everything_that_is_needed_is_in_the_wheels(wheels: tuple[Path, Path]) -> None:
    names, runtime = (set(zipfile.ZipFile(each).namelist()) for each in wheels)
    templates = {
        f"brimgen/templates/{each.relative_to(ROOT / 'templates').as_posix()}"
        for each in (ROOT / "templates").rglob("*.j2")
    }
    assert templates
    assert templates | files("generator/brimgen") <= names
    assert files("runtime/brimgen_runtime") <= runtime
    assert not [name for name in names | runtime if name.startswith(UNWANTED)]


UNWANTED = ("tests", "generator", "runtime")


def files(package: str) -> set[str]:
    """The files of a package by their paths in its wheel."""
    folder = ROOT / package
    return {
        each.relative_to(folder.parent).as_posix()
        for each in folder.rglob("*")
        if each.is_file() and each.suffix != ".pyc"
    }


def test_the_wheel_runs_without_the_checkout(command: Path, tmp_path: Path) -> None:
    python = command.parent / "python"
    where = "import brimgen; print(brimgen.__file__)"
    assert str(command.parents[1]) in run(python, "-c", where, folder=tmp_path)
    assert run(command, "--version", folder=tmp_path).startswith("brimgen ")


def test_the_wheel_generates_the_bytes_of_the_checkout(
    command: Path, tmp_path: Path
) -> None:
    options = ("--config", ROOT / "pyproject.toml", "--specs", ROOT / "specs", "--out")
    run(command, "generate", *options, tmp_path / "wheel", folder=tmp_path)
    run(
        *(sys.executable, "-m", "brimgen", "generate", *options, tmp_path / "checkout"),
        folder=tmp_path,
        PYTHONPATH=f"{ROOT}/generator:{ROOT}/runtime",
        PYTHONHASHSEED="7",
    )
    assert tree(tmp_path / "wheel")
    assert tree(tmp_path / "checkout") == tree(tmp_path / "wheel")


def test_the_starter_project_of_the_wheel_works(command: Path, tmp_path: Path) -> None:
    run(command, "init", folder=tmp_path)
    run(command, "generate", folder=tmp_path)
    run(command, "check", folder=tmp_path)
