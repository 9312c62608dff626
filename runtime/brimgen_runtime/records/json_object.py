"""The base of generated classes."""

from __future__ import annotations

from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar

from ..schema.json_text import write_json

if TYPE_CHECKING:
    from dataclasses import Field


class JsonObject:
    """The base of generated classes: a dataclass that stands for an object in JSON.

    It has the ``repr`` and ``==`` of a dataclass. Generating these for each class would take half
    of the time that a module of classes takes to load.
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
        return write_json(self.to_dict())

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._compared_values() == other._compared_values()

    def _compared_values(self) -> tuple[object, ...]:
        from dataclasses import fields

        return tuple(
            [getattr(self, field.name) for field in fields(self) if field.compare]
        )

    @recursive_repr()
    def __repr__(self) -> str:
        from dataclasses import fields

        shown = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if field.repr
        ]
        return f"{type(self).__qualname__}({', '.join(shown)})"


def check_call(call: object, kind: type[object]) -> None:
    """Raise TypeError if ``call`` is no object of the input class ``kind``."""
    if not isinstance(call, kind):
        raise wrong_class(call, kind.__name__, "from_call makes one of what was sent")


def wrong_class(value: object, kind: str, hint: str) -> TypeError:
    """Return the error of a value that is not of the class ``kind``, for the caller to raise."""
    got = "None" if value is None else type(value).__name__
    return TypeError(f"expected {kind}, got {got}: {kind}.{hint}")
