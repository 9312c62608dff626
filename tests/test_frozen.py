"""The quick dataclass is what the one of the standard library is, for every way it is used."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace
from typing import Any

import pytest

from brimgen import frozen


class Made:
    """The same classes, made by one of the two decorators."""

    def __init__(self, dataclass: Any) -> None:
        @dataclass(frozen=True, slots=True)
        class Point:
            x: int
            y: int = 2
            seen: list[int] = field(default_factory=list)
            note: str = field(default="", repr=False, compare=False)

        @dataclass(frozen=True, slots=True)
        class Named(Point):
            name: str = "?"

        @dataclass(frozen=True, slots=True, kw_only=True)
        class Worded:
            text: str
            size: int = 0

            def __post_init__(self) -> None:
                if self.size < 0:
                    raise ValueError(self.size)

        @dataclass(frozen=True, slots=True)
        class Folded:
            word: str

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Folded) and (
                    self.word.lower() == other.word.lower()
                )

        @dataclass(frozen=True, slots=True)
        class Empty:
            pass

        self.Point, self.Named, self.Worded = Point, Named, Worded
        self.Folded, self.Empty = Folded, Empty


EACH = pytest.mark.parametrize(
    "of", [Made(dataclasses.dataclass), Made(frozen.dataclass)], ids=["std", "quick"]
)


@frozen.dataclass(frozen=True, slots=True)
class Kept:
    """At the top of a module, where pickle finds it."""

    a: int
    b: tuple[str, ...] = ()


@EACH
def test_making(of: Any) -> None:
    assert (1, 2, [], "") == _values(of.Point(1))
    assert (1, 3, [4], "n") == _values(of.Point(1, 3, [4], note="n"))
    assert of.Point(1).seen is not of.Point(1).seen
    assert (1, 2, [], "", "me") == _values(of.Named(1, name="me"))
    assert ("t", 0) == _values(of.Worded(text="t"))
    assert () == _values(of.Empty())


@EACH
def test_refusing(of: Any) -> None:
    for wrong in (
        lambda: of.Point(),
        lambda: of.Point(1, z=2),
        lambda: of.Point(1, 2, [], "", 5),
        lambda: of.Worded("t"),
        lambda: of.Empty(1),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="-1"):
        of.Worded(text="t", size=-1)
    point = of.Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 5
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    # The standard library means to raise AttributeError and trips over its own slots.
    with pytest.raises((AttributeError, TypeError)):
        point.z = 5
    assert not hasattr(point, "__dict__")


@EACH
def test_equal_and_hashed(of: Any) -> None:
    assert of.Point(1) == of.Point(1, note="other")
    assert of.Point(1) != of.Point(2)
    assert of.Point(1) != of.Named(1)
    assert (of.Point(1) == 1) is False
    assert of.Empty() == of.Empty()
    assert hash(of.Empty()) == hash(of.Empty())
    assert {of.Worded(text="a"), of.Worded(text="a")} == {of.Worded(text="a")}
    with pytest.raises(TypeError, match="unhashable"):
        hash(of.Point(1))
    assert of.Folded("A") == of.Folded("a")
    assert hash(of.Folded("a")) == hash(of.Folded("a"))


@EACH
def test_shown_replaced_and_copied(of: Any) -> None:
    assert repr(of.Point(1, note="n")).endswith("Point(x=1, y=2, seen=[])")
    assert repr(of.Named(1)).endswith("Named(x=1, y=2, seen=[], name='?')")
    assert repr(of.Empty()).endswith("Empty()")
    assert of.Point(5, 2, [9]) == replace(of.Point(1, 2, [9]), x=5)
    assert ("x", "y", "seen", "note") == of.Point.__match_args__
    point = of.Point(1, 2, [3])
    assert copy.copy(point) == point == copy.deepcopy(point)
    assert copy.deepcopy(point).seen is not point.seen
    match point:
        case of.Point(x, y):
            assert (1, 2) == (x, y)


def test_pickled() -> None:
    assert Kept(1, ("b",)) == pickle.loads(pickle.dumps(Kept(1, ("b",))))


def test_other_classes_are_left_to_the_standard_library() -> None:
    @frozen.dataclass(slots=True)
    class Changing:
        x: int = 0

    @frozen.dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        x: int = 0

    changing = Changing()
    changing.x = 3
    assert Changing(3) == changing
    assert Ordered(1) < Ordered(2)


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, each.name) for each in dataclasses.fields(value))
