"""JsonObject: shown as a dataclass shows itself, and written as exact JSON text."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, make_dataclass
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brimgen_runtime.records.json_object import JsonObject


@dataclass(slots=True, repr=False, eq=False)
class Ours(JsonObject):
    """As generated classes are."""

    name: object
    inner: object = None
    tags: list[Any] = field(default_factory=list, kw_only=True)
    secret: str = field(default="", repr=False, kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name}


@dataclass(slots=True)
class Theirs:
    """The same, left to `dataclass`."""

    name: object
    inner: object = None
    tags: list[Any] = field(default_factory=list, kw_only=True)
    secret: str = field(default="", repr=False, kw_only=True)


def _shown(kind: type[Ours] | type[Theirs], name: object, tags: list[Any]) -> str:
    made = kind(name, kind("inner"), tags=tags, secret="s3cret")
    return repr(made).replace(kind.__name__, "Class")


@given(st.text() | st.integers() | st.dates(), st.lists(st.text() | st.floats()))
def test_it_is_shown_as_a_dataclass_is(name: object, tags: list[Any]) -> None:
    assert _shown(Theirs, name, tags) == _shown(Ours, name, tags)


def test_what_is_hidden_is_not_shown() -> None:
    assert "s3cret" not in repr(Ours("a", secret="s3cret"))


def test_what_contains_itself_is_shown() -> None:
    ours, theirs = Ours("a"), Theirs("a")
    ours.inner, theirs.inner = [ours], [theirs]
    assert repr(theirs).replace("Theirs", "Ours") == repr(ours)


def test_without_fields_there_is_nothing_between_the_parentheses() -> None:
    empty = make_dataclass("Empty", [], bases=(JsonObject,), repr=False, eq=False)
    assert "Empty()" == repr(empty())


def test_it_equals_what_a_dataclass_would() -> None:
    kept = float("nan")
    for kind in (Ours, Theirs):
        assert kind(kept, tags=[1]) == kind(kept, tags=[1])
        assert kind(float("nan")) != kind(kept)
        assert kind("a", 1) != kind("a", 2)
        assert kind("a") != "a"
    assert Ours("a") != Theirs("a")


def test_the_rest_is_a_dataclass_with_slots() -> None:
    ours = Ours("a", tags=["b"])
    assert ours == Ours("a", tags=["b"])
    assert ours != Ours("a")
    assert not hasattr(ours, "__dict__")
    assert pickle.loads(pickle.dumps(ours)) == ours
    with pytest.raises(TypeError, match="unhashable"):
        hash(ours)


def test_every_digit_is_written() -> None:
    assert '{"name": 1.10}' == Ours(Decimal("1.10")).to_json()
