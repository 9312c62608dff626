"""JsonObject: what generated classes have in common, written once instead of for each class."""

from __future__ import annotations

from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from dataclasses import Field


class JsonObject:
    """A dataclass that stands for an object in JSON.

    Its ``repr`` is the one that `dataclasses.dataclass` would make. Making it for every class
    anew is a quarter of the time that a module of classes takes to load.
    """

    __slots__ = ()

    if (
        TYPE_CHECKING
    ):  # at run time, `typing.get_type_hints` would look for Field in vain
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def to_dict(self) -> dict[str, Any]:
        """Encode as the JSON object that decodes to an equal object."""
        raise NotImplementedError

    def to_json(self) -> str:
        """Encode as JSON text; no digit of a decimal is lost."""
        from .json_text import write_json

        return write_json(self.to_dict())

    @recursive_repr()
    def __repr__(self) -> str:
        from dataclasses import fields

        shown = [
            f"{each.name}={getattr(self, each.name)!r}"
            for each in fields(self)
            if each.repr
        ]
        return f"{type(self).__qualname__}({', '.join(shown)})"
