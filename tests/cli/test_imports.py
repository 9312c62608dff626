"""What a run does not need it does not import: the command answers quickly (promises.md 1)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = {
    "asyncio",
    "black",
    "datamodel_code_generator",
    "filelock",
    "hypothesis",
    "jinja2",
    "jsonschema",
    "pydantic",
    "referencing",
    "rich",
    "sqlglot",
    "yaml",
}
SCRIPT = """\
import sys
from brimgen.cli.main import run
code = run(sys.argv[1:])
print("\\n" + " ".join(sorted({each.partition(".")[0] for each in sys.modules})))
sys.exit(code)
"""


def heavy_imports(*arguments: str) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "generator")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode in (0, 3), ran.stderr
    return HEAVY & set(ran.stdout.rpartition("\n\n")[2].split())


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)])
def test_an_answer_without_a_build_imports_nothing(arguments: tuple[str, ...]) -> None:
    assert set() == heavy_imports(*arguments)


def test_a_listing_of_targets_imports_the_renderer_at_most() -> None:
    assert {"jinja2"} >= heavy_imports("targets")


def test_a_build_imports_what_it_uses() -> None:
    unused = {"black", "datamodel_code_generator", "filelock", "hypothesis", "pydantic"}
    assert set() == unused & heavy_imports("check")


TOOL = """\
type: python_function
name: find_{word}
description: Find every {word} that fits.
handler: backend.tools:find_{word}
arguments:
  entity_ref: Page
  inline:
    title: {{ type: string, maxLength: 80, description: A title }}
    tenant: {{ type: string, from_context: app.tenant.id }}
returns: string[]
"""
ENTITY = """\
type: entity
name: Page
fields:
  offset: { type: int, default: 0, minimum: 0, description: Rows to skip }
"""
ROOMS = """\
import sys
from brimgen.__main__ import main
from brimgen.stamp import evidence
evidence.TICK = evidence.COARSE = 0
try:
    main()
finally:
    print(" ".join(sorted(sys.modules)))
"""
OF_OTHER_RUNS = re.compile(
    r"click|jinja2|jsonschema|sqlglot|dataclasses|inspect|ast|hashlib|shutil|subprocess|tempfile"
    r"|brimgen\.(contract|dispatchruntime|editor|importers|library|parallel|starter)\b.*"
    r"|brimgen\.(runtime|serverruntime|sqlruntime|sqltext|storeruntime)\..*"
    r"|brimgen\.cli\.(?!again|plain|report|run|stamps).*"
    r"|brimgen\.diagnostics\.(show_|json_format|explanation|fingerprints).*"
    r"|brimgen\.emit\.(anthropic|bundles|commands|compiling|dispatch|docs|gemini|handlers|http)\b.*"
    r"|brimgen\.emit\.(models|openapi|prompts|resources|server|store)\b.*|brimgen\.emit\.sql\..*"
    r"|brimgen\.keeping\.(?!supply).*"
    r"|brimgen\.output\.(compare|drift|sink)"
    r"|brimgen\.resolve\.(standard|draft07|embedding|rejection|unions|automata|documents).*"
    r"|brimgen\.resolve\.(paths|payloads|prompts|requests|urls|variables|foreign_types)"
    r"|brimgen\.source\.(metadata|yaml_failures)|brimgen\.syntax\.templates"
)
MOST_ROOMS = 258


def test_a_run_of_one_changed_tool_imports_what_that_tool_needs(tmp_path: Path) -> None:
    """Importing is more than a third of such a run (docs/performance.md)."""
    specs = tmp_path / "specs"
    specs.mkdir()
    (tmp_path / "brimgen.yaml").write_text(
        "targets: [python, json_schema, sql, openai, mcp]\n"
    )
    (specs / "page.yaml").write_text(ENTITY)
    for word in ("orders", "parcels"):
        (specs / f"{word}.yaml").write_text(TOOL.format(word=word))
    command = [sys.executable, "-c", ROOMS, "generate"]
    paths = {
        "PYTHONPATH": str(ROOT / "generator"),
        "BRIMGEN_CACHE": str(tmp_path / "c"),
        "PYTHONDONTWRITEBYTECODE": "1",  # nor are they kept for later runs
    }
    for changed in ("every", "each", "any"):
        (specs / "orders.yaml").write_text(
            TOOL.format(word="orders").replace("every", changed)
        )
        ran = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, **paths},
            capture_output=True,
            text=True,
            check=True,
        )
    rooms = ran.stdout.split()
    assert "brimgen.increment.rebuild" in rooms
    assert [] == [each for each in rooms if OF_OTHER_RUNS.fullmatch(each)]
    assert MOST_ROOMS >= sum(each.startswith("brimgen") for each in rooms)
