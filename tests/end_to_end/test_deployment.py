"""The container of docs/deployment.md: built where that is possible, else followed by hand."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from dockerfile_parse import DockerfileParser

PAGE = Path(__file__).resolve().parents[2] / "docs" / "deployment.md"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of `brimgen init`, generated, with the Dockerfile of the page."""
    folder = tmp_path_factory.mktemp("deployed")
    for command in ("init", "generate"):
        brimgen = [sys.executable, "-m", "brimgen", command]
        subprocess.run(brimgen, cwd=folder, check=True, capture_output=True)
    (written,) = re.findall(
        "```dockerfile\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL
    )
    (folder / "Dockerfile").write_text(written, "utf-8")
    return folder


def _steps(project: Path) -> list[tuple[str, str]]:
    parser = DockerfileParser(str(project))
    return [(each["instruction"], each["value"]) for each in parser.structure]


def _builder() -> list[str] | None:
    """The command of a builder that works here."""
    for name, *ask in (("docker", "info"), ("podman", "info"), ("buildah", "info")):
        if (
            shutil.which(name)
            and not subprocess.run([name, *ask], capture_output=True).returncode
        ):
            return [name, "build"]
    return None


def test_the_image_has_what_the_project_has(project: Path) -> None:
    steps = _steps(project)
    assert "FROM" == steps[0][0]
    known = {"FROM", "RUN", "WORKDIR", "COPY", "ENV", "USER", "EXPOSE", "HEALTHCHECK"}
    assert known | {"CMD"} == {instruction for instruction, _ in steps}
    for instruction, value in steps:
        if instruction == "COPY":
            assert (project / value.split()[0]).is_dir(), value
    assert dict(steps)["USER"] not in ("root", "0")


@pytest.mark.whole
def test_the_image_is_built_or_its_commands_run_here(project: Path) -> None:
    builder = _builder()
    if builder is not None:
        subprocess.run([*builder, "."], cwd=project, check=True)
    steps = dict(_steps(project))
    command = json.loads(steps["CMD"])
    check = json.loads(steps["HEALTHCHECK"].removeprefix("CMD "))
    paths = steps["ENV"].partition("=")[2].replace(steps["WORKDIR"], str(project))
    environment = {**os.environ, "PYTHONPATH": paths}
    served = [word.replace("0.0.0.0:8000", "127.0.0.1:0") for word in command[1:]]
    process = subprocess.Popen(
        [sys.executable, *served],
        cwd=project,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        port = ""
        for line in process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                port = found[1]
                break
        with urlopen(f"http://127.0.0.1:{port}/health") as answer:
            assert b"ok" == answer.read()
        asked = check[-1].replace(":8000", f":{port}")
        subprocess.run([sys.executable, *check[1:-1], asked], check=True)
        process.terminate()
        assert 0 == process.wait(20)
    finally:
        process.kill()
