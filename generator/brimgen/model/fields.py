"""The name of a field, its default, and the source of its value."""

from __future__ import annotations

import re
from decimal import Decimal
from enum import StrEnum
from typing import TypeAlias

from brimgen.frozen import dataclass
from brimgen.model.json import Json

_LONGEST_NAME = 128
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def name_fault(name: str) -> str | None:
    """Return why a text cannot be the name of a field (spec-language.md); None for a name."""
    if not name:
        return "it is empty"
    if len(name) > _LONGEST_NAME:
        return f"it has more than {_LONGEST_NAME} characters"
    if not name.isprintable() and _CONTROL.search(name):
        return "it has a control character"
    return None


@dataclass(frozen=True, slots=True)
class Default:
    """The value of an argument that was not given.

    ``text`` is the source text of a number, so that a decimal default keeps its digits.
    """

    value: Json
    text: str | None = None

    @property
    def is_rounded(self) -> bool:
        """Whether ``value`` is the float next to what ``text`` says."""
        if self.text is None or not isinstance(self.value, float):
            return False
        return Decimal(self.text) != Decimal(repr(self.value))


@dataclass(frozen=True, slots=True)
class Caller:
    """The value comes from the model or client that calls."""


@dataclass(frozen=True, slots=True)
class Context:
    """The value comes from the context (S0.15-19): ``("app", "user", "id")``."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Host:
    """The value comes from the host program (``llm: false``)."""


Origin: TypeAlias = Caller | Context | Host


class Zone(StrEnum):
    """What a datetime without an offset means."""

    REQUIRED = "required"
    ASSUME_UTC = "assume-utc"


_DAY = (
    "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"
)
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])?"
LOCAL_DATETIME = f"^{_DAY}[Tt]{_TIME}{_OFFSET}$"
"""The pattern of a datetime whose offset may be absent (`Zone.ASSUME_UTC`)."""
