"""Verdicts on real tools, schemas and calls: those of the corpora and of two other validators."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs
import pytest

from brimgen_runtime.schema.errors import SchemaError
from brimgen_runtime.schema.validator import Validator
from runtime.corpora import lines, needs_corpora

TOOLS = ["bfcl", "mcp", "seal-tools", "tau-bench", "flexigpt", "genai-toolbox"]

OLDER = "http://json-schema.org/draft-04/schema"
"""A build rewrites schemas of draft-04, so that no package validates one."""


@needs_corpora
@pytest.mark.parametrize("name", [*TOOLS, "openapi"])
def test_the_verdict_of_every_instance_is_the_open_one(name: str, step: int) -> None:
    items, instances = f"{name}/items", f"{name}/instances"
    if name == "openapi":
        items, instances = "openapi/operations", "openapi/operations.instances"
    validators = {
        each["id"]: Validator(each.get("schema", each.get("inputSchema")))
        for each in [*lines(items)][::step]
    }
    wrong: list[str] = []
    for each in lines(instances):
        validator = validators.get(each["id"])
        if validator is None:
            continue
        verdicts = (
            validator.is_valid(each["data"]),
            not validator.violations(each["data"]),
        )
        if verdicts != (each["open"], each["open"]):
            wrong.append(f"{each['id']} {each['kind']}: {verdicts}")
    assert [] == wrong


def _others(schema: Any, value: Any) -> tuple[bool, bool]:
    checker = jsonschema.validators.validator_for(
        schema, default=jsonschema.Draft202012Validator
    )
    strict = checker(schema, format_checker=checker.FORMAT_CHECKER)
    fast = jsonschema_rs.validator_for(schema, validate_formats=True)
    return strict.is_valid(value), fast.is_valid(value)


@needs_corpora
def test_every_verdict_of_maskbench_that_we_change_is_shared_by_others(
    step: int,
) -> None:
    """MaskBench's verdicts are machine-made: where ours differs, two others must side with us."""
    wrong: list[str] = []
    refused: list[str] = []
    count = 0
    for item in [*lines("maskbench/items")][::step]:
        schema = item["schema"]
        if isinstance(schema, dict) and OLDER in str(schema.get("$schema")):
            continue
        validator = Validator(schema)
        try:
            validator.compile()
        except SchemaError as error:
            refused.append(f"{item['id']}: {error}")
            continue
        for test in item["tests"]:
            count += 1
            verdict = validator.is_valid(test["data"])
            assert verdict == (not validator.violations(test["data"])), item["id"]
            if verdict != test["valid"] and _others(schema, test["data"]) != (
                verdict,
                verdict,
            ):
                wrong.append(item["id"])
    assert [] == wrong
    assert count > 1000 // step
    assert len(refused) <= 3, refused
