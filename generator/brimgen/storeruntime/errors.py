"""The errors of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from .rule_messages import Mistake

StoreCode: TypeAlias = Literal[
    "invalid",
    "not_found",
    "conflict",
    "built_in",
    "disabled",
    "unavailable",
    "unreadable",
]
"""Why nothing was done: the request is wrong; there is no such thing; the pair of slug and version
is taken; a built-in is changed; its bundle is disabled; nothing
here runs the tool; a file of the store is not what the store writes."""

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
    """One rule that a tool breaks: its code and message in a build, and the place in the body.

    The place is that of a member, as ``httpImpl.request.urlTemplate``.
    """

    rule: str
    at: str
    message: str

    @classmethod
    def of(cls, mistake: Mistake, at: str) -> Fault:
        """Return a broken rule with its place."""
        return cls(mistake.code, at, mistake.message)

    def __str__(self) -> str:
        """Return the code, the place and the message."""
        return f"{self.rule} {self.at}: {self.message}"


class StoreError(Exception):
    """A request that the store refuses; its files are as they were.

    ``faults`` are the rules of specs that a tool breaks, all of them.
    """

    def __init__(
        self, code: StoreCode, message: str, faults: Sequence[Fault] = ()
    ) -> None:
        super().__init__(message)
        self.code: StoreCode = code
        self.faults = tuple(faults)

    @property
    def status(self) -> int:
        """The HTTP status that says the same."""
        return _STATUS[self.code]

    def to_dict(self) -> dict[str, Any]:
        """Return the refusal as JSON, in the shape of a failed call."""
        error: dict[str, Any] = {
            "code": self.code,
            "message": str(self),
            "status": self.status,
        }
        if self.faults:
            error["faults"] = [fault._asdict() for fault in self.faults]
        return {"ok": False, "error": error}


def refused(faults: Sequence[Fault]) -> StoreError:
    """Return the refusal of a tool that breaks rules of specs."""
    return StoreError("invalid", "; ".join(map(str, faults)), faults)
