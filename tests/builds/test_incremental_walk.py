"""Along a way of small edits, the builds of what changed leave what cold builds would leave.

Most steps are such as a build of what changed takes: words, bounds, defaults, statements, an
argument more, of one or two tools among thirty. After each the folder, what is said, the baseline
and what the stamp says of it are held against a build of everything (docs/builds.md).
"""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from brimgen import pipeline
from brimgen.cli import main as cli
from brimgen.increment.baseline import read_baseline
from brimgen.stamp import evidence
from brimgen.stamp.answer import Question, baseline_path, question
from brimgen.stamp.evidence import sum_of, unpacked
from support.builds import told, tree

WORDS = [
    *("orders", "invoices", "parcels", "refunds", "baskets"),
    *("vouchers", "suppliers", "shelves", "returns", "drivers"),
]
TARGETS = """\
targets: [python, json_schema, sql, openai, mcp, anthropic, gemini, docs, commands]
"""
ENTITIES = """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, minimum: 0, description: Rows to skip }
---
type: entity
name: Place
fields:
  street: string?
  kind: { type: Kind, default: house }
---
type: entity
name: Kind
enum: [house, field]
"""
TEXTS = {
    "find_{word}.yaml": """\
type: python_function
name: find_{word}
description: "Find every {word} that fits."
arguments:
  entity_ref: Page
  inline:
    title: {{ type: string, minLength: 1, maxLength: 80, description: "A title" }}
    most: {{ type: int, minimum: 1, maximum: 400, default: 20 }}
    place: {{ type: Place, required: false }}
returns: string[]
""",
    "count_{word}.sql": """\
/*
---
name: count_{word}
description: "Count what there is."
arguments:
  inline:
    title: {{ type: string, maxLength: 60, required: false }}
    most: {{ type: decimal, maximum: 900, default: 20 }}
    tenant: {{ type: string, from_context: app.tenant.id }}
returns: int
---
*/
SELECT count(*) FROM {word}
WHERE title = :title AND price < :most AND tenant = :tenant
""",
    "greet_{word}.md": """\
---
name: greet_{word}
description: "Greet somebody."
arguments:
  inline:
    who: {{ type: string, maxLength: 90, description: "Whom to greet" }}
    times: {{ type: int, minimum: 1, maximum: 300, default: 1 }}
---
Hello {{{{ args.who }}}}
""",
}
SAID = [
    *(
        "Do it.",
        "Löscht alles – ja?",
        "with `code`, <b>marks</b> & 50 %",
        "\\U0001F600",
    ),
    *("one\\ntwo\\n\\nthree", '\\"\\"\\" quoted', "a " * 60, "{{ x }} ${y} $id \\\\"),
]
CLAUSES = [
    *("WHERE", "WHERE price > 0 AND", "WHERE (name IS NULL OR name <> '') AND"),
    *("WHERE /* so */ 1 = 1 AND", "WHERE NOT\\n  (1 = 2) AND"),
]


class Walker:
    """A project of thirty tools, the edits that it goes through, and how it was built."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.specs = folder, folder / "specs"
        self.chance = random.Random(seed)
        self.ways = {"nothing": 0, "changed": 0, "whole": 0}
        self.specs.mkdir()
        (folder / "brimgen.yaml").write_text(TARGETS)
        (self.specs / "entities.yaml").write_text(ENTITIES)
        for word in WORDS:
            for name, text in TEXTS.items():
                file = self.specs / name.format(word=word)
                file.write_text(text.format(word=word))

    def change(self, pattern: str, new: Callable[[], str]) -> None:
        """Change the first, or another, place that a pattern finds in one tool or in two."""
        for _ in range(self.chance.choice([1, 1, 2])):
            files = sorted(self.specs.glob("*_*"))
            file = self.chance.choice(files)
            text = file.read_text()
            found = [*re.finditer(pattern, text)]
            if found:
                start, end = self.chance.choice(found).span(1)
                file.write_text(f"{text[:start]}{new()}{text[end:]}")

    def step(self) -> str:
        does = self.chance.choice(STEPS)
        does(self)
        return does.__name__

    def say(self) -> None:
        self.change(r'description: ("[^\n]*")', lambda: f'"{self._words()}"')

    def _words(self) -> str:
        return " ".join(self.chance.sample(SAID, self.chance.randrange(1, 4)))

    def bound(self) -> None:
        self.change(r"max\w+: (\d+)", lambda: str(self.chance.randrange(200, 999)))

    def default(self) -> None:
        self.change(r"default: (\d+)", lambda: str(self.chance.randrange(1, 150)))

    def statement(self) -> None:
        self.change(
            r"\n(WHERE[^:]*?)(?: title)",
            lambda: self.chance.choice(CLAUSES).replace("\\n", "\n"),
        )

    def prompt(self) -> None:
        self.change(r"\n(\w+ )\{\{", lambda: self.chance.choice(["Hi ", "Dear "]))

    def more(self) -> None:
        self.change(r"inline:\n()", lambda: f"    {self._name()}: float?\n")

    def _name(self) -> str:
        return f"more_{self.chance.randrange(10**6)}"

    def less(self) -> None:
        self.change(r"\n( {4}more_\d+: float\?\n)", lambda: "")

    def comment(self) -> None:
        self.change(r"\n()arguments:", lambda: "# so\n" * self.chance.randrange(1, 3))

    def restore_times(self) -> None:
        """Other bytes of the same length under the old time."""
        file = self.chance.choice(sorted(self.specs.glob("*.sql")))
        before = file.stat()
        file.write_bytes(file.read_bytes().replace(b"count(*)", b"count(1)"))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def entity(self) -> None:
        file = self.specs / "entities.yaml"
        file.write_text(file.read_text().replace("Rows", "Rows or lines"))

    def rename(self) -> None:
        self.change(r"\nname: \w+()", lambda: "_b")

    def err(self) -> None:
        self.change(r"type: (int|string|decimal)", lambda: "strong")


STEPS: list[Callable[[Walker], None]] = [
    *[Walker.say] * 5,
    *[Walker.bound] * 4,
    *[Walker.default] * 4,
    *[Walker.statement] * 4,
    *[Walker.prompt, Walker.more, Walker.more, Walker.less, Walker.comment],
    *[Walker.restore_times, Walker.entity, Walker.rename, Walker.err],
]


def left(asked: Question) -> tuple[Any, ...]:
    """What the stamp says but for times and inodes, and the baseline, in its very order.

    The bytes of both tell besides which values were one object, which means nothing.
    """
    stamp = unpacked(Path(asked.path).read_bytes())
    outputs = {
        folder: {name: each[1] for name, each in sorted(files.items())}
        for folder, files in sorted(stamp[7].items())
    }
    data = Path(baseline_path(asked)).read_bytes()
    assert sum_of(data) == stamp[11]
    baseline = read_baseline(unpacked(data)).plain()
    return (stamp[:5], stamp[6], outputs, stamp[9:11], repr(baseline))


class Hike:
    """A walk, its steps one after the other, each held against a cold build."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        patch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self._patch, self._capsys = patch, capsys
        self.walker, self._wholes = Walker(folder, seed), 0
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
        self._patch.setenv("BRIMGEN_CACHE", str(self.walker.folder / cache))
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
        self.walker.ways["nothing" if same else way] += 1
        warm = left(asked) if code == 0 else None
        self._cold(code, said, after, warm)
        specs = tree(self.walker.specs)
        for name, data in self._good.items() if code else ():
            if specs[name] != data:
                (self.walker.specs / name).write_bytes(data)
        if code == 0:
            self._good = specs

    def _cold(self, code: int, said: str, after: dict[str, bytes], warm: Any) -> None:
        shutil.rmtree(self.walker.folder / "empty", ignore_errors=True)
        if self._out.exists():
            self._out.rename(self._kept)
        cold, words, asked = self._run("empty")
        assert (cold, words) == (code, said), self._trace
        if code == 0:
            assert tree(self._out) == after, self._trace
            assert left(asked) == warm, self._trace
            shutil.rmtree(self._out)
        if self._kept.exists():
            self._kept.rename(self._out)

    def walk(self, steps: int) -> dict[str, int]:
        """How often each way was taken."""
        self.stand()
        for _ in range(steps):
            self._trace.append(self.walker.step())
            self.stand()
        return self.walker.ways


@pytest.mark.parametrize("seed", range(2))
def test_along_a_way_of_small_edits_little_is_built(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ways = Hike(tmp_path, seed, monkeypatch, capsys).walk(20)
    assert (21, True) == (sum(ways.values()), ways["changed"] >= 10), ways


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(10, 16))
def test_along_a_long_way_of_small_edits_little_is_built(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ways = Hike(tmp_path, seed, monkeypatch, capsys).walk(120)
    assert (121, True) == (sum(ways.values()), ways["changed"] >= 60), ways
