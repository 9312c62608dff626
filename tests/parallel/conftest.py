"""Projects that are built by one process and by several, and what is the same about it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from brimgen import pipeline
from brimgen.built import Emit, Lists
from brimgen.diagnostics import Diagnostics
from brimgen.emit import LISTED
from brimgen.output.plan import File
from brimgen.output.sink import Sink
from brimgen.parallel import build, choice
from brimgen.settings.load import Flags, Settings, load_settings
from support.builds import tree

CONFIGURATION = """\
package: shop
targets: [python, json_schema, sql, http, openai, mcp, anthropic, gemini, docs, commands,
  bundles, server, dispatch, handlers, resources, prompts, store]
descriptors:
  profiles: [openai, openai_azure, openai_loose, mcp, anthropic, gemini, gemini_openapi]
  per_tool: true
"""


class Project:
    """A project, and how many processes have made its last build together."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "out"
        self.processes = 0
        self.configure(CONFIGURATION)

    def configure(self, text: str) -> None:
        (self.folder / "brimgen.yaml").write_text(text)

    def write(self, specs: Mapping[str, str]) -> None:
        for path, text in specs.items():
            file = self.folder / "specs" / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    @property
    def settings(self) -> Settings:
        found = Diagnostics()
        flags = Flags(
            specs=self.folder / "specs",
            out=self.out,
            config=self.folder / "brimgen.yaml",
        )
        settings = load_settings(flags, known_targets=tuple(LISTED), found=found)
        assert [] == list(found)
        return settings

    def generate(self, jobs: int) -> pipeline.Result:
        self.processes = 1
        preparing = partial(choice.prepared, jobs=jobs)
        return pipeline.generate(self.settings, preparing=preparing)

    def hold(self, jobs: int = 2) -> int:
        """Build by one process and by several, hold one against the other; how many were it?"""
        alone = pipeline.generate(self.settings)
        expected = tree(self.out) if self.out.exists() else {}
        told = list(alone.build.found)
        self.clear()
        together = self.generate(jobs)
        assert told == list(together.build.found)
        assert expected == (tree(self.out) if self.out.exists() else {})
        assert alone.build.sources == together.build.sources
        assert rows(alone) == rows(together)
        self.clear()
        return self.processes

    def clear(self) -> None:
        """Move the output away; nothing may be left beside it."""
        if self.out.exists():
            made = self.folder / "made"
            made.mkdir(exist_ok=True)
            self.out.rename(made / str(len([*made.iterdir()])))
        beside = {each.name for each in self.folder.iterdir()}
        assert beside <= {"specs", "brimgen.yaml", "brimgen.lock.json", "made"}


def rows(result: pipeline.Result) -> list[tuple[object, ...]]:
    """What is known of the files of a run, but for when they were made."""

    def row(each: File) -> tuple[object, ...]:
        return (*each[:6], each.in_the_way)

    return sorted(map(row, result.files), key=str)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that other tests keep in this process do not count: they hold nothing of a build."""
    count, others = threading.active_count, threading.active_count() - 1
    monkeypatch.setattr(threading, "active_count", lambda: max(1, count() - others))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project; it counts the processes that make a build to its end."""
    made = Project(tmp_path)
    together = build._Lead._emit_together

    def counted(lead: build._Lead, emit: Emit, sink: Sink) -> Lists:
        lists = together(lead, emit, sink)
        made.processes = 1 + len(lead._channels)
        return lists

    monkeypatch.setattr(build._Lead, "_emit_together", counted)
    return made
