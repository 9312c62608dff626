"""Refusals: requests that are answered with a protocol error."""

from __future__ import annotations

from typing import Literal, Self, TypeAlias

from ..schema.errors import InputError
from ..schema.json_values import escaped

PARSE_ERROR = -32700
"""The JSON-RPC code for a text that is no JSON, or more than can be read."""

INVALID_PARAMS = -32602
"""The JSON-RPC code for a request with unknown names or invalid parameters."""

INTERNAL_ERROR = -32603
"""The JSON-RPC code for a failure of the server."""

RESOURCE_NOT_FOUND = -32002
"""The code for an unknown resource in revisions before 2026-07-28."""

WITHOUT_HANDSHAKE = "2026-07-28"
"""The first revision of the protocol without a handshake, and so without sessions."""

_CODES = {"server": INTERNAL_ERROR, "text": PARSE_ERROR}

_SHOWN = 80
"""The number of characters of a name that an error quotes."""

Kind: TypeAlias = Literal["params", "resource", "server", "text"]
"""Why a request is refused: invalid parameters, an unknown resource, a failure of the server, a
text that cannot be read."""


def unread(problem: Exception) -> str:
    """Return what to tell of a text that could not be decoded, or not parsed."""
    if isinstance(problem, InputError):
        return f"Parse error: {problem.violations[0].expected}"
    return "Parse error: not valid UTF-8"


class Refusal(Exception):
    """A request is answered with a protocol error, for instance for an unknown tool.

    ``uri`` is that of an unknown resource.
    """

    def __init__(
        self, message: str, kind: Kind = "params", uri: str | None = None
    ) -> None:
        super().__init__(message, kind)
        self.uri = None if uri is None else escaped(uri)
        self.message = escaped(message)
        self.kind = kind

    @classmethod
    def unknown(cls, kind: str, name: str) -> Self:
        """Return the refusal of an unknown name."""
        return cls(f"Unknown {kind}: {name:.{_SHOWN}}")

    @classmethod
    def no_resource(cls, uri: str) -> Self:
        """Return the refusal of a URI that no resource has."""
        return cls(f"Resource not found: {uri:.{_SHOWN}}", "resource", uri)

    def code(self, revision: str) -> int:
        """Return the code for a client of a revision (``2025-11-25``) of the protocol."""
        if self.kind in _CODES:
            return _CODES[self.kind]
        if self.kind == "resource" and revision < WITHOUT_HANDSHAKE:
            return RESOURCE_NOT_FOUND
        return INVALID_PARAMS
