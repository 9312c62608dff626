"""Specs in which nothing is wrong: they build without a word about them, and `verify` agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SPECS = {
    "an argument called `number`": """\
name: multiply_pair
description: Multiply the number by the other number, number 5 too.
arguments:
  inline:
    number: { type: int, description: The first number of the pair }
    others: { type: "int[]?", minItems: 1, maxItems: 3, description: Further factors }
returns: { type: number }
""",
    "a default of null where null is no value": """\
name: find_people
description: Find the people whose names begin with a text.
arguments:
  mode: standard
  inline:
    type: object
    properties:
      prefix: { type: string, default: null, description: How the names begin }
    additionalProperties: false
""",
    "a schema that says nothing but its draft": """\
name: clear_everything
description: Remove whatever is left of an earlier run.
arguments:
  inline: { $schema: "https://json-schema.org/draft/2020-12/schema" }
""",
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_sound_spec_is_built_in_silence_and_verified(
    project: Path, run: Any, spec: str
) -> None:
    (project / "specs" / "tool.yaml").write_text(f"type: python_function\n{spec}")
    (project / "brimgen.yaml").write_text("targets: [python, json_schema]\n")
    built = run("generate")
    assert 0 == built.code, built.err
    assert "warning" not in built.err
    verified = run("verify")
    assert 0 == verified.code, verified.err
    assert "all artifacts of 1 tool agree" in verified.out


IMPORTED = {
    "tools.json": """\
[{"name": "find", "description": "Finds what is there.", "inputSchema": {
  "type": "object", "properties": {
    "state": {"type": "string", "enum": ["a", "b", "a"], "description": "Which state."},
    "note": {"type": "string", "default": null, "description": "Which words."}}}}]
""",
    "api.yaml": """\
openapi: 3.0.3
info: {title: t, version: "1"}
servers: [{url: "https://api.example.com"}]
paths:
  /p:
    get:
      operationId: list_p
      summary: Lists the things of a state.
      parameters:
        - {name: state, in: query, description: Which., schema: {type: string, enum: [a, b, a]}}
        - {name: q, in: query, description: Which., schema: {type: string, default: null}}
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: {type: object, properties: {x: {type: string, default: null, enum: [u, u]}}}
""",
}


@pytest.mark.parametrize("name", IMPORTED)
def test_documents_that_repeat_a_choice_or_default_to_null_are_imported_in_silence(
    project: Path, run: Any, name: str
) -> None:
    (project / name).write_text(IMPORTED[name])
    imported = run("import", name, "--into", "specs")
    assert (0, False) == (imported.code, "warning" in imported.err)
    generated = run("generate", "--format", "concise")
    assert (0, 1) == (generated.code, len(generated.err.splitlines()))
