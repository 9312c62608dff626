"""``tools.yaml`` of MCP Toolbox: SQL tools come in, others are refused with a reason."""

from __future__ import annotations

from pathlib import Path

import yaml

from importers.documents import imported
from support.made import corpus
from support.project import build

TOOLS = """\
sources:
  pg: {kind: postgres, host: 127.0.0.1, port: 5432, database: shop, user: me, password: x}
tools:
  search-hotels:
    kind: postgres-sql
    source: pg
    description: Search for hotels.
    parameters:
      - {name: name, type: string, description: The name of the hotel.}
      - {name: ids, type: array, description: Ids., items: {name: id, type: integer}}
      - {name: least, type: integer, description: Stars., required: false, minValue: 1}
      - {name: email, type: string, authServices: [{name: my-google, field: email}]}
    statement: |
      SELECT id, name FROM hotels -- not $1
      WHERE name = $1 AND note <> '$2' AND id = ANY($2) AND stars >= $3 AND owner = $4;
  tables: {kind: postgres-list-tables, source: pg, description: List.}
  any-table:
    kind: postgres-sql
    source: pg
    description: Read a table.
    statement: SELECT * FROM {{.table}}
    templateParameters: [{name: table, type: string, description: Its name.}]
toolsets: {all: [search-hotels]}
"""


def test_a_sql_tool_keeps_its_parameters_and_its_statement(tmp_path: Path) -> None:
    documents, told = imported("tools.yaml", TOOLS)
    assert ["I731", "I731"] == [each.split()[1] for each in told]
    assert "`postgres-list-tables` are run by Toolbox itself" in told[0]
    assert "`templateParameters` put text into the statement" in told[1]
    (text,) = documents
    document = yaml.safe_load(text)
    assert (
        "SELECT id, name FROM hotels -- not $1\n"
        "WHERE name = :name AND note <> '$2' AND id = ANY(:ids) AND stars >= :least "
        "AND owner = :email"
    ) == document["sql"]
    arguments = document["arguments"]["inline"]
    assert "int[]" == arguments["ids"]["type"]
    assert (False, 1) == (arguments["least"]["required"], arguments["least"]["minimum"])
    assert "app.my-google.email" == arguments["email"]["from_context"]
    specs = {"a.yaml": f"{text}connection: warehouse\n"}
    built = build(tmp_path, specs)
    assert not built.diagnostics.has_errors


def test_question_marks_are_the_parameters_in_their_order() -> None:
    tools = {
        "tools": {
            "find": {
                "kind": "mysql-sql",
                "source": "db",
                "description": "Find.",
                "parameters": [
                    {"name": "a", "type": "integer", "description": "A."},
                    {"name": "b", "type": "string", "description": "B."},
                ],
                "statement": "SELECT 1 FROM t WHERE a = ? AND b = ? AND c <> '?'",
            }
        }
    }
    (text,), told = imported("tools.yaml", yaml.safe_dump(tools))
    assert [] == told
    assert "a = :a AND b = :b AND c <> '?'" in text


def test_tools_of_others_come_in_or_are_refused_with_a_reason() -> None:
    kept = 0
    for item in corpus("genai-toolbox"):
        raw = item["raw"]
        if not raw.get("kind") or raw["kind"] == "tool":
            continue
        tools = yaml.safe_dump({"tools": {item["name"]: raw}})
        documents, told = imported("tools.yaml", tools)
        assert len(documents) == 1 or told, item["id"]
        kept += len(documents)
    assert kept >= 3
