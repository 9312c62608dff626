"""Edits one after the other; after each the build of what changed is held against a cold one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Protocol

import pytest

from brimgen import pipeline
from brimgen.cli import main as cli
from brimgen.frozen import replace
from brimgen.increment.baseline import read_baseline
from brimgen.stamp import evidence
from brimgen.stamp.answer import Question, beside, question
from brimgen.stamp.evidence import sum_of, unpacked
from support.builds import told, tree


class Walker(Protocol):
    """A project in a ``folder``, and the edits that it goes through."""

    @property
    def folder(self) -> Path:
        """Where the configuration lies."""
        ...

    @property
    def specs(self) -> Path:
        """The folder of the specs."""
        ...

    def step(self) -> str:
        """Edit something; tell what was done."""
        ...


def left(asked: Question) -> tuple[Any, ...]:
    """What the stamp says but for times and inodes, and the baseline, in its very order.

    The bytes of both tell besides which values were one object, which means nothing. What is told
    of tools is left anew by a build of more than the changed tools alone.
    """
    stamp = unpacked(Path(asked.path).read_bytes())
    outputs = {
        folder: {name: each[1] for name, each in sorted(files.items())}
        for folder, files in sorted(stamp[7].items())
    }
    data = Path(beside(asked, "baseline")).read_bytes()
    assert sum_of(data) == stamp[11]
    baseline = read_baseline(unpacked(data))
    others = None if baseline.moved else baseline.others
    plain = replace(baseline, others="", moved=()).plain()
    return (stamp[:5], stamp[6], outputs, stamp[9:11], repr(plain), others)


class Hike:
    """A walk, its steps one after the other, each held against a cold build."""

    def __init__(
        self,
        walker: Walker,
        patch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self._patch, self._capsys = patch, capsys
        self._walker, self._wholes = walker, 0
        self._ways = {"nothing": 0, "changed": 0, "whole": 0}
        folder = walker.folder
        self._out, self._kept = folder / "out", folder / "kept"
        self._good: dict[str, bytes] = {}
        self._trace = ["start"]
        patch.chdir(folder)
        patch.setattr(evidence, "TICK", 0)
        patch.setattr(evidence, "COARSE", 0)
        generate = pipeline.generate

        def counted(*arguments: Any, **options: Any) -> pipeline.Result:
            self._wholes += 1
            return generate(*arguments, **options)

        patch.setattr(pipeline, "generate", counted)

    def _run(self, cache: str) -> tuple[int, str, Question]:
        self._patch.setenv("BRIMGEN_CACHE", str(self._walker.folder / cache))
        self._capsys.readouterr()
        asked = question(["generate"])
        assert asked is not None
        code = cli.run(["generate"], asked=asked)
        return code, told(self._capsys.readouterr().err), asked

    def stand(self) -> None:
        """Build what changed here and everything elsewhere, and compare."""
        self._wholes = 0
        before = tree(self._out)
        code, said, asked = self._run("cache")
        way = "whole" if self._wholes else "changed"
        after = tree(self._out)
        same = not self._wholes and after == before
        self._ways["nothing" if same else way] += 1
        warm = left(asked) if code == 0 else None
        self._cold(code, said, after, warm)
        if code == 0:
            self._good = tree(self._walker.specs)
        else:
            self._restore()

    def _restore(self) -> None:
        """Give the specs back that were sound, and touch no others."""
        specs = tree(self._walker.specs)
        for name in specs.keys() - self._good.keys():
            (self._walker.specs / name).unlink()
        for name, data in self._good.items():
            if specs.get(name) != data:
                file = self._walker.specs / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)

    def _cold(self, code: int, said: str, after: dict[str, bytes], warm: Any) -> None:
        shutil.rmtree(self._walker.folder / "empty", ignore_errors=True)
        if self._out.exists():
            self._out.rename(self._kept)
        cold, words, asked = self._run("empty")
        assert (cold, words) == (code, said), (self._trace, said)
        if code == 0:
            assert tree(self._out) == after, self._trace
            expected = left(asked)
            assert expected[:-1] == warm[:-1], self._trace
            assert warm[-1] in (None, expected[-1]), self._trace
            shutil.rmtree(self._out)
        if self._kept.exists():
            self._kept.rename(self._out)

    def walk(self, steps: int) -> dict[str, int]:
        """How often each way was taken."""
        self.stand()
        assert self._good, "there is a mistake in what the walk begins with"
        for _ in range(steps):
            self._trace.append(self._walker.step())
            self.stand()
        return self._ways
