"""Generated TypeScript, held against the compiler of TypeScript and another validator.

These tests need Node; see `support.node`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from brimgen.agreement.instances import Instances, NoValue
from brimgen.agreement.reference_validator import Oracle, Unjudged
from brimgen.api import Diagnostics, Flags, lint, load_settings
from brimgen.emit import emitter
from brimgen.model.catalog import Catalog
from running.packages import link, standard_spec, tool_name, without_errors
from running.test_agreement import cases
from runtime.corpora import needs_corpora
from support.node import installed
from support.project import build

pytestmark = pytest.mark.whole
HERE = Path(__file__).parent / "compilers"
ROOT = Path(__file__).resolve().parents[3]
STRICT = [
    *("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
    *("--noImplicitOverride", "--noUnusedLocals", "--verbatimModuleSyntax"),
    *("--erasableSyntaxOnly", "--isolatedModules", "--target", "es2022"),
    *("--module", "nodenext", "--moduleResolution", "nodenext"),
]
CORPORA = {"mcp": 180, "bfcl": 150, "seal-tools": 120, "openapi": 120, "tau-bench": 20}
"""How many tools of each corpus are compiled: more than 500 in all."""
MOST_INSTANCES = 60
_SAFE = 2**53


@pytest.fixture(scope="module")
def compilers() -> Path:
    """The folder that holds ``node_modules``, in which files are compiled."""
    return installed(HERE)


def write(folder: Path, catalog: Catalog) -> Path:
    folder.mkdir()
    (folder / "package.json").write_text('{"type": "module"}')
    [artifact] = emitter("typescript").emit(catalog)
    path = folder / "tools.ts"
    path.write_text(artifact.text, encoding="utf-8")
    return path


def compiled(compilers: Path, *files: Path) -> str:
    tsc = compilers / "node_modules/typescript/bin/tsc"
    types = ["--typeRoots", str(compilers / "node_modules/@types")]
    command = ["node", str(tsc), *STRICT, *types, *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.stdout


def node(script: str, compilers: Path, *arguments: Path) -> Any:
    (compilers / script).write_text((HERE / script).read_text())
    command = ["node", str(compilers / script), *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def catalog_of_others(corpus: str, most: int) -> Catalog:
    schemas = [each.schema for each in islice(cases(corpus), most)]
    texts = [
        standard_spec(tool_name("x", number), "Of others. */ x", schema)
        for number, schema in enumerate(schemas)
    ]
    catalog, found = link(texts)
    return without_errors(catalog, found)[0]


def instances(catalog: Catalog) -> dict[str, list[tuple[Any, bool]]]:
    """Values at the edges of each schema that JavaScript can hold, with a verdict."""
    made: dict[str, list[tuple[Any, bool]]] = {}
    for tool in catalog.tools:
        schema: dict[str, Any] = json.loads(json.dumps(tool.input_schema))
        oracle = Oracle(schema)
        try:
            edges = Instances(schema, oracle.accepts_part).edges()
            made[tool.name] = [
                (each, oracle.accepts(each))
                for each in edges[:: max(1, len(edges) // MOST_INSTANCES)]
                if all(abs(number) < _SAFE for number in _numbers(each))
            ]
        except (NoValue, Unjudged):
            continue
    return made


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, int | float):
        yield value


def test_the_shop_compiles_in_the_strictest_mode(
    compilers: Path, tmp_path: Path
) -> None:
    settings = load_settings(Flags(config=ROOT / "pyproject.toml"), Diagnostics())
    shop = write(tmp_path / "shop", lint(settings).catalog)
    use = shop.with_name("use.ts")
    use.write_text(
        'import type { Client } from "@modelcontextprotocol/sdk/client/index.js";\n'
        'import { callTool, tools, type ToolName } from "./tools.js";\n'
        "export async function first(client: Client): Promise<number | undefined> {\n"
        '  const orders = await callTool(client, "get_orders", { customer_id: 1 });\n'
        "  const name: ToolName | undefined = tools[0]?.name;\n"
        '  return name === "add_order_note" ? orders[0]?.order_id : undefined;\n'
        "}\n"
    )
    (shop.parent / "node_modules").symlink_to(compilers / "node_modules")
    assert "" == compiled(compilers, shop, use)
    use.write_text(
        use.read_text()
        .replace("customer_id: 1", 'customer_id: "1"')
        .replace('"add_order_note" ?', '"no_such_tool" ?')
    )
    told = compiled(compilers, shop, use)
    assert "use.ts(4,57): error TS2322" in told
    assert "error TS2367" in told


@needs_corpora
@pytest.mark.parametrize("corpus", CORPORA)
def test_tools_of_others_compile_and_mean_what_their_schemas_mean(
    compilers: Path, tmp_path: Path, corpus: str
) -> None:
    catalog = catalog_of_others(corpus, CORPORA[corpus])
    path = write(tmp_path / "others", catalog)
    cases = instances(catalog)
    assert len(cases) > len(catalog.tools) * 0.9
    asked = path.with_name("instances.json")
    asked.write_text(
        json.dumps({name: [one for one, _ in each] for name, each in cases.items()})
    )
    assert "" == compiled(compilers, path, _assigning(path, cases))
    verdicts = node("judge.mjs", compilers, path.with_suffix(".js"), asked)
    differ = [
        (name, value, accepted)
        for name, each in cases.items()
        for (value, accepted), said in zip(each, verdicts[name], strict=True)
        if said is not accepted
    ]
    assert [] == differ[:5]


def _assigning(path: Path, cases: dict[str, list[tuple[Any, bool]]]) -> Path:
    """A module in which a few accepted values of each tool are values of its type."""
    lines = ['import type { Tools } from "./tools.js";']
    for name, each in cases.items():
        right = [value for value, accepted in each if accepted][:5]
        for value in right:
            known = json.dumps(json.dumps(value))
            literal = json.dumps(value) if '"__proto__"' not in known else "{} as never"
            lines.append(
                f"export const _{len(lines)}: Tools[{json.dumps(name)}]"
                f'["input"] = {literal};'
            )
    made = path.with_name("values.ts")
    made.write_text("\n".join(lines) + "\n")
    return made


def test_a_call_gives_what_the_tool_returns_and_tells_a_failure(
    compilers: Path, tmp_path: Path
) -> None:
    specs = {
        "a.yaml": "type: python_function\nname: get_order\n"
        "arguments: { inline: { id: int } }\n"
        "returns: { type: object, fields: { id: int } }\n",
        "b.yaml": "type: python_function\nname: list_names\nreturns: 'string[]'\n",
        "c.yaml": "type: python_function\nname: forget\n",
    }
    path = write(tmp_path / "calls", build(tmp_path, specs).catalog)
    assert "" == compiled(compilers, path)
    done = node("call.mjs", compilers, path.with_suffix(".js"))
    assert [
        {"name": "get_order", "arguments": {"id": 7}},
        {"name": "list_names", "arguments": {}},
        {"name": "forget", "arguments": {}},
        {"name": "forget", "arguments": {}},
    ] == done["asked"]
    assert [
        {"id": 7},
        ["a"],
        None,
        [True, "forget", ["no"], "the tool forget failed"],
    ] == done["outcomes"]
