"""The queries of sqlc's own tests are imported and build; `import-queries.cases` has the forms."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from brimgen.importers.sql.query_files import SqlFiles
from support.imports import import_sql
from support.made import corpus
from support.project import build, connection_to

ENGINES = {"postgresql": "postgres", "mysql": "mysql", "sqlite": "sqlite"}


@pytest.mark.whole
def test_the_queries_of_sqlc_itself_are_imported_and_build(tmp_path: Path) -> None:
    """Of 680 queries all but some sixty, each with its reason; four do not build."""
    schemas, files = defaultdict(dict), defaultdict(list)
    for each in corpus("sql-annotated", "sqlc_schemas"):
        folder = each["path"].rpartition("/")[0]
        schemas[folder][each["path"]] = each["sql"]
    for each in corpus("sql-annotated", "sqlc_queries"):
        is_ours = each["engine"] in ENGINES and "clickhouse" not in each["path"]
        if is_ours and not each["expects_error"]:
            files[each["path"], ENGINES[each["engine"]]].append(each["sql"])
    queries = tools = errors = 0
    for number, ((path, dialect), texts) in enumerate(files.items()):
        tables = schemas[path.rpartition("/")[0]]
        part = SqlFiles({path: "\n\n".join(texts)}, tables, dialect)
        documents, found = import_sql(path, [part])
        made = [each for each in documents if each.startswith("type: sql_function")]
        refused = [e for e in found if e.rule.reason == "import-query-refused"]
        assert len(texts) <= len(made) + len(refused), path
        queries, tools = queries + len(texts), tools + len(made)
        if documents:
            built = build(
                tmp_path / f"{number}",
                {"a.yaml": "---\n".join(documents)},
                targets=("python", "sql"),
                connections={"default": connection_to(dialect)},
            )
            errors += built.diagnostics.errors
    assert queries >= 600
    assert tools >= 0.9 * queries
    assert errors <= 5
