"""The verdicts of the JSON Schema Test Suite, for the keywords that Standard mode admits."""

from __future__ import annotations

from typing import Any

import pytest

from brimgen_runtime.schema.errors import SchemaError
from brimgen_runtime.schema.validator import Validator
from runtime.corpora import lines, needs_corpora

REFUSED = {
    "dynamicRef": "dynamic scopes are not part of Standard mode",
    "refRemote": "remote documents are never fetched",
    "optional/cross-draft": "remote documents are never fetched",
    "unevaluatedItems with $dynamicRef": "dynamic scopes are not part of Standard mode",
    "validate definition against metaschema": "the metaschema is a remote document",
}
"""Groups whose schema must be refused with a SchemaError, and why."""

ASSERTED = "is only an annotation by default"
"""Tests that say that formats are not asserted; ours are (spec-language.md)."""


def _groups(draft: str) -> list[dict[str, Any]]:
    return list(lines(f"json-schema-test-suite/{draft}"))


def _schema(draft: str, schema: Any) -> Any:
    if draft == "draft7" and isinstance(schema, dict) and "$schema" not in schema:
        return {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    return schema


def _is_refused(group: dict[str, Any]) -> bool:
    file, _, name = group["name"].rpartition("/")
    return file in REFUSED or name in REFUSED


@needs_corpora
@pytest.mark.parametrize("draft", ["draft2020-12", "draft7"])
def test_every_verdict_is_that_of_the_suite(draft: str) -> None:
    wrong: list[str] = []
    count = 0
    for group in _groups(draft):
        if _is_refused(group):
            continue
        validator = Validator(_schema(draft, group["schema"]))
        for test in group["tests"]:
            if ASSERTED in test["description"]:
                continue
            count += 1
            verdicts = (
                validator.is_valid(test["data"]),
                not validator.violations(test["data"]),
            )
            if verdicts != (test["valid"], test["valid"]):
                wrong.append(f"{group['name']}: {test['description']}: {verdicts}")
    assert [] == wrong
    assert count > 400


@needs_corpora
@pytest.mark.parametrize("draft", ["draft2020-12", "draft7"])
def test_what_is_not_admitted_is_refused_when_it_is_compiled(draft: str) -> None:
    refused = [group for group in _groups(draft) if _is_refused(group)]
    assert refused
    for group in refused:
        with pytest.raises(SchemaError):
            Validator(_schema(draft, group["schema"])).compile()
