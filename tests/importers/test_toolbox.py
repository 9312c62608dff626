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
    assert ["I714", "I707", "I707", "I714"] == [each.split()[1] for each in told]
    assert "the source `pg` of Toolbox is not imported: its address" in told[0]
    assert "`postgres-list-tables` are run by Toolbox itself" in told[1]
    assert "`templateParameters` put text into the statement" in told[2]
    assert "the toolset `all` of Toolbox is not imported: a bundle" in told[3]
    (text,) = documents
    document = yaml.safe_load(text)
    assert (
        "SELECT id, name FROM hotels -- not $1\n"
        "WHERE name = :name AND note <> '$2' AND id = ANY(:ids) AND stars >= :least "
        "AND owner = :email"
    ) == document["sql"]
    assert "object[]" == document["returns"]
    arguments = document["arguments"]["inline"]
    assert "int[]" == arguments["ids"]["type"]
    assert (False, 1) == (arguments["least"]["required"], arguments["least"]["minimum"])
    assert "app.my-google.email" == arguments["email"]["from_context"]
    specs = {"a.yaml": f"{text}connection: warehouse\n"}
    built = build(tmp_path, specs)
    assert not built.diagnostics.has_errors


DOCUMENTS = """\
kind: source
name: pg
type: postgres
host: 127.0.0.1
---
kind: tool
name: search-hotels
type: postgres-sql
source: pg
description: Search for hotels.
parameters:
  - {name: name, type: string, description: The name of the hotel.}
  - {name: guest, type: string, description: Who asks., secure: true}
statement: SELECT id FROM hotels WHERE name = $1 AND guest = $2;
---
kind: tool
name: tables
type: postgres-list-tables
source: pg
description: List.
---
kind: group
name: all
description: All of them.
tools: [search-hotels, tables]
"""


def test_tools_may_be_documents_of_their_own() -> None:
    (text,), told = imported("tools.yaml", DOCUMENTS)
    document = yaml.safe_load(text)
    assert (
        "SELECT id FROM hotels WHERE name = :name AND guest = :guest" == document["sql"]
    )
    assert "app.guest" == document["arguments"]["inline"]["guest"]["from_context"]
    assert ["2 I714", "17 I707", "23 I714"] == sorted(
        (" ".join(each.split()[:2]) for each in told), key=lambda x: int(x.split()[0])
    )


def test_other_files_of_several_documents_are_read_up_to_the_first() -> None:
    schema = "type: object\nproperties: {a: {type: string}}\ntitle: A\n"
    documents, told = imported("a.yaml", f"{schema}---\n{schema}")
    assert 1 == len(documents)
    assert ["I714"] == [each.split()[1] for each in told]


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
        if not raw.get("kind"):
            continue
        is_document = raw["kind"] == "tool"
        tools = yaml.safe_dump(raw if is_document else {"tools": {item["name"]: raw}})
        documents, told = imported("tools.yaml", tools)
        assert len(documents) == 1 or told, item["id"]
        kept += len(documents)
    assert kept >= 3
