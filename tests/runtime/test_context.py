"""Hidden arguments: found by name only, checked, never told."""

from __future__ import annotations

from dataclasses import InitVar, dataclass, field
from datetime import date
from typing import Any, ClassVar

import pytest

from brimgen.runtime._runtime import (
    ContextError,
    Validator,
    context_value,
    resolve_context,
)


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


def test_mappings_and_declared_fields_are_walked() -> None:
    assert "u1" == resolve_context(CONTEXT, "app.user.id")
    assert date(2000, 1, 1) == resolve_context(CONTEXT, "app.user.born")
    assert CONTEXT["app"] is resolve_context(CONTEXT, "app")


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


def test_a_field_without_a_value_is_missing() -> None:
    with pytest.raises(ContextError):
        resolve_context({"app": Unset()}, "app.id")


def test_no_context_is_an_empty_one() -> None:
    with pytest.raises(ContextError):
        resolve_context(None, "app.user")


def test_values_are_checked_against_the_schema_of_their_field() -> None:
    text = Validator({"type": "string", "minLength": 2})
    day = Validator({"type": "string", "format": "date"})
    assert "u1" == context_value(CONTEXT, "app.user.id", text)
    assert "2000-01-01" == context_value(CONTEXT, "app.user.born", day)
    assert 5 == context_value(CONTEXT, "app.user.none", text, 5)
    with pytest.raises(ContextError):
        context_value(CONTEXT, "app.user.none", text)


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
