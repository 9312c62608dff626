"""Made-up schemas and instances: our verdict is that of jsonschema and of jsonschema-rs."""

from __future__ import annotations

import copy
import json
from typing import Any

import jsonschema
import jsonschema_rs
from hypothesis import assume, given

from brimgen_runtime.schema.validator import Validator
from runtime.strategies import INSTANCES, schemas

_FORMATS = jsonschema.Draft202012Validator.FORMAT_CHECKER


def _reference(schema: Any, value: Any) -> bool:
    checker = jsonschema.Draft202012Validator(schema, format_checker=_FORMATS)
    return bool(checker.is_valid(value))


@given(schemas(), INSTANCES)
def test_the_verdict_is_that_of_the_others(schema: dict[str, Any], value: Any) -> None:
    validator = Validator(schema)
    expected = jsonschema_rs.Draft202012Validator(
        schema, validate_formats=True
    ).is_valid(value)
    # Where the two disagree (Python's `$` before a line end, `\\d` of other scripts), ECMA-262
    # decides, which is what the Rust one follows.
    if _reference(schema, value) != expected:
        assume("pattern" in json.dumps(schema))
    assert expected == validator.is_valid(value)
    assert expected == (validator.violations(value) == [])


@given(schemas(), INSTANCES)
def test_nothing_changes_the_input(schema: dict[str, Any], value: Any) -> None:
    before = copy.deepcopy((schema, value))
    validator = Validator(schema)
    validator.violations(value)
    validator.drop_nulls(value)
    assert before == (schema, value)


@given(schemas(), INSTANCES)
def test_every_violation_points_into_the_value(
    schema: dict[str, Any], value: Any
) -> None:
    first = Validator(schema).violations(value)
    again = Validator(copy.deepcopy(schema)).violations(copy.deepcopy(value))
    assert [str(each) for each in first] == [str(each) for each in again]
    for each in first:
        parent = each.pointer.rpartition("/")[0]
        _at(value, parent)
        assert each.message
        assert each.rule


def _at(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


@given(schemas(), INSTANCES)
def test_the_null_rule_leaves_alone_what_is_accepted_and_never_hurts(
    schema: dict[str, Any], value: Any
) -> None:
    validator = Validator(schema)
    after = validator.drop_nulls(value)
    if validator.is_valid(value):
        assert value is after
    else:
        assert validator.drop_nulls(after) == after or validator.is_valid(after)
