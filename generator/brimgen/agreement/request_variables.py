"""Look up the variables of a request among the bound values of a call and its secrets."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from brimgen.frozen import dataclass
from brimgen.model.fields import Caller
from brimgen.model.http import Literal, Variable
from brimgen.model.json import is_list, is_object
from brimgen.model.types import Field


@dataclass(frozen=True, slots=True)
class RequestVariables:
    """``values`` are those of ``fields``, as Python has them.

    ``nulls`` are the names of what was given as null, and not left out.
    """

    values: Mapping[str, Any]
    fields: Mapping[str, Field]
    nulls: tuple[str, ...]
    secrets: Mapping[str, str]

    def value(self, variable: Variable) -> Any:
        """The value of a variable; None if it is null or absent."""
        if variable.is_secret:
            return self.secrets.get(variable.name)
        value: Any = self.values.get(variable.name)
        for step in variable.path:
            value = _below(as_json(value), step)
        return value.value if isinstance(value, Enum) else value

    def is_absent(self, variable: Variable) -> bool:
        """Return whether a variable has no value, not even null."""
        if variable.is_secret or self.value(variable) is not None:
            return False
        field = self.fields.get(variable.name)
        if variable.path or field is None:
            return True
        has_value = field.default is not None and field.default.value is not None
        is_optional = not field.required and not has_value
        return is_optional and variable.name not in self.nulls

    def is_hidden(self, piece: Literal | Variable) -> bool:
        """Whether a piece is a value that callers do not know."""
        if isinstance(piece, Literal):
            return False
        field = self.fields.get(piece.name)
        return piece.is_secret or not (field and isinstance(field.origin, Caller))

    @staticmethod
    def text(value: Any) -> str | None:
        """The text that a request has for a value; None if only the package can write it."""
        if isinstance(value, Enum):
            value = value.value
        match value:
            case bool():
                return "true" if value else "false"
            case Decimal():
                return format(value, "f")
            case str() | int() | float() | UUID():
                return str(value)
            case date() if not isinstance(value, datetime):
                return value.isoformat()
            case _:
                return None


def as_json(value: Any) -> Any:
    """An object of the generated package as JSON has it."""
    return value.to_dict() if hasattr(value, "to_dict") else value


def _below(value: Any, step: str | int) -> Any:
    if isinstance(step, int):
        return value[step] if is_list(value) and step < len(value) else None
    return value.get(step) if is_object(value) else None
