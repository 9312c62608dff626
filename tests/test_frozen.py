"""The quick dataclass is what the one of the standard library is, for every way it is used."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError
from functools import cached_property
from typing import Any

import pytest

from brimgen import frozen


class Made:
    """The same classes, made by one of the two decorators."""

    def __init__(self, of: Any) -> None:
        dataclass, field = of.dataclass, of.field

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

        @dataclass(slots=True)
        class Changing:
            x: int = 0
            seen: set[int] = field(default_factory=set)

        @dataclass(frozen=True)
        class Wide:
            x: int
            seen: list[int] = field(default_factory=list)
            size: int = 1

            @cached_property
            def twice(self) -> int:
                return self.x * 2

        self.Point, self.Named, self.Worded = Point, Named, Worded
        self.Folded, self.Empty = Folded, Empty
        self.Changing, self.Wide = Changing, Wide
        self.replace, self.fields = of.replace, of.fields
        self.is_dataclass = of.is_dataclass


def _made_of_many() -> Made:
    """Classes whose ``__init__`` is written for the first object."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frozen, "_FEW", 0)
        return Made(frozen)


EACH = pytest.mark.parametrize(
    "of",
    [Made(dataclasses), Made(frozen), _made_of_many()],
    ids=["std", "few", "many"],
)


@frozen.dataclass(frozen=True, slots=True)
class Kept:
    """At the top of a module, where pickle finds it."""

    a: int
    b: tuple[str, ...] = ()


@EACH
def test_frozen_values_are_made_like_dataclasses(of: Any) -> None:
    assert (1, 2, [], "") == _values(of.Point(1))
    assert (1, 3, [4], "n") == _values(of.Point(1, 3, [4], note="n"))
    assert of.Point(1).seen is not of.Point(1).seen
    assert (1, 2, [], "", "me") == _values(of.Named(1, name="me"))
    assert ("t", 0) == _values(of.Worded(text="t"))
    assert () == _values(of.Empty())


def test_many_objects_are_made_by_a_written_init() -> None:
    point = Made(frozen).Point
    few = [point(each) for each in range(frozen._FEW)]
    assert "Any" in str(point.__init__.__annotations__)
    many = [point(each) for each in range(frozen._FEW)]
    assert {} == point.__init__.__annotations__
    assert few == many


@EACH
def test_frozen_values_refuse_what_dataclasses_refuse(of: Any) -> None:
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
def test_frozen_values_are_compared_and_hashed(of: Any) -> None:
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
    for replace in (of.replace, dataclasses.replace):
        assert of.Point(5, 2, [9]) == replace(of.Point(1, 2, [9]), x=5)
        assert of.Worded(text="t", size=2) == replace(of.Worded(text="t"), size=2)
    with pytest.raises(TypeError):
        of.replace(of.Point(1), z=5)
    assert ("x", "y", "seen", "note") == of.Point.__match_args__
    point = of.Point(1, 2, [3])
    assert copy.copy(point) == point == copy.deepcopy(point)
    assert copy.deepcopy(point).seen is not point.seen
    match point:
        case of.Point(x, y):
            assert (1, 2) == (x, y)


def test_frozen_values_can_be_pickled() -> None:
    assert Kept(1, ("b",)) == pickle.loads(pickle.dumps(Kept(1, ("b",))))


@EACH
def test_values_that_may_change_can_be_changed(of: Any) -> None:
    changing = of.Changing()
    changing.x = 3
    assert of.Changing(3) == changing == copy.copy(changing)
    assert "Changing(x=3, seen=set())" == repr(changing).rpartition(".")[2]
    assert of.Changing().seen is not of.Changing().seen
    with pytest.raises(TypeError, match="unhashable"):
        hash(changing)
    with pytest.raises(AttributeError):
        changing.y = 1


@EACH
def test_frozen_values_keep_what_was_computed(of: Any) -> None:
    wide = of.Wide(2)
    assert 4 == wide.twice == vars(wide)["twice"]
    assert (2, [], 1) == _values(wide)
    assert of.Wide(2, [], 1) == wide == copy.copy(wide)
    assert not hasattr(of.Wide, "seen")
    with pytest.raises(FrozenInstanceError):
        wide.x = 5


@EACH
def test_frozen_classes_tell_their_fields(of: Any) -> None:
    for fields in (of.fields, dataclasses.fields):
        assert ["x", "y", "seen", "note", "name"] == [
            each.name for each in fields(of.Named)
        ]
        assert ["text", "size"] == [each.name for each in fields(of.Worded(text="t"))]
    for is_dataclass in (of.is_dataclass, dataclasses.is_dataclass):
        assert is_dataclass(of.Point) and is_dataclass(of.Empty())
        assert not is_dataclass(5)


def test_a_default_that_is_shared_or_of_the_standard_library_is_refused() -> None:
    for wrong in ([], dataclasses.field(default=1)):
        made = type("Wrong", (), {"__annotations__": {"x": "Any"}, "x": wrong})
        with pytest.raises(ValueError, match=r"Wrong\.x"):
            frozen.dataclass(frozen=True, slots=True)(made)


def _values(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, each.name) for each in dataclasses.fields(value))
