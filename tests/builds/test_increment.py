"""A build of what changed is the build of everything: the same files, the same words."""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from brimgen import pipeline
from brimgen.built import Prepared
from brimgen.cli import main as cli
from brimgen.diagnostics import Diagnostics
from brimgen.emit import EMITTERS
from brimgen.frozen import replace
from brimgen.increment.baseline import face_of, faces_of
from brimgen.settings.load import Flags, Settings, load_settings
from brimgen.stamp import evidence, record
from brimgen.stamp.answer import question
from support.builds import told, tree

ROOT = Path(__file__).resolve().parents[2]
TARGETS = (
    "targets: [python, json_schema, sql, openai, mcp, anthropic, gemini, docs, commands, "
    "bundles]\n"
)
ENTITY = """\
type: entity
name: Page
description: A part of a long list.
fields:
  offset: { type: int, default: 0, minimum: 0, description: Rows to skip }
"""
PYTHON_TOOL = """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
handler: backend.tools:find_{word}
arguments:
  entity_ref: Page
  inline:
    title: {{ type: string, maxLength: 80, description: A title }}
    placed: {{ type: datetime, required: false }}
returns: string[]
"""
SQL_TOOL = """\
/*
---
name: count_{word}
description: Count what there is.
arguments:
  inline:
    title: {{ type: string, required: false }}
    tenant: {{ type: string, from_context: app.tenant.id }}
returns: int
---
*/
SELECT count(*) FROM {word}
WHERE title = :title AND tenant = :tenant
"""
LIST_TOOL = """\
type: python_function
name: find_pages
description: Find what is on any of these.
arguments:
  inline:
    pages: { type: 'Page[]', description: All of them }
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
WORDS = ("orders", "invoices", "parcels", "refunds")


class Project:
    """A project with a cache, and what a build of everything makes of it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.whole = 0
        self._capsys = capsys

    def run(self) -> tuple[int, str]:
        """`generate` in a process of its own, as far as stamps can tell."""
        self._capsys.readouterr()
        code = cli.run(["generate"], asked=question(["generate"]))
        return code, self._capsys.readouterr().err

    def generate(self) -> bool:
        """Generate, hold the outcome against a build of everything; was it one itself?"""
        self.whole = 0
        code, said = self.run()
        was_whole = self.whole > 0
        self.hold_against_everything(code, said)
        return was_whole

    def hold_against_everything(self, code: int, said: str) -> None:
        """A build of everything, in an empty folder, makes and says the same."""
        made = tree(self.folder / "out")
        shutil.move(self.folder / "out", self.folder / "kept")
        asked = cli.run(["generate"])
        expected = self._capsys.readouterr().err
        assert tree(self.folder / "out") == made
        assert asked == code
        assert told(expected) == told(said)
        shutil.rmtree(self.folder / "out")
        shutil.move(self.folder / "kept", self.folder / "out")

    def write(self, path: str, text: str) -> None:
        (self.folder / "specs" / path).write_text(text)

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.folder / "specs" / path
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))


@pytest.fixture
def project(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Project]:
    """A project that was built once, the clock of its files being fine enough."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BRIMGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(evidence, "TICK", 0)
    monkeypatch.setattr(evidence, "COARSE", 0)
    made = Project(tmp_path, capsys)
    generate = pipeline.generate

    def counted(*arguments: object, **options: object) -> pipeline.Result:
        made.whole += 1
        return generate(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "generate", counted)
    (tmp_path / "brimgen.yaml").write_text(TARGETS)
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "page.yaml").write_text(ENTITY)
    (specs / "greet.md").write_text(PROMPT)
    (specs / "find_pages.yaml").write_text(LIST_TOOL)
    for word in WORDS:
        (specs / f"find_{word}.yaml").write_text(PYTHON_TOOL.format(word=word))
        (specs / f"count_{word}.sql").write_text(SQL_TOOL.format(word=word))
    assert made.run()[0] == 0
    assert made.whole == 1
    yield made


SHORT: dict[str, Callable[[Project], None]] = {
    "a description": lambda it: it.edit("find_orders.yaml", "every", "each"),
    "a longer description": lambda it: it.edit(
        "count_orders.sql", "what there is", 'all \\"rows\\",\n  with a second line'
    ),
    "an argument more": lambda it: it.edit(
        "find_parcels.yaml", "  inline:\n", "  inline:\n    page_size: int\n"
    ),
    "no loss any more": lambda it: it.edit("find_orders.yaml", "maxLength: 80, ", ""),
    "an argument less": lambda it: it.edit(
        "find_orders.yaml", "    placed: { type: datetime, required: false }\n", ""
    ),
    "a statement": lambda it: it.edit("count_refunds.sql", "count(*)", "count(title)"),
    "a warning less": lambda it: it.edit(
        "count_refunds.sql", "title = :title", "(:title IS NULL OR title = :title)"
    ),
    "a warning that moves": lambda it: it.edit(
        "count_orders.sql", "returns: int\n", "\n\nreturns: int\n"
    ),
    "a comment": lambda it: it.edit("find_orders.yaml", "returns", "# so\nreturns"),
    "a prompt": lambda it: it.edit("greet.md", "Hello", "Good morning"),
}
AMONG: dict[str, Callable[[Project], None]] = {
    "another name": lambda it: it.edit("find_orders.yaml", "find_orders\n", "seek\n"),
    "another entity": lambda it: it.edit(
        "find_orders.yaml", "  entity_ref: Page\n", ""
    ),
    "a file more": lambda it: it.write("more.yaml", PYTHON_TOOL.format(word="more")),
    "a file less": lambda it: (it.folder / "specs/find_orders.yaml").unlink(),
    "another kind": lambda it: it.write(
        "find_orders.yaml", "type: entity\nname: Other\nfields: { a: int }\n"
    ),
    "a tool more in a file": lambda it: it.edit(
        "find_orders.yaml",
        "returns: string[]\n",
        "returns: string[]\n---\n" + PYTHON_TOOL.format(word="others"),
    ),
    "a tool switched off": lambda it: it.edit(
        "find_orders.yaml", "returns", "enabled: false\nreturns"
    ),
    "a command less": lambda it: it.edit(
        "find_orders.yaml", "type: datetime,", "type: object,"
    ),
    "a list that compares objects": lambda it: it.edit(
        "find_pages.yaml", "description: All", "uniqueItems: true, description: All"
    ),
    "a list no more": lambda it: it.edit("find_pages.yaml", "'Page[]'", "Page"),
    "a target less": lambda it: it.edit(
        "find_orders.yaml", "returns", "targets: [python]\nreturns"
    ),
}
WHOLE: dict[str, Callable[[Project], None]] = {
    "an entity": lambda it: it.edit("page.yaml", "Rows to skip", "Rows"),
    "a setting": lambda it: it.edit(
        "../brimgen.yaml", "targets", "package: p\ntargets"
    ),
    "a strict tool more": lambda it: it.edit(
        "find_orders.yaml", "returns", "x-anthropic-strict: true\nreturns"
    ),
}


@pytest.mark.parametrize("what", SHORT)
def test_what_stays_within_a_tool_is_built_alone(project: Project, what: str) -> None:
    SHORT[what](project)
    assert not project.generate()


@pytest.mark.parametrize("what", AMONG)
def test_what_other_tools_see_is_built_with_what_rests_on_it(
    project: Project, what: str
) -> None:
    AMONG[what](project)
    assert not project.generate()


@pytest.mark.parametrize("what", WHOLE)
def test_what_reaches_further_is_built_with_everything(
    project: Project, what: str
) -> None:
    WHOLE[what](project)
    assert project.generate()


def test_the_files_that_a_tool_rests_on_are_part_of_its_face(project: Project) -> None:
    """Of an entity that is inherited but for its fields nothing is left but where it is."""
    project.write("sheet.yaml", ENTITY.replace("Page", "Sheet"))
    less = "  entity_ref: Page\n  omit: [offset]\n"
    project.edit("find_orders.yaml", "  entity_ref: Page\n", less)
    assert not project.generate()
    before = faces()
    project.edit("find_orders.yaml", "every", "each")
    assert not project.generate()
    assert before == faces()
    project.edit("find_orders.yaml", "entity_ref: Page", "entity_ref: Sheet")
    assert not project.generate()
    after = faces()
    assert {"find_orders"} == {name for name in before if before[name] != after[name]}


def _settings() -> Settings:
    known = [each.name for each in EMITTERS]
    return load_settings(Flags(), known_targets=known, found=Diagnostics())


def faces() -> dict[str, str]:
    """The faces of all tools, of a build in memory."""
    settings = _settings()
    catalog = pipeline.build(settings).catalog
    emitters = pipeline.real_stages(settings).emitters
    return faces_of(catalog, pipeline.choose_emitters(settings, emitters))


def test_each_file_that_a_tool_rests_on_counts(project: Project) -> None:
    settings = _settings()
    catalog = pipeline.build(settings).catalog
    tool = next(each for each in catalog.tools if each.name == "find_orders")
    assert ("specs/find_orders.yaml", "specs/page.yaml") == tool.sources
    seen = {
        face_of(replace(tool, sources=sources), ())
        for sources in (
            tool.sources,
            tool.sources[:1],
            tool.sources[::-1],
            (*tool.sources, "specs/greet.md"),
        )
    }
    assert (4, face_of(tool, ()) in seen) == (len(seen), True)


def test_one_build_of_what_changed_after_the_other(project: Project) -> None:
    for what in ("a longer description", "no loss any more", "a statement", "a prompt"):
        SHORT[what](project)
        assert not project.generate(), what


def test_with_an_error_nothing_is_written_and_all_errors_are_told(
    project: Project,
) -> None:
    before = tree(project.folder / "out")
    project.edit("find_orders.yaml", "type: string,", "type: strong,")
    code, said = project.run()
    assert (1, 1) == (code, project.whole - 1)
    assert "strong" in said
    assert before == tree(project.folder / "out")
    project.edit("find_orders.yaml", "type: strong,", "type: string,")
    project.edit("find_orders.yaml", "every", "each")
    project.generate()


def test_an_upgrade_of_a_library_is_seen_that_the_last_run_did_without(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    lives_in = project.folder / "site"
    (lives_in / "yml").mkdir(parents=True)
    library = ModuleType("yml")
    library.__file__ = str(lives_in / "yml" / "__init__.py")
    monkeypatch.setattr(record, "_LIBRARIES", ("yml",))
    with monkeypatch.context() as whole:
        whole.setitem(sys.modules, "yml", library)
        project.edit("page.yaml", "Rows to skip", "Rows")
        project.run()
    project.edit("find_orders.yaml", "every", "each")
    assert (0, 2) == (project.run()[0], project.whole)
    (lives_in / "yml-2.dist-info").mkdir()
    project.edit("find_orders.yaml", "each", "every")
    assert (0, 3) == (project.run()[0], project.whole)


@pytest.mark.parametrize("damage", ["gone", "cut", "other bytes", "of another build"])
def test_a_damaged_baseline_is_no_baseline(project: Project, damage: str) -> None:
    (file,) = (project.folder / "cache").glob("*.baseline")
    data = file.read_bytes()
    match damage:
        case "gone":
            file.unlink()
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "other bytes":
            file.write_bytes(bytes(each ^ 1 for each in data))
        case _:
            project.edit("count_orders.sql", "Count", "Number")
            project.run()
            file.write_bytes(data)
    project.edit("find_orders.yaml", "every", "each")
    assert project.generate()


@pytest.mark.parametrize(
    "name", ["python/tools/tools/find_orders.py", "openai/chat.json"]
)
def test_a_file_that_was_edited_by_hand_is_seen(project: Project, name: str) -> None:
    file = project.folder / "out" / name
    file.write_text(f"{file.read_text()}\n")
    project.edit("find_orders.yaml", "every", "each")
    project.whole = 0
    code, said = project.run()
    assert (3, 1) == (code, project.whole)
    assert "O520" in said


def test_an_argument_called_as_the_class_of_another_tool(project: Project) -> None:
    project.edit(
        "find_orders.yaml", "  inline:\n", "  inline:\n    FindParcelsInput: int\n"
    )
    code, said = project.run()
    assert 1 == code
    assert "FindParcelsInput" in said


def _random_edit(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    number = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            lines.insert(number, lines[chance.randrange(len(lines))])
        case 1:
            del lines[number]
        case 2:
            other = chance.randrange(len(lines))
            lines[number], lines[other] = lines[other], lines[number]
        case 3:
            lines[number] = lines[number].replace(
                "title", chance.choice(["name", "id"])
            )
        case _:
            lines[number] = re.sub(r"\w+", "other", lines[number], count=1)
    return "\n".join(lines)


def _wander(project: Project, seed: int, steps: int) -> None:
    """Random edits, most of them nonsense; after each the two builds agree."""
    chance = random.Random(seed)
    files = sorted((project.folder / "specs").rglob("*.*"))
    for _ in range(steps):
        file = chance.choice(files)
        before = file.read_text()
        file.write_text(_random_edit(before, chance))
        project.whole = 0
        code, said = project.run()
        if code:
            file.write_text(before)
            continue
        if not project.whole:
            project.hold_against_everything(code, said)


@pytest.mark.parametrize("seed", range(3))
def test_wherever_edits_lead(project: Project, seed: int) -> None:
    _wander(project, seed, 12)


@pytest.fixture
def shop(project: Project) -> Project:
    """The shop but for its bundles, with every target that is on by default."""
    specs = project.folder / "specs"
    shutil.rmtree(specs)
    shutil.rmtree(project.folder / "out")
    shutil.copytree(ROOT / "specs", specs)
    for file in [*specs.rglob("*.*")]:
        if re.search(r"(?m)^(type: )?bundle: ?", text := file.read_text()):
            file.write_text(re.sub(r"(?m)^bundle: .*\n", "", text))
        if "type: bundle" in text:
            file.unlink()
    (project.folder / "brimgen.yaml").write_text(
        "package: shop\nconnections:\n  default: { dialect: sqlite }\n"
        "  warehouse: { dialect: postgres, drivers: [psycopg] }\n"
        "  analytics: { dialect: duckdb }\n"
    )
    code, said = project.run()
    assert 0 == code, said
    return project


def _edit_shop(shop: Project, files: list[Path]) -> int:
    """Lengthen the description of each file; how many builds were of what changed alone."""
    alone = 0
    for file in files:
        text = file.read_text()
        edited = re.sub(r"(?m)^(description: \w+)", r"\1 now and then", text, count=1)
        if edited != text:
            file.write_text(edited)
            alone += not shop.generate()
    return alone


def test_the_shop_is_built_alone_and_as_a_whole_alike(shop: Project) -> None:
    tools = sorted((shop.folder / "specs/tools").rglob("*.*"))
    assert 0 < _edit_shop(shop, tools[::6])


@pytest.mark.fuzz
def test_every_tool_of_the_shop_is_built_alone_and_as_a_whole_alike(
    shop: Project,
) -> None:
    assert 0 < _edit_shop(shop, sorted((shop.folder / "specs/tools").rglob("*.*")))


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(200, 210))
def test_wherever_edits_of_the_shop_lead(shop: Project, seed: int) -> None:
    _wander(shop, seed, 30)


@pytest.mark.fuzz
@pytest.mark.parametrize("seed", range(100, 130))
def test_wherever_many_edits_lead(project: Project, seed: int) -> None:
    _wander(project, seed, 100)


OTHERS = """\
type: entity
name: Place
fields:
  kind: Kind
---
type: entity
name: Kind
enum: [house, yard]
"""


def test_entities_that_no_changed_spec_names_are_left_out(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("place.yaml", OTHERS)
    assert not project.generate()
    read: list[str] = []
    build = pipeline.build

    def watched(*arguments: object, **options: object) -> pipeline.Build:
        made = build(*arguments, **options)  # type: ignore[arg-type]
        read[:] = [each.name for each in made.sources]
        return made

    monkeypatch.setattr(pipeline, "build", watched)
    project.edit("find_orders.yaml", "every", "each")
    project.whole = 0
    assert (0, 0) == (project.run()[0], project.whole)
    assert ["specs/find_orders.yaml", "specs/page.yaml"] == read


def test_an_argument_called_as_the_class_of_an_entity_left_out_is_told(
    project: Project,
) -> None:
    project.write("place.yaml", OTHERS.replace("Place", "a_place"))
    assert not project.generate()
    project.edit("find_orders.yaml", "title:", "APlace:")
    code, said = project.run()
    assert 1 == code
    assert "APlace" in said


def test_an_inner_object_called_as_an_entity_that_nobody_names_is_numbered(
    project: Project,
) -> None:
    entity = "type: entity\nname: FindOrdersPlace\nfields: { street: string }\n"
    project.write("place.yaml", entity)
    project.edit(
        "find_orders.yaml",
        "  inline:\n",
        "  inline:\n    place: { type: object, fields: { street: string } }\n",
    )
    assert not project.generate()
    project.edit("find_orders.yaml", "every", "each")
    assert not project.generate()
    module = project.folder / "out/python/tools/tools/find_orders.py"
    assert "class FindOrdersPlace2(" in module.read_text()


def test_of_a_changed_entity_the_tools_on_it_are_built(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write("sheet.yaml", ENTITY.replace("Page", "Sheet"))
    project.edit("find_orders.yaml", "entity_ref: Page", "entity_ref: Sheet")
    assert not project.generate()
    read: list[str] = []
    prepare = pipeline.prepare

    def watched(*arguments: object) -> Prepared:
        made = prepare(*arguments)  # type: ignore[arg-type]
        read[:] = [each.name for each in made[0].sources]
        return made

    monkeypatch.setattr(pipeline, "prepare", watched)
    project.edit("sheet.yaml", "Rows to skip", "Rows")
    project.whole = 0
    code, said = project.run()
    entities = {"specs/page.yaml", "specs/sheet.yaml"}
    one_each = {"specs/count_refunds.sql", "specs/greet.md"}
    assert (0, 0) == (code, project.whole)
    assert {"specs/find_orders.yaml", *entities, *one_each} <= {*read}
    assert len(read) < 7
    project.hold_against_everything(code, said)


WITH_HANDLERS: dict[str, tuple[str, str]] = {
    "an argument": ("  inline:\n", "  inline:\n    page_size: int\n"),
    "the text of an argument": ("A title", "Its title"),
    "a description": ("every", "each"),
    "the result": ("returns: string[]", "returns: int"),
    "the function": ("handler: backend", "handler: frontend"),
}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{ entity_ref: First }", "{ entity_ref: First, omit: [x] }"),
        ("{ entity_ref: First }", "{ entity_ref: Second }"),
        ("{ entity_ref: First }", "{ inline: { it: 'Second[]' } }"),
        ("{ inline: { it: First } }", "{ inline: { it: Second } }"),
    ],
)
def test_what_nobody_reaches_any_more_is_not_told_of(
    project: Project, before: str, after: str
) -> None:
    entity = "type: entity\nname: {}\nfields: {{ x: int, place: First? }}\n"
    first = entity.format("First").replace(", place: First?", "")
    project.write("two.yaml", f"{first}---\n{entity.format('Second')}")
    text = "type: python_function\nname: go\ndescription: Go there.\n"
    project.write("go.yaml", f"{text}arguments: {before}\nreturns: Second\n")
    project.generate()
    project.edit("go.yaml", before, after)
    project.generate()


@pytest.mark.parametrize("what", WITH_HANDLERS)
def test_handlers_are_written_anew_where_they_say_something_of_it(
    project: Project, what: str
) -> None:
    project.edit("../brimgen.yaml", "targets: [", "targets: [handlers, ")
    assert project.generate()
    project.edit("find_orders.yaml", *WITH_HANDLERS[what])
    assert not project.generate()
