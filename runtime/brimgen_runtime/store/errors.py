"""The errors of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from ..grammar.rule_messages import Mistake

StoreCode: TypeAlias = Literal[
    "invalid",
    "not_found",
    "conflict",
    "built_in",
    "disabled",
    "unavailable",
    "unreadable",
]
"""Why a request is refused: it is invalid; its bundle or tool does not exist; slug and version are
taken; a built-in cannot be changed; the bundle or tool is disabled; the store cannot call the tool;
a file of the store is damaged."""

_STATUS: Final[dict[StoreCode, int]] = {
    "invalid": 400,
    "not_found": 404,
    "conflict": 409,
    "built_in": 403,
    "disabled": 403,
    "unavailable": 501,
    "unreadable": 500,
}


class Fault(NamedTuple):
    """A rule that a tool breaks: its code and message, as in a build, and the place in the body.

    The place is a path of keys, such as ``httpImpl.request.urlTemplate``.
    """

    rule: str
    at: str
    message: str

    @classmethod
    def of(cls, mistake: Mistake, at: str) -> Fault:
        """Return the fault for a mistake and its place."""
        return cls(mistake.code, at, mistake.message)

    def __str__(self) -> str:
        """Return the code, the place and the message."""
        return f"{self.rule} {self.at}: {self.message}"


class StoreError(Exception):
    """The store refuses a request; its files are unchanged.

    ``faults`` are all rules of specs that a tool breaks.
    """

    def __init__(
        self, code: StoreCode, message: str, faults: Sequence[Fault] = ()
    ) -> None:
        super().__init__(message)
        self.code: StoreCode = code
        self.faults = tuple(faults)

    @property
    def status(self) -> int:
        """The matching HTTP status."""
        return _STATUS[self.code]

    def to_dict(self) -> dict[str, Any]:
        """Return the error as JSON, in the form of a failed call."""
        error: dict[str, Any] = {
            "code": self.code,
            "message": str(self),
            "status": self.status,
        }
        if self.faults:
            error["faults"] = [fault._asdict() for fault in self.faults]
        return {"ok": False, "error": error}


def refused(faults: Sequence[Fault]) -> StoreError:
    """Return the error for a tool that breaks rules of specs."""
    return StoreError("invalid", "; ".join(map(str, faults)), faults)
