"""Requests, and the error for a value that cannot be sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from ..schema.errors import REDACTED, InputError, Violation

Headers: TypeAlias = tuple[tuple[str, str], ...]
"""Names and values, in order."""

Secrets: TypeAlias = Mapping[str, str]
"""What the host program keeps, by name: ``os.environ`` is one."""

Sent: TypeAlias = Mapping[str, Any] | str | bytes
"""What a model sent: an object, or JSON text."""

NO_SECRETS: Final[Secrets] = MappingProxyType({})


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """One request: everything that is sent, encoded.

    ``shown`` is the URL as the spec writes it, without a value. ``private`` are the names (in
    lower case) of headers that no other host may see; ``is_private`` says the same of the body.
    ``grant`` is the `Grant` of the access token that the request needs.
    """

    method: str
    url: str
    headers: Headers = ()
    body: bytes | None = None
    shown: str = ""
    private: tuple[str, ...] = ()
    is_private: bool = False
    grant: Any = None

    def __repr__(self) -> str:
        return f"<Request {self.method} {self.shown}>"


class RequestError(ValueError):
    """A value that cannot stand in its place, because it would change what is around it.

    ``name`` is the argument (or the path of the context, or the secret; nothing for a whole
    body), ``expected`` what would have been right. A ``hidden`` value, which no caller sent, is
    never told.
    """

    def __init__(
        self, name: str, expected: str, value: object, *, hidden: bool = False
    ) -> None:
        super().__init__(name, expected)
        self.name = name
        self.expected = expected
        self.hidden = hidden
        self._value = REDACTED if hidden else value

    @property
    def violation(self) -> Violation:
        """What is wrong, in the form in which a call is refused."""
        path = (None, self.name) if self.name else None
        finding = (path, "request", self.expected, self._value, "")
        return InputError("request", [finding], None).violations[0]

    def __str__(self) -> str:
        return self.violation.message

    def __repr__(self) -> str:
        return f"<RequestError {self}>"


class SecretError(LookupError):
    """A secret that the host program did not give; ``name`` is what it is called."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"the secret {self.name} is missing"


def secret(secrets: Secrets, name: str) -> str:
    """Return a secret. Raises SecretError where there is none, or an empty one."""
    value = secrets.get(name)
    if not value:
        raise SecretError(name)
    return value
