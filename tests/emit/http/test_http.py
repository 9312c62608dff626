"""Generated HTTP modules: black-stable, typed, of the standard library, and how they read."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import black
import pytest
from black.mode import TargetVersion

from support.checkers import MYPY, PYRIGHT, RUFF, assert_clean
from support.project import Built, build

LONG = "a_name_" + "x" * 110
NAME = "a_tool_" + "x" * 57
SPECS = f"""\
type: entity
name: Level
enum: [low, high]
---
type: entity
name: Deep{"x" * 60}
fields: {{ name: string, kids: "Deep{"x" * 60}[]?", at: datetime?, level: Level }}
---
type: leaf
name: cents
schema: {{ type: integer, description: Cents }}
python: {{ type: "fractions:Fraction", parse: "fractions:Fraction", dump: "builtins:int" }}
---
type: http_function
name: {NAME}
arguments:
  inline:
    from: int
    {LONG}: string
    {LONG}2: {{ type: string, required: false }}
    ids: "uuid[]"
    more: "uuid[]?"
    level: Level
    levels: {{ type: "Level[]", required: false }}
    price: decimal?
    cost: {{ type: cents, required: false }}
    flag: {{ type: bool, default: true }}
    at: datetime?
    deep: Deep{"x" * 60}
    free: object
    actor: {{ type: string, from_context: app.user.id }}
    day: {{ type: date, llm: false }}
    mode: {{ type: string, enum: [a, b], llm: false, required: false }}
    given: {{ type: "uuid[]", llm: false, required: false }}
    kind: {{ type: string, enum: [{", ".join("kind" + str(n) for n in range(20))}], llm: false }}
secrets: [KEY, OTHER]
allowedHosts: [api.example.com, "*.example.com:8443", "[::1]:80"]
request:
  method: PATCH
  urlTemplate: https://api.example.com/a/${{from}}/b${{{LONG}}}c/${{deep.kids[0].name}}?x=1&y=v${{from}}
  query:
    "a b": "${{more}}"
    level: "${{level}}"
    levels: "${{levels}}"
    price: "${{price}}"
    cost: "${{cost}}"
    {LONG}: "${{{LONG}2}}"
    late: "${{deep.at}}"
    many: "${{ids | comma}}"
    most: "${{more | pipe}}"
    wide: "${{deep | deep}}"
    text: "${{free | json}}"
  headers:
    X-One: "${{KEY}}-${{OTHER}}"
    X-Two: "${{at}}"
    X-Ids: "${{ids | comma}}"
    X-Three: "by ${{actor}} on ${{day}}, ${{kind}}"
    Accept: text/plain
  auth: {{ type: api_key, in: header, name: X-Key, value: "${{KEY}}" }}
  timeoutMs: 1500
  retry: {{ maxAttempts: 7, delayMs: 50, maxDelayMs: 900, statusCodes: [500], anyMethod: true }}
  body:
    whole: "${{deep}}"
    ids: "${{ids}}"
    list: ["${{price}}", "x${{flag}}", 1, null, ["${{mode}}"], {{ given: "${{given}}" }}]
    {LONG}: {{ {LONG}: "${{{LONG}}} and ${{{LONG}}}" }}
    free: "${{free.a[0]}}"
    most: ["${{more | comma}}", "${{ids | space}}", "{"x" * 30} ${{free | json}}"]
    actor: "${{actor}}"
response: {{ successCodes: [200], errorMode: empty }}
returns: "Deep{"x" * 60}[]"
---
type: http_function
name: text_of
arguments: {{ inline: {{ a: string, b: string? }} }}
secrets: [USER, PASSWORD]
allowedHosts: [api.example.com]
request:
  method: POST
  urlTemplate: https://api.example.com
  auth: {{ type: basic, username: "${{USER}}", password: "x${{PASSWORD}}" }}
  headers: {{ Content-Type: text/plain }}
  body: "Hello ${{a}}!"
response: {{ encoding: text }}
returns: string
---
type: http_function
name: whole_body
arguments: {{ inline: {{ a: {{ type: string, required: false }} }} }}
allowedHosts: [api.example.com]
request:
  method: PUT
  urlTemplate: https://api.example.com/{"x" * 58}
  headers: {{ Content-Type: application/json }}
  body: '"${{a}}"'
---
type: http_function
name: form_of
arguments: {{ inline: {{ a: string, b: "int[]?", c: {{ type: cents }} }} }}
allowedHosts: [api.example.com]
request:
  method: POST
  urlTemplate: https://api.example.com/form
  headers: {{ Content-Type: application/x-www-form-urlencoded }}
  body: {{ "a b": "x ${{a}}", b: "${{b}}", c: "${{c}}", d: fixed }}
returns: {{ inline: {{ n: cents, at: "timestamp?", levels: "Level[]" }} }}
""" + "".join(
    f"""---
type: http_function
name: gives_{number}
allowedHosts: [api.example.com]
request: {{ urlTemplate: https://api.example.com/{"y" * (number * 10)} }}
returns: {shape}
"""
    for number, shape in enumerate(
        (
            *("int", "float", "decimal", "bool", "date", "datetime", "object", "array"),
            *("uuid", "timestamp", "cents", "Level", "'Level[]'", "'uuid[]'"),
            *("'cents[]'", "'int?'", "markdown"),
            "{ type: array, items: { type: [string, 'null'] } }",
        )
    )
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("http")
    made = build(folder, {"all.yaml": SPECS}, targets=("python", "http"))
    wrong = [each.message for each in made.diagnostics if each.rule.severity == "error"]
    assert [] == wrong
    made.load()
    return made


def modules(built: Built) -> dict[str, str]:
    return {path: text for path, text in built.files.items() if "/http/" in path}


def test_modules_of_requests_are_laid_out_as_black_does(built: Built) -> None:
    mode = black.Mode(target_versions={TargetVersion.PY311})
    for path, text in modules(built).items():
        assert text == black.format_str(text, mode=mode), path


@pytest.mark.whole
def test_mypy_pyright_and_ruff_find_nothing(built: Built) -> None:
    root = built.folder / "out" / "python"
    package = f"{built.package}/http"
    assert_clean(root, package, by=[MYPY, RUFF, PYRIGHT])


def test_every_module_is_imported_by_its_tool(built: Built) -> None:
    found = built.load("http").HTTP_TOOLS
    assert sorted(each.name for each in built.catalog.tools) == sorted(found)
    for name in found:
        module = found[name]
        assert name == module.PLAN.tool
        assert callable(module.build) and callable(module.invoke)


def test_importing_the_package_loads_no_tool_and_no_client(built: Built) -> None:
    code = (
        f"import sys, {built.package}.http as http\n"
        "loaded = [x for x in sys.modules if x.partition('.')[0] in\n"
        "    ('asyncio', 'ssl', 'http', 'httpx', 'requests', 'socket', 'random')]\n"
        f"tools = [x for x in sys.modules if x.startswith('{built.package}.tools.')]\n"
        "print(loaded, tools)"
    )
    root = str(built.folder / "out" / "python")
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True
    )
    assert ("[] []\n", "") == (run.stdout, run.stderr)


def test_a_service_whose_entities_all_lead_to_each_other_builds(tmp_path: Path) -> None:
    names = [f"Node{number}" for number in range(14)]
    fields = ", ".join(f'{name.lower()}: "{name}[]?"' for name in names)
    specs = [f"type: entity\nname: {name}\nfields: {{ {fields} }}\n" for name in names]
    specs.append("""\
type: http_function
name: gives
allowedHosts: [api.example.com]
request: { urlTemplate: https://api.example.com/nodes }
returns: { inline: { node: Node0, price: decimal } }
""")
    made = build(
        tmp_path, {"all.yaml": "---\n".join(specs)}, targets=("python", "http")
    )
    assert any('"price"' in text for text in modules(made).values())
