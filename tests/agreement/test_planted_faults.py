"""Faults as an emitter could make them, one in each generated artifact: `verify` finds them all."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from brimgen.agreement.report import Excuse, Report
from brimgen.agreement.verify import agreement
from brimgen.emit.account import Descriptor
from support.project import Built, build
from support.samples import sampled

HERE = Path(__file__).parent
TARGETS = ("python", "json_schema", "sql", "http", "openai", "mcp", "gemini")
PLANTED = yaml.safe_load((HERE / "faults.yaml").read_text("utf-8"))


class Made:
    """What is made of the specs, to be asked with a fault in one of its artifacts."""

    def __init__(self, folder: Path) -> None:
        specs = {"a.yaml": (HERE / "specs/planted.yaml").read_text("utf-8")}
        profiles = ("openai", "mcp", "gemini")
        self.built: Built = build(folder, specs, targets=TARGETS, profiles=profiles)
        self.descriptors, self.losses = self.built.descriptors, self.built.losses

    def path(self, file: str) -> str:
        return f"python/{self.built.package}/{file}"

    def report(self, *tools: str, **changed: Any) -> Report:
        """What the laws say of some tools, with other ``files``, ``descriptors`` or ``losses``."""
        catalog = self.built.catalog
        chosen = [each for each in catalog.tools if not tools or each.name in tools]
        return agreement(
            replace(catalog, tools=tuple(chosen)),
            {**self.built.files, **changed.get("files", {})},
            changed.get("descriptors", self.descriptors),
            changed.get("losses", self.losses),
        )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("planted"))


def test_without_a_fault_none_is_found_and_the_same_is_asked_again(made: Made) -> None:
    report = made.report()
    assert [] == [(each.artifact, each.says) for each in report.differences]
    assert [] == report.unshown + report.uncalled
    code = {"Python, from_dict", "Python, to_json and back", "SQL bindings"}
    providers = {"openai", "mcp", "gemini"}
    assert {"JSON Schema", "HTTP requests", *code, *providers} == report.tallies.keys()
    for name, tally in report.tallies.items():
        assert tally.accepted > 5, name
    assert report.of("JSON Schema").asked > report.of("JSON Schema").accepted
    assert report.of("HTTP requests").accepted > 40
    assert report.tallies == made.report().tallies


@pytest.mark.parametrize("what", sampled(PLANTED, 8))
def test_a_fault_in_a_file_is_found(made: Made, what: str) -> None:
    """One in a request is found there alone."""
    file, old, new = PLANTED[what].values()
    text = made.built.files[made.path(file)]
    assert old in text
    folder, stem = file.split("/")[0], Path(file).name.partition(".")[0]
    tool = "find_items" if stem == "entities" else stem
    report = made.report(tool, files={made.path(file): text.replace(old, new)})
    found = {each.artifact for each in report.differences}
    assert {"HTTP requests"} == found if folder == "http" else found


def _some(schema: Any, name: str) -> Any:
    found = schema["properties"][name]
    return found.get("anyOf", [found])[0]


DESCRIBED: dict[str, Callable[[Any], object]] = {
    "nothing is required": lambda it: it.update(required=[]),
    "one more is required": lambda it: it["required"].append("x"),
    "a bound lower": lambda it: _some(it, "limit").update(maximum=99),
    "a bound higher": lambda it: _some(it, "limit").update(maximum=101),
    "an enum value less": lambda it: _some(it, "kind")["enum"].remove("blue"),
    "an enum value more": lambda it: _some(it, "kind")["enum"].append("pink"),
    "open": lambda it: it.update(additionalProperties=True),
    "no format": lambda it: _some(it, "since").pop("format"),
    "a null less": lambda it: it["properties"].update(note={"type": "string"}),
    "a null more": lambda it: it["properties"].update(query={"type": ["string", "null"]}),
    "a list longer": lambda it: _some(it, "tags").update(maxItems=4),
    "a list shorter": lambda it: _some(it, "tags").update(minItems=2),
    "a hidden one": lambda it: it["properties"].update(user={"type": "string"}),
    "a hidden one below": lambda it: it.update(anyOf=[{"properties": {"user": {}}}, True]),
    "an argument less": lambda it: it["properties"].pop("since"),
}  # fmt: skip


def _told(made: Made, profile: str, change: Callable[[Any], object]) -> Report:
    """What the laws say where a profile says something else of `find_items`."""
    descriptors = [*made.descriptors]
    for number, each in enumerate(descriptors):
        if (each.profile, each.tool) == (profile, "find_items"):
            changed = deepcopy(dict(each.json))
            change(changed.get("function", changed))
            assert changed != each.json
            descriptors[number] = Descriptor(profile, "find_items", changed)
    return made.report("find_items", descriptors=descriptors)


@pytest.mark.parametrize("profile", sampled(["mcp", "openai", "gemini"], 3))
@pytest.mark.parametrize("what", sampled(DESCRIBED, 5))
def test_a_fault_in_a_descriptor_is_found(made: Made, profile: str, what: str) -> None:
    homes = {"parameters", "inputSchema", "parametersJsonSchema"}

    def plant(told: Any) -> None:
        DESCRIBED[what](told[(homes & told.keys()).pop()])

    told = _told(made, profile, plant).differences
    assert {profile} == {each.artifact for each in told}
    if what == "a hidden one":
        assert "tells of the hidden argument user" in {each.says for each in told}


def test_a_descriptor_with_the_name_of_another_tool_is_found(made: Made) -> None:
    told = _told(made, "mcp", lambda it: it.update(name="add_items")).differences
    assert {"mcp"} == {each.artifact for each in told}


@pytest.mark.parametrize("file", ["tools/find_items.py", "__init__.py"])
def test_a_module_that_cannot_be_imported_is_told(made: Made, file: str) -> None:
    text = f"{made.built.files[made.path(file)]}\nimport no_such_module\n"
    report = made.report("find_items", files={made.path(file): text})
    says = "cannot be imported (ModuleNotFoundError: No module named 'no_such_module')"
    assert [says] == [each.says for each in report.differences]


def test_a_fault_in_a_published_schema_is_told_by_its_keyword(made: Made) -> None:
    path = made.path("schemas/tools/find_items.input.json")
    text = made.built.files[path].replace('"minLength": 2', '"minLength": 3')
    told = made.report("find_items", files={path: text}).differences
    says = "refuses what the schema accepts (minLength at '/query')"
    assert says in [each.says for each in told]


def test_a_loss_that_the_ledger_does_not_know_is_told(made: Made) -> None:
    excuse = Excuse("admits what from_call refuses: losses.json says so", "minLength")
    times = made.report("find_items").of("openai").excused[excuse]
    assert ("find_items /query", True) == (times.first, times.count > 1)
    known = [each for each in made.losses if each.keyword != "minLength"]
    told = made.report("find_items", losses=known).differences
    assert {"openai"} <= {each.artifact for each in told} <= {"openai", "gemini"}
    assert all("minLength" in each.says and "query" in each.says for each in told)


def of(folder: Path, text: str, **files: tuple[str, str]) -> Report:
    """What the laws say of specs, with a text replaced in the published schemas of some tools."""
    built = build(folder, {"a.yaml": text}, targets=("python", "json_schema", "sql"))
    made = dict(built.files)
    for tool, (old, new) in files.items():
        path = f"python/{built.package}/schemas/tools/{tool}.input.json"
        assert old in made[path]
        made[path] = made[path].replace(old, new)
    return agreement(built.catalog, made, [], [])


TOOL = "type: python_function\nname: a\ndescription: Try.\narguments: "
NODE = (
    "{ type: object, required: [item], properties: { item: { $ref: '#/$defs/Node' } }, $defs: { "
    "Node: { type: [object], required: [next], properties: { next: { %s } } } } }"
)
AGAIN = "$ref: '#/$defs/Node'"
EXAMPLES = "give it `examples`"
ENDLESS = "each value needs another within it, without end"
ABSENT = "let it be absent or null, or be a list that may be empty"


@pytest.mark.parametrize(
    ("arguments", "why", "remedy"),
    [
        (
            r"{ inline: { id: { type: string, pattern: '^(?=.*x)(y)\1+x$' } } }",
            r"argument `id`: no text is known for its pattern `^(?=.*x)(y)\1+x$`",
            EXAMPLES,
        ),
        (
            "{ inline: { n: int, a: { fields: { b/c: { type: string, pattern: '^(?=x)y$' } } } } }",
            "argument `a/b~1c`: no text is known for its pattern `^(?=x)y$`",
            EXAMPLES,
        ),
        (
            "{ inline: { a: { type: 'string[]', minItems: 1, pattern: '^(?=x)y$' } } }",
            "argument `a/0`: no text is known for its pattern `^(?=x)y$`",
            EXAMPLES,
        ),
        (NODE % AGAIN, f"argument `item/next`: {ENDLESS}", ABSENT),
        (
            NODE % f"type: array, minItems: 1, items: {{ {AGAIN} }}",
            f"argument `item/next/0`: {ENDLESS}",
            ABSENT,
        ),
        (
            NODE
            % f"type: object, required: [back], properties: {{ back: {{ {AGAIN} }} }}",
            f"argument `item/next/back`: {ENDLESS}",
            ABSENT,
        ),
    ],
)
def test_the_argument_is_named_of_which_no_value_is_known(
    tmp_path: Path, arguments: str, why: str, remedy: str
) -> None:
    report = of(tmp_path, f"{TOOL}{arguments}\n")
    (uncalled,) = report.uncalled
    assert (why, remedy) == (uncalled.why, uncalled.remedy)
    assert ("a", None, 0) == (uncalled.tool.name, uncalled.part, report.instances)


def test_examples_help_where_no_call_is_known(tmp_path: Path) -> None:
    text = "type: string, examples: [yx], pattern: '^(?=.*x)(?!x)y+x$'"
    report = of(tmp_path, f"{TOOL}{{ inline: {{ id: {{ {text} }} }} }}\n")
    assert ([], []) == (report.uncalled, [each.says for each in report.differences])
    assert report.of("JSON Schema").accepted > 0


def test_calls_are_not_shown_where_no_hidden_value_is_known(tmp_path: Path) -> None:
    text = f"""{TOOL}
  inline: {{ q: string, tenant: {{ type: string, pattern: '^(?=x)y$', from_context: app.t }} }}
connection: default
sql: SELECT 1 AS n WHERE :q = :tenant
returns: int
"""
    report = of(tmp_path, text.replace("python_", "sql_"))
    (unshown,) = report.unshown
    assert ("SQL bindings", "no value is known for the hidden argument `tenant`") == (
        unshown.part,
        unshown.why,
    )
    assert report.of("JSON Schema").accepted > 0
    assert "SQL bindings" not in report.tallies


LEAF = "type: leaf\nname: own\ndescription: A text of the project\n"


def test_what_is_said_of_a_leaf_excuses_no_other_argument(tmp_path: Path) -> None:
    """Whatever a leaf reads, of a date brimgen reads no more than its format says."""
    text = f"""{LEAF}schema: {{ type: string, enum: ["192.0.2.1", "192.0.2.2", nowhere] }}
python: {{ type: "ipaddress:IPv4Address" }}
---
{TOOL}{{ inline: {{ id: {{ type: own, description: The host }}, since: date }} }}
"""
    sound = of(tmp_path, text)
    assert [] == [each.says for each in sound.differences]
    excuses = sound.of("Python, from_dict").excused
    assert ["x-leaf"] == [each.what for each in excuses]
    told = of(tmp_path, text, a=('"format": "date"', '"minLength": 11')).differences
    says = "refuses what the schema accepts (minLength at '/since')"
    assert says in [each.says for each in told]


@pytest.mark.parametrize(
    ("place", "code", "why"),
    [
        ("leaves_absent", None, "ModuleNotFoundError: No module named 'leaves_absent'"),
        ("leaves_broken", "raise RuntimeError('x')", "RuntimeError: x"),
        (
            "leaves_unequal",
            "return type('Sku', (str,), {'__eq__': lambda one, other: 1 / 0})(text)",
            "ZeroDivisionError: division by zero",
        ),
        ("leaves_sound", "return Sku(text)", None),
    ],
)
def test_the_code_of_leaves_is_the_project_s(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    code: str | None,
    why: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    if code is not None:
        text = f"class Sku(str): pass\n\ndef parse(text):\n    {code}\n"
        (tmp_path / f"{place}.py").write_text(text)
    text = f"""{LEAF}schema: {{ type: string }}
python: {{ type: "{place}:Sku", parse: "{place}:parse", dump: str }}
---
{TOOL}{{ inline: {{ sku: {{ type: own, description: The article }} }} }}
"""
    report = of(tmp_path, text)
    assert [] == [each.says for each in report.differences]
    wanted = [] if why is None else [f"the code of the leaf `own` raises {why}"]
    assert wanted == [each.why for each in report.unshown]
