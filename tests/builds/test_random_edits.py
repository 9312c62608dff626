"""Wherever random edits of a project lead, its tree is that of a cold build.

Edits, renames, moves, swaps, touches, restored times, damaged caches, other settings and outputs
that were tampered with follow each other; after every step the folder is held against what a build
without cache makes of a copy (docs/builds.md, "The cache").
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from brimgen.build.stamp import answer, invocation
from brimgen.cli import run as cli
from support.builds import told, tree

WORDS = [f"thing{number}" for number in range(5)]
TARGETS = "targets: [python, json_schema, sql, openai, mcp, docs]\n"
ENTITIES = {
    "page.yaml": """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, description: Rows to skip }
---
type: entity
name: Colour
enum: [red, green]
""",
}
TEXTS = {
    "find_{word}.yaml": """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
arguments:
  entity_ref: Page
  inline:
    title: {{ type: string, maxLength: 80, description: A title }}
    colour: {{ type: Colour, default: red }}
returns: string[]
""",
    "count_{word}.sql": """\
/*
---
name: count_{word}
description: Count what there is.
arguments:
  inline:
    title: string?
    tenant: {{ type: string, from_context: app.tenant.id }}
returns: int
---
*/
SELECT count(*) FROM {word}
WHERE title = :title AND tenant = :tenant
""",
}
EDITS = [
    ("every", "each"),
    ("string", "int"),
    ("red", "green"),
    ("returns: .*\n", ""),
    ("name: (\\w+)", "name: \\1_b"),
    ("name: (\\w+)_b", "name: \\1"),
    ("  inline:\n", "  inline:\n    more: float?\n"),
    ("    more: float\\?\n", ""),
    ("type: Colour", "type: Color"),
    ("title:", "kind:"),
    ("\n", "\r\n"),
    ("green\\]", "green, blue]"),
    ("\\Z", "# the end\n"),
]


class Wanderer:
    """A project that random edits lead about, and a cold build of it beside."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.cold = folder / "warm", folder / "cold"
        self.specs, self.cache = self.folder / "specs", folder / "cache"
        self.chance = random.Random(seed)
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.specs.mkdir(parents=True)
        (self.folder / "brimgen.yaml").write_text(TARGETS)
        for name, text in ENTITIES.items():
            (self.specs / name).write_text(text)
        for word in WORDS:
            for name, text in TEXTS.items():
                file = self.specs / name.format(word=word)
                file.write_text(text.format(word=word))

    def files(self) -> list[Path]:
        return sorted(each for each in self.specs.rglob("*.*") if each.is_file())

    def any_file(self) -> Path:
        return self.chance.choice(self.files())

    def step(self) -> str:
        does = self.chance.choice(STEPS)
        does(self)
        return does.__name__

    def edit(self) -> None:
        file = self.any_file()
        old, new = self.chance.choice(EDITS)
        with file.open(newline="") as stream:
            text = stream.read()
        file.write_text(re.sub(old, new, text, count=1), newline="")

    def edit_and_restore_times(self) -> None:
        """Bytes of the same length under the same time: only the inode's own time tells."""
        file = self.any_file()
        before = file.stat()
        text = file.read_bytes()
        file.write_bytes(text.replace(b"title", b"tilde").replace(b"who", b"why"))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def touch(self) -> None:
        self.any_file().touch()

    def rename(self) -> None:
        file = self.any_file()
        file.rename(file.with_stem(f"{file.stem}_{self.chance.randrange(9)}"))

    def move(self) -> None:
        file = self.any_file()
        folder = self.specs / self.chance.choice([".", "a", "a/b", "c.d"])
        folder.mkdir(parents=True, exist_ok=True)
        file.rename(folder / file.name)

    def swap(self) -> None:
        one, other = self.any_file(), self.any_file()
        if one.suffix == other.suffix and one != other:
            kept = one.with_suffix(".kept")
            one.rename(kept)
            other.rename(one)
            kept.rename(other)

    def delete(self) -> None:
        file = self.any_file()
        if file.stem.startswith(tuple(each.partition("_")[0] for each in TEXTS)):
            file.rename(self.bin / f"{len(list(self.bin.iterdir()))}_{file.name}")

    def bring_back(self) -> None:
        gone = sorted(self.bin.iterdir())
        if gone:
            file = self.chance.choice(gone)
            file.rename(self.specs / file.name.partition("_")[2])

    def join(self) -> None:
        one, other = self.any_file(), self.any_file()
        if one.suffix == other.suffix == ".yaml" and one != other:
            one.write_text(f"{one.read_text()}\n---\n{other.read_text()}")
            other.unlink()

    def configure(self) -> None:
        more = ["", "tz: assume-utc\n", "closed: false\n", "package: other\n"]
        (self.folder / "brimgen.yaml").write_text(TARGETS + self.chance.choice(more))

    def damage_cache(self) -> None:
        for file in [each for each in self.cache.rglob("*") if each.is_file()]:
            data = file.read_bytes()
            match self.chance.randrange(4):
                case 0:
                    file.unlink()
                case 1:
                    file.write_bytes(data[: self.chance.randrange(len(data) + 1)])
                case 2:
                    place = self.chance.randrange(len(data) + 1)
                    file.write_bytes(data[:place] + b"\xff" + data[place + 1 :])
                case _:
                    file.write_bytes(b"")

    def lose_output(self) -> None:
        files = sorted(each for each in self.out.rglob("*.*") if each.is_file())
        if files:
            self.chance.choice(files).unlink()

    def lose_all_output(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def copy(self) -> None:
        """What a fresh clone would have: the specs, the settings, no output and no cache."""
        shutil.rmtree(self.cold, ignore_errors=True)
        ignored = shutil.ignore_patterns("out", ".*")
        shutil.copytree(self.folder, self.cold, ignore=ignored)


STEPS: list[Callable[[Wanderer], None]] = [
    *[Wanderer.edit] * 12,
    Wanderer.edit_and_restore_times,
    Wanderer.touch,
    Wanderer.rename,
    Wanderer.move,
    Wanderer.swap,
    Wanderer.delete,
    Wanderer.bring_back,
    Wanderer.join,
    Wanderer.configure,
    Wanderer.damage_cache,
    Wanderer.lose_output,
    Wanderer.lose_all_output,
]


def _wander(
    folder: Path,
    steps: int,
    seed: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> int:
    """How many of the builds made a tree."""
    wanderer = Wanderer(folder, seed)

    def run(place: Path, cache: str) -> tuple[int, str]:
        monkeypatch.chdir(place)
        monkeypatch.setenv("BRIMGEN_CACHE", cache)
        capsys.readouterr()
        asked = invocation(["generate"])
        if asked is not None and answer(asked, "generate"):
            code = 0
        else:
            code = cli.run(["generate"], invocation=asked)
        return code, told(capsys.readouterr().err)

    made, trace = 0, ["start"]
    for _ in range(steps):
        kept = tree(wanderer.out)
        warm = run(wanderer.folder, str(wanderer.cache))
        wanderer.copy()
        cold = run(wanderer.cold, "")
        assert cold == warm, (trace, warm)
        expected = tree(wanderer.cold / "out") if cold[0] == 0 else kept
        assert expected == tree(wanderer.out), trace
        made += cold[0] == 0
        if cold[0]:
            shutil.rmtree(wanderer.specs)
            shutil.copytree(folder / "last", wanderer.specs)
        else:
            shutil.rmtree(folder / "last", ignore_errors=True)
            shutil.copytree(wanderer.specs, folder / "last")
        trace.extend(wanderer.step() for _ in range(wanderer.chance.randrange(1, 3)))
    return made


@pytest.mark.parametrize(
    ("seed", "steps"),
    [
        (0, 4),
        pytest.param(0, 20, marks=pytest.mark.whole),
        pytest.param(1, 20, marks=pytest.mark.whole),
    ],
)
def test_wherever_edits_lead_the_tree_is_that_of_a_cold_build(
    seed: int,
    steps: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert steps // 2 <= _wander(tmp_path, steps, seed, monkeypatch, capsys)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(10, 20))
def test_wherever_many_edits_lead_the_tree_is_that_of_a_cold_build(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert 100 < _wander(tmp_path, 200, seed, monkeypatch, capsys)
