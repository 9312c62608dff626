"""How descriptors are asked for: profiles, files of each tool, the ledger, sizes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[[str, str], Path]
SPEC = """\
type: python_function
name: pay
description: Pay.
arguments:
  inline:
    share: {type: decimal, precision: 20, scale: 2}
    note: {type: string, maxLength: 10}
"""
CONFIGURATION = """\
package: shop
targets: [openai, mcp, anthropic, gemini]
"""


@pytest.fixture
def specs(write: Write) -> None:
    """One tool, which loses one thing for good."""
    write("specs/pay.yaml", SPEC)


def files(project: Path) -> set[str]:
    """The generated JSON files."""
    out = project / "out"
    return {each.relative_to(out).as_posix() for each in out.rglob("*.json")}


@pytest.mark.usefixtures("specs")
def test_without_settings_openai_and_mcp_describe(project: Path, run: Run) -> None:
    assert 0 == run("generate").code
    folder = "python/tools/descriptors"
    described = {each for each in files(project) if "descriptors" in each}
    assert described == {
        f"{folder}/openai/responses.json",
        f"{folder}/mcp/tools.json",
    }
    assert not (project / "out/openai").exists()
    assert "losses.json" in files(project)
    assert 0 == run("check").code


@pytest.mark.usefixtures("specs")
def test_profiles_ask_for_their_targets_and_no_others(
    project: Path, run: Run, write: Write
) -> None:
    write("brimgen.yaml", "descriptors: {profiles: [openai_azure, gemini]}")
    assert 0 == run("generate").code
    described = {
        each for each in files(project) if each.count("/") and "schema" not in each
    }
    folder = "python/tools/descriptors"
    assert {each for each in described if not each.startswith("sql")} == {
        f"{folder}/openai/azure/responses.json",
        f"{folder}/gemini/tools.json",
    }
    ledger = json.loads((project / "out/losses.json").read_text())
    assert {"openai_azure", "gemini"} == {each["profile"] for each in ledger}


@pytest.mark.usefixtures("specs")
def test_strict_loss_makes_a_loss_an_error_at_its_place(
    project: Path, run: Run
) -> None:
    ran = run("generate", "--format", "concise", "--strict-loss")
    assert 1 == ran.code
    assert "specs/pay.yaml:6:5: error[T466]" in ran.err
    assert "`x-decimal` of `pay` is lost at /input/properties/share" in ran.err
    assert not (project / "out").exists()


@pytest.mark.usefixtures("specs")
def test_a_run_limited_to_a_target_leaves_the_ledger_alone(
    project: Path, run: Run
) -> None:
    assert 0 == run("generate").code
    before = (project / "out/losses.json").read_bytes()
    assert 0 == run("generate", "--target", "openai").code
    assert before == (project / "out/losses.json").read_bytes()
    assert 0 == run("check").code


@pytest.mark.usefixtures("specs")
def test_sizes_are_listed(run: Run, write: Write) -> None:
    write("brimgen.yaml", CONFIGURATION)
    ran = run("list", "--tokens", "--format", "concise")
    assert 0 == ran.code
    head, pay, whole = ran.out.splitlines()
    assert ["openai", "mcp", "anthropic", "gemini"] == head.split()[-4:]
    assert pay.split()[1:] == whole.split()[3:]
    assert all(int(each) > 50 for each in pay.split()[1:])


@pytest.mark.usefixtures("specs")
def test_tokens_says_when_no_target_describes_tools(run: Run) -> None:
    ran = run("list", "--tokens", "--target", "python")
    assert "no target that is chosen describes tools\n" == ran.out
