"""All figures in one run: ``make bench``.

    python benchmarks/bench.py [--only NAME...]    measure, keep `figures.json`, write the pages
    python benchmarks/bench.py --pages             write the pages again from `figures.json`

Every benchmark is a process of its own, one after the other. `docs/internal/performance.md` and
`docs/compare.md` are made from `figures.json` by the templates in `pages`, so they tell what was
measured and nothing else. A benchmark that fails is told, and its tables are missing in the pages.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
from figures import KEEP, markdown

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FIGURES = HERE / "figures.json"
PAGES = {
    "performance.md.j2": ROOT / "docs/internal/performance.md",
    "compare.md.j2": ROOT / "docs/compare.md",
}
BENCHMARKS = {
    "run": ["run.py", "--peers"],
    "documents": ["documents.py"],
    "decoding": ["decoding.py"],
    "decoding_real": ["decoding_real.py"],
    "importing": ["importing.py"],
    "calls": ["calls.py"],
    "serving": ["serving.py"],
    "sql": ["sql.py"],
    "sql_calls": ["sql_calls.py"],
    "proportion": ["proportion.py"],
    "size": ["size.py"],
    "walk": ["walk.py"],
}
PEERS = (
    *("datamodel-code-generator", "pydantic", "msgspec", "cattrs", "fastjsonschema"),
    *("jsonschema", "jsonschema-rs", "aiosql", "sqlglot"),
)


def measure(names: Sequence[str]) -> None:
    """Run the benchmarks; keep their tables beside those that an earlier run made."""
    kept: dict[str, Any] = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    tables: dict[str, Any] = kept.get("tables", {})
    failed: list[str] = []
    for name in names:
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as made:
            script, *options = BENCHMARKS[name]
            command = [sys.executable, str(HERE / script), *options]
            done = subprocess.run(command, env={**os.environ, KEEP: made.name})
            if done.returncode:
                failed.append(name)
            for table in map(json.loads, made):
                tables[table.pop("name")] = table
    figures = {
        "python": platform.python_version(),
        "peers": {name: version(name) for name in PEERS},
        "tables": dict(sorted(tables.items())),
    }
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def pages() -> dict[Path, str]:
    """The pages that are made of `figures.json`, by their paths."""
    figures = json.loads(FIGURES.read_text())
    tables = figures["tables"]

    def cell(name: str, row: str, column: str) -> str:
        """The one cell in a row that begins, and a column whose head begins, with a text."""
        table = tables[name]
        at = next(n for n, head in enumerate(table["head"]) if head.startswith(column))
        found = next(each for each in table["rows"] if each[0].startswith(row))
        return str(found[at])

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "pages"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.globals.update(
        table=lambda name: markdown(tables[name]), cell=cell, figures=figures
    )
    return {
        path: environment.get_template(name).render() for name, path in PAGES.items()
    }


def main() -> None:
    """Measure, unless only the pages are asked for, and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=[*BENCHMARKS])
    parser.add_argument("--pages", action="store_true", help="measure nothing")
    options = parser.parse_args()
    if not options.pages:
        measure(options.only)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
