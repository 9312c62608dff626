"""Import and generate OpenAPI documents of real services, each into a project of its own.

Run it as ``python benchmarks/documents.py [--only TEXT] [--seconds N] [--json FILE]``. The
documents are the files of the folder ``documents`` below ``$BRIMGEN_CORPORA``. Prints one row for
each: whether it builds, how many operations became tools, why others did not, the seconds of CPU
of both commands, the lines of ``out/`` and its largest file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

import yaml
from figures import show, verdict

METHODS = {"get", "put", "post", "delete", "options", "head", "patch"}
_ERROR = re.compile(r"(?:^|: )error\[([A-Z]+[0-9]+)\]:? (.*)", re.MULTILINE)
_NAMES = re.compile(r"`[^`]*`")


@dataclass
class Row:
    """What became of one document."""

    name: str
    operations: int = 0
    tools: int = 0
    parts_open: int = 0
    built: bool = False
    import_seconds: float = 0.0
    generate_seconds: float = 0.0
    lines: int = 0
    largest: int = 0
    largest_file: str = ""
    import_exit: int = 0
    generate_exit: int = -1
    reasons: dict[str, int] = field(default_factory=dict[str, int])

    def __str__(self) -> str:
        tools = f"{self.tools}/{self.operations}"
        reasons = "; ".join(
            f"{count} {reason}" for reason, count in list(self.reasons.items())[:4]
        )
        return (
            f"{self.name[:44]:44} {'yes' if self.built else 'NO':3} {tools:>9} "
            f"{self.parts_open:5} {self.import_seconds:6.1f} {self.generate_seconds:6.1f} "
            f"{self.lines:8} {self.largest / 1e6:6.2f}  {reasons}"
        )


def documents(folder: Path, only: str) -> Iterator[tuple[str, bytes]]:
    """The documents by file name, unpacked."""
    for path in sorted(folder.glob("*.gz")):
        if only in path.name:
            yield path.name.removesuffix(".gz"), gzip.decompress(path.read_bytes())


def count_operations(name: str, text: bytes) -> int:
    """How many operations a document has below `paths`."""
    load = json.loads if name.endswith(".json") else yaml.safe_load
    document: dict[str, Any] = load(text)
    paths: dict[str, Any] = document.get("paths") or {}
    items = [
        cast("dict[str, Any]", it) for it in paths.values() if isinstance(it, dict)
    ]
    return sum(
        isinstance(item[method], dict) for item in items for method in METHODS & {*item}
    )


def run(command: list[str], folder: Path, seconds: int) -> tuple[int, str, float]:
    """The exit code of a command, what it said, and the seconds of CPU that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "brimgen", *command],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=seconds,
            env={**os.environ, "NO_COLOR": "1"},
        )
        code, said = done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        code, said = -9, "error[TIME] more than the time limit"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return code, said, used


def reasons_of(said: str) -> dict[str, int]:
    """How often each error was said, without the names in it; most frequent first."""
    found = Counter(
        f"{code} {_NAMES.sub('`_`', message)[:90]}"
        for code, message in _ERROR.findall(said)
    )
    if "Traceback" in said:
        found[f"TRACEBACK {said.strip().splitlines()[-1][:90]}"] += 1
    return dict(found.most_common())


def measure(name: str, text: bytes, folder: Path, seconds: int) -> Row:
    """Import and generate one document."""
    row = Row(name, operations=count_operations(name, text))
    (folder / name).write_bytes(text)
    command = ["import", name, "--into", "specs"]
    row.import_exit, said, row.import_seconds = run(command, folder, seconds)
    row.reasons = reasons_of(said)
    (folder / "import.txt").write_text(said)
    specs = list((folder / "specs").glob("*.yaml"))
    row.tools = len(specs)
    row.parts_open = sum(
        path.read_text().count("left open: ")
        for path in folder.rglob("specs/**/*.yaml")
    )
    if specs:
        row.generate_exit, said, row.generate_seconds = run(
            ["generate"], folder, seconds
        )
        (folder / "generate.txt").write_text(said)
        row.reasons |= reasons_of(said)
    row.built = row.generate_exit == 0
    for path in folder.glob("out/**/*"):
        if path.is_file():
            data = path.read_bytes()
            row.lines += data.count(b"\n")
            if len(data) > row.largest:
                row.largest, row.largest_file = len(data), path.name
    return row


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="documents with this in their name")
    parser.add_argument("--seconds", type=int, default=180, help="limit of a command")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--keep", type=Path, help="keep the projects in this folder")
    options = parser.parse_args()
    rows: list[Row] = []
    title = ("document", "ok", "tools", "open", "import", "gen", "lines", "MB")
    print("{:44} {:3} {:>9} {:>5} {:>6} {:>6} {:>8} {:>6}".format(*title))
    corpus = Path(os.environ["BRIMGEN_CORPORA"]) / "documents"
    for name, text in documents(corpus, options.only):
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.keep / name if options.keep else Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            rows.append(measure(name, text, folder, options.seconds))
        print(rows[-1], flush=True)
        if options.json:
            options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))
    summary(rows)


def summary(rows: Sequence[Row]) -> None:
    """Show what became of all documents, and the ones that take longest."""
    built = [row for row in rows if row.built]
    tools = sum(row.tools for row in rows)
    operations = sum(row.operations for row in rows)
    lines = statistics.median(row.lines / row.tools for row in built)
    largest = max(row.largest for row in rows) / 1e6
    show(
        "documents",
        ["OpenAPI documents of services", "promise", "brimgen"],
        [
            ["documents that build", "all", f"{len(built)} of {len(rows)}"],
            ["operations that are tools", "98 %", f"{tools:,} of {operations:,}"],
            ["lines a tool, median", verdict(lines, 300), f"{lines:.0f}"],
            ["largest file, MB", verdict(largest, 2), f"{largest:.1f}"],
        ],
    )
    slowest = sorted(
        rows, key=lambda row: -max(row.import_seconds, row.generate_seconds)
    )
    show(
        "documents_slowest",
        ["the slowest documents, seconds of CPU", "tools", "import", "generate"],
        [
            [
                row.name,
                str(row.tools),
                f"{row.import_seconds:.1f}",
                f"{row.generate_seconds:.1f}",
            ]
            for row in slowest[:6]
        ],
    )


if __name__ == "__main__":
    main()
