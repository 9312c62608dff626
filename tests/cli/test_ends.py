"""How the command ends where something fails that is no mistake of a spec."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from cli.conftest import Run


@pytest.mark.parametrize(
    ("place", "failure", "code", "said"),
    [
        ("real_stages", KeyboardInterrupt(), 130, ""),
        ("real_stages", MemoryError(), 74, "brimgen: out of memory\n"),
        (
            "write",
            OSError(28, "No space left on device"),
            74,
            "brimgen: [Errno 28] No space left on device\n",
        ),
        ("real_stages", ZeroDivisionError(), 70, "this is a bug in brimgen"),
    ],
)
def test_each_failure_has_its_exit_code_and_writes_nothing(
    run: Run,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    failure: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise failure

    (project / "specs/a.yaml").write_text("type: bundle\nname: files\n")
    monkeypatch.setattr(f"brimgen.api.{place}", fail)
    ran = run("generate")
    assert (code, "", True) == (ran.code, ran.out, said in ran.err)
    assert (code == 74) <= (said == ran.err)
    assert ["specs"] == [each.name for each in project.iterdir()]


def test_python_that_does_not_compile_is_never_written(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = project / "specs/a.yaml"
    spec.write_text("type: entity\nname: Page\nfields: {a: int}\n")
    assert 0 == run("generate").code
    before = (project / "out/python/tools/entities.py").read_bytes()
    spec.write_text("type: entity\nname: Page\nfields: {b: int}\n")

    def broken(*_: object) -> str:
        return "x if y"

    monkeypatch.setattr("brimgen.emit.python.render", broken)
    for command in ("generate", "check"):
        ran = run(command)
        assert (70, True) == (ran.code, "this is a bug in brimgen" in ran.err)
        assert "is no Python" in ran.err
    assert before == (project / "out/python/tools/entities.py").read_bytes()
