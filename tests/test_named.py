"""The quick NamedTuple is what the one of the standard library is."""

from __future__ import annotations

import builtins
import pickle
import re
import typing
from pathlib import Path
from typing import Any

import pytest

import brimgen
from brimgen import named


class Place(named.NamedTuple):
    """At the top of a module, where pickle finds it."""

    line: int
    column: int = 1

    @property
    def next(self) -> Place:
        """The place after this one."""
        return self._replace(column=self.column + 1)

    @staticmethod
    def at(line: int) -> Place:
        """The first place of a line."""
        return Place(line)


class Made:
    """The same classes, made by one of the two bases."""

    def __init__(self, of: Any) -> None:
        extended: Any = of.NamedTuple

        class Point(extended):  # type: ignore[misc]
            """A point."""

            x: int
            y: int = 2

            def __str__(self) -> str:
                return f"{self.x}|{self.y}"

        class Empty(extended):  # type: ignore[misc]
            """Nothing."""

        self.Point: Any = Point
        self.Empty: Any = Empty


@pytest.mark.parametrize("of", [Made(typing), Made(named)], ids=["std", "quick"])
def test_what_it_makes(of: Any) -> None:
    point = of.Point(1)
    assert (1, 2) == point == of.Point(x=1, y=2) == of.Point._make((1, 2))
    assert (tuple,) == of.Point.__bases__
    assert ("x", "y") == of.Point._fields == of.Point.__match_args__
    assert {"y": 2} == of.Point._field_defaults
    assert ["x", "y"] == list(of.Point.__annotations__)
    assert () == of.Empty()
    assert "A point." == of.Point.__doc__
    assert "1|2" == str(point)
    assert "Point(x=1, y=2)" == repr(point)
    assert (1, 5) == point._replace(y=5)
    assert "Made.__init__.<locals>.Point" == of.Point.__qualname__
    assert __name__ == of.Point.__module__
    assert not hasattr(point, "__dict__")
    for wrong in (lambda: of.Point(), lambda: of.Point(1, z=3)):
        with pytest.raises(TypeError):
            wrong()


def test_methods_and_pickle() -> None:
    assert Place(3, 2) == Place.at(3).next
    assert Place(3) == pickle.loads(pickle.dumps(Place(3)))
    assert type(pickle.loads(pickle.dumps(Place(3)))) is Place


def test_no_annotation_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(builtins, "compile", refuse)
    with pytest.raises(AssertionError):
        Made(typing)
    assert (1, 2) == Made(named).Point(1)


def test_our_own_tuples_are_made_by_it() -> None:
    """What generated packages carry uses the standard library's."""
    package = Path(brimgen.__file__).parent
    of_typing = [
        room
        for room in package.rglob("*.py")
        if re.search(
            r"from typing import (\([^)]*|.*)\bNamedTuple", room.read_text("utf-8")
        )
        and "runtime" not in str(room.relative_to(package))
    ]
    assert [package / "named.py"] == of_typing
