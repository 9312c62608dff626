"""Verdicts on open schemas: those of the corpora, whose tools others have published."""

from __future__ import annotations

import pytest

from brimgen_runtime.schema.validator import Validator
from runtime.corpora import lines, needs_corpora

TOOLS = ["bfcl", "mcp", "seal-tools", "tau-bench", "flexigpt", "genai-toolbox"]


@needs_corpora
@pytest.mark.parametrize("name", [*TOOLS, "openapi"])
def test_the_verdict_of_every_instance_is_the_open_one(name: str, step: int) -> None:
    items, instances = f"{name}/items", f"{name}/instances"
    if name == "openapi":
        items, instances = "openapi/operations", "openapi/operations.instances"
    validators = {
        each["id"]: Validator(each["schema" if "schema" in each else "inputSchema"])
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
