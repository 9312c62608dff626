"""JsonObject: the base class of generated classes."""

from __future__ import annotations

from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from dataclasses import Field


class JsonObject:
    """A dataclass that stands for an object in JSON.

    Its ``repr`` and ``==`` are those that `dataclasses.dataclass` would make. Making them for
    every class anew is half of the time that a module of classes takes to load.
    """

    __slots__ = ()

    # At run time, `typing.get_type_hints` would look for Field in vain.
    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

        def to_dict(self) -> dict[str, Any]:
            """Encode as the JSON object that decodes to an equal object; each class has its own."""
            ...

    def to_json(self) -> str:
        """Encode as JSON text; no digit of a decimal is lost."""
        from .json_text import write_json

        return write_json(self.to_dict())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared_values() == other._compared_values()

    def _compared_values(self) -> tuple[object, ...]:
        from dataclasses import fields

        return tuple(
            [getattr(self, each.name) for each in fields(self) if each.compare]
        )

    @recursive_repr()
    def __repr__(self) -> str:
        from dataclasses import fields

        shown = [
            f"{each.name}={getattr(self, each.name)!r}"
            for each in fields(self)
            if each.repr
        ]
        return f"{type(self).__qualname__}({', '.join(shown)})"
