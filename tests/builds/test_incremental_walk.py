"""Along a way of small edits, the builds of what changed leave what cold builds would leave.

Most steps are such as a build of what changed takes: words, bounds, defaults, statements, an
argument more, of one or two tools among thirty. After each the folder, what is said, the baseline
and what the stamp says of it are held against a build of everything (docs/builds.md).
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.walks import Hike

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


@pytest.mark.parametrize("seed", range(2))
def test_along_a_way_of_small_edits_little_is_built(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    walker = Walker(tmp_path, seed)
    ways = Hike(walker, monkeypatch, capsys).walk(20)
    assert (21, True) == (sum(ways.values()), ways["changed"] >= 10), ways


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(10, 16))
def test_along_a_long_way_of_small_edits_little_is_built(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    walker = Walker(tmp_path, seed)
    ways = Hike(walker, monkeypatch, capsys).walk(120)
    assert (121, True) == (sum(ways.values()), ways["changed"] >= 60), ways
