"""A server without what its tools need is told when it is built."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Run

TOOL = (
    "type: sql_function\nname: count_{}\ndescription: How many there are.\n"
    "returns: int\nsql: SELECT count(*) FROM {}\n"
)
OWN = "targets: [python, mcp, server{}]\n"
SETTINGS = (
    "targets: [python, mcp, server]\nconnections: { default: { dialect: sqlite } }\n"
)


@pytest.fixture
def tools(write: Callable[[str, str], Path]) -> None:
    for name in ("beds", "cups", "jars"):
        write(f"specs/{name}.yaml", TOOL.format(name, name) + OWN.format(""))


@pytest.mark.usefixtures("tools")
def test_a_target_that_is_missing_is_told_once(
    run: Run, write: Callable[[str, str], Path]
) -> None:
    write("brimgen.yaml", SETTINGS)
    said = "the server lists `count_beds` and 2 more, but cannot run it"
    for _ in range(2):
        told = run("generate").err
        assert (1, True) == (told.count("[T471]"), said in told)
        write("specs/cups.yaml", TOOL.format("cups", "all_cups") + OWN.format(""))
    assert "T471" not in run("check", "--target", "server").err
    for name in ("beds", "cups", "jars"):
        write(f"specs/{name}.yaml", TOOL.format(name, name) + OWN.format(", sql"))
    assert "T471" not in run("generate").err


@pytest.mark.usefixtures("tools")
def test_a_target_brings_what_its_modules_import(
    run: Run, write: Callable[[str, str], Path], project: Path
) -> None:
    """`store.py` imports `bundles.py`, and both import the package."""
    write("specs/bundle.yaml", "type: bundle\nname: kitchen\n")
    write("specs/beds.yaml", TOOL.format("beds", "beds") + "bundle: kitchen\n")
    write(
        "brimgen.yaml",
        "targets: [store]\nconnections: { default: { dialect: sqlite } }\n",
    )
    assert run("generate").code == 0
    package = project / "out" / "python" / "tools"
    for name in ("store.py", "bundles.py", "__init__.py"):
        assert (package / name).is_file()


@pytest.mark.usefixtures("tools")
def test_a_target_that_writes_nothing_is_told(
    run: Run, write: Callable[[str, str], Path], project: Path
) -> None:
    """There is no bundle that a store could hold."""
    write("brimgen.yaml", SETTINGS.replace("server]", "sql, store, flexigpt]"))
    for command in ("generate", "check"):
        told = run(command).err
        assert "warning[O536]: the target `store` writes no file" in told
        assert ("--> brimgen.yaml:1:29" in told, told.count("[O536]")) == (True, 2)
    write("specs/bundle.yaml", "type: bundle\nname: kitchen\n")
    assert "O536" not in run("generate").err
    assert (project / "out" / "python" / "tools" / "store.py").is_file()
