"""`dataclasses.dataclass`, carried out when the first object of a class is made.

A run defines two hundred classes and makes objects of some. Writing the methods of all of them at
import took a quarter of a small build (`docs/internal/performance.md`). That a value is not
changed is what the type checkers see to: they read the standard decorator.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field as field
from dataclasses import fields as fields
from dataclasses import is_dataclass as is_dataclass
from dataclasses import replace as replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass

__all__ = ["dataclass", "field", "fields", "is_dataclass", "replace"]

_T = TypeVar("_T")
_WAITING = "__becomes_dataclass__"


def _dataclass(
    *, frozen: bool = False, slots: bool = False, kw_only: bool = False
) -> Callable[[type[_T]], type[_T]]:
    """Put off `dataclasses.dataclass`; ``slots`` would need another class, so it has no effect."""

    def put_off(cls: Any) -> Any:
        def finish() -> None:
            del cls.__init__
            classes: tuple[type, ...] = cls.__mro__
            for above in reversed(classes[1:]):
                vars(above).get(_WAITING, int)()
            delattr(cls, _WAITING)
            is_hashed = frozen and "__hash__" not in vars(cls)
            make = dataclasses.dataclass(
                kw_only=kw_only, repr=False, unsafe_hash=is_hashed
            )
            make(cls)

        def __init__(self: Any, *args: Any, **values: Any) -> None:
            finish()
            cls.__init__(self, *args, **values)

        setattr(cls, _WAITING, staticmethod(finish))
        cls.__init__ = __init__
        if "__repr__" not in vars(cls):
            cls.__repr__ = _shown
        return cls

    return put_off


def _shown(value: Any) -> str:
    parts = [
        f"{each.name}={getattr(value, each.name)!r}"
        for each in fields(value)
        if each.repr
    ]
    return f"{type(value).__qualname__}({', '.join(parts)})"


if not TYPE_CHECKING:
    dataclass = _dataclass
