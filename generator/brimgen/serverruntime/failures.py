"""Failures: requests that are answered with a protocol error."""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

INVALID_PARAMS = -32602
"""The code of JSON-RPC for a request that names what there is not, or says it wrongly."""

INTERNAL_ERROR = -32603
"""The code of JSON-RPC for what the server cannot do, by no fault of the request."""

RESOURCE_NOT_FOUND = -32002
"""The code that revisions before 2026-07-28 have for an unknown resource; retired since."""

_SHOWN = 80
"""The characters of a name that an error repeats."""

Kind: TypeAlias = Literal["params", "resource", "server"]
"""Whose fault it is that a request is refused: its own, a resource that is not there, ours."""


class Refusal(Exception):
    """A request that is answered with an error of the protocol: an unknown tool, for instance.

    ``uri`` is that of the resource which is not there.
    """

    def __init__(
        self, message: str, kind: Kind = "params", uri: str | None = None
    ) -> None:
        super().__init__(message, kind)
        self.uri = uri
        self.message = message
        self.kind = kind

    @classmethod
    def unknown(cls, kind: str, name: str) -> Self:
        """Return the refusal of a name that is not listed."""
        return cls(f"Unknown {kind}: {name:.{_SHOWN}}")

    @classmethod
    def no_resource(cls, uri: str) -> Self:
        """Return the refusal of an address that no resource has."""
        return cls(f"Resource not found: {uri:.{_SHOWN}}", "resource", uri)

    def code(self, revision: str) -> int:
        """Return the code for a client of a revision (``2025-11-25``) of the protocol."""
        if self.kind == "server":
            return INTERNAL_ERROR
        if self.kind == "resource" and revision < "2026-07-28":
            return RESOURCE_NOT_FOUND
        return INVALID_PARAMS
