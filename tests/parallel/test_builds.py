"""What several processes build together is what one builds: the same files, the same words."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics.catalogue import RULES
from brimgen.output.plan import Output
from brimgen.parallel import build, joined
from parallel.conftest import CONFIGURATION, Project

ROOT = Path(__file__).resolve().parents[2]
PAGE = """\
type: entity
name: Page
description: A part of a long list.
fields:
  offset: { type: int, default: 0, minimum: 0, description: Rows to skip }
  data: { type: string, required: false }
"""
PLACE = """\
type: entity
name: Place
fields:
  street: { type: string, maxLength: 80 }
  floors: { type: int, default: 1 }
"""
PYTHON = """\
type: python_function
name: {name}
description: Find every one of them that fits.
handler: backend.tools:{name}
arguments:
  entity_ref: Page
  inline:
    title: {{ type: string, maxLength: 80, description: A title }}
    placed: {{ type: datetime, required: false }}
returns: {returns}
"""
SQL = """\
/*
---
name: {name}
description: Count what there is.
arguments:
  inline:
    title: {{ type: string, required: false }}
    tenant: {{ type: string, from_context: app.tenant.id }}
returns: int
---
*/
SELECT count(*) FROM things
WHERE title = :title AND tenant = :tenant
"""
HTTP = """\
type: http_function
name: {name}
description: Ask another service about one of them.
arguments:
  inline:
    number: {{ type: int, minimum: 1 }}
allowedHosts: [api.example.com]
request:
  method: GET
  url: https://api.example.com/things/${{number}}
returns: Place
"""
RESOURCE = """\
type: resource
name: handbook
description: A page of the handbook.
path: /handbook/{page}
arguments:
  inline:
    page: string
"""
PROMPT = """\
---
type: template_function
name: greet
description: Greet somebody.
arguments:
  inline:
    who: { type: string, description: Whom to greet }
---
Hello {{ args.who }}
"""
TAKES = """\
type: python_function
name: {name}
description: Keep what is given.
arguments:
  inline:
    places: {{ type: '{type}', description: What is given{more} }}
"""


def small(count: int = 6) -> dict[str, str]:
    """Tools of all kinds, of which each process gets some."""
    specs = {"entities.yaml": f"{PAGE}---\n{PLACE}", "p.md": PROMPT, "r.yaml": RESOURCE}
    for number in range(count):
        returns = ("string[]", "Place", "void")[number % 3]
        name = f"find_{number}"
        specs[f"tools/{name}.yaml"] = PYTHON.format(name=name, returns=returns)
        specs[f"tools/count_{number}.sql"] = SQL.format(name=f"count_{number}")
        specs[f"tools/ask_{number}.yaml"] = HTTP.format(name=f"ask_{number}")
    return specs


@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_tools_of_all_kinds(project: Project, jobs: int) -> None:
    project.write(small())
    assert jobs == project.hold(jobs)


def test_what_rests_on_no_tool_is_made_once(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The other process hands lists over, and neither entities nor what is copied from us."""
    over = tmp_path_factory.mktemp("over") / "paths"

    def handed_over(held: Sequence[joined.Held]) -> list[tuple[Any, ...]]:
        rows = joined.handed_over(held)
        with over.open("a") as stream:
            stream.writelines(f"{os.getpid()} {row[0]}\n" for row in rows)
        return rows

    monkeypatch.setattr(build, "handed_over", handed_over)
    project.write(small())
    assert 2 == project.hold()
    by_others = [
        path
        for process, path in map(str.split, over.read_text().splitlines())
        if int(process) != os.getpid()
    ]
    assert "mcp/tools.json" in by_others
    made_once = "/entities.py", "/entities/", "/_engine/", "shop/__init__.py"
    assert [] == [path for path in by_others if any(map(path.__contains__, made_once))]


@pytest.mark.parametrize("jobs", [2, 3, 5])
def test_each_process_joins_some_lists(
    project: Project, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(joined, "_LARGE", 64)
    project.write(small())
    assert jobs == project.hold(jobs)


def test_large_files_are_dealt_out_among_their_makers() -> None:
    def made(path: str, size: int) -> joined.Held:
        return Output(path, b"x" * size, "mcp"), {}

    small, middle, large = 100, 20_000, 30_000
    held = [
        [made("a", small), made("b", large), made("c", middle), made("d", large)],
        [made("a", small), made("b", large), made("c", middle)],
        [made("a", small), made("e", middle)],
    ]
    assert [
        ["b", "b", "d", "e", "a", "a", "a"],
        ["c"],
        [],
    ] == [[each.path for each, _ in work] for work in joined.dealt(held)]


def test_the_targets_that_run_by_default(project: Project) -> None:
    project.configure("package: shop\n")
    project.write(small())
    assert 2 == project.hold()


def test_targets_that_were_asked_for(project: Project) -> None:
    project.configure("package: shop\ntargets: [json_schema, docs]\n")
    project.write(small())
    assert 2 == project.hold()


def test_schemas_that_are_open(project: Project) -> None:
    project.configure(f"{CONFIGURATION}closed: false\n")
    project.write(small())
    assert 2 == project.hold()


def test_the_shop(project: Project) -> None:
    project.configure(f"""{CONFIGURATION}connections:
  default: {{ dialect: sqlite, drivers: [sqlite3] }}
  warehouse: {{ dialect: postgres, drivers: [psycopg, asyncpg] }}
  analytics: {{ dialect: duckdb, drivers: [duckdb] }}
""")
    for file in (ROOT / "specs").rglob("*"):
        if file.is_file() and "bundles" not in file.parts:
            text = re.sub(r"^bundle:.*\n", "", file.read_text(), flags=re.MULTILINE)
            project.write({file.relative_to(ROOT / "specs").as_posix(): text})
    assert 2 == project.hold()
    assert 3 == project.hold(3)


def test_one_tool_uses_an_entity_as_no_other_does(project: Project) -> None:
    """Its class reads lists, and keeps in mind what was absent, because of that tool."""
    specs = small()
    uses = {
        "list": ("Place[]", ""),
        "set": ("Place[]", ", uniqueItems: true"),
        "one": ("Place", ""),
    }
    for name, (type, more) in uses.items():
        text = TAKES.format(name=f"keep_{name}", type=type, more=more)
        specs[f"tools/keep_{name}.yaml"] = text
        project.write(specs)
        assert 2 == project.hold()


def test_names_and_numbers_of_all_tools_are_told_of(project: Project) -> None:
    project.configure(f"{CONFIGURATION}lint:\n  limits: {{ tools: 3 }}\n")
    specs = {"entities.yaml": PAGE}
    for number, name in enumerate(("find_order", "order_find", "orders_find", "read")):
        for copy in ("", "_x", "_y"):
            text = PYTHON.format(name=f"{name}{copy}", returns="void")
            specs[f"{number}{copy}.yaml"] = text
    project.write(specs)
    told = {each.rule.code for each in project.generate(1).build.found}
    project.clear()
    assert told >= {"L604", "L611"}
    for jobs in (2, 3, 4):
        assert jobs == project.hold(jobs)


def test_more_tools_than_a_request_takes(project: Project) -> None:
    project.configure("package: shop\ntargets: [openai]\n")
    project.write(
        {
            f"{number}.yaml": f"type: python_function\nname: tool_{number}\n"
            f"description: Do {number} of these things.\n"
            for number in range(140)
        }
    )
    assert "T452" in {each.rule.code for each in project.generate(1).build.found}
    project.clear()
    assert 2 == project.hold()


def test_waivers_of_tools_and_of_entities(project: Project) -> None:
    waived = PAGE.replace(
        "fields:", "x-lint-ignore: { argument-name-vague: theirs }\nfields:"
    )
    idle = PLACE.replace(
        "fields:", "x-lint-ignore: { argument-name-vague: none }\nfields:"
    )
    specs = small()
    specs["entities.yaml"] = f"{waived}---\n{idle}"
    specs["tools/find_0.yaml"] += "x-lint-ignore: { too-many-tools: few }\n"
    specs["tools/find_1.yaml"] += "x-lint-ignore: { tool-names-alike: no }\n"
    project.write(specs)
    assert "L691" in {each.rule.code for each in project.generate(1).build.found}
    project.clear()
    assert 2 == project.hold()


def test_statements_in_files_of_their_own(project: Project) -> None:
    specs = small()
    specs["statements/one.sql"] = "SELECT 1\n"
    specs["statements/unused.sql"] = "SELECT 2\n"
    specs["one.yaml"] = (
        "type: sql_function\nname: one\ndescription: Count one.\n"
        "handler: statements/one.sql\nreturns: int\n"
    )
    project.write(specs)
    project.hold()
    del specs["statements/unused.sql"]
    (project.folder / "specs/statements/unused.sql").unlink()
    assert 2 == project.hold()


def test_an_index_that_a_tool_takes_the_name_of(project: Project) -> None:
    specs = small()
    specs["tools/index.yaml"] = PYTHON.format(name="index", returns="void")
    project.write(specs)
    assert 2 == project.hold()


def test_kinds_of_which_one_process_has_none(project: Project) -> None:
    specs = {each: text for each, text in small().items() if "count" not in each}
    specs["tools/count.sql"] = SQL.format(name="count_all")
    project.write(specs)
    assert 3 == project.hold(3)


ALONE = {
    "a bundle": {"b.yaml": "type: bundle\nname: shop\nisEnabled: true\n"},
    "a broken file": {"tools/find_0.yaml": "type: python_function\nname: [\n"},
    "an unknown type": {"tools/find_0.yaml": "type: pyton\nname: find_0\n"},
    "an unknown entity": {
        "tools/find_0.yaml": TAKES.format(name="find_0", type="Plaice", more="")
    },
    "a name twice": {
        f"twice/{number}.yaml": PYTHON.format(name="twice", returns="void")
        for number in range(4)
    },
    "a name in other forms": {
        "twice/0.yaml": PYTHON.format(name="twice-said", returns="void"),
        "twice/1.yaml": PYTHON.format(name="Twice_Said", returns="void"),
        "twice/2.yaml": PYTHON.format(name="once", returns="void"),
    },
    "an entity among tools": {
        "tools/find_0.yaml": PYTHON.format(name="find_0", returns="Thing")
        + "---\n{ type: entity, name: Thing, fields: { number: int } }\n"
    },
    "an entity that tools of others name": {
        "tools/find_0.yaml": PYTHON.format(name="find_0", returns="void")
        + "---\n{ type: entity, name: Thing, fields: { number: int } }\n",
        "tools/find_1.yaml": PYTHON.format(name="find_1", returns="Thing"),
        "tools/find_2.yaml": PYTHON.format(name="find_2", returns="Thing"),
    },
    "an argument like a class": {
        "tools/find_0.yaml": TAKES.format(name="find_0", type="int", more="").replace(
            "places:", "CountThingsInput:"
        ),
        **{
            f"tools/count_{number}.yaml": PYTHON.format(
                name=f"count_{'things' if number else 'others'}", returns="void"
            )
            for number in range(2)
        },
    },
    "an id twice": {
        f"twice/{number}.yaml": PYTHON.format(name=f"twice_{number}", returns="void")
        + "id: 0190f5b4-7c1e-7a3b-9d2e-3f4a5b6c7d8e\n"
        for number in range(2)
    },
    "strict tools": {
        "tools/find_0.yaml": PYTHON.format(name="find_0", returns="void")
        + "x-anthropic-strict: true\n"
    },
}


@pytest.mark.parametrize("specs", ALONE.values(), ids=ALONE)
def test_what_is_left_to_one_process(project: Project, specs: dict[str, str]) -> None:
    project.write({**small(), **specs})
    assert 1 == project.hold()


@pytest.mark.parametrize(
    "more",
    [
        "targets: [python, models]\nmodels: [pydantic]\n",
        "descriptors: { token_budget: 100000 }\n",
    ],
)
def test_settings_that_want_one_process(project: Project, more: str) -> None:
    project.configure(f"package: shop\n{more}")
    project.write(small())
    assert 1 == project.hold()


def test_few_files_are_built_by_one_process(project: Project) -> None:
    project.write({"one.yaml": PYTHON.format(name="one", returns="void")})
    project.write({"page.yaml": PAGE})
    assert 1 == project.hold(4)


def examples() -> list[str]:
    """The documents of tools that the pages of diagnostics show, right ones and wrong ones."""
    found: dict[str, None] = {}
    for rule in RULES:
        for text in (rule.wrong, rule.right):
            for document in re.split(r"^---\s*$", text, flags=re.MULTILINE):
                if re.search(r"^type: \w+_function", document, re.MULTILINE):
                    found[document] = None
    return [*found]


@pytest.mark.parametrize("seed", range(int(os.environ.get("BRIMGEN_ROUNDS", "12"))))
def test_any_specs_together(
    project: Project, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Most draws have a mistake somewhere, so a few are taken that one may well have none of."""
    chance = random.Random(seed)
    monkeypatch.setattr(joined, "_LARGE", chance.choice([1 << 14, 64]))
    known = examples()
    specs = small(chance.randint(1, 4))
    for number, text in enumerate(chance.sample(known, 3)):
        name = f"name: {chance.choice(['find', 'count', 'ask'])}_{number}{seed}s"
        specs[f"drawn/{number}.yaml"] = re.sub(
            r"^name: .*", name, text, count=1, flags=re.MULTILINE
        )
    project.write(specs)
    project.hold(chance.choice([2, 3]))
