"""Hidden arguments: found by name only, checked, never told."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

import pytest

from brimgen_runtime.calls.context import ContextError, context_value, resolve_context
from brimgen_runtime.schema.validator import Validator


@dataclass
class User:
    id: str
    born: date = date(2000, 1, 1)
    secret: str = field(default="s3cr3t", repr=False)
    kind: ClassVar[str] = "user"
    salt: InitVar[str] = "pepper"

    @property
    def token(self) -> str:
        raise AssertionError("a property was run")

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("an attribute was looked up")


@dataclass(slots=True)
class Unset:
    id: str

    def __init__(self) -> None:
        pass


CONTEXT = {"app": {"user": User("u1"), "list": ["a"], "__class__": "x"}, "config": {}}


@pytest.mark.parametrize(
    ("path", "segment"),
    [
        ("app.nobody.id", "nobody"),
        ("app.user.nothing", "nothing"),
        ("app.user.token", "token"),
        ("app.user.kind", "kind"),
        ("app.user.salt", "salt"),
        ("app.user.__class__", "__class__"),
        ("app.__class__", "__class__"),
        ("app.user.__dict__.id", "__dict__"),
        ("app.user.id.upper", "upper"),
        ("app.list.0", "0"),
        ("app.list.append", "append"),
        ("config.url", "url"),
        ("env.HOME", "env"),
    ],
)
def test_a_missing_path_names_the_segment(path: str, segment: str) -> None:
    with pytest.raises(ContextError) as caught:
        resolve_context(CONTEXT, path)
    assert (path, segment) == (caught.value.path, caught.value.segment)
    assert path in str(caught.value)
    assert repr(segment)[1:-1] in str(caught.value)
    assert 10 == resolve_context(CONTEXT, path, 10)
    assert None is resolve_context(CONTEXT, path, None)


def test_a_wrong_value_is_refused_and_not_told() -> None:
    number = Validator({"type": "integer"})
    with pytest.raises(ContextError) as caught:
        context_value(CONTEXT, "app.user.secret", number)
    assert "context app.user.secret: expected integer" == str(caught.value)
    with pytest.raises(ContextError) as foreign:
        context_value({"app": {"x": object()}}, "app.x", number)
    assert "context app.x: no JSON value" == str(foreign.value)
    deep = Validator({"type": "object", "properties": {"a": {"type": "string"}}})
    with pytest.raises(ContextError) as nested:
        context_value({"app": {"x": {"a": 41}}}, "app.x", deep)
    assert "context app.x.a: expected string" == str(nested.value)
    cyclic: dict[str, Any] = {}
    cyclic["a"] = cyclic
    with pytest.raises(ContextError):
        context_value({"app": {"x": cyclic}}, "app.x", deep)


class Shadow(User):
    """Puts a property in the place of a declared field."""

    @property
    def id(self) -> str:  # type: ignore[override]
        raise AssertionError("a property was run")

    @id.setter
    def id(self, value: str) -> None:
        pass


class Pretender:
    """Says that it is a mapping; its type is none."""

    @property
    def __class__(self) -> Any:
        return dict

    def get(self, name: str, default: object = None) -> str:
        raise AssertionError("a method was run")


class Meta(type):
    def __getattr__(cls, name: str) -> Any:
        raise AssertionError("an attribute of the class was looked up")


class WithMeta(metaclass=Meta):
    pass


@dataclass
class Defaulted:
    level: int = field(default=3, init=False)
    call: Any = None


class Sub(Defaulted):
    extra = "no field"


@pytest.mark.parametrize(
    ("make", "segment"),
    [
        (lambda: Shadow("u1"), "id"),
        (Pretender, "id"),
        (WithMeta, "id"),
        (Sub, "extra"),
        (lambda: Sub(call=len), "nothing"),
        (lambda: Sub(call=lambda: "run"), "call"),
        (lambda: Unset, "id"),
        (object, "__class__"),
        (lambda: b"bytes", "decode"),
        (lambda: (1, 2), "0"),
        (lambda: "text", "0"),
    ],
)
def test_nothing_is_reached_through_attributes(
    make: Callable[[], object], segment: str
) -> None:
    with pytest.raises(ContextError) as caught:
        resolve_context({"app": make()}, f"app.{segment}")
    assert segment == caught.value.segment


SECRET = "hunter2-s3cr3t"
SCHEMAS: list[Any] = [
    {"type": "integer"},
    {"enum": ["a", "b"]},
    {"const": "a"},
    {"type": "string", "format": "date"},
    {"type": "string", "maxLength": 3},
    {"type": "string", "pattern": "^a$"},
    {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "propertyNames": {"maxLength": 3}},
    {"type": "object", "patternProperties": {"^h": {"type": "integer"}}},
    {"type": "array", "items": {"type": "integer"}},
    {"type": "array", "uniqueItems": True},
    {"not": {}},
    {"oneOf": [{"type": "integer"}, {"type": "null"}]},
]
VALUES: list[Any] = [
    SECRET,
    {SECRET: SECRET},
    {"a": 1, SECRET: {SECRET: 1}},
    [SECRET, SECRET],
    [{"a": SECRET}, {"a": SECRET}],
    {"a": object(), SECRET: SECRET},
    {SECRET, "set"},
    Decimal("NaN"),
]


def test_a_hidden_value_is_in_no_message_and_in_no_repr() -> None:
    refused = 0
    for schema in SCHEMAS:
        validator = Validator(schema, tool="t")
        for value in VALUES:
            try:
                context_value({"app": {"x": value}}, "app.x", validator)
            except ContextError as error:
                refused += 1
                told = f"{error} {error!r} {error.args} {vars(error)}"
                assert SECRET not in told
                shown = "".join(traceback.format_exception(error))
                assert SECRET not in shown
    assert refused > 80


def test_what_a_class_stores_for_its_fields_is_found() -> None:
    assert 3 == resolve_context({"app": Sub()}, "app.level")
    slotted = Unset()
    slotted.id = "u2"
    assert "u2" == resolve_context({"app": slotted}, "app.id")
