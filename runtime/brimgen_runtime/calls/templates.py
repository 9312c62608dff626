"""Functions that compiled prompts call, with the same meaning as in Jinja."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from ..schema.json_values import is_object
from .prompts import PromptError


class Undefined:
    """What is not there: empty text, no items, false; anything else asked of it is an error."""

    __slots__ = ()

    def __str__(self) -> str:
        return ""

    def __repr__(self) -> str:
        return "Undefined"

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Undefined)

    def __hash__(self) -> int:
        return hash(Undefined)

    def _refuse(self, *_: object) -> NoReturn:
        raise PromptError("a value is not there")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = _refuse
    __mod__ = __rmod__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __neg__ = __pos__ = __int__ = __float__ = _refuse


UNDEFINED = Undefined()
"""The one value of its type."""


def joined(parts: Iterable[object]) -> str:
    """Return the text of all parts, one after the other."""
    return "".join(map(str, parts))


def item(value: Any, key: Any) -> Any:
    """Return the property, or the item at an index; `UNDEFINED` where there is none."""
    if isinstance(value, Undefined):
        raise PromptError(f"{key!r} of a value that is not there")
    try:
        return value[key]
    except (LookupError, TypeError):
        return UNDEFINED


def items_of(value: Any) -> list[Any]:
    """Return the items that a loop goes through; of an object these are its keys."""
    return list(value)


class Loop:
    """The position in a loop: what Jinja calls ``loop``. Loops here never recurse."""

    __slots__ = ("_items", "index0")

    depth = 1
    depth0 = 0

    def __init__(self, items: Sequence[Any], index0: int) -> None:
        self._items = items
        self.index0 = index0

    @property
    def index(self) -> int:
        """How many items there were, this one among them."""
        return self.index0 + 1

    @property
    def length(self) -> int:
        """How many items there are."""
        return len(self._items)

    @property
    def revindex(self) -> int:
        """How many items are left, this one among them."""
        return self.length - self.index0

    @property
    def revindex0(self) -> int:
        """How many items are left after this one."""
        return self.length - self.index

    @property
    def first(self) -> bool:
        """Whether this is the first item."""
        return self.index0 == 0

    @property
    def last(self) -> bool:
        """Whether this is the last item."""
        return self.index == self.length

    @property
    def previtem(self) -> Any:
        """The item before this one."""
        return UNDEFINED if self.first else self._items[self.index0 - 1]

    @property
    def nextitem(self) -> Any:
        """The item after this one."""
        return UNDEFINED if self.last else self._items[self.index]

    def cycle(self, *values: Any) -> Any:
        """Return one of the values after the other."""
        if not values:
            raise PromptError("no items for cycling given")
        return values[self.index0 % len(values)]


def looped(items: Sequence[Any]) -> Iterator[tuple[Loop, Any]]:
    """Yield each item behind its position in the loop."""
    for index0, value in enumerate(items):
        yield Loop(items, index0), value


def pairs(value: Any) -> list[tuple[str, Any]]:
    """Return names and values of an object; none of what is not there."""
    if isinstance(value, Undefined):
        return []
    if not is_object(value):
        raise PromptError("pairs of what is no object")
    return list(value.items())


def called_items(value: Any) -> list[tuple[str, Any]]:
    """Return names and values of an object, which nothing else has."""
    return list(_object(value, "items").items())


def called_keys(value: Any) -> list[str]:
    """Return the names of an object."""
    return list(_object(value, "keys"))


def called_values(value: Any) -> list[Any]:
    """Return the values of an object."""
    return list(_object(value, "values").values())


def _object(value: Any, method: str) -> Mapping[str, Any]:
    if not is_object(value):
        raise PromptError(f"`{method}` of what is no object")
    return value
