"""Faults that are planted in generator, runtime and templates: each is found by a test.

`faults.yaml` lists them. ``make fuzz`` plants each in a copy of the repository and runs the test
that must fail there. ``make test`` holds the list to the code: a line that changed is changed in
the list, too.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

ROOT = Path(__file__).parents[2]


class Fault(NamedTuple):
    """What a user loses; the text in a file and the one that replaces it; the test that fails."""

    lost: str
    file: str
    text: str
    planted: str
    test: str


FAULTS = [
    Fault(**row)
    for row in yaml.safe_load(
        Path(__file__).with_name("faults.yaml").read_text("utf-8")
    )
]


def test_there_are_faults_in_every_part_of_the_product() -> None:
    assert len(FAULTS) >= 60
    parts = {each.file.partition("/")[0] for each in FAULTS}
    assert {"generator", "runtime", "templates"} == parts
    assert len({each.lost for each in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.lost)
def test_a_fault_can_be_planted(fault: Fault) -> None:
    assert (ROOT / fault.file).read_text("utf-8").count(fault.text) == 1
    module, _, name = fault.test.partition("::")
    assert re.search(rf"^def {name}\b", (ROOT / module).read_text("utf-8"), re.M)


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's files, which tests then run in."""
    target = tmp_path_factory.mktemp("faults")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
    for name in files.decode().split("\0")[:-1]:
        if (ROOT / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


@pytest.mark.fuzz
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.lost)
def test_a_planted_fault_is_found(fault: Fault, copy: Path) -> None:
    file = copy / fault.file
    sound = file.read_text("utf-8")
    file.write_text(sound.replace(fault.text, fault.planted), "utf-8")
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-x",
                "-n0",
                "-m",
                "not fuzz",
                fault.test,
            ],
            cwd=copy,
            env={
                **os.environ,
                "PYTHONPATH": f"{copy}/generator{os.pathsep}{copy}/runtime",
            },
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        file.write_text(sound, "utf-8")
    assert done.returncode == 1, done.stdout
