"""`verify` calls nothing a bug of brimgen that the specs may say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SPECS = r"""
type: python_function
name: find
description: Find.
arguments:
  inline:
    limit: { type: "int?", default: 10 }
    rate: { type: "float?", default: 9007199254740993 }
    state: { type: "string?", enum: [a, b], default: a }
    tags: { type: "string[]?", default: [x] }
    most: { type: int, maximum: 99999999999999995000000, required: false }
---
type: python_function
name: count
description: Count the number of orders, minimum 3, a number of 1 to 5.
arguments:
  inline:
    number: { type: int, minimum: 1, description: "A number, at least 3, at most 5." }
    string: { type: "int?", minimum: 1, maximum: 5 }
    sizes: { type: "int[]?", minItems: 1, maxItems: 3 }
    minimum: { type: "number[]?", minItems: 1, maxItems: 3 }
---
type: python_function
name: choose
description: Choose.
arguments:
  inline:
    properties:
      a: { oneOf: [{ type: string }, { type: "null" }] }
      b:
        oneOf:
          - type: "null"
          - type: object
            properties: { x: { type: [string, "null"], default: q } }
            additionalProperties: false
      order:
        anyOf:
          - type: object
            properties:
              kind: { const: list }
              params:
                { type: object, properties: { site: { type: string } }, required: [site] }
            required: [kind, params]
          - type: object
            properties:
              kind: { const: get }
              params:
                type: object
                properties: { site: { type: string }, id: { type: string } }
                required: [id]
            required: [kind, params]
---
type: python_function
name: refuse
description: Refuse some of its own defaults.
arguments:
  inline:
    properties:
      a: { enum: [x, y], default: all }
      b: { type: string, anyOf: [{ pattern: "^x" }], default: abc }
      c: { type: string, pattern: '^(a|b)\1$', default: aa }
      d: { type: string, maxLength: 2, default: abc }
    dependentRequired: { c: [a] }
---
type: python_function
name: locate
description: Locate what Gemini can be told under other names only.
arguments:
  inline:
    from-date: date
    place: { fields: { zip code: string, to-date: { type: date, required: false } } }
    labels: { type: array, items: { fields: { run-id: int } }, default: [] }
---
type: http_function
name: call
description: Call.
arguments: { inline: { name: string, limit: { type: "int?", default: 10 } } }
request:
  { method: GET, urlTemplate: "https://example.com/${name}", query: { l: "${limit}" } }
allowedHosts: [example.com]
---
type: python_function
name: import_order
description: Import what the schemas of others say.
arguments:
  mode: standard
  inline:
    properties:
      state: { type: [string, "null"], enum: [open, closed] }
      number: { type: integer, format: uint8 }
      code: { type: string, pattern: '^(a|b)\1$' }
      line: { $ref: "#/definitions/line", properties: { note: { type: string } }, required: [note] }
      never: { properties: { gone: false, kept: { type: string } } }
    required: [line]
    definitions:
      line:
        description: A line.
        type: object
        properties: { sku: { type: string, description: Its number. } }
        required: [sku]
---
type: python_function
name: send
description: Send what depends on the kind.
arguments:
  mode: standard
  inline:
    type: object
    properties:
      kind: { enum: [box, tube] }
      label:
        type: object
        properties: { kind: { enum: [paper, tag] } }
        if: { properties: { kind: { const: tag } } }
        then: { properties: { size: { type: string } } }
        dependentSchemas: { kind: { properties: { size: { type: integer } } } }
    allOf:
      - if: { properties: { kind: { const: box } } }
        then:
          $schema: "https://json-schema.org/draft/2020-12/schema"
          properties: { size: { type: string, pattern: '^([0-9]+cm)?$' } }
        else: { properties: { size: { type: integer } } }
    additionalProperties: true
---
type: python_function
name: store
description: Store a row, or count rows.
arguments:
  mode: standard
  inline:
    examples: [{ count: many }]
    oneOf:
      - type: object
        properties: { id: { type: string } }
        patternProperties: { "^[a-z]{1,9}$": { type: [string, number, "null"] } }
      - type: object
        properties: { id: { type: string }, count: { type: number } }
---
type: python_function
name: roll
description: Roll on a table.
arguments:
  mode: standard
  inline:
    properties:
      table: { $ref: "#/definitions/table", description: The first table. }
      times: { $ref: "#/definitions/times" }
      pause: { allOf: [{ $ref: "#/definitions/times" }], maximum: 9 }
      unit: { $ref: "#/properties/first/properties/unit" }
      side: { enum: [red, 9.0, 4] }
      first: { type: object, properties: { unit: { enum: [s, ms] } } }
      wait:
        type: integer
        description: |
          How long to wait, which is
          more than 4 seconds as a rule.
      gone: { $ref: "#/definitions/nothing" }
      routes:
        type: object
        additionalProperties:
          type: object
          properties: { to: { type: string }, name: { type: string, default: main } }
          additionalProperties: false
    definitions:
      nothing: false
      times: { type: integer, default: 3, minimum: 1 }
      table:
        type: array
        minItems: 0
        items:
          type: object
          description: A line of the table.
          properties:
            least: { type: integer, minimum: 1, maximum: 100 }
            name: { type: string, pattern: "^[a-z]+$", maxLength: 40 }
            lines: { $ref: "#/definitions/table", description: More lines., minItems: 1 }
---
type: python_function
name: pay
description: Pay.
arguments:
  mode: standard
  inline:
    allOf:
      - properties:
          card-number: { type: string, description: 'Written as "card-number": "1234".' }
          code: { type: string, pattern: "^[0-9]{3}$" }
          cost: { type: integer }
          unit: { type: string }
          payer:
            minLength: 1
            oneOf: [{ type: string }, { type: array, items: { type: string } }]
        dependencies: { cost: [unit] }
    dependentSchemas: { code: { properties: { owner: { type: string } }, required: [owner] } }
"""
PROFILES = (
    "[openai, openai_azure, openai_loose, mcp, anthropic, anthropic_strict, gemini,"
    " gemini_openapi]"
)


@pytest.mark.whole
def test_nothing_is_found_in_sound_specs(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/a.yaml").write_text(SPECS, encoding="utf-8")
    (tmp_path / "brimgen.yaml").write_text(
        "targets: [python, json_schema, http, openai, mcp, anthropic, gemini, docs,"
        " typescript]\n"
        f"descriptors: {{ profiles: {PROFILES} }}\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-m", "brimgen", "verify", "--format", "concise"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert 0 == ran.returncode, ran.stderr[-3000:]
    assert "11 tools, " in ran.stderr + ran.stdout
