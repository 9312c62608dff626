"""Frozen: the dataclasses of the standard library, whose methods are written when first called.

A run makes two hundred classes and few objects of most: writing and compiling the methods of all
of them was more than a third of its imports (`docs/performance.md`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass

__all__ = ["dataclass"]

_MISSING = dataclasses.MISSING
_Made = TypeVar("_Made")


def _dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    repr: bool = True,
    **options: Any,
) -> Callable[[type[_Made]], type[_Made]]:
    """`dataclasses.dataclass`, called with options; only values, frozen and with slots, differ."""
    if options or not (frozen and slots):
        return dataclasses.dataclass(
            frozen=frozen, slots=slots, kw_only=kw_only, repr=repr, **options
        )
    bare = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=True, kw_only=kw_only
    )

    def make(cls: type[_Made]) -> type[_Made]:
        given = dict(vars(cls))
        made = bare(cls)
        for name, method in _methods(made).items():
            # A class with an `__eq__` of its own was given None for `__hash__`.
            if given.get(name) is None and (repr or name != "__repr__"):
                setattr(made, name, method)
        return made

    return make


def _methods(cls: Any) -> dict[str, Callable[..., Any]]:
    """What a frozen dataclass has, but ``__init__``, which is written by its first call."""
    compared = [each.name for each in dataclasses.fields(cls) if each.compare]
    made = attrgetter(*compared) if compared else type
    values = cast("Callable[[object], object]", made)

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        cls.__init__ = written = _written_init(cls)
        written(self, *args, **options)

    def __eq__(self: Any, other: object) -> Any:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return {
        "__init__": __init__,
        "__eq__": __eq__,
        "__hash__": __hash__,
        "__repr__": _repr,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__getstate__": _state,
        "__setstate__": _restore,
    }


def _written_init(cls: Any) -> Callable[..., None]:
    """The ``__init__`` of a class: a parameter a field, each put into its slot at once."""
    known: dict[str, Any] = {"_MISSING": _MISSING}
    positional: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for each in dataclasses.fields(cls):
        name, value = each.name, each.name
        known[f"_put_{name}"] = getattr(cls, name).__set__
        known[f"_make_{name}"] = each.default_factory
        known[f"_default_{name}"] = each.default
        parameter = name
        if each.default_factory is not _MISSING:
            parameter = f"{name}=_MISSING"
            value = f"_make_{name}() if {name} is _MISSING else {name}"
        elif each.default is not _MISSING:
            parameter = f"{name}=_default_{name}"
        (named if each.kw_only else positional).append(parameter)
        lines.append(f"    _put_{name}(self, {value})\n")
    if hasattr(cls, "__post_init__"):
        lines.append("    self.__post_init__()\n")
    star = ["*"] if named else []
    head = f"def __init__({', '.join(['self', *positional, *star, *named])}):\n"
    exec(head + ("".join(lines) or "    pass\n"), known)
    written: Callable[..., None] = known["__init__"]
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    return written


def _repr(self: Any) -> str:
    shown = [
        f"{each.name}={getattr(self, each.name)!r}"
        for each in dataclasses.fields(self)
        if each.repr
    ]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, *value: object) -> None:
    deed = "assign to" if value else "delete"
    raise dataclasses.FrozenInstanceError(f"cannot {deed} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


if not TYPE_CHECKING:
    dataclass = _dataclass
