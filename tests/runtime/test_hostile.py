"""Input that wants to crash or hang us: it is refused like any other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest

from brimgen_runtime.schema.errors import InputError
from brimgen_runtime.schema.unseen import LEVELS
from brimgen_runtime.schema.validator import Validator
from support.work import grows_like_its_input

LIST = {"type": "array", "items": {"$ref": "#"}}
TREE = {
    "type": "object",
    "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}},
    "additionalProperties": False,
}


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("schema", [LIST, {}, {"type": "array"}, {"uniqueItems": True}])
def test_deep_input_is_a_violation(schema: Any) -> None:
    validator = Validator(schema)
    for value in (_nested(100_000), [_nested(100_000), _nested(100_000)]):
        assert not validator.is_valid(value)
        assert ["depth"] == [each.rule for each in validator.violations(value)]
        with pytest.raises(InputError):
            validator.check(value)
        assert value is validator.drop_nulls(value)


def test_cyclic_input_is_a_violation() -> None:
    cyclic: dict[str, Any] = {}
    cyclic["left"] = cyclic["right"] = cyclic
    ring: list[Any] = []
    ring += [ring, ring]
    for schema, value in ((TREE, cyclic), (LIST, ring), ({}, cyclic), ({}, ring)):
        assert ["depth"] == [each.rule for each in Validator(schema).violations(value)]


def test_a_schema_that_only_refers_to_itself_ends() -> None:
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert ["depth"] == [each.rule for each in Validator(schema).violations(1)]


@pytest.mark.parametrize(
    ("schema", "value_of"),
    [
        ({"multipleOf": 1e-300}, lambda size: 10**size),
        ({"uniqueItems": True}, lambda size: [*range(size), "x"]),
        ({"type": "array", "items": {"type": "integer"}}, lambda size: ["x"] * size),
        (
            {"type": "object", "additionalProperties": False},
            lambda size: {str(i): 1 for i in range(size)},
        ),
        ({"enum": list(range(10_000))}, lambda size: size + 10_000),
    ],
)
def test_the_work_of_a_validator_grows_like_its_input(
    schema: Any, value_of: Callable[[int], Any]
) -> None:
    def validate(size: int) -> None:
        found = Validator(schema).violations(value_of(size))
        assert all(len(each.message) < 2_000 for each in found)

    assert grows_like_its_input(validate, 2000)


NAMED = [
    {"type": "object", "patternProperties": {"^a": {}}, "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "unevaluatedProperties": False},
    {"patternProperties": {"^a": {}}, "unevaluatedProperties": False},
    {"allOf": [{"patternProperties": {"": {}}}], "unevaluatedProperties": {}},
    {"propertyNames": {"pattern": "^a"}},
    {"type": "object", "propertyNames": {}, "additionalProperties": {"minimum": 0}},
    {"type": "object"},
    {},
    {"properties": {}, "additionalProperties": False},
]


@pytest.mark.parametrize("schema", NAMED)
@pytest.mark.parametrize("name", [1, None, (1, 2), b"a", object()])
def test_names_that_are_no_text_are_violations(schema: Any, name: Any) -> None:
    validator = Validator(schema)
    assert not validator.is_valid({name: 1})
    found = validator.violations({name: 1})
    assert {each.rule for each in found} <= {"type", "unknown"}
    assert 1 == len({each.pointer for each in found})
    assert not any(" at 0x" in each.message for each in found)
    with pytest.raises(InputError):
        validator.check({name: 1})


def _fail(*given: Any) -> NoReturn:
    raise OSError("mine")


class EvilText(str):
    __eq__ = __len__ = __getitem__ = __str__ = _fail  # type: ignore[assignment]
    __hash__ = str.__hash__


class EvilNumber(int):
    __eq__ = __lt__ = __ge__ = __le__ = __gt__ = __str__ = __repr__ = _fail  # type: ignore
    __hash__ = int.__hash__


class EvilObject(dict[str, Any]):
    __contains__ = __getitem__ = __len__ = items = keys = values = get = _fail  # type: ignore


class EvilList(list[Any]):
    __len__ = _fail

    def __iter__(self) -> Iterator[Any]:
        while True:
            raise ValueError("again and again")


CLOSED = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "maxLength": 3, "enum": ["a", "b"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "list": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        "object": {"type": "object", "required": ["a"]},
        "any": {"anyOf": [{"const": 1}, {"const": "a"}, {"minProperties": 1}]},
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "value",
    [
        {"text": EvilText("a")},
        {"count": EvilNumber(3)},
        {"list": EvilList([1])},
        {"list": [1, EvilNumber(3)], "count": EvilNumber(1)},
        {"object": EvilObject(a=1)},
        {"any": EvilObject(a=1)},
        EvilObject(count=1),
        {EvilText("count"): 1},
    ],
)
def test_values_whose_own_code_fails_are_violations(value: Any) -> None:
    """A value of a type that parsed JSON has not counts as JSON as long as it behaves."""
    validator = Validator(CLOSED)
    assert not validator.is_valid(value)
    assert validator.drop_nulls(value) is value
    for each in validator.violations(value):
        assert "mine" not in each.message
    with pytest.raises(InputError) as caught:
        validator.check(value)
    assert caught.value.retry_message()


def test_what_is_accepted_but_too_deep_to_decode_is_refused() -> None:
    def follow(value: list[Any]) -> list[Any]:
        return followed(value)

    def followed(value: list[Any]) -> list[Any]:
        return list(map(follow, value))

    validator = Validator({"type": "array"})
    assert validator.decode(_nested(100), follow)
    with pytest.raises(InputError, match="nested too deeply"):
        validator.decode(_nested(600), follow)


BRANCHING = {
    "anyOf": [
        {"properties": {"a": {"$ref": "#"}}, "required": ["a", "b"]},
        {"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}},
    ]
}
TWICE = {
    "allOf": [
        {"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}},
        {"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}},
    ]
}
EITHER = {
    "if": {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
    "then": {"properties": {"a": {"$ref": "#"}}, "oneOf": [{"$ref": "#/$defs/a"}]},
    "else": {"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}},
    "$defs": {"a": {"properties": {"a": {"$ref": "#"}}}},
}
UNSEEN = {
    "anyOf": [{"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}}],
    "unevaluatedProperties": False,
}

ONE_OF = {
    "oneOf": [
        {"properties": {"a": {"$ref": "#"}}, "required": ["b"]},
        {"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}},
    ]
}
NOT = {
    "not": {"not": {"properties": {"a": {"$ref": "#"}, "x": {"x-leaf": "seen"}}}},
    "properties": {"a": {"$ref": "#"}},
}
PATTERNS = {
    "patternProperties": {"a": {"$ref": "#"}, "^a": {"$ref": "#"}, "a$": {"$ref": "#"}},
    "properties": {"x": {"x-leaf": "seen"}},
}


@pytest.mark.parametrize(
    "schema", [BRANCHING, TWICE, EITHER, UNSEEN, ONE_OF, NOT, PATTERNS]
)
@pytest.mark.parametrize("leaf", [1, "no"])
def test_recursion_through_branches_is_linear(schema: Any, leaf: Any) -> None:
    """Steps are counted: how often the leaf at depth 25 is read, for the verdict and the report."""
    read: list[Any] = []

    def parse(value: Any) -> None:
        read.append(value)
        if value == "no":
            raise ValueError

    value: dict[str, Any] = {"x": leaf}
    for _ in range(25):
        value = {"a": value}
    validator = Validator(schema, leaves={"seen": parse})
    assert (leaf == 1) == validator.is_valid(value)
    assert (leaf == 1) == (not validator.violations(value))
    assert 1 <= len(read) <= 20
    before = len(read)
    assert (leaf == 1) == validator.is_valid(value)
    assert before < len(read), "nothing is remembered beyond a run"


def test_all_that_is_wrong_at_all_levels_is_told_once() -> None:
    part = {"properties": {"a": {"$ref": "#"}, "n": {"type": "integer"}}}
    value: dict[str, Any] = {"n": "x"}
    for _ in range(50):
        value = {"a": value, "n": "x"}
    found = Validator({"allOf": [part, part]}).violations(value)
    wanted = sorted("/a" * depth + "/n" for depth in range(51))
    assert wanted == sorted(each.pointer for each in found)


def test_a_schema_with_an_end_sets_its_own() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    value: Any = 1
    for _ in range(LEVELS + 10):
        schema = {"type": "array", "items": schema}
        value = [value]
    assert Validator(schema).is_valid(value)
