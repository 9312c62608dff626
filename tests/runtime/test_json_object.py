"""JsonObject: shown as a dataclass shows itself, and written as exact JSON text."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

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


def test_what_is_hidden_is_not_shown() -> None:
    assert "s3cret" not in repr(Ours("a", secret="s3cret"))


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
