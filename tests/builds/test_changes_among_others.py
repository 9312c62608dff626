"""Wherever edits lead that others see, a build of what they reach leaves what a cold build leaves.

Entities, files that come and go, names, handlers, prompts, resources, files of several documents,
switches, and warnings about all of them: after each step the folder, what is said, the baseline and
what the stamp says of it are held against a build of everything (docs/builds.md).
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.walks import Hike

SETTINGS = [
    "package: t\n",
    "targets: [python, json_schema, sql, http, openai, mcp, docs, server, dispatch, "
    "handlers, resources, prompts, anthropic, gemini, commands]\n",
    "closed: false\ndescriptors: { per_tool: true }\n",
]
WORDS = [
    *("orders", "invoices", "parcels", "refunds", "baskets", "vouchers"),
    *("suppliers", "shelves", "returns", "drivers", "lorries", "depots"),
]
ENTITIES = {
    "page.yaml": """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, minimum: 0, description: Rows to skip }
""",
    "sheet.yaml": """\
type: entity
name: Sheet
description: A part of a long list.
fields:
  start: { type: int, default: 0, description: Where it begins }
  place: { type: Place?, description: Where it lies }
""",
    "crate.yaml": """\
type: entity
name: Crate
fields:
  weight: { type: float, default: 1.5, minimum: 0, description: How heavy }
  data: string?
""",
    "note.yaml": """\
type: entity
name: Note
fields:
  words: { type: string, maxLength: 99, description: What to write }
  near: { type: Place?, description: Where it hangs }
""",
    "place.yaml": """\
type: entity
name: Place
fields:
  street: string?
  kind: { type: Kind, default: house }
""",
    "kind.yaml": """\
type: entity
name: Kind
enum: [house, field]
""",
    "mixed.yaml": """\
type: entity
name: Box
fields: { width: { type: int, description: How wide } }
---
type: python_function
name: pack
description: Pack a box.
arguments: { entity_ref: Box }
returns: Box
""",
}
TOOLS = {
    "find_{word}.yaml": """\
type: python_function
name: find_{word}
description: "Find every {word} that fits."
handler: backend.tools:find_{word}
arguments:
  entity_ref: {entity}
  inline:
    title: {{ type: string, maxLength: 80, description: "A title" }}
    places: {{ type: 'Place[]', required: false, description: "All of them" }}
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
    tenant: {{ type: string, from_context: app.tenant.id }}
returns: int
---
*/
SELECT count(*) FROM {word}
WHERE title = :title AND tenant = :tenant
""",
    "load_{word}.yaml": """\
type: http_function
name: load_{word}
description: "Load one of them."
arguments:
  inline:
    id: {{ type: int, description: "Its number" }}
    part: {{ type: object, required: false, fields: {{ x: int? }} }}
allowedHosts: [api.example.com]
request:
  method: GET
  url: https://api.example.com/{word}/${{id}}
  query: {{ part: "${{part.x}}" }}
returns: {entity}
""",
}
INHERITED = ["Sheet", "Page", "Crate", "Note"]
FEW = {
    "greet.md": """\
---
name: greet
description: "Greet somebody."
arguments:
  inline:
    who: { type: string, description: "Whom to greet" }
---
Hello {{ args.who }}
""",
    "manual.yaml": """\
type: resource
name: manual
description: "A page of the manual."
path: "/manual/{page}"
arguments:
  inline:
    page: { type: string, description: "Which one" }
""",
}


class Walker:
    """A project of forty tools of every kind, and the edits that it goes through."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.specs = folder, folder / "specs"
        self.chance = random.Random(seed)
        self.specs.mkdir()
        (folder / "brimgen.yaml").write_text(SETTINGS[seed % len(SETTINGS)])
        for name, text in {**ENTITIES, **FEW}.items():
            (self.specs / name).write_text(text)
        for number, word in enumerate(WORDS):
            for name, text in TOOLS.items():
                entity = INHERITED[number % len(INHERITED)]
                if number % 5 == 0:
                    text = text.replace("  entity_ref: {entity}\n", "")
                file = self.specs / name.format(word=word)
                file.write_text(text.format(word=word, entity=entity))

    def step(self) -> str:
        done = [self._step() for _ in range(self.chance.choice([1, 1, 1, 2]))]
        return " and ".join(done)

    def _step(self) -> str:
        does = self.chance.choice(STEPS)
        does(self)
        return does.__name__

    def _files(self, pattern: str = "**/*_*.*") -> list[Path]:
        return sorted(self.specs.glob(pattern))

    def _change(self, pattern: str, old: str, new: str) -> None:
        """In one of the files, replace the first place that ``old`` finds."""
        found = [
            each for each in self._files(pattern) if re.search(old, each.read_text())
        ]
        if found:
            file = self.chance.choice(found)
            file.write_text(re.sub(old, new, file.read_text(), count=1))

    def _number(self) -> str:
        return str(self.chance.randrange(10**6))

    def say(self) -> None:
        self._change("**/*.*", r'description: "(\w+)', r'description: "\1 really')

    def entity_says(self) -> None:
        self._change("*.yaml", r"(fields:[^#]*?description: )(\w)", r"\1Well, \2")

    def entity_bound(self) -> None:
        self._change("*.yaml", r"default: \d+", f"default: {self._number()}")

    def entity_field(self) -> None:
        self._change(
            "*.yaml", r"\nfields:\n", f"\nfields:\n  f{self._number()}: float?\n"
        )

    def entity_loses_field(self) -> None:
        self._change("*.yaml", r"\n  f\d+: float\?", "")

    def entity_warns(self) -> None:
        self._change("*.yaml", r"\nfields:\n", "\nfields:\n  data: string?\n")

    def entity_is_well(self) -> None:
        self._change("*.yaml", r"\n  data: string\?", "")

    def entity_has_parts(self) -> None:
        part = "{ type: object, required: false, fields: { y: float? } }"
        self._change("*.yaml", r"\nfields:\n", f"\nfields:\n  part: {part}\n")

    def entity_counts(self) -> None:
        self._change(
            "*.yaml", r"type: 'Place\[\]'", "type: 'Place[]', uniqueItems: true"
        )

    def enum(self) -> None:
        self._change("kind.yaml", r"enum: \[house", f"enum: [house, k{self._number()}")

    def entity_comes(self) -> None:
        name = self.chance.choice(["Fin", "FindOrdersPart", "Box2", "PlacePart", "url"])
        text = ENTITIES["page.yaml"].replace("Page", name)
        (self.specs / f"new{self._number()}.yaml").write_text(text)

    def entity_goes(self) -> None:
        for file in self._files("new*.yaml")[:1]:
            file.unlink()

    def entity_of_another_name(self) -> None:
        self._change("new*.yaml", r"name: \w+", f"name: E{self._number()}")

    def rests_on_another(self) -> None:
        old, new = self.chance.sample(INHERITED, 2)
        self._change("**/*_*.yaml", f"(entity_ref|returns): {old}", rf"\1: {new}")

    def comes(self) -> None:
        file = self.chance.choice(self._files("**/*_*.*"))
        stem, number = file.stem, self._number()
        text = file.read_text().replace(stem, f"{stem}_{number}")
        file.with_stem(f"{stem}_{number}").write_text(text)

    def goes(self) -> None:
        self.chance.choice(self._files("**/*_*.*")).unlink()

    def renamed(self) -> None:
        self._change("**/*_*.*", r"\nname: (\w+)", rf"\nname: \1_{self._number()}")

    def moved(self) -> None:
        file = self.chance.choice(self._files("**/*_*.*"))
        folder = self.specs / self.chance.choice(["a", "b"])
        folder.mkdir(exist_ok=True)
        file.rename(folder / file.name)

    def switched(self) -> None:
        self._change("**/*_*.*", r"\nname:", "\nenabled: false\nname:")

    def switched_on(self) -> None:
        self._change("**/*_*.*", r"\nenabled: false", "")

    def handler(self) -> None:
        self._change("**/find_*.yaml", r"handler: \w+", f"handler: m{self._number()}")

    def result(self) -> None:
        self._change("**/find_*.yaml", r"returns: .*", "returns: 'Place?'")

    def prompt(self) -> None:
        self._change("greet.md", r"\n(\w+) \{\{", r"\nDear \1 {{")

    def resource(self) -> None:
        self._change("manual.yaml", r"\"/manual/", f'"/manual/x{self._number()}/')

    def resource_comes_or_goes(self) -> None:
        file = self.specs / "leaflet.yaml"
        text = FEW["manual.yaml"].replace("manual", "leaflet")
        if file.exists():
            file.unlink()
        else:
            file.write_text(text)

    def mixed(self) -> None:
        self._change("mixed.yaml", r"name: pack\w*", f"name: pack{self._number()}")

    def joined(self) -> None:
        one, other = self.chance.sample(self._files("**/*_*.yaml"), 2)
        one.write_text(f"{one.read_text()}---\n{other.read_text()}")
        other.unlink()

    def waived(self) -> None:
        entry = "\nx-lint-ignore: { L606: so, L610: so }\nname:"
        self._change("*.yaml", r"\nname:", entry)

    def not_waived(self) -> None:
        self._change("*.yaml", r"\nx-lint-ignore: .*", "")

    def alike(self) -> None:
        file = self.chance.choice(self._files("**/find_*.yaml"))
        stem = file.stem.removesuffix("s")
        file.with_stem(stem).write_text(file.read_text().replace(file.stem, stem))

    def capital(self) -> None:
        name = self.chance.choice(
            ["FindOrdersInput", "Crate", "Page", "CountReturnsBound"]
        )
        self._change("**/find_*.yaml", r"  inline:\n", f"  inline:\n    {name}: int?\n")

    def part(self) -> None:
        part = "{ type: object, required: false, fields: { z: float? } }"
        self._change("**/find_*.yaml", r"  inline:\n", f"  inline:\n    part: {part}\n")

    def statement(self) -> None:
        self._change("**/*.sql", r"\nWHERE ", "\nWHERE price > 0 AND ")


STEPS: list[Callable[[Walker], None]] = [
    *[Walker.say] * 4,
    *[Walker.entity_says, Walker.entity_bound, Walker.entity_field] * 3,
    *[Walker.entity_loses_field, Walker.entity_warns, Walker.entity_is_well],
    *[Walker.entity_has_parts, Walker.entity_counts, Walker.enum],
    *[Walker.entity_comes, Walker.entity_goes, Walker.entity_of_another_name],
    *[Walker.rests_on_another, Walker.comes, Walker.goes, Walker.renamed] * 2,
    *[Walker.moved, Walker.switched, Walker.switched_on, Walker.handler],
    *[Walker.result, Walker.prompt, Walker.resource, Walker.resource_comes_or_goes],
    *[Walker.mixed, Walker.joined, Walker.waived, Walker.not_waived, Walker.alike],
    *[Walker.capital, Walker.part, Walker.statement],
]


@pytest.mark.parametrize("seed", range(3))
def test_along_a_way_of_edits_that_others_see_not_everything_is_built(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ways = Hike(Walker(tmp_path, seed), monkeypatch, capsys).walk(20)
    assert (21, True) == (sum(ways.values()), ways["changed"] >= 7), ways


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(10, 22))
def test_along_a_long_way_of_edits_that_others_see_not_everything_is_built(
    seed: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ways = Hike(Walker(tmp_path, seed), monkeypatch, capsys).walk(120)
    assert (121, True) == (sum(ways.values()), ways["changed"] >= 40), ways
