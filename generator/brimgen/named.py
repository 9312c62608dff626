"""Named: `typing.NamedTuple`, which does not ask what the annotations of its fields mean.

That of the standard library compiles every one of them, for which Python sets up all that it knows
of syntax trees: a tenth of its start (`docs/performance.md`).
"""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

__all__ = ["NamedTuple"]

_make: Any = collections.namedtuple
_MADE_HERE = frozenset({"__annotations__", "__module__", "__qualname__"})


class _Named(type):
    """What `NamedTuple` is made by; classes that extend it are tuples and have another type."""

    def __new__(cls, name: str, bases: tuple[type, ...], given: dict[str, Any]) -> Any:
        if not bases:
            return super().__new__(cls, name, bases, given)
        fields = given.get("__annotations__", {})
        defaults = [given[each] for each in fields if each in given]
        made: Any = _make(name, fields, defaults=defaults, module=given["__module__"])
        made.__qualname__ = given["__qualname__"]
        made.__annotations__ = fields
        for key, value in given.items():
            if key not in fields and key not in _MADE_HERE:
                setattr(made, key, value)
        return made


if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:

    class NamedTuple(metaclass=_Named):
        """What a class extends whose annotations are the names of a tuple's places."""
