"""The errors of a store."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

StoreCode: TypeAlias = Literal[
    "invalid", "not_found", "conflict", "built_in", "disabled", "unreadable"
]
"""Why nothing was done: the request is wrong; there is no such thing; the pair of slug and version
is taken (S2.41); a built-in is changed (S2.42); its bundle is disabled (S2.49); a file of the
store is not what the store writes."""

_STATUS: Final[dict[StoreCode, int]] = {
    "invalid": 400,
    "not_found": 404,
    "conflict": 409,
    "built_in": 403,
    "disabled": 403,
    "unreadable": 500,
}


class StoreError(Exception):
    """A request that the store refuses; its files are as they were."""

    def __init__(self, code: StoreCode, message: str) -> None:
        super().__init__(message)
        self.code: StoreCode = code

    @property
    def status(self) -> int:
        """The HTTP status that says the same."""
        return _STATUS[self.code]

    def to_dict(self) -> dict[str, Any]:
        """Return the refusal as JSON, in the shape of a failed call (S2.56)."""
        error = {"code": self.code, "message": str(self), "status": self.status}
        return {"ok": False, "error": error}
