"""What `brimgen import` writes of documents of real services builds, and works."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

HEAD = """\
openapi: 3.0.3
info: {title: t, version: "1"}
servers: [{url: https://api.example}]
"""


def module(project: Path, name: str) -> Any:
    """A module of the package that was generated in a project; no other test has its name."""
    root = str(project / "out" / "python")
    sys.path.insert(0, root)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(root)


def imported(project: Path, run: Any, name: str, document: str, *options: str) -> Any:
    """Import a document and generate it; return the run of the import."""
    (project / f"{name}.yaml").write_text(document, encoding="utf-8")
    ran = run("import", f"{name}.yaml", "--into", "specs", *options)
    generated = run("generate")
    assert (0, []) == (
        generated.code,
        [line for line in generated.err.splitlines() if line.startswith("error")],
    )
    return ran


def test_parameters_that_are_one_attribute_in_python_are_all_sent(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /s:
    get:
      operationId: sorted
      parameters:
        - {name: "When<", in: query, schema: {type: string, format: date}}
        - {name: "When>", in: query, schema: {type: string, format: date}}
        - {name: sort-by, in: query, schema: {type: string}}
        - {name: sort_by, in: query, schema: {type: string}}
      responses: {"204": {description: none}}
"""
    assert imported(project, run, "colliding", document).code == 0
    tool = module(project, "colliding.http.sorted")
    call = {
        "When<": "2026-01-01",
        "When>": "2025-01-01",
        "sort-by": "a",
        "sort_by": "b",
    }
    inputs = module(project, "colliding.tools.sorted").SortedInput
    read = inputs.from_dict(call)
    assert read.to_dict() == call
    assert (read.When_.year, read.When_2.year) == (2026, 2025)
    assert (read.sort_by_2, read.sort_by) == ("a", "b")
    assert tool.build(read, {}).url.endswith(
        "/s?When%3C=2026-01-01&When%3E=2025-01-01&sort-by=a&sort_by=b"
    )


def test_a_property_with_the_name_of_its_schema_keeps_that_name_in_json(
    project: Path, run: Any
) -> None:
    document = HEAD + """\
paths:
  /c:
    get:
      operationId: getContact
      responses:
        "200":
          description: ok
          content:
            application/json: {schema: {$ref: "#/components/schemas/Contact"}}
components:
  schemas:
    Address: {type: object, properties: {City: {type: string}}}
    Contact:
      type: object
      properties:
        Address: {$ref: "#/components/schemas/Address"}
        Others: {type: array, items: {$ref: "#/components/schemas/Address"}}
"""
    assert imported(project, run, "pascal", document).code == 0
    contact = module(project, "pascal").Contact
    value = {"Address": {"City": "Bern"}, "Others": [{"City": "Basel"}]}
    read = contact.from_dict(value)
    assert (read.Address_.City, read.to_dict()) == ("Bern", value)
