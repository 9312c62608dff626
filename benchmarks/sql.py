"""What the SQL target costs a statement, beside sqlglot's reading of the same statements.

    python benchmarks/sql.py [--statements 300] [--rounds 9]

Work: the SQL tools of `specs`, resolved once; every module is loaded before. A figure is the CPU of
the process for one statement, the median of several rounds in which all take turns, with nothing
kept from round to round. With a schema, its tables are read as well, and types and NULL of each
statement inferred. The first column is a share of `GOAL`, what the target may add to a build;
the second a multiple of what sqlglot takes to parse the statement.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import sqlglot
from figures import show
from specs import write_specs

from brimgen.api import unswept
from brimgen.diagnostics import Diagnostics
from brimgen.emit import judge
from brimgen.emit.sql import EMITTER
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog
from brimgen.model.project import Connection, Project, SchemaFile, SchemaSource
from brimgen.resolve.link import resolve
from brimgen.source.compose import compose
from brimgen.source.files import read_files
from brimgen.sql import DIALECTS, scan
from brimgen.sql import known_schema as schemas
from brimgen.sql.statements import sql_tools
from brimgen.syntax.documents import parse

GOAL = 0.0003
"""Seconds that the target may add to a warm build for each statement."""

SCAN, CHECK, EMIT, WHOLE = "scan", "check", "emit", "check and emit"
WITH_SCHEMA = "check with a schema"
COLUMNS = (
    "customer_id INTEGER NOT NULL, title TEXT NOT NULL, ratio REAL, status TEXT NOT NULL, "
    "tags TEXT, placed_after TEXT, page_size INTEGER, exact BOOLEAN, tenant TEXT, order_by TEXT"
)
TABLES = "\n".join(
    f"CREATE TABLE {name} ({COLUMNS});"
    for name in ("things", *(f"t{x}" for x in range(50)))
)
PEER = "sqlglot's parse"


def made(folder: Path, statements: int) -> Catalog:
    """The catalog of a project with so many SQL tools."""
    write_specs(folder, 2 * statements)
    diagnostics = Diagnostics()
    documents = [
        each
        for file in read_files(folder, diagnostics)
        for each in compose(file, diagnostics)
    ]
    project = Project(connections={"default": Connection("sqlite", ("sqlite3",))})
    catalog = resolve(parse(documents, diagnostics), project, diagnostics)
    assert not diagnostics.has_errors, [each.message for each in diagnostics]
    return catalog


class Contest:
    """Every contestant on the same statements, and its seconds, a list of rounds each."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        source = SchemaSource((SchemaFile("schema.sql", TABLES),))
        connection = Connection("sqlite", ("sqlite3",), source)
        project = replace(catalog.project, connections={"default": connection})
        self._described = replace(catalog, project=project)
        self._bodies = [body for _, body in sql_tools(catalog)]
        self.seconds: dict[str, list[float]] = {}

    def round(self) -> None:
        """Every contestant once."""
        dialect = DIALECTS["sqlite"]
        texts = [each.statement.text for each in self._bodies]
        scan.cache_clear()
        scanned = self._time(SCAN, lambda: [scan(text, dialect) for text in texts])
        scan.cache_clear()
        check = self._time(CHECK, lambda: judge(self._catalog, Diagnostics()))
        emit = self._time(EMIT, lambda: [*EMITTER.emit(self._catalog)])
        self.seconds.setdefault(WHOLE, []).append(check + emit)
        scan.cache_clear()
        schemas._read.cache_clear()
        self._time(WITH_SCHEMA, lambda: judge(self._described, Diagnostics()))
        assert scanned
        self._time(PEER, lambda: [sqlglot.parse(text, read="sqlite") for text in texts])

    def _time(self, name: str, run: Callable[[], object]) -> float:
        with unswept():  # as a build is
            begun = time.process_time()
            run()
            taken = (time.process_time() - begun) / len(self._bodies)
        self.seconds.setdefault(name, []).append(taken)
        return taken


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for each contestant."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--statements", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        contest = Contest(made(Path(folder), options.statements))
    for _ in range(options.rounds):
        contest.round()
    medians = {name: statistics.median(each) for name, each in contest.seconds.items()}
    show(
        "sql_statements",
        ["CPU a statement", "of what it may cost", f"of {PEER}"],
        [
            [name, f"{each / GOAL:.2f}", f"{each / medians[PEER]:.2f}"]
            for name, each in medians.items()
        ],
    )


if __name__ == "__main__":
    main()
