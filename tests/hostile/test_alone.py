"""A build looks at specs and runs the formatter; generated modules hold nothing that reaches out.

Where each line of promises 3 is shown:

| line | shown by |
|---|---|
| text reaches a file as a literal only | `emit/test_literals.py`, `test_text_everywhere.py` |
| ... in requests, prompts, bundles, tags, wire names | `test_text_in_bodies.py` |
| an allow-list of what generated modules hold | this module |
| YAML: size, depth, number of nodes, aliases, merge keys | `source/test_budget.py` |
| YAML: characters, UTF-8, regular files | `source/test_files.py`, `source/test_properties.py` |
| names: identifiers, collisions, keywords, dunder names | `test_names_of_modules.py` |
| names: devices of Windows | `language/test_cases.py`, `output/test_paths.py` |
| paths that leave the output | `output/test_paths.py` |
| no network, no process, no import of what a spec names | this module |
| no engine that backtracks runs a pattern | `resolve/test_patterns.py` |
| values are encoded by their place at call time | `http_calls/test_hostile.py` |
| hidden arguments stay hidden | `emit/test_hidden.py` |
| files of other systems | `test_imports.py`, `test_corpora.py` |
| no spec takes long | `test_cost.py` |
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import brimgen

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
PYTHON = ROOT / "out" / "python" / "shop"
# The rest of the package is copied, and tested as what it is, or names handlers for type checkers.
GENERATED = sorted(
    path
    for path in (
        *PYTHON.glob("tools/*.py"),
        *PYTHON.glob("sql/*.py"),
        *PYTHON.glob("http/*.py"),
        *(PYTHON / f"{name}.py" for name in ("entities", "prompts", "resources")),
        *(PYTHON / f"{name}.py" for name in ("bundles", "dispatch", "mcp_server")),
    )
    if not path.name.startswith("_") and "transport" not in path.name
)
MAY_BE_IMPORTED = {
    "brimgen_runtime",
    *("__future__", "collections", "contextlib", "dataclasses", "datetime", "decimal"),
    *("enum", "functools", "json", "math", "re", "sys", "typing", "uuid"),
}
REACHES_OUT = {
    *("__import__", "breakpoint", "compile", "eval", "exec", "globals", "input"),
    *("open", "setattr", "delattr", "vars"),
}
ALONE = """\
import sys
from ruff import find_ruff_bin
from brimgen.__main__ import main

REFUSED = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "urllib.")

def hook(event, arguments):
    is_formatter = event == "subprocess.Popen" and arguments[0] == str(find_ruff_bin())
    if event.startswith(REFUSED) and event != "socket.__new__" and not is_formatter:
        raise SystemExit(f"a build reached out: {event} {arguments}")
    if event == "import" and arguments[0].split(".")[0] == "backend":
        raise SystemExit(f"a build imported what a spec names: {arguments[0]}")

sys.addaudithook(hook)
sys.argv = ["brimgen", "generate", "--specs", SPECS, "--out", OUT, "--config", CONFIG]
sys.exit(main())
"""
SPEC = """\
type: python_function
name: call_me
description: Never called by a build.
handler: backend.tools:call_me
arguments:
  inline:
    text:
      type: string
      pattern: "^(.+)+$"
      default: "http://127.0.0.1:9/x"
      x-lint-ignore: { R349: nobody calls it }
returns: string
---
type: http_function
name: fetch
description: Fetch it.
allowedHosts: ["127.0.0.1:9"]
arguments: { inline: { id: string } }
request: { method: GET, urlTemplate: "http://127.0.0.1:9/${id}" }
"""


def test_a_build_reaches_for_nothing(tmp_path: Path) -> None:
    specs, out = tmp_path / "specs", tmp_path / "out"
    specs.mkdir()
    (specs / "a.yaml").write_text(SPEC)
    (tmp_path / "backend").mkdir()
    (tmp_path / "backend" / "tools.py").write_text(
        "raise SystemExit('imported')\n\n\ndef call_me() -> None: ...\n"
    )
    config = tmp_path / "brimgen.yaml"
    config.write_text("targets: [python, json_schema, http, openai, mcp, handlers]\n")
    names = {"SPECS": specs, "OUT": out, "CONFIG": config}
    code = "".join(f"{name} = {str(path)!r}\n" for name, path in names.items()) + ALONE
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(brimgen.__file__).parents[1]), "BRIMGEN_CACHE": ""},
    )
    assert 0 == done.returncode, done.stderr
    assert (out / "manifest.json").exists()


def roots(tree: ast.Module) -> set[str]:
    """The packages that a module imports; none for those of its own package."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        if isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize(
    "path", GENERATED, ids=lambda path: path.relative_to(PYTHON).as_posix()
)
def test_generated_modules_hold_nothing_that_reaches_out(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert set() == roots(tree) - MAY_BE_IMPORTED
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert set() == named & REACHES_OUT


def test_the_table_names_tests_that_are_there() -> None:
    words = (__doc__ or "").split("`")[1::2]
    files = [word for word in words if word.endswith(".py")]
    here = Path(__file__).parent
    assert len(files) > 10
    gone = [
        each
        for each in files
        if not ((TESTS / each).exists() or (here / each).exists())
    ]
    assert [] == gone
